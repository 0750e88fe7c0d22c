// IDA* on pancake stacks with the gap heuristic (M. Helmert, 2010), read from standard input: one
// stack a line, pancakes from the top.
//
// A turn of the top parts one pair of neighbours and joins another, so the change of the number of
// gaps is known before the turn is made: only turns within the bound are made, and taken back.
#include <algorithm>
#include <climits>
#include <sstream>

#include "common.hpp"

namespace {

constexpr int MOST_PANCAKES = 62;

std::uint8_t stack[MOST_PANCAKES + 1];  // the last is the plate
int size;
int over;  // the smallest f above the bound
std::uint64_t nodes;

bool is_gap(int one, int other) { return one - other != 1 && other - one != 1; }

// Whether a sorted stack lies within `left` more turns than there are gaps.
bool search(int gaps, int last_turn, int left) {
    const int top = stack[0];
    for (int turn = 2; turn <= size; ++turn) {
        if (turn == last_turn) continue;
        ++nodes;
        const int change = is_gap(top, stack[turn]) - is_gap(stack[turn - 1], stack[turn]);
        const int rest = left - 1 - change;
        if (rest < 0) {
            over = std::min(over, -rest);
            continue;
        }
        std::reverse(stack, stack + turn);
        const bool found = gaps + change == 0 || search(gaps + change, turn, rest);
        std::reverse(stack, stack + turn);
        if (found) return true;
    }
    return false;
}

int count_gaps() {
    int gaps = 0;
    for (int i = 0; i < size; ++i) gaps += is_gap(stack[i], stack[i + 1]);
    return gaps;
}

int solve(const std::string& line) {
    std::istringstream text(line);
    size = 0;
    for (int pancake; text >> pancake;) {
        if (size == MOST_PANCAKES) fail("a stack has too many pancakes");
        stack[size++] = std::uint8_t(pancake);
    }
    stack[size] = std::uint8_t(size + 1);
    nodes = 1;
    const int gaps = count_gaps();
    int bound = gaps;
    if (gaps == 0) return 0;
    for (;;) {
        over = INT_MAX;
        if (search(gaps, 0, bound - gaps)) return bound;
        bound += over;
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    std::vector<std::string> lines;
    char line[1024];
    while (std::fgets(line, sizeof line, stdin)) lines.push_back(line);
    if (lines.empty()) fail("no stacks on standard input");
    Stopwatch watch;
    std::vector<std::uint64_t> costs, counts;
    std::uint64_t total = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        costs.clear();
        counts.clear();
        total = 0;
        watch.start();
        for (const std::string& each : lines) {
            costs.push_back(std::uint64_t(solve(each)));
            counts.push_back(nodes);
            total += nodes;
        }
        watch.stop();
    }
    Report report(watch);
    report.add("nodes", total);
    report.add("costs", costs);
    report.add("counts", counts);
    report.print();
}
