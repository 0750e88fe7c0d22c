// Breadth-first search of the whole 2x2x2 cube from the solved one, half turns counted as one.
//
// One corner is held, so three faces turn. A cube is two numbers: that of the order of the other
// seven corners, and that of their twists, of which the last follows from the others. A turn
// changes each of the two by itself, as tables say. A bitmap tells which cubes have been seen.
#include <algorithm>
#include <array>
#include <numeric>

#include "common.hpp"

namespace {

constexpr int CORNERS = 7, FACES = 3, TURNS = 3;
constexpr std::uint32_t ORDERS = 5040, TWISTS = 729, CUBES = ORDERS * TWISTS;

using Corners = std::array<int, CORNERS>;

// A quarter turn clockwise takes the corner at each of four places to the next of them, and adds
// to its twist. Places: URF, UFL, ULB, UBR, DFR, DLF, DRB; the corner at DBL is held.
struct Face {
    int places[4];
    int twists[4];
};

constexpr Face FACE[FACES] = {
    {{0, 1, 2, 3}, {0, 0, 0, 0}},  // up
    {{0, 3, 6, 4}, {1, 2, 1, 2}},  // right
    {{0, 4, 5, 1}, {2, 1, 2, 1}},  // front
};

void turn(const Face& face, Corners& corner, Corners& twist) {
    const Corners old_corner = corner, old_twist = twist;
    for (int i = 0; i < 4; ++i) {
        const int from = face.places[i], to = face.places[(i + 1) % 4];
        corner[to] = old_corner[from];
        twist[to] = (old_twist[from] + face.twists[i]) % 3;
    }
}

std::uint32_t number_of_twists(const Corners& twist) {
    std::uint32_t number = 0;
    for (int place = 0; place < CORNERS - 1; ++place) number = 3 * number + std::uint32_t(twist[place]);
    return number;
}

Corners twists_of(std::uint32_t number) {
    Corners twist{};
    for (int place = CORNERS - 2; place >= 0; --place, number /= 3) twist[place] = int(number % 3);
    const int sum = std::accumulate(twist.begin(), twist.end(), 0);
    twist[CORNERS - 1] = (3 - sum % 3) % 3;
    return twist;
}

struct Tables {
    std::uint16_t order[FACES * TURNS][ORDERS];
    std::uint16_t twist[FACES * TURNS][TWISTS];

    Tables() {
        std::vector<Corners> orders;
        Corners corner;
        std::iota(corner.begin(), corner.end(), 0);
        do orders.push_back(corner); while (std::next_permutation(corner.begin(), corner.end()));
        for (int move = 0; move < FACES * TURNS; ++move) {
            const Face& face = FACE[move / TURNS];
            const int quarters = move % TURNS + 1;
            for (std::uint32_t number = 0; number < ORDERS; ++number) {
                Corners after = orders[number], any{};
                for (int i = 0; i < quarters; ++i) turn(face, after, any);
                const auto place = std::lower_bound(orders.begin(), orders.end(), after);
                order[move][number] = std::uint16_t(place - orders.begin());
            }
            for (std::uint32_t number = 0; number < TWISTS; ++number) {
                Corners after = twists_of(number), any{};
                for (int i = 0; i < quarters; ++i) turn(face, any, after);
                twist[move][number] = std::uint16_t(number_of_twists(after));
            }
        }
    }
};

const Tables tables;
std::uint32_t queue[CUBES + 1];
std::uint64_t seen[CUBES / 64 + 1];

std::vector<std::uint64_t> explore() {
    std::fill(std::begin(seen), std::end(seen), 0);
    seen[0] = 1;  // the solved cube: the first order, no twists
    queue[0] = 0;
    std::vector<std::uint64_t> layers;
    std::size_t next = 0, end = 1;
    while (next < end) {
        const std::size_t layer_end = end;
        layers.push_back(layer_end - next);
        for (; next < layer_end; ++next) {
            const std::uint32_t order = queue[next] / TWISTS, twist = queue[next] % TWISTS;
            for (int move = 0; move < FACES * TURNS; ++move) {
                const std::uint32_t cube =
                    tables.order[move][order] * TWISTS + tables.twist[move][twist];
                const std::uint64_t bit = std::uint64_t(1) << cube % 64;
                queue[end] = cube;  // counts only if it is new
                end += !(seen[cube / 64] & bit);
                seen[cube / 64] |= bit;
            }
        }
    }
    return layers;
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
        if (std::accumulate(layers.begin(), layers.end(), std::uint64_t(0)) != CUBES) {
            fail("not all cubes were reached");
        }
    }
    Report report(watch);
    report.add("nodes", CUBES);
    report.add("layers", layers);
    report.print();
}
