"""Numbers beyond their bounds, deep in a search: an error that names them, in every engine."""

import inspect
import math
from contextlib import nullcontext

import pytest

from searchkit import (
    AStar,
    BeamSearch,
    BreadthFirst,
    GreedyBestFirst,
    IDAStar,
    ProblemError,
    Status,
    UniformCost,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.explore import explore
from searchkit.fields import Array, Fields, Int, Set


class Deep(Fields):
    """A walk; far from the start, a step gives a field more than it holds."""

    undirected = False

    def __init__(self, far=3000, more=1):
        self.far = far
        self.moves = ["on", "fill"]
        self.declare(at=Int(4000), b=Array(2, 9), rest=Set(more))
        self.start = self.pack(at=0, b=[0, 0], rest=[])

    def legal(self, s, move):
        return s.at < self.far if move == "on" else s.at == self.far

    def fill(self, s):
        s.b[0] = s.at // 300

    def apply(self, s, move):
        if move == "on":
            s.at += 1
        else:
            self.fill(s)

    def at_goal(self, s):
        return s.b[1] == 5


_, FIRST = inspect.getsourcelines(Deep.fill)
SAYS = (
    rf"test_ranges.py:{FIRST + 1}: b\[0\] becomes 10; it must be from 0 to 8 "
    r"\(in the state at=3000 b=0,0 rest=\{\} by the move fill\)"
)


@pytest.mark.slow_variants("60")
@pytest.mark.parametrize("more", [1, 60])
def test_the_reference_engine_names_what_is_beyond_its_bounds(more):
    for _ in range(2):
        with pytest.raises(ProblemError, match=SAYS):
            solve(Deep(more=more), BreadthFirst(), engine="reference")
    with pytest.raises(ProblemError, match=SAYS):
        explore(Deep(more=more), engine="reference")


@pytest.mark.parametrize("more", [1, 60])
def test_machine_code_names_what_is_beyond_its_bounds(more):
    with pytest.raises(ProblemError, match=SAYS):
        solve(Deep(more=more), BreadthFirst(), engine="compiled")


@pytest.mark.spread("algorithm0-1", "algorithm3-60", "algorithm4-1")
@pytest.mark.parametrize("more", [1, 60])
@pytest.mark.parametrize(
    "algorithm", [BreadthFirst(), AStar(), UniformCost(), GreedyBestFirst(), BeamSearch(width=4)]
)
def test_every_algorithm_names_what_is_beyond_its_bounds(algorithm, more, monkeypatch):
    # On a busy machine the search lasts, and it takes seconds to find no proof for so many states.
    monkeypatch.setattr("searchkit.solving.unsolvable.LASTING", math.inf)
    with plainly(), pytest.raises(ProblemError, match=SAYS):
        solve(Deep(more=more), algorithm, engine="compiled")


@pytest.mark.slow_variants("60")
@pytest.mark.parametrize("more", [1, 60])
def test_explore_names_what_is_beyond_its_bounds(more):
    with plainly(), pytest.raises(ProblemError, match=SAYS):
        explore(Deep(more=more), engine="compiled")


class Legs(Fields):
    """Beyond its goals, and where `legal` is false, a step leaves the bounds."""

    def __init__(self, far=6, last=3):
        self.far, self.last = far, last
        self.moves = [(i, k) for i in range(2) for k in (1, 2)]
        self.declare(at=Array(2, 4))
        self.start = self.pack(at=[0, 0])

    def legal(self, s, i, k):
        return s.at[i] + k <= self.last

    def apply(self, s, i, k):
        s.at[i] += k

    def at_goal(self, s):
        return s.at[0] + s.at[1] == self.far

    def estimate(self, s):
        return max(0, (self.far - s.at[0] - s.at[1]) // 3)


@pytest.mark.parametrize(
    ("algorithm", "running"),
    [(AStar(), plainly), (IDAStar(), plainly), (IDAStar(), nullcontext)],
)
def test_steps_that_are_not_legal_raise_nothing(algorithm, running):
    with running():
        found = solve(Legs(), algorithm, engine="compiled", want="count")
        assert found.cost == 4
        assert found.count == solve(Legs(), algorithm, engine="reference", want="count").count
        with pytest.raises(ProblemError, match=r"at\[.\] becomes [45]; it must be from 0 to 3"):
            solve(Legs(far=7, last=4), algorithm, engine="compiled")


class Shifted(Fields):
    """The same in a set, an index, and what is added; by a number of the move alone."""

    def __init__(self, kind):
        self.moves = [(kind, 1)]
        self.declare(a=Int(-3, 2), at=Array(3, 5), some=Set(5))
        self.start = self.pack(a=-3, at=[0, 0, 0], some=[])

    def apply(self, s, kind, by):
        s.a += by
        if kind == 1:
            s.some.add(s.a + 5)
        if kind == 2:
            s.at[s.a + 4] += 1
        if kind == 3:
            s.at[0] = s.at[0] + 2 * by
        if kind == 4:
            s.at[0] -= s.a + 2

    def at_goal(self, s):
        return s.a == 1


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (
            1,
            r"5 is not a member of some, which is a Set\(5\) \(in the state a=-1 at=0,0,0 some=.3,",
        ),
        (2, r"at\[3\] is not there; indices are from 0 to 2 \(in the state a=-2 at=0,0,1 some"),
        (3, r"at\[0\] becomes 6; it must be from 0 to 4 \(in the state a=-1 at=4,0,0 some"),
        (4, r"at\[0\] becomes -1; it must be from 0 to 4 \(in the state a=-2 at=0,0,0 some"),
    ],
)
def test_each_kind_of_store_is_compared(kind, says):
    with pytest.raises(ProblemError, match=says):
        walk(Shifted(kind))


