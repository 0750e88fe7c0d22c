"""What is made of rules besides kernels: toggles and inverses, and that the laws hold."""

import pytest

from searchkit import IDDFS, BreadthFirst, check_problem, explore, solve
from searchkit.capabilities import HasToggles
from searchkit.fields import Array, Fields, Int
from tests.fields.puzzles import ALL, Jugs, Lights, Rush, Sokoban, Tiles

LAWS = ("inverses", "kernels", "slow-rules", "texts", "toggles", "undirected", "words")


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


@pytest.mark.parametrize("kind", [*ALL, Dial])
def test_the_laws_hold(kind):
    report = check_problem(kind(), states=20, engine="reference", laws=LAWS)
    assert report.ok, str(report)
