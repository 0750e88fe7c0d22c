"""Rules that change while they are searched, far from the start; and what may change."""

from functools import partial
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from searchkit import AStar, Bidirectional, BreadthFirst, Status, Step, solve
from searchkit.errors import LawError, ProblemError
from searchkit.premises import reasons
from searchkit.premises.changed import check_unchanged_rules, values_of
from searchkit.premises.patience import Patience
from tests.support.lies import Grid, depth


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Time decides nothing here."""
    for name in ("LEAST_SECONDS", "LEAST_OF_PROOF", "LEAST_BESIDE", "LEAST_OF_BOUND"):
        monkeypatch.setattr(reasons, name, 20.0)
    monkeypatch.setattr(reasons, "EXHAUSTIVE", reasons.EXHAUSTIVE._replace(seconds=20.0))


class Walled(Grid):
    """Once a far state was asked for, there is a wall behind it."""

    def raise_wall(self):
        raise NotImplementedError

    def is_walled(self):
        raise NotImplementedError

    def is_goal(self, state):
        if depth(state) == 50:
            self.raise_wall()
        return super().is_goal(state)

    def successors(self, state):
        steps = super().successors(state)
        if not self.is_walled():
            return steps
        return [step for step in steps if depth(step.state) != 65]


class ByRows(Walled):
    """A list of lists."""

    def __init__(self):
        self.rows = [[0, 0], [0, 0]]

    def raise_wall(self):
        self.rows[1][0] = 1

    def is_walled(self):
        return self.rows[1][0]


class ByTuple(ByRows):
    """Lists in a tuple."""

    def __init__(self):
        self.rows = ([0, 0], [0, 0])


class ByArray(ByRows):
    """An array of numpy's."""

    def __init__(self):
        self.rows = np.zeros((2, 2), int)


class ByMany(Walled):
    """One of many, in a dict."""

    def __init__(self):
        self.cells = dict.fromkeys(range(1600), False)

    def raise_wall(self):
        self.cells[1234] = True

    def is_walled(self):
        return self.cells[1234]


class World:
    wall = False


class ByObject(Walled):
    """An attribute of another object of the author's, which it did not have before."""

    def __init__(self):
        self.world = World()

    def raise_wall(self):
        self.world.wall = True

    def is_walled(self):
        return self.world.wall


class ByShadow(Walled):
    """An attribute of its own in place of that of its class."""

    wall = False

    def raise_wall(self):
        self.wall = True

    def is_walled(self):
        return self.wall


class ByDefault(Walled):
    """What is in a default value of a method."""

    def __init__(self):
        self.is_walled()[0] = 0

    def raise_wall(self):
        self.is_walled()[0] = 1

    def is_walled(self, wall=[0]):  # noqa: B006
        return wall

    def successors(self, state):
        steps = super(Walled, self).successors(state)
        if not self.is_walled()[0]:
            return steps
        return [step for step in steps if depth(step.state) != 65]


COUNT = 0


def raised():
    return COUNT > 0


def more():
    global COUNT  # noqa: PLW0603
    COUNT += 1


class ByHelpers(Walled):
    """A global that only functions name which the rules call."""

    def __init__(self):
        globals()["COUNT"] = 0

    def raise_wall(self):
        more()

    def is_walled(self):
        return raised()


class ByListOfObjects(ByObject):
    """An attribute of an object in containers."""

    def __init__(self):
        self.worlds = {"one": [(World(),)]}

    @property
    def world(self):
        return self.worlds["one"][0][0]


class Slotted:
    __slots__ = ("wall",)

    def __init__(self):
        self.wall = False


class BySlots(ByListOfObjects):
    """The same of an object without a dictionary."""

    def __init__(self):
        self.worlds = {"one": [(Slotted(),)]}


class ByPartial(Walled):
    """What a function was given beforehand, in a list."""

    def __init__(self):
        self.walls = [partial(first_of, [0])]

    def raise_wall(self):
        self.walls[0].args[0][0] = 1

    def is_walled(self):
        return self.walls[0]()


def first_of(row):
    return row[0]


class ByMethodOfAnother(Walled):
    """What a method of another object reads."""

    def __init__(self):
        self.asked = ByDeepRows().read

    def raise_wall(self):
        self.asked.__self__.rows[0][0][0] = 1

    def is_walled(self):
        return self.asked()


class ByDeepRows:
    def __init__(self):
        self.rows = [[[0]]]

    def read(self):
        return self.rows[0][0][0]


class ByClassOfAnother(Walled):
    """An attribute of another class of the author's."""

    def __init__(self):
        Settings.wall = False

    def raise_wall(self):
        Settings.wall = True

    def is_walled(self):
        return Settings.wall


class Settings:
    wall = False


