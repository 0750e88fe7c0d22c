// Breadth-first search of the whole 3x4 sliding puzzle, 239,500,800 positions, from the goal
// with the blank in a corner. (The board stands upright: four rows of three.)
//
// Two layers are held as arrays of positions; a bitmap over perfect ranks (30 MB) says which
// have been seen. Reading the bitmap at random is what costs: children are collected in
// batches, their words of the bitmap are asked for, and looked at when the batch is full. A
// child is written behind the end of the next layer, which moves on only if it is new.
//
// A second argument says how many layers to make, if not all.
#include <memory>

#include "common.hpp"
#include "ranking.hpp"

namespace {

constexpr int CELLS = 12;
constexpr std::uint64_t GOAL = 0xBA9876543210;
constexpr std::size_t LAYERS = 54;
constexpr int BATCH = 128;
constexpr std::size_t LARGEST_LAYER = 22'000'000;  // 21,841,159, and room for a batch

using Ranks = Ranking<CELLS>;
using Position = Entry<CELLS>;

const Ranks ranks;
const MovesToTry<CELLS> moves_to_try;

struct Layer {
    std::unique_ptr<Position[]> positions{new Position[LARGEST_LAYER]};
    std::size_t size = 0;
};

// Children that wait for their words of the bitmap.
class Batch {
public:
    void add(Position child, std::uint32_t rank, const std::uint64_t* seen) {
        __builtin_prefetch(&seen[rank / 64], 1);
        children_[size_] = child;
        ranks_[size_] = rank;
        ++size_;
    }

    bool is_full() const { return size_ > BATCH - MOVES; }

    // Writes the new ones to `end` and returns the new end.
    Position* flush(std::uint64_t* seen, Position* end) {
        for (int i = 0; i < size_; ++i) {
            const std::uint64_t bit = std::uint64_t(1) << ranks_[i] % 64;
            std::uint64_t& word = seen[ranks_[i] / 64];
            *end = children_[i];
            end += !(word & bit);
            word |= bit;
        }
        size_ = 0;
        return end;
    }

private:
    Position children_[BATCH];
    std::uint32_t ranks_[BATCH];
    int size_ = 0;
};

void expand(const Layer& layer, Layer& next, std::uint64_t* seen) {
    Batch batch;
    Position* end = next.positions.get();
    const Position* positions = layer.positions.get();
    const std::size_t size = layer.size;
    for (std::size_t i = 0; i < size; ++i) {
        const Position position = positions[i];
        const std::uint64_t board = position.board();
        const int blank = position.blank();
        unsigned moves = moves_to_try[position.blank_and_last()];
        for (; moves != 0; moves &= moves - 1) {
            const int move = __builtin_ctz(moves);
            const int from = blank + OFFSET[move];
            const std::uint64_t tile = board >> 4 * from & 15;
            const std::uint64_t child = board ^ tile << 4 * from ^ tile << 4 * blank;
            batch.add(Position(child, from, move), ranks(child, from), seen);
        }
        if (batch.is_full()) end = batch.flush(seen, end);
    }
    end = batch.flush(seen, end);
    next.size = std::size_t(end - next.positions.get());
}

// Returns the number of positions at every distance, for at most so many distances.
std::vector<std::uint64_t> explore(std::size_t most_layers) {
    ZeroedArray<std::uint64_t> seen(Ranks::positions / 64 + 1);
    Layer layer, next;
    layer.positions[0] = Position(GOAL, 0, NO_MOVE);
    layer.size = 1;
    const std::uint32_t goal_rank = ranks(GOAL, 0);
    seen[goal_rank / 64] |= std::uint64_t(1) << goal_rank % 64;

    std::vector<std::uint64_t> layers;
    while (layer.size != 0 && layers.size() < most_layers) {
        layers.push_back(layer.size);
        expand(layer, next, seen.begin());
        std::swap(layer, next);
    }
    return layers;
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    const std::size_t most_layers = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : LAYERS;
    Stopwatch watch;
    std::vector<std::uint64_t> layers;
    std::uint64_t states = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        watch.start();
        layers = explore(most_layers);
        watch.stop();
        states = 0;
        for (std::uint64_t layer : layers) states += layer;
        if (most_layers >= LAYERS &&
            (states != Ranks::positions || layers.size() != LAYERS || layers.back() != 18)) {
            fail("wrong layers");
        }
    }
    Report report(watch);
    report.add("nodes", states);
    report.add("layers", layers);
    report.print();
}
