// What the IDA* programs share: the loop over bounds and over instances, and its check.
//
// Instead of g, h and the bound, a search carries its slack, (bound - f) / 2: a move that
// brings a tile nearer leaves f alone, any other raises it by 2 and costs one unit of slack.
#pragma once

#include <string>

#include "fifteen.hpp"

// Solves every instance `repeats` times. `estimate(instance)` is a lower bound of its length with
// the same parity, and `search(instance, slack)` returns whether a goal lies within the slack,
// and adds the children it generated to `nodes`.
//
// Nodes are counted as Korf did: children generated, and the root once. Those of each instance
// are printed, and compared with the instance's own if these are `known`.
template <class Estimate, class Search>
int solve_instances(int repeats, std::uint64_t& nodes, Estimate estimate, Search search,
                    bool known = false) {
    const std::vector<Instance> instances = read_instances(stdin);
    Stopwatch watch;
    std::vector<std::uint64_t> counts;
    std::uint64_t total = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        counts.clear();
        total = 0;
        watch.start();
        for (const Instance& instance : instances) {
            const int least = estimate(instance);
            int slack = 0;
            nodes = 1;
            while (!search(instance, slack)) ++slack;
            counts.push_back(nodes);
            total += nodes;
            if (least + 2 * slack != instance.optimal_length) {
                fail("wrong length for instance " + std::to_string(instance.id));
            }
        }
        watch.stop();
        for (std::size_t i = 0; known && i < instances.size(); ++i) {
            if (counts[i] != instances[i].nodes) {
                fail("instance " + std::to_string(instances[i].id) + " took " +
                     std::to_string(counts[i]) + " nodes");
            }
        }
    }
    Report report(watch);
    report.add("instances", instances.size());
    report.add("nodes", total);
    report.add("counts", counts);
    report.print();
    return 0;
}

// The same with Manhattan distance, which an instance knows, and by board and blank.
template <class Search>
int solve_by_manhattan(int argc, char** argv, std::uint64_t& nodes, Search search) {
    return solve_instances(
        repeats_from(argc, argv), nodes, [](const Instance& one) { return one.manhattan; },
        [&](const Instance& one, int slack) { return search(one.board, one.blank, slack); },
        true);
}
