// IDA* on the 15-puzzle with Manhattan distance: plain recursion over packed boards.
//
// Boards are passed by value, so nothing is undone. The moves that are legal and do not take
// the last one back stand in a list per blank cell and last move; each carries a mask of the
// tiles that it brings nearer to their goal.
#include "deepening.hpp"

namespace {

struct Move {
    std::uint8_t from;        // the cell whose tile slides
    std::uint8_t number;      // the move itself
    std::uint16_t gaining;    // the tiles that it brings nearer
};

struct MoveList {
    int size = 0;
    Move moves[MOVES];
};

MoveList move_lists[16][MOVES + 1];  // by blank cell and last move
std::uint64_t nodes;

void fill_move_lists() {
    for (int blank = 0; blank < 16; ++blank) {
        for (int last = 0; last <= NO_MOVE; ++last) {
            MoveList& list = move_lists[blank][last];
            for (int move = 0; move < MOVES; ++move) {
                if (!is_legal(blank, move) || takes_back(move, last)) continue;
                const int from = blank + OFFSET[move];
                list.moves[list.size++] = {std::uint8_t(from), std::uint8_t(move),
                                           std::uint16_t(tiles_gaining(from, blank))};
            }
        }
    }
}

bool search(Board board, int blank, int last_move, int slack) {
    const MoveList& list = move_lists[blank][last_move];
    for (int i = 0; i < list.size; ++i) {
        const Move move = list.moves[i];
        const unsigned tile = tile_at(board, move.from);
        ++nodes;
        const int left = slack - !(move.gaining >> tile & 1);
        if (left < 0) continue;
        const Board child = slide(board, tile, move.from, blank);
        if (child == GOAL || search(child, move.from, move.number, left)) return true;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    fill_move_lists();
    return solve_by_manhattan(argc, argv, nodes, [](Board board, int blank, int slack) {
        return board == GOAL || search(board, blank, NO_MOVE, slack);
    });
}
