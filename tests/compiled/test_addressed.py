"""Rules that are compiled by themselves, and called by engines through their addresses."""

import ast
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import IDDFS, AStar, BeamSearch, BreadthFirst, IDAStar, Problem, Step, explore, solve
from searchkit.compiled.specialise import addressed, module, varying
from searchkit.compiled.specialise.code_files import CodeFiles
from searchkit.kernel_language.trees import copied


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
    tops = list(range(31, 63, 3))
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda top: explore(Stairs(top), engine="compiled").states, tops))
        costs = list(
            threads.map(lambda top: solve(Stairs(top), AStar(), engine="compiled").cost, tops)
        )
    assert costs == [solve(Stairs(top), AStar(), engine="reference").cost for top in tops]
    assert found == [explore(Stairs(top), engine="reference").states for top in tops]


def test_tables_live_as_long_as_the_words_that_have_their_addresses(collect):
    class Tables:
        pass

    tables = Tables()
    alive = weakref.ref(tables)
    at = addressed._kept(tables, lambda *_: 0)
    del tables
    collect()
    assert alive() is not None
    del at
    collect()
    assert alive() is None


class Corridors(Problem):
    """A keeper walks on a board of walls; the width is a number of the rules' text."""

    def __init__(self, rows):
        marks = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
        self.walls = frozenset(place for place, mark in marks.items() if mark == "#")
        self.ends = [
            next(place for place, mark in marks.items() if mark == wanted) for wanted in "@."
        ]

    def initial_states(self):
        return [self.ends[0]]

    def successors(self, place):
        r, c = place
        for name, dr, dc in (("u", -1, 0), ("d", 1, 0), ("l", 0, -1), ("r", 0, 1)):
            if (r + dr, c + dc) not in self.walls:
                yield Step(name, (r + dr, c + dc))

    def is_goal(self, place):
        return place == self.ends[1]

    def heuristic(self, place):
        return abs(place[0] - self.ends[1][0]) + abs(place[1] - self.ends[1][1])


def board(height, width):
    """A wall with a gap between keeper and goal."""
    middle = ["#" + " " * width + "#" for _ in range(height - 2)]
    wall = "#" * width + " #"
    rows = ["#@" + " " * (width - 1) + "#", *middle, wall, "#." + " " * (width - 1) + "#"]
    return ["#" * (width + 2), *rows, "#" * (width + 2)]


SIZES = [(4, 5), (11, 20), (5, 9), (7, 6), (9, 12)]
"""The first two differ in all that may differ."""


def costs_of(engine):
    return [solve(Corridors(board(*size)), AStar(), engine=engine).cost for size in SIZES]


def test_a_third_board_needs_no_compiler():
    found, made = [], []
    for size in SIZES:
        before = CodeFiles.made
        found.append(solve(Corridors(board(*size)), AStar(), engine="compiled").cost)
        made.append(CodeFiles.made - before)
    assert found == costs_of("reference")
    assert made[2:] == [0, 0, 0]


class Said(NamedTuple):
    """Files that say the same, whatever is written."""

    content: bytes

    def read(self, name):
        return self.content

    def write(self, name, content):
        """Nothing: other tests have the same boards."""


@pytest.mark.slow_variants("[[1], [0]]", "[1, 2]", '[["a"], []]', "{}")
@pytest.mark.parametrize(
    "content", [b"", b"[]", b"[[1], [0]]", b'[["a"], []]', b"[1, 2]", b"{}", b"\xff"]
)
def test_whatever_a_file_says_of_numbers_each_board_has_its_own(monkeypatch, content):
    monkeypatch.setattr(varying, "CodeFiles", Said(content))
    monkeypatch.setattr(module, "_made", {})
    assert costs_of("compiled") == costs_of("reference")


@given(st.lists(st.integers(0, 40), min_size=6, max_size=6), st.data())
def test_numbers_in_the_table_are_those_that_were_in_the_text(values, data):
    text = "def kernel(searchkit_tables, state):\n    x = {} + searchkit_tables.constants[{}]\n"
    text += "    for i in range({}):\n        x = x * {} + F[{}]\n    return x // {}"
    tree = ast.parse(text.format(*values))
    counted = varying._Replaced(None)
    counted.visit(copied(tree))
    chosen = data.draw(st.sets(st.integers(0, len(counted.found) - 1)))
    places = {number: place for place, number in enumerate(sorted(chosen))}
    replaced = ast.unparse(varying._Replaced(places).visit(copied(tree)))
    for number, place in places.items():
        call = f"natural(searchkit_tables.{varying.NUMBERS}[{place}])"
        assert replaced.count(call) == 1
        replaced = replaced.replace(call, str(counted.found[number]))
    assert replaced == ast.unparse(tree)
    assert len(counted.found) == 4  # not the range, nor the place in the frame
