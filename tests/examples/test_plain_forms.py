"""The examples on declared fields against their plain forms, engine by engine; known lengths."""

from __future__ import annotations

from copy import copy
from functools import cache
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
    IDAStar,
    Limits,
    Problem,
    Status,
    UniformCost,
    solve,
)
from searchkit.capabilities import own_heuristic
from searchkit.explore import explore
from tests.support import plain_puzzles as plain
from tests.support.examples import EXAMPLES, make, suitable
from tests.support.plain_search import optimal_cost_and_count

HARD = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"
MICROBAN = (
    "####\n# .#\n#  ###\n#*@  #\n#  $ #\n#  ###\n####",
    "######\n#    #\n# #@ #\n# $* #\n# .* #\n#    #\n######",
)
ROOM = "#######\n#.@ # #\n#$* $ #\n#   $ #\n# ..  #\n#  *  #\n#######"
MAP = "S.....#.\n.####.#.\n.#......\n.#.####.\n...#...G"


@attrs.frozen(eq=False)
class Pair:
    """An example, what its solutions cost, its plain form, and the algorithms of the quick tests.

    The first of them is compiled there.
    """

    name: str
    parameters: dict[str, str]
    cost: int
    plain: Problem[Any, Any]
    quick: tuple[Algorithm, ...]

    def __str__(self) -> str:
        return "-".join([self.name, *self.parameters.values()])[:20].split("\n")[0]


PAIRS = [
    Pair("rush-hour", {"board": HARD}, 51, plain.RushHour(HARD), (BreadthFirst(),)),
    Pair("sokoban", {}, 33, plain.Sokoban(MICROBAN[0]), (AStar(), BreadthFirst())),
    Pair("sokoban", {"level": MICROBAN[1]}, 16, plain.Sokoban(MICROBAN[1]), (AStar(),)),
    Pair(
        "lights-out", {"size": "3"}, 5, plain.LightsOut((1,) * 9), (Bidirectional(), UniformCost())
    ),
    Pair("hanoi", {"disks": "3"}, 5, plain.Hanoi(4, 3), (IDAStar(), Bidirectional())),
    Pair("jugs", {}, 7, plain.Jugs((8, 5, 3), (4, 4, 0)), (IDDFS(), BreadthFirst(), IDAStar())),
    Pair(
        "missionaries", {}, 11, plain.Missionaries(3, 2), (IDDFS(), BreadthFirst(), Bidirectional())
    ),
    Pair(
        "blocks",
        {},
        6,
        plain.Blocks((2, 3, 5, 5, 1), (5, 0, 1, 2, 3)),
        (IDAStar(), Bidirectional()),
    ),
    Pair(
        "grid-map",
        {"squares": MAP},
        55,
        plain.GridMap(MAP.splitlines()),
        (IDAStar(), UniformCost()),
    ),
]
SECOND = PAIRS[2]
LONG_WAYS = ("rush-hour", "sokoban")
"""There are too many of them for searches that remember no states."""
pairs = pytest.mark.parametrize("pair", PAIRS, ids=str)


def found(problem: Problem[Any, Any], algorithm: Algorithm, engine: str) -> tuple[Any, ...]:
    """What a search says, and how much work it was."""
    result = solve(problem, algorithm, want="all", engine=engine)
    assert result.optimal
    work = result.statistics
    some = [solution.actions for solution in islice(result.solutions or (), 5)]
    return result.cost, result.count, work.expanded, work.generated, some


@cache
def expected_of(pair: Pair, algorithm: Algorithm) -> tuple[Any, ...]:
    """What the reference engine finds for the plain form."""
    return found(pair.plain, algorithm, "reference")


@pytest.mark.slow_variants("rush-hour-GBBoLoGHIo")
@pairs
def test_they_are_searched_as_their_plain_forms_are(pair: Pair) -> None:
    example = make(pair.name, **pair.parameters)
    assert [each.name for each in suitable(example)] == [each.name for each in suitable(pair.plain)]
    for algorithm in pair.quick:
        expected = expected_of(pair, algorithm)
        assert expected[0] == pair.cost
        assert found(example, algorithm, "reference") == expected, algorithm


@pytest.mark.slow_variants("rush-hour-GBBoLoGHIo")
@pairs
def test_the_checked_engine_finds_no_mistake(pair: Pair) -> None:
    example = make(pair.name, **pair.parameters)
    few = Limits(expansions=30)
    result = solve(example, pair.quick[0], engine="checked", limits=few)
    plainly = solve(pair.plain, pair.quick[0], engine="reference", limits=few)
    assert (result.status, result.cost) == (plainly.status, plainly.cost)
    assert result.statistics.generated == plainly.statistics.generated


