"""Texts of numbers among which are True and False, which machine code takes for 1 and 0."""

import functools
import itertools
import math
from collections import Counter
from typing import NamedTuple

import pytest

from searchkit import BreadthFirst, Problem, Step, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import UnsuitableError


class Counting(Problem):
    """From 0 on by ones; a text leads from 34 to the goal."""

    undirected = False
    flags = (True, 3, 2)

    def initial_states(self):
        return [0]

    def successors(self, n):
        yield Step("on", n + 1)
        if self.text(n) == "True":
            yield Step("jump", 100)

    def is_goal(self, n):
        return n == 100


class OfEither(Counting):
    def text(self, n):
        return str(n > 5 if n == 34 else n % 7)


class OfRows(Counting):
    def text(self, n):
        return "".join(f"{a}" for a, k in [(n == 34, n % 7), (n > 90, 3)] if a)


class OfAnd(Counting):
    def text(self, n):
        return f"{(n > 33 and n % 10) or n == 34}" if n != 34 else f"{n > 90 or n % 2 == 0 or 2}"


class OfLargest(Counting):
    def text(self, n):
        return str(max(n == 34, -1))


class OfSorted(Counting):
    def text(self, n):
        return "".join(map(str, sorted([n == 34, -1])))[2:]


class OfConstants(Counting):
    def text(self, n):
        return f"{self.flags[n % 2]}" if n == 34 else ""


class OfStates(Counting):
    def initial_states(self):
        return [(False, 0)]

    def successors(self, state):
        lamp, n = state
        yield Step("on", (lamp, n + 1))
        if n == 34:
            yield Step("switch", (not lamp, n))
        if f"{lamp}" == "True":
            yield Step("jump", (lamp, 100))

    def is_goal(self, state):
        return state[1] == 100


@pytest.mark.parametrize("kind", Counting.__subclasses__())
def test_they_are_refused(kind):
    assert solve(kind(), BreadthFirst(), engine="reference").cost < 40
    with plainly(), pytest.raises(UnsuitableError, match=r"a text of a number that may be True"):
        solve(kind(), BreadthFirst(), engine="compiled")


class Pair(NamedTuple):
    number: int
    other: int


class ByText(Problem):
    """Numbers, each with what is told of the text of the one before."""

    undirected = False

    def __init__(self, text):
        self.text = text

    def initial_states(self):
        return [(0, 0, 0)]

    def successors(self, state):
        text = str(self.text(state[0]))
        kind = ("True", "False", "0", "1", "-1").index(text) if text in ("True", "False") else 5
        yield Step("on", (state[0] + 1, len(text), 10 * kind + int(text in ("0", "1", "-1"))))

    def is_goal(self, state):
        return state[0] == 12


NUMBERS = (
    lambda n: f"{n}" if max(n > 3, n % 3) else "0",
    lambda n: f"{sum([n > 3, n % 3])}" + "".join(map(str, [n % 3, 2])),
    lambda n: f"{abs(n > 3)}{+(n > 3)}{-(n > 3)}{~(n > 3)}",
    lambda n: f"{(n > 3) | (n % 3)}{(n > 3) + 0}{(n > 3) * 1}{(n > 3) << 0}{(n > 3) ** 1}",
    lambda n: f"{int(n > 3)}{int(max(n > 3, n % 3))}{round(min(n > 3, n))}",
    lambda n: f"{math.prod([n > 3])}{[n > 3, 2].count(True)}{[n > 3, 2].index(n > 3)}",
    lambda n: f"{Pair(n, n > 3).number}{Pair(n > 3, 1)._replace(number=n).number}",
    lambda n: f"{(n, n > 3)[0]}{n > 3}{n == 4 or n > 7}",
    lambda n: f"{[*range(n > 3, 3)][-1]}{[i for i, _ in enumerate('ab', n > 3)][-1]}",
    lambda n: "%d" % max(n > 3, 0) + bin(n > 3) + f"{max(n > 3, 2):02d}",  # noqa: UP031
    lambda n: str(Counter([n > 3, n % 3])[1]) + str(divmod(n > 3, 1)[0]),
    lambda n: str(isinstance(n % 3, bool)) + str(n - 1),
)
MIXTURES = (
    lambda n: str(max([1, 2, n > 3], key=lambda x: -x)),
    lambda n: str(max(n > 3, n % 3) & True),
    lambda n: str(sum([], n > 3)),
    lambda n: str(n % 3 if n % 2 else n > 4),
    lambda n: str(n % 3 and n > 4),
    lambda n: str({0: n > 3, 1: 7}[n % 2]),
    lambda n: str({0: True, 1: 7}.get(n % 3, 0)),
    lambda n: str([*itertools.accumulate([n > 3, 0])][n % 2]),
    lambda n: str(functools.reduce(max, [n > 3, 0])),
    lambda n: str(next(x for x in [n > 3, 2, 1] if x)),
    lambda n: str(min([n % 3], default=n > 3)),
    lambda n: str(dict(zip("ab", (n > 3, n % 3), strict=True))["ab"[n % 2]]),
    lambda n: str([*itertools.chain([n > 3], [n % 3])][n % 2]),
    lambda n: str(next(itertools.product([n > 3], [n % 3]))[0]),
    lambda n: format(max(n > 3, n % 2)),
    lambda n: "%s" % max(n > 3, 0),  # noqa: UP031
    lambda n: "".join(map(str, sorted([(n > 3, 2), (n % 3, 1)])[0])),
)


@pytest.mark.parametrize("text", NUMBERS)
def test_those_of_numbers_are_not(text):
    expected = solve(ByText(text), BreadthFirst(), engine="reference")
    with plainly():
        found = solve(ByText(text), BreadthFirst(), engine="compiled")
    assert (found.engine, found.states) == ("compiled", expected.states)


@pytest.mark.parametrize("text", MIXTURES)
def test_numbers_by_any_way(text):
    with plainly(), pytest.raises(UnsuitableError, match=r"a text of a number that may be True"):
        solve(ByText(text), BreadthFirst(), engine="compiled")


class Late(Counting):
    """States have True where those that were looked at had numbers alone."""

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        n, lamp = state
        yield Step("on", (n + 1, lamp or n == 3000))
        yield Step("back", (0, 0))

    def is_goal(self, state):
        return state[0] == 3010

    def told(self, state):
        return str(state[1])


class LateTold(Late):
    def is_goal(self, state):
        return self.told(state) == "True" and state[0] == 3010


def test_states_may_have_them_later():
    with plainly():
        found = solve(Late(), BreadthFirst(), engine="compiled")
        assert (found.engine, found.cost) == ("compiled", 3010)
        with pytest.raises(UnsuitableError, match=r"a text of a number that may be True"):
            solve(LateTold(), BreadthFirst(), engine="compiled")
