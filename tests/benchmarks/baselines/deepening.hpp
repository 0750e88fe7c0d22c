// What the IDA* programs share: the loop over bounds and over instances, and its check.
//
// Instead of g, h and the bound, a search carries its slack, (bound - f) / 2: a move that
// brings a tile nearer leaves f alone, any other raises it by 2 and costs one unit of slack.
#pragma once

#include <string>

#include "fifteen.hpp"

// Solves every instance `repeats` times. `search(board, blank, slack)` returns whether a goal
// lies within the slack, and adds the children it generated to `nodes`.
//
// Nodes are counted as Korf did: children generated, and the root once.
template <class Search>
int solve_instances(int argc, char** argv, std::uint64_t& nodes, Search search) {
    const int repeats = repeats_from(argc, argv);
    const std::vector<Instance> instances = read_instances(stdin);
    Stopwatch watch;
    std::uint64_t total = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        std::vector<std::uint64_t> counts;
        total = 0;
        watch.start();
        for (const Instance& instance : instances) {
            nodes = 1;
            int slack = 0;
            while (!search(instance.board, instance.blank, slack)) ++slack;
            counts.push_back(nodes);
            total += nodes;
            if (instance.manhattan + 2 * slack != instance.optimal_length) {
                fail("wrong length for instance " + std::to_string(instance.id));
            }
        }
        watch.stop();
        for (std::size_t i = 0; i < instances.size(); ++i) {
            if (counts[i] != instances[i].nodes) {
                fail("instance " + std::to_string(instances[i].id) + " took " +
                     std::to_string(counts[i]) + " nodes");
            }
        }
    }
    Report report(watch);
    report.add("instances", instances.size());
    report.add("nodes", total);
    report.print();
    return 0;
}
