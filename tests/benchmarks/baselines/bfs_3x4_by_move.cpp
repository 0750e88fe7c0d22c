// Breadth-first search of the whole 3x4 sliding puzzle, positions sorted by their last move.
//
// The same search as bfs_3x4.cpp, but a layer is kept as lists of bare boards, one per cell of
// the blank and last move. Everything that depends on those is settled before a list is walked:
// there are no moves to choose, nothing for the processor to guess, shifts do not change, and
// the children's ranks lie in the twelfth of the bitmap that belongs to their blank's cell.
//
// Colour the cells like a chessboard: the blanks of one layer all stand on the same colour. So
// the layer that is read and the one that is written never share a list, and one set of lists
// is enough. A second argument says how many layers to make, if not all.
#include <algorithm>

#include "common.hpp"
#include "ranking.hpp"

namespace {

constexpr int CELLS = 12;
constexpr std::uint64_t GOAL = 0xBA9876543210;
constexpr std::size_t LAYERS = 54;
constexpr std::size_t BATCH = 256;

using Ranks = Ranking<CELLS>;
const Ranks ranks;

// Room for every position with the blank in one cell; memory is taken only as it is filled.
struct List {
    std::uint64_t* boards = nullptr;
    std::size_t size = 0;

    void reserve() {
        constexpr std::size_t bytes = sizeof(std::uint64_t) * (Ranks::sequences + 1);
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) fail("out of memory");
        boards = static_cast<std::uint64_t*>(memory);
    }
};

List lists[CELLS][MOVES + 1];  // by the blank's cell and the last move

bool is_dark(int cell) { return (cell / COLUMNS + cell % COLUMNS) % 2 == 1; }

// Slides the tile on cell `from` to the blank's cell `to`, in every board of the list, and
// appends the positions not seen before to `children`.
void slide_all(const List& list, int from, int to, List& children, std::uint64_t* seen) {
    std::uint64_t boards[BATCH];
    std::uint32_t numbers[BATCH];
    std::uint64_t* end = children.boards + children.size;
    for (std::size_t first = 0; first < list.size; first += BATCH) {
        const std::size_t size = std::min(BATCH, list.size - first);
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint64_t board = list.boards[first + i];
            const std::uint64_t tile = board >> 4 * from & 15;
            boards[i] = board ^ tile << 4 * from ^ tile << 4 * to;
            numbers[i] = ranks(boards[i], from);
            __builtin_prefetch(&seen[numbers[i] / 64], 1);
        }
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint64_t bit = std::uint64_t(1) << numbers[i] % 64;
            std::uint64_t& word = seen[numbers[i] / 64];
            *end = boards[i];
            end += !(word & bit);
            word |= bit;
        }
    }
    children.size = std::size_t(end - children.boards);
}

// The number of positions with the blank on one of the cells of that colour.
std::uint64_t layer_size(bool dark) {
    std::uint64_t size = 0;
    for (int blank = 0; blank < CELLS; ++blank) {
        for (const List& list : lists[blank]) size += is_dark(blank) == dark ? list.size : 0;
    }
    return size;
}

void clear_layer(bool dark) {
    for (int blank = 0; blank < CELLS; ++blank) {
        if (is_dark(blank) != dark) continue;
        for (List& list : lists[blank]) list.size = 0;
    }
}

void expand(bool dark, const MovesToTry<CELLS>& moves_to_try, std::uint64_t* seen) {
    for (int blank = 0; blank < CELLS; ++blank) {
        if (is_dark(blank) != dark) continue;
        for (int last = 0; last <= NO_MOVE; ++last) {
            const unsigned moves = moves_to_try[std::uint64_t(blank + 16 * last)];
            for (int move = 0; move < MOVES; ++move) {
                if (!(moves >> move & 1)) continue;
                const int from = blank + OFFSET[move];
                slide_all(lists[blank][last], from, blank, lists[from][move], seen);
            }
        }
    }
}

// Returns the number of positions at every distance, for at most so many distances.
std::vector<std::uint64_t> explore(std::size_t most_layers) {
    const MovesToTry<CELLS> moves_to_try;
    ZeroedArray<std::uint64_t> seen(Ranks::positions / 64 + 1);
    const std::uint32_t goal_rank = ranks(GOAL, 0);
    seen[goal_rank / 64] |= std::uint64_t(1) << goal_rank % 64;
    clear_layer(false);
    clear_layer(true);
    lists[0][NO_MOVE].boards[0] = GOAL;
    lists[0][NO_MOVE].size = 1;

    std::vector<std::uint64_t> layers;
    for (bool dark = false; layers.size() < most_layers; dark = !dark) {
        const std::uint64_t size = layer_size(dark);
        if (size == 0) break;
        layers.push_back(size);
        clear_layer(!dark);
        expand(dark, moves_to_try, seen.begin());
    }
    return layers;
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    const std::size_t most_layers = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : LAYERS;
    for (auto& by_move : lists) {
        for (List& list : by_move) list.reserve();
    }
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
