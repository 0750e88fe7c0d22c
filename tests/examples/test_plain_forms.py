"""The examples on declared fields against their plain forms, engine by engine; known lengths."""

from __future__ import annotations

from itertools import islice
from typing import Any

import attrs
import pytest

from searchkit import (
    IDDFS,
    Algorithm,
    AStar,
    Bidirectional,
    BreadthFirst,
    Goals,
    IDAStar,
    Problem,
    UniformCost,
    solve,
)
from searchkit.explore import explore
from tests.support import plain_puzzles as plain
from tests.support.examples import EXAMPLES, make, suitable

HARD = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"
CROWDED = "ooooooBBBooCAAoooCooDooCooDooooooEEE"
MICROBAN = "######/#    #/# #@ #/# $* #/# .* #/#    #/######"
ROOM = "#######/#.@ # #/#$* $ #/#   $ #/# ..  #/#  *  #/#######"
MAP = "S.....#./.####.#./.#....../.#.####./...#...G"


@attrs.frozen
class Pair:
    """An example, its plain form, and the algorithm that runs compiled in the quick tests."""

    name: str
    parameters: dict[str, str]
    plain: Problem[Any, Any]
    algorithm: Algorithm

    def __str__(self) -> str:
        return "-".join([self.name, *self.parameters.values()])[:40]


PAIRS = [
    Pair("rush-hour", {"board": CROWDED}, plain.RushHour(CROWDED), BreadthFirst()),
    Pair("sokoban", {"level": MICROBAN}, plain.Sokoban(MICROBAN), AStar()),
    Pair("lights-out", {"size": "3"}, plain.LightsOut((1,) * 9), Bidirectional()),
    Pair("hanoi", {"disks": "4"}, plain.Hanoi(4, 4), IDAStar()),
    Pair("jugs", {}, plain.Jugs((8, 5, 3), (4, 4, 0)), IDDFS()),
    Pair("missionaries", {}, plain.Missionaries(3, 2), BreadthFirst()),
    Pair("blocks", {}, plain.Blocks((2, 3, 5, 5, 1), (5, 0, 1, 2, 3)), AStar()),
    Pair("grid-map", {}, plain.GridMap(MAP.split("/")), UniformCost()),
]
pairs = pytest.mark.parametrize("pair", PAIRS, ids=str)


def found(problem: Problem[Any, Any], algorithm: Algorithm, engine: str) -> tuple[Any, ...]:
    """What a search says, and how much work it was."""
    result = solve(problem, algorithm, want="all", engine=engine)
    assert result.optimal
    work = result.statistics
    some = [solution.actions for solution in islice(result.solutions or (), 5)]
    return result.cost, result.count, work.expanded, work.generated, some


@pytest.mark.parametrize("engine", ["reference", "checked"])
@pairs
def test_they_are_searched_as_their_plain_forms_are(pair: Pair, engine: str) -> None:
    example = make(pair.name, **pair.parameters)
    algorithms = suitable(pair.plain)
    assert [each.name for each in suitable(example)] == [each.name for each in algorithms]
    for algorithm in algorithms if engine == "reference" else [pair.algorithm]:
        expected = found(pair.plain, algorithm, "reference")
        assert found(example, algorithm, engine) == expected, algorithm


@pytest.mark.parametrize(
    ("pair", "algorithm"),
    [
        pytest.param(
            pair, each, id=f"{pair}-{each.name}",
            marks=[] if each == pair.algorithm else pytest.mark.slow,
        )
        for pair in PAIRS
        for each in suitable(pair.plain)
    ],
)  # fmt: skip
def test_machine_code_does_the_same(pair: Pair, algorithm: Algorithm) -> None:
    example = make(pair.name, **pair.parameters)
    assert found(example, algorithm, "compiled") == found(pair.plain, algorithm, "reference")


@pairs
def test_heuristics_are_the_same(pair: Pair) -> None:
    example: Any = make(pair.name, **pair.parameters)
    states = list(zip(example.initial_states(), pair.plain.initial_states(), strict=True))
    for mine, other in states:
        assert example.heuristic(mine) == pair.plain.heuristic(other)
        steps = zip(example.successors(mine), pair.plain.successors(other), strict=True)
        for one, two in steps:
            assert (one.action, one.cost) == (two.action, two.cost)
            if len(states) < 200:
                states.append((one.state, two.state))


def test_examples_on_fields_are_short_and_have_neither_shifts_nor_masks() -> None:
    files = [path for path in EXAMPLES.glob("*.py") if "searchkit.fields" in path.read_text()]
    assert len(files) >= len(PAIRS)
    for path in files:
        text = path.read_text()
        assert text.count("\n") <= 60, path
        assert not {"<<", ">>", "~", "bits"} & set(text.replace("(", " ").split()), path


def test_published_lengths_and_numbers_of_states() -> None:
    lights = solve(make("lights-out"), Bidirectional(), engine="compiled")
    assert lights.cost == 15
    rush = solve(make("rush-hour", board=HARD), BreadthFirst(), engine="compiled")
    assert rush.cost == 51
    sokoban = solve(make("sokoban"), AStar(), engine="compiled")
    assert sokoban.cost == 33
    assert explore(make("rush-hour", board=HARD), start="start", engine="compiled").states == 4780
    for blocks, states in (("a", 1), ("a b", 3), ("a b c", 13), ("ab cd", 73), ("abcde", 501)):
        assert explore(make("blocks", start=blocks, goal=blocks)).states == states


def test_a_level_that_takes_longer_unless_squares_are_dead() -> None:
    with_bound, without = (
        solve(make("sokoban", level=ROOM), each, engine="reference") for each in (AStar(), UniformCost())
    )
    assert with_bound.cost == without.cost
    assert with_bound.statistics.expanded < without.statistics.expanded / 2
