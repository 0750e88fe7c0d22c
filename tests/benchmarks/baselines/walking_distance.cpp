// IDA* on the 15-puzzle with walking distance (K. Takahashi, 2001): recursion over packed boards.
//
// Rows are bags of tiles, known by the rows of their goals: a tile that moves up or down goes to
// another bag, that of the blank. How many such moves are needed at least is looked up in a table
// of all 24,964 ways to fill the bags. The board is symmetric, so the same table serves columns.
//
// An entry is carried along for rows and one for columns; a move looks up what one of them
// becomes. Each such link says, too, whether the distance grows: it changes by one in any case,
// so slack is carried instead of distances (see deepening.hpp).
#include <algorithm>
#include <unordered_map>

#include "deepening.hpp"

namespace {

constexpr int LINES = 4;
constexpr int AHEAD = LINES;  // links to the line after the blank's stand behind those before

// How many tiles of each goal line stand in each line, and which line has the blank.
struct Bags {
    int count[LINES][LINES] = {};
    int blank = 0;

    std::uint64_t key() const {
        std::uint64_t key = std::uint64_t(blank);
        for (const auto& line : count) {
            for (int tiles : line) key = key << 3 | std::uint64_t(tiles);
        }
        return key;
    }
};

Bags goal_bags() {
    Bags bags;
    for (int line = 0; line < LINES; ++line) bags.count[line][line] = line == 0 ? 3 : 4;
    return bags;
}

// All bags, in the order of their distance from the goal.
class Table {
public:
    Table() {
        std::vector<Bags> bags;
        add(bags, goal_bags(), 0);
        for (std::size_t entry = 0; entry < bags.size(); ++entry) {
            for (int way = 0; way < 2; ++way) {
                for (int goal = 0; goal < LINES; ++goal) {
                    Bags after = bags[entry];
                    const int from = after.blank + (way == 0 ? -1 : +1);
                    if (from < 0 || from >= LINES || after.count[from][goal] == 0) continue;
                    --after.count[from][goal];
                    ++after.count[after.blank][goal];
                    after.blank = from;
                    const std::uint32_t other = add(bags, after, distance_[entry] + 1);
                    const bool farther = distance_[other] > distance_[entry];
                    links_[entry * 2 * LINES + way * AHEAD + goal] =
                        std::uint16_t(other << 1 | farther);
                }
            }
        }
    }

    std::uint32_t entry(const Bags& bags) const { return entries_.at(bags.key()); }
    int distance(std::uint32_t entry) const { return distance_[entry]; }
    const std::uint16_t* links() const { return links_.data(); }

private:
    // The entry of bags, which are new unless they have one.
    std::uint32_t add(std::vector<Bags>& bags, const Bags& more, int distance) {
        const auto [place, fresh] = entries_.emplace(more.key(), std::uint32_t(bags.size()));
        if (fresh) {
            bags.push_back(more);
            distance_.push_back(distance);
            links_.resize(links_.size() + 2 * LINES);
        }
        return place->second;
    }

    std::unordered_map<std::uint64_t, std::uint32_t> entries_;
    std::vector<int> distance_;
    std::vector<std::uint16_t> links_;  // entry << 1 | whether it is farther away
};

struct Entries {
    std::uint32_t rows, columns;
};

const Table table;
const std::uint16_t* const links = table.links();
std::uint64_t nodes;

Entries entries_of(Board board) {
    Bags rows, columns;
    for (int cell = 0; cell < 16; ++cell) {
        const int tile = int(tile_at(board, cell));
        if (tile == 0) {
            rows.blank = cell / 4;
            columns.blank = cell % 4;
        } else {
            ++rows.count[cell / 4][tile / 4];
            ++columns.count[cell % 4][tile % 4];
        }
    }
    return {table.entry(rows), table.entry(columns)};
}

bool search(Board board, int blank, int last_move, unsigned rows, unsigned columns, int slack) {
#pragma GCC unroll 4  // so that each move has code of its own
    for (int move = 0; move < MOVES; ++move) {
        if (!is_legal(blank, move) || takes_back(move, last_move)) continue;
        const int from = blank + OFFSET[move];
        const unsigned tile = tile_at(board, from);
        ++nodes;
        const bool sideways = move == 1 || move == 2;
        const unsigned slot = (move >= 2 ? AHEAD : 0) + (sideways ? tile % 4 : tile / 4);
        const unsigned link = links[(sideways ? columns : rows) * 2 * LINES + slot];
        const int left = slack - int(link & 1);
        if (left < 0) continue;
        const Board child = slide(board, tile, from, blank);
        if (child == GOAL) return true;
        if (search(child, from, move, sideways ? rows : link >> 1,
                   sideways ? link >> 1 : columns, left)) {
            return true;
        }
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    return solve_instances(
        repeats_from(argc, argv), nodes,
        [](const Instance& instance) {
            const Entries entries = entries_of(instance.board);
            return table.distance(entries.rows) + table.distance(entries.columns);
        },
        [](const Instance& instance, int slack) {
            const Entries entries = entries_of(instance.board);
            return instance.board == GOAL || search(instance.board, instance.blank, NO_MOVE,
                                                    entries.rows, entries.columns, slack);
        });
}
