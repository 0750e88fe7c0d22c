// Breadth-first search of all orders of N things, from the sorted one, packed by hand: a stack of
// pancakes whose top is turned over, or a ring that turns by one place, and of which the first four
// are turned over (Top-Spin, with a state for every way the ring lies).
//
// Four bits for each thing in one word, so that moves are shifts, masks and a reversal of all bits;
// a bitmap over ranks (D. H. Lehmer, 1960). Two layers are held as arrays. Children are made in
// batches: the compiler makes vectors of their ranks, and words of the bitmap, which is read at
// random, are asked for ahead. A child is written behind the end of the next layer, which moves on
// only if it is new.
//
// Arguments: repetitions, pancakes or ring, and how many: 8, 10 or 11 (of a ring only 8 or 10:
// if it is odd, its moves reach half of the orders).
#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

#include "common.hpp"

namespace {

using Word = std::uint64_t;

constexpr Word LOW = 0x0F0F0F0F0F0F0F0F;

Word reversed(Word word) {
    word = __builtin_bswap64(word);
    return (word & LOW) << 4 | (word >> 4 & LOW);
}

Word with_reversed(Word state, int count) {
    const Word top = (Word(1) << 4 * count) - 1;
    return (state & ~top) | (reversed(state) >> (64 - 4 * count));
}

template <int N>
struct Pancakes {
    static constexpr int MOVES = N - 1;
    static Word apply(Word state, int move) { return with_reversed(state, move + 2); }
};

template <int N>
struct Ring {
    static constexpr int MOVES = 3;
    static Word apply(Word state, int move) {
        constexpr Word ALL = (Word(1) << 4 * N) - 1;
        if (move == 0) return state >> 4 | (state << 4 * (N - 1) & ALL);
        if (move == 1) return (state << 4 & ALL) | state >> 4 * (N - 1);
        return with_reversed(state, 4);
    }
};

constexpr std::uint32_t factorial(int n) { return n < 2 ? 1 : std::uint32_t(n) * factorial(n - 1); }

template <int N>
std::uint32_t rank(Word state) {
    std::uint32_t left = (1u << N) - 1, found = 0;
    for (int place = 0; place < N - 1; ++place) {
        const std::uint32_t one = 1u << (state >> 4 * place & 15);
        found = found * std::uint32_t(N - place) + std::uint32_t(__builtin_popcount(left & (one - 1)));
        left ^= one;
    }
    return found;
}

constexpr int BATCH = 128;

template <int N, template <int> class Puzzle>
std::vector<std::uint64_t> explore() {
    constexpr int MOVES = Puzzle<N>::MOVES;
    constexpr std::uint32_t STATES = factorial(N);
    // No layer has more than half of the states: its neighbours are as many, or nearly.
    std::unique_ptr<Word[]> layer(new Word[STATES / 2 + BATCH]), next(new Word[STATES / 2 + BATCH]);
    ZeroedArray<Word> seen(STATES / 64 + 1);
    Word children[BATCH] = {};
    std::uint32_t ranks[BATCH];

    layer[0] = 0xFEDCBA9876543210 & ((Word(1) << 4 * N) - 1);
    seen[0] = 1;
    std::size_t size = 1;
    std::vector<std::uint64_t> layers;
    while (size != 0) {
        layers.push_back(size);
        std::size_t end = 0;
        for (std::size_t i = 0; i < size;) {
            int count = 0;
            for (; i < size && count + MOVES <= BATCH; ++i) {
                for (int move = 0; move < MOVES; ++move, ++count) {
                    children[count] = Puzzle<N>::apply(layer[i], move);
                }
            }
            for (int k = 0; k < BATCH; ++k) ranks[k] = rank<N>(children[k]);
            for (int k = 0; k < count; ++k) __builtin_prefetch(&seen[ranks[k] / 64], 1);
            if (end + BATCH > STATES / 2 + BATCH) fail("a layer is too large");
            for (int k = 0; k < count; ++k) {
                const Word bit = Word(1) << ranks[k] % 64;
                Word& word = seen[ranks[k] / 64];
                next[end] = children[k];
                end += !(word & bit);
                word |= bit;
            }
        }
        std::swap(layer, next);
        size = end;
    }
    if (std::accumulate(layers.begin(), layers.end(), std::uint64_t(0)) != STATES) {
        fail("not all orders were reached");
    }
    return layers;
}

template <template <int> class Puzzle>
std::vector<std::uint64_t> explore_of(int size) {
    switch (size) {
        case 8: return explore<8, Puzzle>();
        case 10: return explore<10, Puzzle>();
        case 11: return explore<11, Puzzle>();
        default: fail("the size must be 8, 10 or 11");
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    if (argc != 4) fail("name a puzzle and its size");
    const bool is_ring = std::strcmp(argv[2], "ring") == 0;
    if (!is_ring && std::strcmp(argv[2], "pancakes") != 0) fail("the puzzle is pancakes or ring");
    const int size = std::atoi(argv[3]);
    Stopwatch watch;
    std::vector<std::uint64_t> layers;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        watch.start();
        layers = is_ring ? explore_of<Ring>(size) : explore_of<Pancakes>(size);
        watch.stop();
    }
    Report report(watch);
    report.add("nodes", std::accumulate(layers.begin(), layers.end(), std::uint64_t(0)));
    report.add("layers", layers);
    report.print();
}
