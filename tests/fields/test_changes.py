"""What is made of rules besides kernels: toggles and inverses, and that the laws hold."""

import pytest

from searchkit import IDDFS, BreadthFirst, check_problem, explore, solve
from searchkit.capabilities import HasToggles
from searchkit.fields import Array, Fields, Int, Set
from tests.fields.puzzles import ALL, Jugs, Lights, Rush, Sokoban, Tiles

LAWS = (
    "controls",
    "inverses",
    "kernels",
    "ranks",
    "slow-rules",
    "texts",
    "toggles",
    "undirected",
    "words",
)


class Dial(Fields):
    """Numbers that moves add to."""

    undirected = True

    def __init__(self):
        self.declare(at=Array(3, 7), turns=Int(9))
        self.moves = [(i, k) for i in range(3) for k in (-1, 1)]
        self.start = self.pack(at=[0, 3, 6], turns=4)
        self.goal = self.pack(at=[2, 3, 4], turns=4)

    def legal(self, s, i, k):
        return 0 <= s.at[i] + k < 7 and 0 <= s.turns + k < 9

    def apply(self, s, i, k):
        s.at[i] += k
        s.turns += k


def test_toggles_are_found_where_all_changes_are_exclusive_or():
    lights = Lights(3)
    assert isinstance(lights, HasToggles)
    assert lights.toggles()[0] == 0b1011
    assert [lights.inverse(0, each) for each in range(9)] == list(range(9))
    for kind in (Rush, Sokoban, Tiles, Jugs, Dial):
        assert not isinstance(kind(), HasToggles)


def test_the_whole_space_of_toggles_is_explored_by_their_numbers():
    lights = Lights(4)
    found = explore(lights, engine="compiled")
    assert found.states == 1 << 12
    assert found.layers == explore(lights, engine="reference").layers


def test_inverses_are_found_where_all_changes_are_sums():
    dial = Dial()
    assert [dial.inverse(0, each) for each in range(6)] == [1, 0, 3, 2, 5, 4]
    found = [solve(dial, IDDFS(), engine=engine) for engine in ("reference", "compiled")]
    assert [each.cost for each in found] == [4, 4]
    assert solve(dial, BreadthFirst(), engine="reference").cost == 4


class Numbered(Dial):
    ranked = True


class Hanoi(Fields):
    """Four pegs: a field whose numbers fill their bits, so that a state is its number."""

    undirected = ranked = True

    def __init__(self, disks=5):
        self.declare(on=Array(disks, 4))
        self.moves = [(d, peg) for d in range(disks) for peg in range(4)]
        self.start = self.pack(on=[0] * disks)
        self.goal = self.pack(on=[3] * disks)

    def legal(self, s, disk, peg):
        here = s.on[disk]
        return here != peg and all(s.on[d] not in (here, peg) for d in range(disk))

    def apply(self, s, disk, peg):
        s.on[disk] = peg


class Wide(Fields):
    """Numbered, in several words."""

    undirected = ranked = True

    def __init__(self):
        self.declare(a=Array(70, 1), b=Array(4, -1, 2), c=Int(1, 6))
        self.moves = range(4)
        self.start = self.pack(a=[0] * 70, b=[0] * 4, c=1)
        self.goal = self.pack(a=[0] * 70, b=[1, 1, 1, 0], c=5)

    def apply(self, s, i):
        s.b[i] = 1 - (s.b[i] + 2) % 3
        s.c = 6 - s.c


@pytest.mark.parametrize("kind", [Numbered, Hanoi, Wide])
def test_states_are_numbered_by_their_fields(kind):
    puzzle = kind()
    assert puzzle.unrank(puzzle.rank(puzzle.start)) == puzzle.start
    numbers = range(0, puzzle.ranks, max(1, puzzle.ranks // 97))
    assert [puzzle.rank(puzzle.unrank(each)) for each in numbers] == list(numbers)
    fields = puzzle.unpack(puzzle.unrank(puzzle.ranks - 1))
    for name, slot in puzzle.layout.slots.items():
        value = getattr(fields, name)
        assert value in (slot.field.below - 1, [slot.field.below - 1] * slot.field.length)


def test_numbered_spaces_are_explored():
    found = [explore(Hanoi(), engine=engine) for engine in ("reference", "compiled")]
    assert found[0].states == found[1].states == 4**5 == Hanoi().ranks
    assert found[0].layers == found[1].layers


class Walk(Fields):
    """Where one stands decides where one can go; the lamps that are left do not."""

    def __init__(self):
        self.map = "..#. .... #..#"
        self.declare(lit=Set(14), at=Int(14))
        self.moves = {"left": (-1,), "right": (1,), "up": (-5,), "down": (5,)}
        self.start = self.pack(lit=[0, 8, 11], at=0)

    def legal(self, s, way):
        return 0 <= s.at + way < 14 and self.map[s.at + way] == "."

    def apply(self, s, way):
        s.lit.discard(s.at)
        s.at += way

    def at_goal(self, s):
        return not s.lit


class Marked(Walk):
    """The same with a map of numbers."""

    def __init__(self):
        super().__init__()
        self.free = [mark == "." for mark in self.map]

    def legal(self, s, way):
        return 0 <= s.at + way < 14 and self.free[s.at + way]


def test_what_decides_which_moves_are_legal_is_the_control_state():
    marked, tiles = Marked(), Tiles()
    assert marked.controls == 14
    assert [marked.operators(each) for each in (0, 1, 6)] == [[1, 3], [0, 3], [0, 1, 2, 3]]
    assert tiles.controls == 6
    assert tiles.control(tiles.start) == 4
    assert Walk().controls == 14
    assert {kind().controls for kind in (Lights, Rush, Sokoban, Jugs, Dial)} == {1}


def test_control_states_change_no_answer():
    marked = Marked()
    plain = solve(marked.slow_rules(), BreadthFirst(), engine="reference")
    for engine in ("reference", "compiled", "checked"):
        found = solve(marked, BreadthFirst(), engine=engine)
        assert found.actions == plain.actions
        assert found.statistics.generated == plain.statistics.generated


@pytest.mark.parametrize("kind", [*ALL, Dial, Numbered, Hanoi, Wide, Walk, Marked])
def test_the_laws_hold(kind):
    report = check_problem(kind(), states=20, engine="reference", laws=LAWS)
    assert report.ok, str(report)
