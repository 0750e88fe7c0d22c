// Builds pattern databases of the 15-puzzle (see patterns.hpp): the arguments are the patterns.
//
// Prints how many entries have each value, one list for each pattern after the other.
#include "patterns.hpp"

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    Stopwatch watch;
    std::vector<std::uint64_t> counts;
    std::uint64_t entries = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        std::vector<Pattern> patterns;
        for (int i = 2; i < argc; ++i) patterns.push_back(read_pattern(argv[i]));
        watch.start();
        for (Pattern& pattern : patterns) build(pattern);
        watch.stop();
        counts.clear();
        entries = 0;
        for (const Pattern& pattern : patterns) {
            std::vector<std::uint64_t> of_pattern;
            for (std::uint8_t value : pattern.values) {
                if (value == UNREACHED) fail("an entry was not reached");
                if (value >= of_pattern.size()) of_pattern.resize(value + 1u);
                ++of_pattern[value];
            }
            entries += pattern.values.size();
            counts.insert(counts.end(), of_pattern.begin(), of_pattern.end());
        }
    }
    Report report(watch);
    report.add("nodes", entries);
    report.add("counts", counts);
    report.print();
}
