// A* on the 15-puzzle with Manhattan distance.
//
// Closed and open states share one hash table, eight bytes a state: fifteen cells, from which
// the last one follows, and in the upper four bits g / 2 modulo 16 (whether g is odd follows
// from the blank's cell). The open list is a stack of bare boards for every g and h; taken is
// the smallest f, among equals the smallest h. No parents are kept: a path can be walked back
// through neighbours whose g is one less.
//
// The table is larger than the caches. So states are taken in batches of 256: their slots are
// asked for in advance, then those of all their children, before any is looked at.
//
// A state found again by a cheaper path gets a lower g in its slot and is put on the open list
// again; the older copy is recognised by its g when it is taken, and dropped.
#include <algorithm>
#include <string>

#include "fifteen.hpp"

namespace {

constexpr int BATCH = 256;
constexpr int MAX_G = 128, MAX_H = 96;

constexpr Board CELLS_KEPT = 0x0FFFFFFFFFFFFFFF;

// The field of four bits that tells g, once its lowest bit is known.
constexpr unsigned g_field(int g) { return unsigned(g) >> 1 & 15; }

class Table {
public:
    static constexpr std::size_t first_size = std::size_t(1) << 18;

    Table() : slots_(first_size) {}

    void prefetch(Board board) const { __builtin_prefetch(&slots_[home(board)], 1); }

    // Whether g is still the best known for a board that is in the table.
    bool is_current(Board board, int g) const { return slots_[find(board)] >> 60 == g_field(g); }

    // Notes g for the board; returns false if it was known with this g or a lower one.
    bool improve(Board board, int g) {
        Board& slot = slots_[find(board)];
        if (slot == 0) {
            ++stored_;
        } else {
            // Two values of g for one board are nearer to each other than 16.
            const unsigned known_minus_new = (unsigned(slot >> 60) - g_field(g)) & 15;
            if (known_minus_new == 0 || known_minus_new >= 8) return false;
        }
        slot = (board & CELLS_KEPT) | Board(g_field(g)) << 60;
        return true;
    }

    // To be called between batches: keeps the table at most 6/10 full, a batch aside.
    void grow_if_needed() {
        if (stored_ * 10 <= slots_.size() * 6) return;
        ZeroedArray<Board> old(slots_.size() * 4);
        old.swap(slots_);
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (old[i] != 0) slots_[find(old[i])] = old[i];
        }
    }

    std::size_t stored() const { return stored_; }

private:
    std::size_t home(Board board) const {
        return (board << 4) * 0x9E3779B97F4A7C15 >> 24 & (slots_.size() - 1);
    }

    // The slot of the board, or the free one where it belongs.
    std::size_t find(Board board) const {
        std::size_t i = home(board);
        while (slots_[i] != 0 && ((slots_[i] ^ board) & CELLS_KEPT) != 0) {
            i = (i + 1) & (slots_.size() - 1);
        }
        return i;
    }

    ZeroedArray<Board> slots_;
    std::size_t stored_ = 0;
};

struct Move {
    std::uint8_t from;
    std::uint16_t gaining;  // the tiles that it brings nearer to their goal cells
};

struct MoveList {
    int size = 0;
    Move moves[MOVES];
};

MoveList move_lists[16];  // by blank cell
std::vector<Board> open_list[MAX_G][MAX_H];

void fill_move_lists() {
    for (int blank = 0; blank < 16; ++blank) {
        MoveList& list = move_lists[blank];
        for (int move = 0; move < MOVES; ++move) {
            if (!is_legal(blank, move)) continue;
            const int from = blank + OFFSET[move];
            list.moves[list.size++] = {std::uint8_t(from),
                                       std::uint16_t(tiles_gaining(from, blank))};
        }
    }
}

int blank_of(Board board) {
    board |= board >> 1;
    board |= board >> 2;
    return __builtin_ctzll(~board & 0x1111111111111111) / 4;
}

struct Counts {
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t stored = 0;  // the most of any instance
};

struct Child {
    Board board;
    int h;
};

// Returns the length of a shortest solution.
int solve(const Instance& instance, Counts& counts) {
    static Board taken[BATCH];
    static Child children[BATCH * MOVES];
    for (auto& by_h : open_list) {
        for (auto& stack : by_h) stack.clear();
    }
    Table table;
    table.improve(instance.board, 0);
    open_list[0][instance.manhattan].push_back(instance.board);
    for (int f = instance.manhattan;; f += 2) {
        for (int h = 0; h <= f;) {
            const int g = f - h;
            if (g >= MAX_G || h >= MAX_H || open_list[g][h].empty()) {
                ++h;
                continue;
            }
            if (h == 0) {
                counts.stored = std::max<std::uint64_t>(counts.stored, table.stored());
                return g;
            }
            auto& stack = open_list[g][h];
            const int size = int(std::min<std::size_t>(stack.size(), BATCH));
            std::copy(stack.end() - size, stack.end(), taken);
            stack.resize(stack.size() - std::size_t(size));
            for (int i = 0; i < size; ++i) table.prefetch(taken[i]);

            int born = 0;
            for (int i = 0; i < size; ++i) {
                const Board board = taken[i];
                if (!table.is_current(board, g)) continue;
                ++counts.expanded;
                const int blank = blank_of(board);
                const MoveList& list = move_lists[blank];
                for (int k = 0; k < list.size; ++k) {
                    const Move move = list.moves[k];
                    const unsigned tile = tile_at(board, move.from);
                    const Board child = slide(board, tile, move.from, blank);
                    children[born++] = {child, h + 1 - 2 * int(move.gaining >> tile & 1)};
                    table.prefetch(child);
                }
            }
            counts.generated += std::uint64_t(born);
            for (int i = 0; i < born; ++i) {
                const Child child = children[i];
                if (table.improve(child.board, g + 1)) {
                    open_list[g + 1][child.h].push_back(child.board);
                }
            }
            table.grow_if_needed();
            // The children of this f lie at h - 1.
            --h;
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    const std::vector<Instance> instances = read_instances(stdin);
    fill_move_lists();
    Stopwatch watch;
    Counts counts;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        counts = Counts();
        watch.start();
        for (const Instance& instance : instances) {
            const int length = solve(instance, counts);
            if (length != instance.optimal_length) {
                fail("wrong length for instance " + std::to_string(instance.id));
            }
        }
        watch.stop();
    }
    Report report(watch);
    report.add("instances", instances.size());
    report.add("expanded", counts.expanded);
    report.add("nodes", counts.generated);
    report.add("stored", counts.stored);
    report.print();
}
