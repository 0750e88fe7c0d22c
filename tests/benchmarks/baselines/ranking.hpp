// Ranks of sliding-puzzle positions on boards three columns wide, from 0 without gaps.
//
// On such a board a tile that moves sideways keeps its place in the sequence of tiles (the
// board read in order, without the blank), and one that moves up or down passes two others:
// every position that can be reached has an even permutation as its sequence. So a position is
// the blank's cell and an even permutation, whose last two tiles follow from the others.
//
// The rank of the first four tiles is looked up, together with the set of tiles that are left;
// each further tile is counted among those: a digit in a number system with falling bases.
#pragma once

#include <cstdint>

constexpr int COLUMNS = 3;
constexpr int MOVES = 4;  // up, left, right, down: move m is taken back by 3 - m
constexpr int NO_MOVE = 4;
constexpr int OFFSET[MOVES] = {-COLUMNS, -1, +1, +COLUMNS};

// The moves worth making, as sets of bits, by the blank's cell + 16 * the last move: the legal
// ones but the one that takes the last back.
template <int cells>
class MovesToTry {
public:
    MovesToTry() {
        for (int blank = 0; blank < cells; ++blank) {
            const int row = blank / COLUMNS, column = blank % COLUMNS;
            const bool legal[MOVES] = {row > 0, column > 0, column < COLUMNS - 1,
                                       row < cells / COLUMNS - 1};
            for (int last = 0; last <= NO_MOVE; ++last) {
                for (int move = 0; move < MOVES; ++move) {
                    if (!legal[move] || move + last == MOVES - 1) continue;
                    moves_[blank + 16 * last] |= std::uint8_t(1 << move);
                }
            }
        }
    }

    unsigned operator[](std::uint64_t blank_and_last) const { return moves_[blank_and_last]; }

private:
    std::uint8_t moves_[16 * (NO_MOVE + 1)] = {};
};

// A position in a queue: a board, and above it the blank's cell and the last move.
template <int cells>
struct Entry {
    static constexpr int blank_shift = 4 * cells;

    std::uint64_t bits;

    Entry() = default;
    Entry(std::uint64_t board, int blank, int last)
        : bits(board | std::uint64_t(blank + 16 * last) << blank_shift) {}

    std::uint64_t board() const { return bits & ((std::uint64_t(1) << blank_shift) - 1); }
    int blank() const { return int(bits >> blank_shift & 15); }
    std::uint64_t blank_and_last() const { return bits >> blank_shift; }
};

constexpr std::uint32_t half_factorial(int n) {
    std::uint32_t product = 1;
    for (int factor = 3; factor <= n; ++factor) product *= std::uint32_t(factor);
    return product;
}

// Boards are packed four bits a cell, cell 0 lowest, the blank 0.
template <int cells>
class Ranking {
public:
    static constexpr int tiles = cells - 1;
    static constexpr std::uint32_t sequences = half_factorial(tiles);
    static constexpr std::uint32_t positions = cells * sequences;

    Ranking() {
        std::uint16_t rank = 0;
        constexpr unsigned all = (1u << cells) - 2;
        for (unsigned a = 1; a <= tiles; ++a) {
            for (unsigned b = 1; b <= tiles; ++b) {
                for (unsigned c = 1; c <= tiles; ++c) {
                    for (unsigned d = 1; d <= tiles; ++d) {
                        const unsigned used = 1u << a | 1u << b | 1u << c | 1u << d;
                        if (__builtin_popcount(used) < 4) continue;
                        const unsigned index = a | b << 4 | c << 8 | d << 12;
                        rank_of_four_[index] = rank++;
                        left_by_four_[index] = std::uint16_t(all & ~used);
                    }
                }
            }
        }
    }

    std::uint32_t operator()(std::uint64_t board, int blank) const {
        const std::uint64_t before = board & ((std::uint64_t(1) << 4 * blank) - 1);
        const std::uint64_t after = board >> (4 * blank + 4) << 4 * blank;
        const std::uint64_t sequence = before | after;
        std::uint32_t rank = rank_of_four_[sequence & 0xFFFF];
        unsigned left = left_by_four_[sequence & 0xFFFF];  // the set of the other tiles
        for (int place = 4; place < tiles - 2; ++place) {
            const unsigned tile = sequence >> 4 * place & 15;
            const int smaller = __builtin_popcount(left & ((1u << tile) - 1));
            rank = rank * std::uint32_t(tiles - place) + std::uint32_t(smaller);
            left &= ~(1u << tile);
        }
        return std::uint32_t(blank) * sequences + rank;
    }

private:
    std::uint16_t rank_of_four_[1 << 16];
    std::uint16_t left_by_four_[1 << 16];
};
