// The 15-puzzle as the baseline programs see it: packed boards, moves, Manhattan distance, and
// the instances read from standard input.
//
// A board is a 64-bit word; cell i is the four bits from 4 * i on, 0 is the blank. The goal has
// the blank first, then 1 2 ... 15: tile t belongs on cell t. Moves are numbered up, left,
// right, down, as the blank travels, and are tried in this order.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common.hpp"

using Board = std::uint64_t;

constexpr Board GOAL = 0xFEDCBA9876543210;
constexpr int MOVES = 4;
constexpr int NO_MOVE = 4;  // "the last move" where there was none
constexpr int OFFSET[MOVES] = {-4, -1, +1, +4};

constexpr bool is_legal(int blank, int move) {
    switch (move) {
        case 0: return blank / 4 > 0;
        case 1: return blank % 4 > 0;
        case 2: return blank % 4 < 3;
        default: return blank / 4 < 3;
    }
}

// A move that takes the last one back is never tried.
constexpr bool takes_back(int move, int last_move) { return move + last_move == MOVES - 1; }

constexpr int distance(int cell, int other) {
    int rows = cell / 4 - other / 4, columns = cell % 4 - other % 4;
    return (rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns);
}

// Bit t is set if tile t comes nearer to its goal cell by sliding `from` -> `to`; if not, it
// goes further away: there is nothing between.
constexpr unsigned tiles_gaining(int from, int to) {
    unsigned tiles = 0;
    for (int tile = 1; tile < 16; ++tile) {
        if (distance(to, tile) < distance(from, tile)) tiles |= 1u << tile;
    }
    return tiles;
}

constexpr unsigned tile_at(Board board, int cell) { return board >> (4 * cell) & 15; }

// The board after `tile` has slid from cell `from` to the blank's cell `to`.
constexpr Board slide(Board board, Board tile, int from, int to) {
    return board ^ (tile << (4 * from)) ^ (tile << (4 * to));
}

struct Instance {
    int id = 0;
    Board board = 0;
    int blank = 0;
    int manhattan = 0;
    int optimal_length = 0;
    std::uint64_t nodes = 0;  // known count of IDA* with Manhattan distance
};

// Reads rows "id,sixteen tiles separated by spaces,optimal length,nodes" until the end.
inline std::vector<Instance> read_instances(FILE* file) {
    std::vector<Instance> instances;
    char line[256];
    while (std::fgets(line, sizeof line, file)) {
        Instance instance;
        char* rest = line;
        instance.id = int(std::strtol(rest, &rest, 10));
        ++rest;  // the comma
        for (int cell = 0; cell < 16; ++cell) {
            auto tile = int(std::strtol(rest, &rest, 10));
            instance.board |= Board(tile) << (4 * cell);
            if (tile == 0) {
                instance.blank = cell;
            } else {
                instance.manhattan += distance(cell, tile);
            }
        }
        instance.optimal_length = int(std::strtol(rest + 1, &rest, 10));
        instance.nodes = std::strtoull(rest + 1, &rest, 10);
        instances.push_back(instance);
    }
    if (instances.empty()) fail("no instances on standard input");
    return instances;
}
