// All boards of English peg solitaire (33 cells, centre vacant), one of each eight that the
// symmetries of the board make equal: layer by layer, breadth first.
//
// A jump flips three cells, so five parities of a board are known in each layer: 28 bits tell
// boards apart, and a bitmap over them (32 MB) says which boards the next layer has. The eight
// images of a board are looked up by bytes; those of a child differ from them by the images of
// the jump's cells, and the smallest of eight words stands for them all.
#include <algorithm>
#include <array>

#include <immintrin.h>

#include "common.hpp"

namespace {

constexpr int SIDE = 7, IMAGES = 8, DIRECTIONS = 4;
constexpr int STEP[DIRECTIONS] = {1, -1, SIDE, -SIDE};
constexpr int CENTRE = 3 * SIDE + 3;
constexpr std::size_t BATCH = 128;

struct alignas(64) Images {
    std::uint64_t at[IMAGES] = {};

    Images& operator|=(const Images& other) {
        for (int k = 0; k < IMAGES; ++k) at[k] |= other.at[k];
        return *this;
    }
};

bool is_cell(int row, int column) {
    const bool in_row = 0 <= row && row < SIDE, in_column = 0 <= column && column < SIDE;
    return in_row && in_column && ((2 <= row && row <= 4) || (2 <= column && column <= 4));
}

std::uint64_t bit_of(int row, int column) { return std::uint64_t(1) << (SIDE * row + column); }

struct Board {
    std::uint64_t cells = 0;
    std::uint64_t starts[DIRECTIONS] = {};              // cells that jumps of a direction leave
    Images of_byte[7][256];                             // images of each byte of a board
    Images of_jump[DIRECTIONS][SIDE * SIDE];            // images of the three cells of each jump
    std::uint64_t free_bits = 0;                        // those that parities do not determine

    Board() {
        std::array<Images, SIDE * SIDE> of_cell;
        for (int row = 0; row < SIDE; ++row) {
            for (int column = 0; column < SIDE; ++column) {
                if (!is_cell(row, column)) continue;
                cells |= bit_of(row, column);
                for (int k = 0; k < IMAGES; ++k) {
                    int r = k & 1 ? SIDE - 1 - row : row, c = k & 2 ? SIDE - 1 - column : column;
                    if (k & 4) std::swap(r, c);
                    of_cell[SIDE * row + column].at[k] = bit_of(r, c);
                }
            }
        }
        for (int byte = 0; byte < 7; ++byte)
            for (int value = 0; value < 256; ++value)
                for (int bit = 0; bit < 8; ++bit)
                    if (value >> bit & 1 && 8 * byte + bit < SIDE * SIDE)
                        of_byte[byte][value] |= of_cell[8 * byte + bit];
        for (int d = 0; d < DIRECTIONS; ++d) {
            const int down = STEP[d] / SIDE, right = STEP[d] % SIDE;
            for (int row = 0; row < SIDE; ++row) {
                for (int column = 0; column < SIDE; ++column) {
                    if (!is_cell(row, column) || !is_cell(row + 2 * down, column + 2 * right)) continue;
                    const int cell = SIDE * row + column;
                    starts[d] |= bit_of(row, column);
                    for (int i = 0; i < 3; ++i) of_jump[d][cell] |= of_cell[cell + i * STEP[d]];
                }
            }
        }
        free_bits = cells & ~determined_bits();
    }

    // One bit for each independent parity of the cells of a diagonal colour (three colours each
    // way): in a layer they are all known, and so determine that bit.
    std::uint64_t determined_bits() const {
        std::vector<std::uint64_t> sums;
        for (int way = 0; way < 2; ++way) {
            for (int colour = 0; colour < 3; ++colour) {
                std::uint64_t sum = 0;
                for (int row = 0; row < SIDE; ++row)
                    for (int column = 0; column < SIDE; ++column)
                        if (is_cell(row, column) && (row + (way ? column : 2 * column)) % 3 == colour)
                            sum |= bit_of(row, column);
                sums.push_back(sum);
            }
        }
        std::uint64_t determined = 0;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const std::uint64_t lowest = sums[i] & -sums[i];
            determined |= lowest;
            for (std::size_t j = 0; j < sums.size(); ++j)
                if (j != i && sums[j] & lowest) sums[j] ^= sums[i];
        }
        return determined;
    }

    Images images_of(std::uint64_t board) const {
        Images images;
        for (int byte = 0; byte < 7; ++byte) images |= of_byte[byte][board >> 8 * byte & 255];
        return images;
    }
};

const Board board_;

std::uint64_t smallest(const Images& images, const Images& change) {
    std::uint64_t best = images.at[0] ^ change.at[0];
    for (int k = 1; k < IMAGES; ++k) best = std::min(best, images.at[k] ^ change.at[k]);
    return best;
}

using Bitmap = ZeroedArray<std::uint64_t>;

void add_new(std::vector<std::uint64_t>& children, std::vector<std::uint64_t>& layer, Bitmap& bitmap) {
    for (const std::uint64_t child : children) {
        const std::uint64_t index = _pext_u64(child, board_.free_bits);
        std::uint64_t& word = bitmap[index >> 6];
        const std::uint64_t bit = std::uint64_t(1) << (index & 63);
        if (word & bit) continue;
        word |= bit;
        layer.push_back(child);
    }
    children.clear();
}

std::vector<std::uint64_t> explore() {
    Bitmap bitmap((std::size_t(1) << __builtin_popcountll(board_.free_bits)) / 64);
    std::vector<std::uint64_t> sizes, children, next;
    std::vector<std::uint64_t> layer{board_.cells & ~(std::uint64_t(1) << CENTRE)};
    while (!layer.empty()) {
        sizes.push_back(layer.size());
        for (const std::uint64_t board : layer) {
            const Images images = board_.images_of(board);
            const std::uint64_t holes = board_.cells & ~board;
            const std::uint64_t jumps[DIRECTIONS] = {
                board & board >> 1 & holes >> 2, board & board << 1 & holes << 2,
                board & board >> SIDE & holes >> 2 * SIDE, board & board << SIDE & holes << 2 * SIDE};
            for (int d = 0; d < DIRECTIONS; ++d) {
                for (std::uint64_t left = jumps[d] & board_.starts[d]; left; left &= left - 1) {
                    const std::uint64_t child = smallest(images, board_.of_jump[d][__builtin_ctzll(left)]);
                    __builtin_prefetch(&bitmap[_pext_u64(child, board_.free_bits) >> 6], 1);
                    children.push_back(child);
                }
            }
            if (children.size() >= BATCH) add_new(children, next, bitmap);
        }
        add_new(children, next, bitmap);
        for (const std::uint64_t board : next) bitmap[_pext_u64(board, board_.free_bits) >> 6] = 0;
        layer.swap(next);
        next.clear();
    }
    return sizes;
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    Stopwatch watch;
    std::vector<std::uint64_t> layers;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        watch.start();
        layers = explore();
        watch.stop();
        std::uint64_t boards = 0;
        for (std::uint64_t layer : layers) boards += layer;
        if (boards != 23475688 || layers.size() != 32) fail("wrong layers");
    }
    Report report(watch);
    report.add("nodes", 23475688);
    report.add("layers", layers);
    report.print();
}