CHANGING = [
    ByRows, ByTuple, ByArray, ByMany, ByObject, ByShadow, ByDefault, ByHelpers, ByListOfObjects,
    BySlots, ByPartial, ByMethodOfAnother, ByClassOfAnother,
]  # fmt: skip


@pytest.mark.slow_variants(
    "ByObject", "ByMany", "ByShadow", "ByMethodOfAnother", "ByClassOfAnother", "ByTuple"
)
@pytest.mark.parametrize("make", CHANGING, ids=lambda each: each.__name__)
def test_rules_that_change_by_what_they_hold(make):
    for algorithm in (BreadthFirst(), AStar()):
        with pytest.raises(LawError, match="has changed while searching, from ") as law:
            solve(make(), algorithm)
        assert law.value.law == "successors"
    with pytest.raises(ProblemError):  # the wall is in the way of the solution that it finds
        solve(make(), Bidirectional())


def test_what_has_changed_is_told():
    with pytest.raises(LawError, match=r"rows has changed while searching, from \[0, 0\] to \[1,"):
        solve(ByRows(), BreadthFirst())
    with pytest.raises(LawError, match="wall has changed while searching, from False to True"):
        solve(ByShadow(), BreadthFirst())


@pytest.mark.parametrize("make", CHANGING, ids=lambda each: each.__name__)
def test_all_is_as_it_was_after_it_was_set_back(make):
    problem = make()
    before = values_of(problem)
    assert not any(value.has_changed() for value in before)
    problem.raise_wall()
    assert any(value.has_changed() for value in before)
    with pytest.raises(LawError):
        check_unchanged_rules(problem, before, [(32, 32)], Patience(20))
    assert len(problem.successors((32, 32))) == 2
    for value in before:
        value.put_back()
    assert len(problem.successors((32, 32))) == 4


class Tally:
    def __init__(self):
        self.asked, self.seen, self.last = 0, set(), None


class Counting(Grid):
    """A counter, a cache and a scratch list change, but the answers of the rules do not."""

    table = None

    def __init__(self):
        self.tally, self.known = Tally(), {"steps": {}, "asked": [0]}
        self.scratch, self.row = [[0] * 2 for _ in range(2)], np.zeros(2, int)

    def successors(self, state):
        self.tally.asked += 1
        self.tally.seen.add(state)
        self.tally.last = state
        self.known["asked"][0] += 1
        self.scratch[1][:] = state
        self.row[:] = self.scratch[1]
        x, y = self.scratch[1]
        assert tuple(self.row) == (x, y)
        if state not in self.known["steps"]:
            self.known["steps"][state] = super().successors((x, y))
        return self.known["steps"][state]

    def heuristic(self, state):
        if self.table is None:
            self.table = [[78 - x - y for y in range(40)] for x in range(40)]
        return self.table[state[0]][state[1]]


class WithNamespace(Grid):
    """Objects of others are left alone."""

    def __init__(self):
        self.held = SimpleNamespace(asked=0)

    def successors(self, state):
        self.held.asked += 1
        return super().successors(state)


@pytest.mark.parametrize("make", [Counting, WithNamespace], ids=lambda each: each.__name__)
def test_what_may_change(make):
    for algorithm in (BreadthFirst(), AStar(), Bidirectional()):
        assert solve(make(), algorithm).cost == 78


class Drawn(Grid):
    """Where a wall is, is drawn when it is first asked for, and remembered."""

    def __init__(self, seed):
        self.draw, self.walls = Random(seed), {(0, 0): False, self.goal: False}

    def is_wall(self, state):
        return self.walls.setdefault(state, self.draw.random() < 0.5)

    def successors(self, state):
        return [
            Step(name, after) for name, after in self.near(state)
            if not self.is_wall(state) and not self.is_wall(after)
        ]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_what_is_drawn_at_random_may_be_the_same_twice(seed):
    problem = Drawn(seed)
    before = values_of(problem)
    for x in range(20):
        problem.successors((x, x))
    for state in [(x, x) for x in range(20)]:
        check_unchanged_rules(problem, before, [state], Patience(20))
    assert solve(Drawn(seed), BreadthFirst()).status in (Status.SOLVED, Status.UNSOLVABLE)


def test_no_more_is_kept_than_there_is_room_for():
    class Large(Grid):
        def __init__(self):
            self.rows = [[0] * 1000 for _ in range(1000)]
            self.flat = list(range(5000))
            self.deep = [[[0]]]
            self.mixed = [[], object()]
            self.few = [[1], [2]]

    names = {value.name for value in values_of(Large()) if value.container is not None}
    assert names - {"__annotations__"} == {"few", "deep", "mixed"}


def test_loops_of_containers_are_followed_once():
    class Loop(Grid):
        def __init__(self):
            self.rows = [[1]]
            self.rows.append(self.rows)
            self.world = World()
            self.world.back = self.world
            self.world.problem = self

    assert solve(Loop(), BreadthFirst()).cost == 78