class Looks(Fields):
    """Looks something up in lists of its own by what a state holds."""

    def __init__(self, by, more=1):
        self.by = by
        self.line, self.rows = [0, 1, 2, 3], [[0, 1, 2], [1]]
        self.moves = ["line", "rows", "helper", "alone"]
        self.declare(at=Int(-3, 6), to=Int(5), rest=Set(more))
        self.start = self.pack(at=0, to=0, rest=[])

    def legal(self, s, move):
        return move == self.by and s.at > -3

    def apply(self, s, move):
        if move == "line":
            s.to = self.line[s.at]
            s.at -= 1
        elif move == "rows":
            s.to = self.rows[s.to % 2][s.at]
            s.at += 1
        elif move == "alone":
            s.to = self.longest(s.to % 2, s.at)
            s.at += 1
        else:
            s.to = self.third(s)
            s.at += 1

    def longest(self, row, at):
        most = max(self.rows[k][at] for k in range(row + 1))
        return most + self.line[0]

    def third(self, s):
        if s.at < 0:
            return 0
        return self.line[s.at + 2]

    def at_goal(self, s):
        return s.at == 5


@pytest.mark.parametrize("more", [1, 62])
@pytest.mark.parametrize(
    ("by", "says"),
    [
        ("line", r"becomes -1 in `s.to = self.line\[s.at\]`; it must be from 0 to 3 \(in .*at=-1"),
        ("rows", r"list index out of range in `s.to = self.rows.*\(in .*at=2 to=1"),
        ("helper", r"becomes 4 in `return self.line\[s.at \+ 2\]`; .* \(in .*at=2 to=3 "),
        ("alone", r"list index out of range in `most = max\(self.rows.*\(in .*at=2 to=1"),
    ],
)
def test_indices_of_lists_are_compared_by_kernels(by, says, more):
    with pytest.raises(ProblemError, match=f"{says}.* by the move {by}"):
        solve(Looks(by, more), BreadthFirst())
    with pytest.raises(ProblemError, match=f"becomes -?[0-9x]*; it must be .* the move {by}"):
        solve(Looks(by, more), BreadthFirst(), engine="checked")
    with plainly(), pytest.raises(ProblemError, match=f"{says}.* by the move {by}"):
        solve(Looks(by, more), BreadthFirst(), engine="compiled")


def test_rules_as_they_are_written_look_up_as_python_does():
    assert solve(Looks("line"), BreadthFirst(), engine="reference").status is Status.UNSOLVABLE
    with pytest.raises(ProblemError, match=r"IndexError: .*test_ranges.py:\d+ in third"):
        solve(Looks("helper"), BreadthFirst(), engine="reference")


def test_indices_of_lists_are_compared_by_machine_code():
    for by in ("line", "rows", "helper", "alone"):
        with pytest.raises(ProblemError, match=f"test_ranges.py:.* by the move {by}"):
            solve(Looks(by), BreadthFirst(), engine="compiled")


def walk(puzzle):
    state = puzzle.start
    while True:
        ((_, state, _),) = puzzle.successors(state)


class Shorter(Fields):
    """Counts up, and looks at a row of its own for each number; the second list has fewer."""

    def __init__(self, rule):
        self.rule = rule
        self.rows = [[[i % 3] * (i % 2 + 1) for i in range(14)], [[1]] * 11]
        self.moves = [0, 1]
        self.declare(at=Array(2, 14), some=Set(3))
        self.start = self.pack(at=[0, 0], some=[])

    def legal(self, s, i):
        return s.at[i] < 13

    def apply(self, s, i):
        if self.rule == 0:
            s.some ^= self.rows[i][s.at[i]]
        elif self.rule == 1:
            for one in self.rows[i][s.at[i]]:
                s.some.add(one)
        elif self.rule == 2:
            s.some |= {len(self.rows[i][s.at[i]])}
        elif 2 in self.rows[i][s.at[i]]:
            s.some.add(2)
        s.at[i] += 1

    def at_goal(self, s):
        return s.at[0] == 13


