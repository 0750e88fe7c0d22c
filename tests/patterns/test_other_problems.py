"""A heuristic made for one goal, or for other parameters, is refused for another."""

from __future__ import annotations

import pytest

from searchkit import IDAStar, UnsuitableError, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.heuristics.maximum import maximum
from searchkit.heuristics.patterns.choose import pattern_heuristic
from searchkit.heuristics.patterns.library import Library
from searchkit.packed import ZeroHeuristic
from searchkit.registry import Registry
from tests.support.told_space import Walk

PUZZLES = Registry.load().puzzles


@pytest.fixture(autouse=True)
def _without_the_compiler():
    """Databases of a few entries are built sooner than the machine code that builds them."""
    with plainly():
        yield


def refused(problem, heuristic, told):
    for each in (heuristic, maximum(ZeroHeuristic(), heuristic)):
        with pytest.raises(UnsuitableError, match=told) as caught:
            solve(problem, IDAStar(each), engine="reference")
        assert "\n" not in str(caught.value)
        assert "cannot be used on this problem" in str(caught.value)


def test_another_goal_in_the_identity(tmp_path):
    heuristic = pattern_heuristic(Walk(), "1", library=Library(tmp_path))
    assert solve(Walk(5), IDAStar(heuristic), engine="reference").cost == 5
    refused(Walk(5, goal=11), heuristic, r"of pattern 0, goal was 0 and is 11; make another one")


def test_another_goal_of_which_the_databases_are_the_same(tmp_path):
    """The mirror image of a goal has the same databases, but other cells are looked up."""
    one = PUZZLES.get("8-puzzle").create()
    other = one.with_goal(one.parse("012345678"))
    groups = ((1, 2), (7, 8))
    heuristic = pattern_heuristic(one, "1.2/7.8", library=Library(tmp_path))
    assert other.pattern_space(groups).identity(0) != {}
    assert other.pattern_space(groups) is not one.pattern_space(groups)
    refused(other, heuristic, "made for another")
    start = one.with_start(one.parse("123456078"))
    assert start.pattern_space(groups) is one.pattern_space(groups)
    assert solve(start, IDAStar(heuristic), engine="reference").cost == 2


def test_another_size(tmp_path):
    stack = PUZZLES.get("pancakes").create(size="6")
    heuristic = pattern_heuristic(stack, "3", library=Library(tmp_path))
    refused(PUZZLES.get("pancakes").create(size="7"), heuristic, "made for another one")
    refused(PUZZLES.get("pancakes").create(size="1"), heuristic, "it knows no such patterns")