@pytest.mark.slow_variants("rush-hour-GBBoLoGHIo-bfs")
@pytest.mark.parametrize(
    ("pair", "algorithm"),
    [
        pytest.param(
            pair, each, id=f"{pair}-{each.name}",
            marks=pytest.mark.slow if each != pair.quick[0] or pair is SECOND else [],
        )
        for pair in PAIRS
        for each in suitable(pair.plain)
        if pair.name not in LONG_WAYS or not isinstance(each, (IDDFS, IDAStar))
    ],
)  # fmt: skip
def test_machine_code_does_the_same(pair: Pair, algorithm: Algorithm) -> None:
    example = make(pair.name, **pair.parameters)
    assert found(example, algorithm, "compiled") == expected_of(pair, algorithm)


@pairs
def test_heuristics_are_the_same(pair: Pair) -> None:
    example: Any = make(pair.name, **pair.parameters)
    heuristic = own_heuristic(example)
    states = list(zip(example.initial_states(), pair.plain.initial_states(), strict=True))
    for mine, other in states:
        assert heuristic(mine) == pair.plain.heuristic(other)
        steps = zip(example.successors(mine), pair.plain.successors(other), strict=True)
        for one, two in steps:
            assert (one.action, one.cost) == (two.action, two.cost)
            if len(states) < 200:
                states.append((one.state, two.state))


@pytest.mark.parametrize("pair", PAIRS[1:3] + PAIRS[4:5] + PAIRS[-2:], ids=str)
def test_heuristics_are_admissible(pair: Pair) -> None:
    """Where goals can be listed, or the whole space is small."""
    states = list(pair.plain.initial_states())
    for state in states:  # grows as it goes
        started = copy(pair.plain)
        started.initial_states = lambda state=state: [state]  # type: ignore[method-assign, misc]
        cost, _ = optimal_cost_and_count(started)
        assert cost is None or pair.plain.heuristic(state) <= cost
        if len(states) < 30:
            states += [step.state for step in pair.plain.successors(state)]


def test_examples_on_fields_are_short_and_have_neither_shifts_nor_masks() -> None:
    files = [path for path in EXAMPLES.glob("*.py") if "searchkit.fields" in path.read_text()]
    assert len(files) >= len(PAIRS)
    for path in files:
        text = path.read_text()
        assert text.count("\n") <= 80, path
        assert not {"<<", ">>", "~", "bits"} & set(text.replace("(", " ").split()), path


@pytest.mark.parametrize(
    ("blocks", "states"), [("a", 1), ("a b", 3), ("a b c", 13), ("ab cd", 73), ("abcde", 501)]
)
def test_blocks_stand_in_as_many_ways_as_there_are_sets_of_lists(blocks: str, states: int) -> None:
    """Sequence A000262 of the On-Line Encyclopedia of Integer Sequences."""
    assert explore(make("blocks", start=blocks, goal=blocks), engine="reference").states == states


@pytest.mark.parametrize(
    ("puzzle", "parameters", "cost"),
    [
        ("hanoi", {"disks": "6"}, 17),
        ("missionaries", {"pairs": "5", "boat": "3"}, 11),
        ("blocks", {"start": "ac b", "goal": "cba"}, 3),
    ],
)
def test_published_lengths(puzzle: str, parameters: dict[str, str], cost: int) -> None:
    result = solve(make(puzzle, **parameters), AStar(), engine="reference")
    assert (result.cost, result.optimal) == (cost, True)


def test_five_by_five_lights_need_fifteen_presses_at_most() -> None:
    """A quarter of all boards can be solved."""
    found = explore(make("lights-out"), engine="compiled")
    assert (found.states, len(found.layers) - 1, found.layers[-1]) == (1 << 23, 15, 7350)


@pytest.mark.slow
def test_ten_disks_are_never_more_than_49_moves_away() -> None:
    """Frame and Stewart's number (1941)."""
    found = explore(make("hanoi", disks="10"), engine="compiled")
    assert (found.states, len(found.layers) - 1) == (4**10, 49)


@pytest.mark.slow
def test_the_hard_board_of_rush_hour_has_4780_states() -> None:
    assert explore(make("rush-hour", board=HARD), engine="compiled").states == 4780


def test_dead_squares_save_most_of_the_work() -> None:
    level = make("sokoban", level=ROOM)
    informed, blind = (
        solve(level, each, engine="reference", limits=Limits(expansions=2000))
        for each in (AStar(), UniformCost())
    )
    assert informed.cost == 16
    assert blind.status is Status.LIMIT