@pytest.mark.parametrize("rule", range(4))
def test_an_index_beyond_a_shorter_row_is_an_error_whatever_becomes_of_the_row(rule):
    with pytest.raises(ProblemError, match="IndexError: list index out of range"):
        explore(Shorter(rule), engine="reference")
    with plainly(), pytest.raises(ProblemError, match=r"out of range in `.*`.* at=\d+,11 "):
        explore(Shorter(rule), engine="compiled")
    with pytest.raises(ProblemError, match=r"out of range|within a shorter row.* at=\d+,11 "):
        explore(Shorter(rule), engine="checked")


class Helped(Fields):
    """The same in functions of several lines that are not given the state."""

    def __init__(self, rule):
        self.rule = rule
        self.rows = [[[i % 3] * (i % 2 + 1) for i in range(14)], [[1]] * 11]
        self.pairs = [[[1, 2]] * 14, [[1, 0]] * 11]
        self.none = [[[]] * 14, [[]] * 11]
        self.flat = [[1] * 14, [2] * 11]
        self.moves = [0, 1]
        self.declare(at=Array(2, 14), n=Int(7))
        self.start = self.pack(at=[0, 0], n=0)

    def legal(self, s, i):
        return s.at[i] < 13

    def apply(self, s, i):
        s.n = abs(self.looked_up(i, s.at[i])) % 7
        s.at[i] += 1

    def at_goal(self, s):
        return s.at[0] == 13

    def looked_up(self, i, j):
        row = self.flat[i]
        if self.rule == 0:
            return self.looped(i, j)
        if self.rule == 1:
            return sum(2 * x for x in self.rows[i][j])
        if self.rule == 2:
            return 7 not in self.rows[i][j]
        if self.rule == 3:
            return sum(len(self.rows[k][j]) for k in range(i + 1))
        if self.rule == 4:
            one, other = self.pairs[i][j]
            return one - other
        if self.rule == 5:
            return self.named(i, j)
        if self.rule == 6:
            return self.counted(i, j)
        if self.rule == 7:
            return max((x for x in range(1, 4)), default=row[j])
        return len(self.pairs[i][j]) if self.rule == 8 else row[j]

    def looped(self, i, j):
        total = 0
        for k, x in enumerate(reversed(self.rows[i][j])):
            total += k * x
        return total

    def named(self, i, j):
        row = self.rows[i][j]
        if self.rows[i][0]:
            return 5
        return len(row)

    def counted(self, i, j):
        for _ in self.none[i][j]:
            return 3
        return len(self.none[i][j])


@pytest.mark.slow_variants("1", "4", "6", "8", "7", "9")
@pytest.mark.parametrize("rule", range(10))
def test_an_index_beyond_a_shorter_row_is_an_error_in_functions_without_the_state(rule):
    with pytest.raises(ProblemError, match=r"IndexError: list index out of range at .*\.py:\d+"):
        explore(Helped(rule), engine="reference")
    with plainly(), pytest.raises(ProblemError, match=r":\d+: .* out of range in `.*`.*11.* by"):
        explore(Helped(rule), engine="compiled")
    with pytest.raises(ProblemError, match=r":\d+: an (item|index) .*\(called with .*11"):
        explore(Helped(rule), engine="checked")


class Guarded(Helped):
    """It asks how long a row is before it looks up in it."""

    def looked_up(self, i, j):
        if j >= len(self.rows[i]):
            return 3
        return sum(self.rows[i][j]) + self.rows[i][-11][0]


def test_an_index_that_is_compared_with_the_length_of_its_row_is_none():
    found = {}
    for engine in ("reference", "compiled", "checked"):
        with plainly():
            explored = explore(Guarded(0), engine=engine)
        found[engine] = explored.states, tuple(explored.layers)
    assert len({*found.values()}) == 1


class Many(Fields):
    """Sets whose words leave no bit by which a row that is not there could be told."""

    def __init__(self, size):
        self.rows = [[[i, size - 1] for i in range(14)], [[0, size - 1]] * 11]
        self.moves = [0, 1]
        self.declare(some=Set(size), at=Array(2, 14))
        self.start = self.pack(at=[0, 0], some=[])

    def legal(self, s, i):
        return s.at[i] < 13 and s.some.isdisjoint(s.some - self.rows[i][s.at[i]] - {0})

    def apply(self, s, i):
        s.some ^= self.rows[i][s.at[i]]
        s.at[i] += 1

    def at_goal(self, s):
        return s.at[0] == 13


@pytest.mark.slow_variants("130", "55", "61", "62", "100")
@pytest.mark.parametrize("size", [20, 55, 61, 62, 63, 64, 100, 130])
def test_sets_of_any_size_tell_rows_that_are_not_there(size):
    for engine in ("reference", "compiled", "checked"):
        with plainly(), pytest.raises(ProblemError, match=r"out of range|shorter row"):
            explore(Many(size), engine=engine)
