// Breadth-first search of the whole 8-puzzle from the goal (1 2 ... 8, blank last).
//
// One queue holds every position; a bitmap over perfect ranks (22,680 bytes) says which have
// been seen. Every child is written behind the end of the queue, which moves on only if it is
// new, so that the processor need not guess.
#include <cstring>

#include "common.hpp"
#include "ranking.hpp"

namespace {

constexpr int CELLS = 9;
constexpr std::uint64_t GOAL = 0x087654321;

using Ranks = Ranking<CELLS>;
using Position = Entry<CELLS>;

const Ranks ranks;
const MovesToTry<CELLS> moves_to_try;
Position queue[Ranks::positions + 1];
std::uint64_t seen[Ranks::positions / 64 + 1];

// Fills the queue and returns the number of positions at every distance.
std::vector<std::uint64_t> explore() {
    std::memset(seen, 0, sizeof seen);
    const std::uint32_t goal_rank = ranks(GOAL, CELLS - 1);
    seen[goal_rank / 64] |= std::uint64_t(1) << goal_rank % 64;
    queue[0] = Position(GOAL, CELLS - 1, NO_MOVE);

    std::vector<std::uint64_t> layers;
    std::size_t next = 0, end = 1;
    while (next < end) {
        const std::size_t layer_end = end;
        layers.push_back(layer_end - next);
        for (; next < layer_end; ++next) {
            const Position position = queue[next];
            const std::uint64_t board = position.board();
            const int blank = position.blank();
            unsigned moves = moves_to_try[position.blank_and_last()];
            for (; moves != 0; moves &= moves - 1) {
                const int move = __builtin_ctz(moves);
                const int from = blank + OFFSET[move];
                const std::uint64_t tile = board >> 4 * from & 15;
                const std::uint64_t child = board ^ tile << 4 * from ^ tile << 4 * blank;
                const std::uint32_t rank = ranks(child, from);
                const std::uint64_t bit = std::uint64_t(1) << rank % 64;
                queue[end] = Position(child, from, move);
                end += !(seen[rank / 64] & bit);
                seen[rank / 64] |= bit;
            }
        }
    }
    return layers;
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    Stopwatch watch;
    std::vector<std::uint64_t> layers;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        watch.start();
        layers = explore();
        watch.stop();
        std::uint64_t states = 0;
        for (std::uint64_t layer : layers) states += layer;
        if (states != 181440 || layers.size() != 32 || layers.back() != 2) fail("wrong layers");
    }
    Report report(watch);
    report.add("nodes", Ranks::positions);
    report.add("layers", layers);
    report.print();
}
