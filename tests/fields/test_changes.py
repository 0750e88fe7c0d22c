"""What is made of rules besides kernels: toggles and inverses, and that the laws hold."""

import pytest

from searchkit import IDDFS, BreadthFirst, check_problem, explore, solve
from searchkit.capabilities import HasToggles
from searchkit.fields import Array, Fields, Int
from tests.fields.puzzles import ALL, Jugs, Lights, Rush, Sokoban, Tiles

LAWS = ("inverses", "kernels", "ranks", "slow-rules", "texts", "toggles", "undirected", "words")


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


@pytest.mark.parametrize("kind", [*ALL, Dial, Numbered, Hanoi, Wide])
def test_the_laws_hold(kind):
    report = check_problem(kind(), states=20, engine="reference", laws=LAWS)
    assert report.ok, str(report)
