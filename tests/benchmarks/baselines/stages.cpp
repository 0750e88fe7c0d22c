// 15-puzzles, read from standard input, solved in four stages, each along a table of distances.
//
// Bottom row out of the top row, bottom row home, third row home, the last two rows. A stage sees
// the cell of the blank and those of its tiles; the first one does not tell its tiles apart, and
// sees the set of their cells. At every step the first move in the order of
// fifteen.hpp is made that comes nearer. The tables are made before the clock runs.
#include "fifteen.hpp"

namespace {

constexpr int STAGES = 4;
constexpr std::uint8_t UNSEEN = 255;

struct Stage {
    int first_cell, end_cell;  // the region that the blank stays in
    int first_tile, end_tile;  // the tiles that are told apart, or are a set
    bool is_set;
    std::size_t states;  // known number of states that can be reached
    int worst;
};

constexpr Stage STAGE[STAGES] = {
    {0, 16, 12, 16, true, 21840, 19},
    {4, 16, 12, 16, false, 95040, 34},
    {0, 12, 8, 12, false, 95040, 34},
    {0, 8, 1, 8, false, 20160, 36},
};

std::vector<std::uint8_t> table[STAGES];

// The bits of a tile at a cell in the key of a stage; the blank has the lowest four bits.
template <int K>
constexpr std::uint32_t bits_of(int tile, int cell) {
    constexpr Stage stage = STAGE[K];
    if (tile < stage.first_tile || tile >= stage.end_tile) return 0;
    if (stage.is_set) return std::uint32_t(16) << cell;
    if (K == 3) return std::uint32_t(cell) << (3 * (tile - 1));
    return std::uint32_t(cell) << (4 + 4 * (tile - stage.first_tile));
}

// Those of the blank; in the last stage the tiles tell where it is.
template <int K>
constexpr std::uint32_t bits_of_blank(int cell) { return K == 3 ? 0 : std::uint32_t(cell); }

template <int K>
constexpr std::uint32_t keys() { return K == 3 ? 1u << 21 : 1u << 20; }

template <int K>
std::uint32_t key_of(const std::uint8_t* tiles) {
    std::uint32_t key = 0;
    for (int cell = 0; cell < 16; ++cell) {
        key |= tiles[cell] ? bits_of<K>(tiles[cell], cell) : bits_of_blank<K>(cell);
    }
    return key;
}

template <int K>
bool is_legal_in(int blank, int move) {
    if (!is_legal(blank, move)) return false;
    const int cell = blank + OFFSET[move];
    return cell >= STAGE[K].first_cell && cell < STAGE[K].end_cell;
}

struct Position {
    std::uint8_t tiles[16];
    int blank;
};

// Breadth-first search over boards that show only what the stage sees: 255 is any other tile.
template <int K>
void fill_table() {
    constexpr Stage stage = STAGE[K];
    table[K].assign(keys<K>(), UNSEEN);
    std::vector<Position> layer, after;
    auto add = [&](Position& position, int distance) {
        std::uint8_t& entry = table[K][key_of<K>(position.tiles)];
        if (entry != UNSEEN) return;
        entry = std::uint8_t(distance);
        after.push_back(position);
    };
    if (stage.is_set) {
        // Every set of cells outside of the top row, and the blank outside of it too.
        for (int set = 0; set < 1 << 12; ++set) {
            if (__builtin_popcount(unsigned(set)) != stage.end_tile - stage.first_tile) continue;
            for (int blank = 4; blank < 16; ++blank) {
                if (set >> (blank - 4) & 1) continue;
                Position position{};
                int tile = stage.first_tile;
                for (int cell = 0; cell < 16; ++cell) {
                    position.tiles[cell] = cell == blank ? 0 : 255;
                    if (cell >= 4 && set >> (cell - 4) & 1) position.tiles[cell] = std::uint8_t(tile++);
                }
                position.blank = blank;
                add(position, 0);
            }
        }
    } else {
        // The tiles at home, the blank anywhere else, or at home too in the last stage.
        for (int blank = stage.first_cell; blank < stage.end_cell; ++blank) {
            const bool last = stage.first_tile == 1;
            if (last ? blank != 0 : blank >= stage.first_tile && blank < stage.end_tile) continue;
            Position position{};
            for (int cell = 0; cell < 16; ++cell) {
                const bool seen = cell >= stage.first_tile && cell < stage.end_tile;
                position.tiles[cell] = seen ? std::uint8_t(cell) : 255;
            }
            position.tiles[blank] = 0;
            position.blank = blank;
            add(position, 0);
        }
    }
    std::size_t states = 0;
    int depth = 0;
    for (; !after.empty(); ++depth) {
        states += after.size();
        layer.swap(after);
        after.clear();
        for (const Position& position : layer) {
            for (int move = 0; move < MOVES; ++move) {
                if (!is_legal_in<K>(position.blank, move)) continue;
                Position next = position;
                next.blank = position.blank + OFFSET[move];
                std::swap(next.tiles[position.blank], next.tiles[next.blank]);
                add(next, depth + 1);
            }
        }
    }
    if (states != stage.states || depth - 1 != stage.worst) fail("a table is wrong");
}

// Makes the moves of a stage; how many they are.
template <int K>
int descend(Position& position, std::uint8_t* path) {
    const std::uint8_t* entries = table[K].data();
    std::uint32_t key = key_of<K>(position.tiles);
    int distance = entries[key], made = 0;
    if (distance == UNSEEN) fail("a board cannot be solved");
    while (distance > 0) {
        const int blank = position.blank;
        for (int move = 0; move < MOVES; ++move) {
            if (!is_legal_in<K>(blank, move)) continue;
            const int cell = blank + OFFSET[move], tile = position.tiles[cell];
            const std::uint32_t after =
                key ^ bits_of_blank<K>(blank ^ cell) ^ bits_of<K>(tile, blank) ^ bits_of<K>(tile, cell);
            if (entries[after] >= distance) continue;
            key = after;
            position.tiles[blank] = std::uint8_t(tile);
            position.tiles[cell] = 0;
            position.blank = cell;
            path[made++] = std::uint8_t(move);
            --distance;
            break;
        }
    }
    return made;
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    const auto instances = read_instances(stdin);
    fill_table<0>();
    fill_table<1>();
    fill_table<2>();
    fill_table<3>();
    Stopwatch watch;
    std::vector<std::uint64_t> costs(instances.size());
    std::vector<std::uint8_t> paths(128 * instances.size());
    for (int repeat = 0; repeat < repeats; ++repeat) {
        watch.start();
        for (std::size_t i = 0; i < instances.size(); ++i) {
            Position position;
            for (int cell = 0; cell < 16; ++cell) {
                position.tiles[cell] = std::uint8_t(tile_at(instances[i].board, cell));
            }
            position.blank = instances[i].blank;
            std::uint8_t* path = &paths[128 * i];
            int moves = descend<0>(position, path);
            moves += descend<1>(position, path + moves);
            moves += descend<2>(position, path + moves);
            moves += descend<3>(position, path + moves);
            costs[i] = std::uint64_t(moves);
        }
        watch.stop();
    }
    // Played by rules that know nothing of stages.
    for (std::size_t i = 0; i < instances.size(); ++i) {
        Board board = instances[i].board;
        int blank = instances[i].blank;
        for (std::uint64_t step = 0; step < costs[i]; ++step) {
            const int move = paths[128 * i + step], cell = blank + OFFSET[move];
            if (!is_legal(blank, move)) fail("a move leaves the board");
            board = slide(board, tile_at(board, cell), cell, blank);
            blank = cell;
        }
        if (board != GOAL) fail("a board is not solved");
    }
    Report report(watch);
    report.add("nodes", std::uint64_t(instances.size()));
    report.add("costs", costs);
    report.print();
}
