// Pattern databases of the 15-puzzle: how many moves some tiles need at least, the others'
// moves not counted (R. E. Korf and A. Felner, Disjoint pattern database heuristics, 2002).
//
// An entry is the cells of the tiles, ranked by their Lehmer code. The blank is not kept: while a
// database is built, a mask per entry holds the cells that it can be on, and moves of tiles that
// do not count are a flood of that mask.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "fifteen.hpp"

constexpr int CELLS = 16;
constexpr int MOST_TILES = 8;
constexpr std::uint8_t UNREACHED = 255;

// How many ways there are to put `tiles` tiles on the cells from tile number `from` on.
constexpr std::uint32_t arrangements(int tiles, int from = 0) {
    std::uint32_t ways = 1;
    for (int i = from; i < tiles; ++i) ways *= std::uint32_t(CELLS - i);
    return ways;
}

// The rank of the cells of `tiles` tiles, packed four bits each, the first lowest.
template <int tiles>
inline std::uint32_t rank(std::uint32_t cells) {
    std::uint32_t free = 0xFFFF, rank = 0;
#pragma GCC unroll 8
    for (int i = 0; i < tiles; ++i) {
        const std::uint32_t one = std::uint32_t(1) << (cells >> 4 * i & 15);
        const auto digit = std::uint32_t(__builtin_popcount(free & (one - 1)));
        rank += digit * arrangements(tiles, i + 1);
        free ^= one;
    }
    return rank;
}

template <int tiles>
inline std::uint32_t unrank(std::uint32_t rank) {
    std::uint32_t free = 0xFFFF, cells = 0;
#pragma GCC unroll 8
    for (int i = 0; i < tiles; ++i) {
        const std::uint32_t weight = arrangements(tiles, i + 1);
        std::uint32_t left = free;
        for (std::uint32_t digit = rank / weight; digit != 0; --digit) left &= left - 1;
        rank %= weight;
        cells |= std::uint32_t(__builtin_ctz(left)) << 4 * i;
        free ^= left & -left;
    }
    return cells;
}

constexpr std::uint32_t neighbours(std::uint32_t cells) {
    const std::uint32_t not_first = 0xEEEE, not_last = 0x7777;
    return ((cells & not_last) << 1 | (cells & not_first) >> 1 | cells << 4 | cells >> 4) & 0xFFFF;
}

// The cells that the blank can reach from those of a mask over free cells.
inline std::uint32_t flood(std::uint32_t cells, std::uint32_t free) {
    for (;;) {
        const std::uint32_t more = (cells | neighbours(cells)) & free;
        if (more == cells) return cells;
        cells = more;
    }
}

struct Pattern {
    std::vector<int> tiles;
    std::array<std::uint8_t, CELLS> number{};  // the cells as they are ranked
    std::vector<std::uint8_t> values;
};

// Breadth-first search from the goal, layer by layer.
template <int tiles>
void build(Pattern& pattern) {
    const std::uint32_t entries = arrangements(tiles);
    ZeroedArray<std::uint16_t> seen(entries), layer(entries + 4), next(entries + 4);
    pattern.values.assign(entries, UNREACHED);
    std::uint32_t goal = 0;
    for (int i = 0; i < tiles; ++i) goal |= std::uint32_t(pattern.tiles[i]) << 4 * i;
    layer[rank<tiles>(goal)] = 1;
    std::size_t expanded = 1;
    for (int distance = 0; expanded != 0; ++distance) {
        expanded = 0;
        for (std::uint32_t four = 0; four < entries; four += 4) {
            std::uint64_t masks;
            std::memcpy(&masks, &layer[four], sizeof masks);
            if (masks == 0) continue;
            for (std::uint32_t entry = four; entry < four + 4; ++entry) {
                const std::uint32_t arrived = std::exchange(layer[entry], std::uint16_t(0));
                if ((arrived & ~seen[entry]) == 0) continue;
                const std::uint32_t cells = unrank<tiles>(entry);
                std::uint32_t occupied = 0;
                for (int i = 0; i < tiles; ++i) occupied |= 1u << (cells >> 4 * i & 15);
                const std::uint32_t blanks = flood(arrived, ~occupied & 0xFFFF) & ~seen[entry];
                if (blanks == 0) continue;
                seen[entry] |= std::uint16_t(blanks);
                if (pattern.values[entry] == UNREACHED) {
                    pattern.values[entry] = std::uint8_t(distance);
                }
                ++expanded;
                for (int i = 0; i < tiles; ++i) {
                    const std::uint32_t cell = cells >> 4 * i & 15;
                    const std::uint32_t others = cells & ~(15u << 4 * i);
                    for (std::uint32_t to = neighbours(1u << cell) & blanks; to; to &= to - 1) {
                        const auto after = others | std::uint32_t(__builtin_ctz(to)) << 4 * i;
                        next[rank<tiles>(after)] |= std::uint16_t(1u << cell);
                    }
                }
            }
        }
        layer.swap(next);
    }
}

// Calls a function template for a number of tiles that is known only now.
template <class Function>
auto with_tiles(std::size_t tiles, Function function) {
    switch (tiles) {
        case 1: return function(std::integral_constant<int, 1>());
        case 2: return function(std::integral_constant<int, 2>());
        case 3: return function(std::integral_constant<int, 3>());
        case 4: return function(std::integral_constant<int, 4>());
        case 5: return function(std::integral_constant<int, 5>());
        case 6: return function(std::integral_constant<int, 6>());
        case 7: return function(std::integral_constant<int, 7>());
        case 8: return function(std::integral_constant<int, 8>());
        default: fail("patterns have 1 to 8 tiles");
    }
}

inline void build(Pattern& pattern) {
    with_tiles(pattern.tiles.size(), [&](auto tiles) { build<tiles>(pattern); });
}

// Reads numbers separated by dots, and moves on behind them.
inline std::vector<int> read_numbers(const char*& text) {
    std::vector<int> numbers;
    for (;; ++text) {
        char* end;
        const long number = std::strtol(text, &end, 10);
        if (end == text || number < 0 || number >= CELLS) fail("numbers are from 0 to 15");
        numbers.push_back(int(number));
        text = end;
        if (*text != '.') return numbers;
    }
}

// Reads a pattern: its tiles, "1.2.3", or "1.2.3@0.1. ... .15@FILE" if a file has its values,
// with the numbers of the cells by which they are ranked there.
inline Pattern read_pattern(const char* text) {
    Pattern pattern;
    pattern.tiles = read_numbers(text);
    for (int cell = 0; cell < CELLS; ++cell) pattern.number[cell] = std::uint8_t(cell);
    if (pattern.tiles.size() > MOST_TILES) fail("patterns have 1 to 8 tiles");
    if (*text != '@') return pattern;
    const std::vector<int> numbers = read_numbers(++text);
    if (numbers.size() != CELLS || *text != '@') fail("a number is needed for each cell");
    std::copy(numbers.begin(), numbers.end(), pattern.number.begin());
    FILE* file = std::fopen(text + 1, "rb");
    if (!file) fail(std::string("cannot read ") + (text + 1));
    pattern.values.resize(arrangements(int(pattern.tiles.size())));
    if (std::fread(pattern.values.data(), 1, pattern.values.size(), file) != pattern.values.size()) {
        fail("a file of values is too short");
    }
    std::fclose(file);
    return pattern;
}
