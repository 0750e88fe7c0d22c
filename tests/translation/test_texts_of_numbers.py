"""Texts of numbers among which are True and False, which machine code takes for 1 and 0."""

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


class OfNumbers(Counting):
    """True and False are there, but are not taken for numbers among others."""

    def text(self, n):
        return "True" if str(n) == "34" and f"{n % 10}" == "4" and n > 5 else "False"


def test_those_of_numbers_are_not():
    with plainly():
        found = solve(OfNumbers(), BreadthFirst(), engine="compiled")
    assert (found.engine, found.cost) == ("compiled", 35)
