// IDA* on the 15-puzzle with Manhattan distance, one function per blank cell and last move.
//
// The same search as idastar.cpp, but the blank's cell and the last move are template
// parameters: shifts, masks and lists of moves become constants, loops over moves are gone,
// and the goal is looked for only where the blank arrives on its goal cell.
#include "deepening.hpp"

namespace {

std::uint64_t nodes;

constexpr bool is_tried(int blank, int last_move, int move) {
    return is_legal(blank, move) && !takes_back(move, last_move);
}

// How many moves are tried from move number `first` on.
constexpr int moves_tried(int blank, int last_move, int first) {
    int count = 0;
    for (int move = first; move < MOVES; ++move) count += is_tried(blank, last_move, move);
    return count;
}

template <int blank, int last_move>
bool search(Board board, int slack);

template <int blank, int last_move, int move>
[[gnu::always_inline]] inline bool try_move(Board board, int slack) {
    if constexpr (is_tried(blank, last_move, move)) {
        constexpr int from = blank + OFFSET[move];
        constexpr unsigned gaining = tiles_gaining(from, blank);
        const unsigned tile = tile_at(board, from);
        const int left = slack - 1 + int(gaining >> tile & 1);
        if (left < 0) return false;
        const Board child = slide(board, tile, from, blank);
        bool found = false;
        if constexpr (from == 0) found = child == GOAL;
        if (found || search<from, move>(child, left)) {
            // All children were counted in advance: take back those after this one.
            nodes -= moves_tried(blank, last_move, move + 1);
            return true;
        }
    }
    return false;
}

template <int blank, int last_move>
[[gnu::noinline]] bool search(Board board, int slack) {
    nodes += moves_tried(blank, last_move, 0);
    return try_move<blank, last_move, 0>(board, slack) ||
           try_move<blank, last_move, 1>(board, slack) ||
           try_move<blank, last_move, 2>(board, slack) ||
           try_move<blank, last_move, 3>(board, slack);
}

// Chooses the function of the blank's cell.
template <int cell = 0>
bool search_from(Board board, int blank, int slack) {
    if constexpr (cell < 16) {
        return blank == cell ? search<cell, NO_MOVE>(board, slack)
                             : search_from<cell + 1>(board, blank, slack);
    } else {
        return false;
    }
}

}  // namespace

int main(int argc, char** argv) {
    return solve_by_manhattan(argc, argv, nodes, [](Board board, int blank, int slack) {
        return board == GOAL || search_from(board, blank, slack);
    });
}
