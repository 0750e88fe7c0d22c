// IDA* on the 15-puzzle with additive pattern databases (see patterns.hpp), which the arguments
// name: built, or read from files, before anything is timed.
//
// The mirror image of a board is looked up too, if the board itself does not prune. Of both, the
// cells of each pattern's tiles are carried along, packed; a move changes one of them, and one
// value. Each image carries its slack (see deepening.hpp); as the blank is not in the patterns, a
// value can change by 3 and more, but always by an odd number.
#include "deepening.hpp"
#include "patterns.hpp"

namespace {

constexpr int MOST_PATTERNS = 5;

constexpr int mirrored(int cell) { return cell % 4 * 4 + cell / 4; }

struct Image {
    std::uint32_t cells[MOST_PATTERNS];
    std::uint8_t values[MOST_PATTERNS];
    int slack;
};

// What a tile is in the patterns of an image: its cells are renumbered, its bits are at `shift`.
struct Place {
    int pattern, shift;
};

std::vector<Pattern> patterns;
Place places[2][CELLS];                            // by image and tile
std::uint8_t numbers[2][MOST_PATTERNS][CELLS];     // by image, pattern and cell
std::uint64_t nodes;

std::uint8_t look_up(int number, std::uint32_t cells) {
    const Pattern& pattern = patterns[std::size_t(number)];
    return pattern.values[with_tiles(pattern.tiles.size(),
                                     [&](auto tiles) { return rank<tiles>(cells); })];
}

// Moves a tile of one image; whether it is still within the slack.
bool move_tile(Image& image, int which, unsigned tile, int from, int to) {
    const Place place = places[which][tile];
    const std::uint8_t* number = numbers[which][place.pattern];
    std::uint32_t& cells = image.cells[place.pattern];
    cells ^= std::uint32_t(number[from] ^ number[to]) << place.shift;
    std::uint8_t& value = image.values[place.pattern];
    const std::uint8_t after = look_up(place.pattern, cells);
    image.slack -= (1 + after - value) / 2;
    value = after;
    return image.slack >= 0;
}

bool search(Board board, int blank, int last_move, const Image& own, const Image& mirror) {
    for (int move = 0; move < MOVES; ++move) {
        if (!is_legal(blank, move) || takes_back(move, last_move)) continue;
        const int from = blank + OFFSET[move];
        const unsigned tile = tile_at(board, from);
        ++nodes;
        Image own_after = own;
        if (!move_tile(own_after, 0, tile, from, blank)) continue;
        Image mirror_after = mirror;
        if (!move_tile(mirror_after, 1, tile, from, blank)) continue;
        const Board child = slide(board, tile, from, blank);
        if (child == GOAL || search(child, from, move, own_after, mirror_after)) return true;
    }
    return false;
}

// The image of a board, with the sum of its values in the place of the slack.
Image image_of(Board board, int which) {
    Image image{};
    for (int cell = 0; cell < CELLS; ++cell) {
        const unsigned tile = tile_at(board, cell);
        if (tile == 0) continue;
        const Place place = places[which][tile];
        image.cells[place.pattern] |= std::uint32_t(numbers[which][place.pattern][cell])
                                      << place.shift;
    }
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        image.values[i] = look_up(int(i), image.cells[i]);
        image.slack += image.values[i];
    }
    return image;
}

void read_patterns(int count, char** arguments) {
    if (count < 1 || count > MOST_PATTERNS) fail("1 to 5 patterns are needed");
    unsigned used = 0;
    for (int i = 0; i < count; ++i) {
        patterns.push_back(read_pattern(arguments[i]));
        Pattern& pattern = patterns.back();
        if (pattern.values.empty()) build(pattern);
        for (std::size_t tile = 0; tile < pattern.tiles.size(); ++tile) {
            used += 1u << pattern.tiles[tile];
            places[0][pattern.tiles[tile]] = {i, 4 * int(tile)};
            places[1][mirrored(pattern.tiles[tile])] = {i, 4 * int(tile)};
        }
        for (int cell = 0; cell < CELLS; ++cell) {
            numbers[0][i][cell] = pattern.number[std::size_t(cell)];
            numbers[1][i][cell] = pattern.number[std::size_t(mirrored(cell))];
        }
    }
    if (used != 0xFFFE) fail("each tile must be in one pattern");
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    read_patterns(argc - 2, argv + 2);
    return solve_instances(
        repeats, nodes,
        [](const Instance& one) {
            return std::max(image_of(one.board, 0).slack, image_of(one.board, 1).slack);
        },
        [](const Instance& one, int slack) {
            Image own = image_of(one.board, 0), mirror = image_of(one.board, 1);
            const int bound = std::max(own.slack, mirror.slack) + 2 * slack;
            own.slack = (bound - own.slack) / 2;
            mirror.slack = (bound - mirror.slack) / 2;
            return one.board == GOAL || search(one.board, one.blank, NO_MOVE, own, mirror);
        });
}
