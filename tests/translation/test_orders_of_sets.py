"""Sets put in order: by keys, and sets of tuples of names and numbers."""

from typing import NamedTuple

import pytest

from searchkit import BreadthFirst, Problem, Step, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError, UnsuitableError
from tests.translation.test_searches import told


class Numbers(Problem):
    """A number that rises, and a set of numbers that a function changes."""

    undirected = False
    start = frozenset({1, -2, 5})

    def __init__(self, new):
        self.new = new

    def initial_states(self):
        return [(0, self.start)]

    def successors(self, state):
        yield Step("on", (state[0] + 1, self.new(state[0], state[1])))

    def is_goal(self, state):
        return state[0] == 12


def moved(s, old, new):
    return (s - {old}) | {new % 23}


UNTIED = (
    lambda n, s: moved(s, sorted(s, key=lambda x: -x)[n % len(s)], n),
    lambda n, s: moved(s, sorted(s, key=lambda x: (x % 3, x), reverse=True)[0], n),
    lambda n, s: moved(s, sorted((x for x in s if x < 99), key=lambda x: -x)[0], n + 2),
    lambda n, s: moved(s, max(s, key=lambda x: -x), n * 5),
    lambda n, s: moved(s, min((x for x in s if x > n), key=lambda x: (x % 2, x), default=2), n),
)
TIED = (
    lambda n, s: moved(s, sorted(s, key=lambda x: x % 2)[0], n),
    lambda n, s: moved(s, min(s, key=lambda x: x % 2), n),
)


def searched(problem):
    with plainly():
        return solve(problem, BreadthFirst(), engine="compiled")


@pytest.mark.parametrize("new", UNTIED)
def test_keys_that_tell_members_apart(new):
    expected = solve(Numbers(new), BreadthFirst(), engine="reference")
    found = searched(Numbers(new))
    assert (found.states, told(found)) == (expected.states, told(expected))


@pytest.mark.parametrize("new", TIED)
def test_keys_that_do_not_are_left_to_python(new):
    with pytest.raises(CompilationError, match=r"it goes by a key that is the same of two members"):
        searched(Numbers(new))
    found = solve(Numbers(new), BreadthFirst())
    assert (found.engine, found.cost) == ("reference", 12)


def test_the_expression_is_named():
    with pytest.raises(UnsuitableError, match=r"goes through a set in `list\(s\)`, whose order"):
        searched(Numbers(lambda n, s: frozenset(list(s)[:2])))


PAIRED = (
    lambda n, s: moved(s, n, sum(i * x for i, x in enumerate(s))),
    lambda n, s: moved(s, n, max(i * x for x, i in zip(s, range(9), strict=False))),
    lambda n, s: moved(s, n, sum(map(lambda x, y: x * y, s, s | {n + 9}))),
    lambda n, s: frozenset(i * x for i, x in enumerate(s)),
    lambda n, s: moved(s, [x for y in (n, 2) for x in s][0], n),  # noqa: RUF015
    lambda n, s: moved(s, next(x + y for y in (n, 2) for x in s), n),
    lambda n, s: moved(s, n, sum(i * x for i, x in enumerate(y for _ in (1, 2) for y in s))),
    lambda n, s: moved(s, n, int(sum(x / 3 for x in s) * 10**9) % 7),
    lambda n, s: moved(s, n, int(sum(x / y for y in (3, 7) for x in s) * 10**9) % 7),
)
UNPAIRED = (
    lambda n, s: moved(s, n, sum(i * x for i, x in enumerate(sorted(s)))),
    lambda n, s: moved(s, n, sum(x * y for y in (n, 2) for x in s if x > y)),
    lambda n, s: moved(s, n, len({x % 5 + y for y in (n, 2) for x in s})),
)


@pytest.mark.parametrize("new", PAIRED)
def test_what_meets_which_member_is_left_to_python(new):
    with pytest.raises(UnsuitableError, match=r"set, whose order|goes through a set|list of a set"):
        searched(Numbers(new))


@pytest.mark.parametrize("new", UNPAIRED)
def test_what_is_the_same_in_any_order(new):
    expected = solve(Numbers(new), BreadthFirst(), engine="reference")
    found = searched(Numbers(new))
    assert (found.states, told(found)) == (expected.states, told(expected))


class At(NamedTuple):
    name: str
    x: int


class Cars(Problem):
    """Names and places in a set: as few of them as are kept as bits."""

    undirected = False
    make = tuple
    names = ("a", "b")

    def initial_states(self):
        return [frozenset(self.made(name, i) for i, name in enumerate(self.names))]

    def made(self, name, x):
        return (name, x)

    def is_goal(self, state):
        return self.made(self.names[0], 9) in state

    def successors(self, state):
        for name, x in sorted(state):
            if x < 10:
                yield Step(name, (state - {(name, x)}) | {(name, x + 1)})


class ByMembers(Cars):
    def successors(self, state):
        for car in sorted(state, reverse=True):
            if car[1] < 10 and car != (self.names[1], 7):
                yield Step(car, (state - {car}) | {(car[0], car[1] + 1)})


class ByLeast(Cars):
    def successors(self, state):
        first = min(state, key=lambda car: (car[1], car[0]))
        last = max(state)
        if first < ("b", 3):
            yield Step("first", (state - {first}) | {(first[0], first[1] + 2)})
        if last[1] < 8 and (last == ("b", last[1]) or last > first):
            yield Step("last", (state - {last}) | {(last[0], last[1] + 1)})


class ByWords(Cars):
    names = ("red car", "blue")


class ByRecords(Cars):
    def made(self, name, x):
        return At(name, x)

    def successors(self, state):
        for car in sorted(state, key=lambda each: (each.x, each.name)):
            name, x = car
            if x < 10:
                yield Step(name, (state - {car}) | {At(name, x + 1)})


@pytest.mark.slow_variants("ByRecords")
@pytest.mark.parametrize("kind", [Cars, ByMembers, ByLeast, ByWords, ByRecords])
def test_sets_of_tuples_of_names(kind):
    expected = solve(kind(), BreadthFirst(), engine="reference", want="count")
    with plainly():
        found = solve(kind(), BreadthFirst(), engine="compiled", want="count")
    assert found.engine == "compiled"
    assert told(found) == told(expected)
