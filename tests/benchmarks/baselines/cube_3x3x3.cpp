// Breadth-first search of the 3x3x3 cube from the solved one to some depth, half turns counted as
// one, packed by hand.
//
// A cube is two words: where each corner is and how it is turned, five bits for each of 8, and the
// same for 12 edges. A turn looks up two pieces at a time. All positions are in one table with open
// addressing, of which the slots of a batch of children are asked for ahead.
//
// Arguments: repetitions, the depth, and the number of positions up to there.

#include "common.hpp"

namespace {

constexpr int FACES = 6, TURNS = 3, MOVES = FACES * TURNS, BATCH = 8 * MOVES;

// A quarter turn takes the piece at each of four places to the next of them, and adds to its turn.
// Corners: URF UFL ULB UBR DFR DLF DBL DRB; edges: UR UF UL UB DR DF DL DB FR FL BL BR.
struct Face {
    int corners[4], twists[4], edges[4], flip;
};

constexpr Face FACE[FACES] = {
    {{0, 1, 2, 3}, {0, 0, 0, 0}, {0, 1, 2, 3}, 0},   // up
    {{0, 3, 7, 4}, {1, 2, 1, 2}, {0, 11, 4, 8}, 0},  // right
    {{0, 4, 5, 1}, {2, 1, 2, 1}, {1, 8, 5, 9}, 1},   // front
    {{4, 7, 6, 5}, {0, 0, 0, 0}, {4, 7, 6, 5}, 0},   // down
    {{2, 1, 5, 6}, {1, 2, 1, 2}, {2, 9, 6, 10}, 0},  // left
    {{3, 2, 6, 7}, {1, 2, 1, 2}, {3, 10, 7, 11}, 1},  // back
};

struct Tables {
    std::uint16_t corners[MOVES][1024];
    std::uint16_t edges[MOVES][1024];

    Tables() {
        for (int move = 0; move < MOVES; ++move) {
            const Face& face = FACE[move / TURNS];
            const int flips[4] = {face.flip, face.flip, face.flip, face.flip};
            for (int code = 0; code < 1024; ++code) {
                int corner[2] = {code & 31, code >> 5}, edge[2] = {code & 31, code >> 5};
                for (int i = 0; i <= move % TURNS; ++i) {
                    for (int& each : corner) each = after(each, face.corners, face.twists, 3, 3);
                    for (int& each : edge) each = after(each, face.edges, flips, 4, 2);
                }
                corners[move][code] = std::uint16_t(corner[0] | corner[1] << 5);
                edges[move][code] = std::uint16_t(edge[0] | edge[1] << 5);
            }
        }
    }

    // The place is in the lowest `bits`, how the piece is turned above them.
    static int after(int code, const int* places, const int* turns, int bits, int kinds) {
        const int place = code & ((1 << bits) - 1), turned = code >> bits;
        for (int i = 0; i < 4; ++i) {
            if (places[i] == place) return places[(i + 1) % 4] | (turned + turns[i]) % kinds << bits;
        }
        return code;
    }
};

const Tables tables;

struct Cube {
    std::uint64_t corners, edges;

    Cube after(int move) const {
        Cube child{0, 0};
        for (int i = 0; i < 4; ++i) {
            child.corners |= std::uint64_t(tables.corners[move][corners >> 10 * i & 1023]) << 10 * i;
        }
        for (int i = 0; i < 6; ++i) {
            child.edges |= std::uint64_t(tables.edges[move][edges >> 10 * i & 1023]) << 10 * i;
        }
        return child;
    }

    std::uint64_t hash() const {
        std::uint64_t mixed = (corners ^ edges * 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9;
        return (mixed ^ mixed >> 32) * 0x94D049BB133111EB >> 20;
    }
};

// Every position once, in the order in which it is found; slots have its number, counted from 1.
class Positions {
public:
    explicit Positions(std::size_t most) : cubes_(most + BATCH), slots_(slots_for(most)) {}

    const Cube& operator[](std::size_t i) const { return cubes_[i]; }
    std::size_t size() const { return size_; }
    void ask_for(std::uint64_t hash) { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)], 1); }

    void add(const Cube& cube, std::uint64_t hash) {
        std::size_t slot = hash & (slots_.size() - 1);
        for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
            const Cube& other = cubes_[slots_[slot] - 1];
            if (other.corners == cube.corners && other.edges == cube.edges) return;
        }
        if (size_ == cubes_.size()) fail("too many positions");
        cubes_[size_++] = cube;
        slots_[slot] = std::uint32_t(size_);
    }

private:
    static std::size_t slots_for(std::size_t most) {
        std::size_t slots = 1;
        while (slots < 2 * most) slots *= 2;
        return slots;
    }

    ZeroedArray<Cube> cubes_;
    ZeroedArray<std::uint32_t> slots_;
    std::size_t size_ = 0;
};

std::vector<std::uint64_t> explore(int depth, std::size_t most) {
    Cube solved{0, 0};
    for (int i = 0; i < 8; ++i) solved.corners |= std::uint64_t(i) << 5 * i;
    for (int i = 0; i < 12; ++i) solved.edges |= std::uint64_t(i) << 5 * i;
    Positions positions(most);
    positions.add(solved, solved.hash());
    std::vector<std::uint64_t> layers{1};
    Cube children[BATCH];
    std::uint64_t hashes[BATCH];
    for (std::size_t next = 0; int(layers.size()) <= depth;) {
        const std::size_t end = positions.size();
        while (next < end) {
            int count = 0;
            for (; next < end && count < BATCH; ++next) {
                for (int move = 0; move < MOVES; ++move, ++count) {
                    children[count] = positions[next].after(move);
                    hashes[count] = children[count].hash();
                    positions.ask_for(hashes[count]);
                }
            }
            for (int k = 0; k < count; ++k) positions.add(children[k], hashes[k]);
        }
        layers.push_back(positions.size() - end);
    }
    if (positions.size() != most) fail("wrong number of positions");
    return layers;
}

}  // namespace

int main(int argc, char** argv) {
    const int repeats = repeats_from(argc, argv);
    if (argc != 4) fail("say how deep, and how many positions there are");
    const int depth = std::atoi(argv[2]);
    const std::size_t most = std::strtoul(argv[3], nullptr, 10);
    Stopwatch watch;
    std::vector<std::uint64_t> layers;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        watch.start();
        layers = explore(depth, most);
        watch.stop();
    }
    Report report(watch);
    report.add("nodes", most);
    report.add("layers", layers);
    report.print();
}
