"""Rules that are compiled by themselves, and called by engines through their addresses."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from searchkit import IDDFS, AStar, BeamSearch, BreadthFirst, IDAStar, Problem, Step, explore, solve
from searchkit.compiled.specialise import addressed
from searchkit.compiled.specialise.code_files import CodeFiles


class Stairs(Problem):
    """From 0 up to `top`, by one or by several stairs: `several` is a number of the class."""

    several = 5

    def __init__(self, top):
        self.top = top

    def initial_states(self):
        return [0]

    def successors(self, stair):
        if stair < self.top:
            yield Step("one", stair + 1)
            if stair % 2 == 0:
                yield Step("several", stair + self.several)

    def is_goal(self, stair):
        return stair == self.top

    def heuristic(self, stair):
        return max(0, self.top - stair) // self.several


class OtherStairs(Stairs):
    """The same stairs, climbed by other rules."""

    def successors(self, stair):
        for name, height in (("one", 1), ("several", self.several), ("two", 2)):
            if stair < self.top and (name == "one" or stair % 2 == 0):
                yield Step(name, stair + height)

    def heuristic(self, stair):
        left = self.top - stair
        return left // self.several if left > 0 else 0


ALGORITHMS = [BreadthFirst(), AStar(), IDAStar(), IDDFS(), BeamSearch(width=50)]


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda each: each.name)
def test_another_puzzle_takes_the_engine_that_is_there(algorithm):
    expected = [solve(each(41), AStar()).cost for each in (Stairs, OtherStairs)]
    found = [solve(Stairs(41), algorithm, engine="compiled").cost]
    solve(OtherStairs(41), AStar(), engine="compiled")  # makes its rules and its estimate
    before = CodeFiles.made
    found.append(solve(OtherStairs(41), algorithm, engine="compiled").cost)
    assert CodeFiles.made == before
    assert found == expected


def test_tables_that_need_more_room_than_most_get_it(monkeypatch):
    monkeypatch.setattr(addressed, "FEW_WORDS", 9)
    assert solve(Stairs(33), AStar(), engine="compiled").cost == 13


def test_two_problems_of_a_class_are_searched_at_once_with_their_own_tables():
    tops = list(range(31, 63))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda top: explore(Stairs(top), engine="compiled").states, tops))
        costs = list(
            threads.map(lambda top: solve(Stairs(top), AStar(), engine="compiled").cost, tops)
        )
    assert costs == [solve(Stairs(top), AStar(), engine="reference").cost for top in tops]
    assert found == [explore(Stairs(top), engine="reference").states for top in tops]


def test_tables_live_as_long_as_the_words_that_have_their_addresses():
    class Tables:
        pass

    tables = Tables()
    alive = weakref.ref(tables)
    at = addressed._kept(tables, lambda *_: 0)
    del tables
    gc.collect()
    assert alive() is not None
    del at
    gc.collect()
    assert alive() is None
