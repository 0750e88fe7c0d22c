"""Every example is a plugin file whose puzzle all suitable algorithms solve alike."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from searchkit import (
    IDDFS,
    AStar,
    Bidirectional,
    Costs,
    IDAStar,
    ParseError,
    Problem,
    Status,
    solve,
)
from searchkit.capabilities import HasGoalStates, HasParse
from searchkit.checks import check_problem
from searchkit.checks.conformance import check_puzzle
from searchkit.explore import explore
from searchkit.heuristics.patterns import PatternHeuristic
from searchkit.heuristics.patterns.compiled_build import build
from searchkit.texts.text_files import names_file
from searchkit.verify import verify_solution
from searchkit_stages import Stages
from tests.support.examples import ALGORITHMS, EXAMPLES, make, registry, suitable
from tests.support.plain_search import optimal_cost_and_count

PUZZLES = {
    "my-pancakes": "first_puzzle.py",
    "fast-pancakes": "fast_pancakes.py",
    "knight": "knight.py",
    "pyramid": "pyramid.py",
    "jugs": "jugs.py",
    "missionaries": "missionaries.py",
    "farmer": "farmer.py",
    "word-ladder": "word_ladder.py",
    "hanoi": "hanoi.py",
    "bridge": "bridge.py",
    "rush-hour": "rush_hour.py",
    "sokoban": "sokoban.py",
    "pushes": "sokoban_pushes.py",
    "lights-out": "lights_out.py",
    "blocks": "blocks.py",
    "grid-map": "grid_map.py",
    "digits": "duplicate_detection.py",
    "tokens": "tokens.py",
    "dials": "dials.py",
    "sorting": "sorting.py",
    "lamps": "lamps.py",
    "ring": "ring.py",
}
FRAME_STEWART = (0, 1, 3, 5, 9, 13, 17, 25, 33)
"""Moves for 0, 1, 2, ... disks on four pegs."""

QUICK = ("bfs", "idastar")


def reachable(problem: Problem[Any, Any], most: int = 300) -> list[Any]:
    """The first states that breadth-first search meets."""
    states = list(problem.initial_states())
    for state in states:
        states += [step.state for step in problem.successors(state) if step.state not in states]
        if len(states) >= most:
            break
    return states[:most]


def test_each_example_registers_its_puzzle_and_nothing_goes_wrong() -> None:
    origins = {entry.name: Path(entry.origin).name for entry in registry().puzzles.entries}
    assert PUZZLES.items() <= origins.items()
    assert set(PUZZLES.values()) == {path.name for path in EXAMPLES.glob("*.py")}
    assert not [each for each in registry().problems if each.origin.startswith(str(EXAMPLES))]


@pytest.mark.slow_variants(
    "bridge-parameters19-29",
    "word-ladder-parameters10-4",
    "missionaries-parameters6-11",
    "hanoi-parameters13-5",
    "hanoi-parameters14-7",
    "knight-parameters8-6",
    "my-pancakes-parameters0-6",
)
@pytest.mark.parametrize(
    ("puzzle", "parameters", "cost"),
    [
        ("my-pancakes", {}, 6),
        ("my-pancakes", {"stack": "2 1"}, 1),
        ("jugs", {}, 7),
        ("jugs", {"capacities": "12 7 5", "goal": "6 6 0"}, 11),
        ("missionaries", {}, 11),
        ("missionaries", {"pairs": "2"}, 5),
        ("missionaries", {"pairs": "5", "boat": "3"}, 11),
        ("farmer", {}, 7),
        ("knight", {}, 6),
        ("knight", {"size": "3"}, 4),
        ("word-ladder", {}, 4),
        *(("hanoi", {"disks": str(n)}, moves) for n, moves in list(enumerate(FRAME_STEWART))[1:4]),
        ("hanoi", {"disks": "3", "pegs": "3"}, 7),
        ("tokens", {}, 2),
        ("sorting", {}, 6),
        ("ring", {}, 5),
        ("bridge", {}, 17),
        ("bridge", {"times": "1,3,6,8,12"}, 29),
        ("bridge", {"times": "7"}, 7),
    ],
)
def test_all_algorithms_find_the_same_optimal_solutions(
    puzzle: str, parameters: dict[str, str], cost: int | None
) -> None:
    problem = make(puzzle, **parameters)
    plain_cost, plain_count = optimal_cost_and_count(problem)
    assert cost is None or plain_cost == cost
    listed = None
    for algorithm in suitable(problem):
        one = solve(problem, algorithm)
        every = solve(problem, algorithm, want="all")
        assert one.solution is not None, algorithm
        assert one.cost == every.cost == plain_cost, algorithm
        assert every.count == plain_count, algorithm
        verify_solution(problem, one.solution)
        actions = [solution.actions for solution in every.solutions or ()]
        assert len(actions) == plain_count
        assert listed is None or actions == listed, algorithm
        listed = actions
    assert listed is not None


@pytest.mark.parametrize(
    "disks", [5, 6, *(pytest.param(each, marks=pytest.mark.slow) for each in (7, 8))]
)
def test_hanoi_takes_the_moves_of_frame_and_stewart(disks: int) -> None:
    problem = make("hanoi", disks=str(disks))
    for algorithm in (Bidirectional(), AStar()):
        assert solve(problem, algorithm).cost == FRAME_STEWART[disks]


@pytest.mark.parametrize(
    ("puzzle", "parameters"),
    [
        ("missionaries", {"pairs": "4"}),
        ("hanoi", {"disks": "2", "pegs": "2"}),
        ("jugs", {"capacities": "8 6 2", "goal": "5 3 0"}),
    ],
)
def test_all_algorithms_prove_the_unsolvable_unsolvable(
    puzzle: str, parameters: dict[str, str]
) -> None:
    problem = make(puzzle, **parameters)
    assert optimal_cost_and_count(problem) == (None, 0)
    for algorithm in suitable(problem):
        assert solve(problem, algorithm).status is Status.UNSOLVABLE, algorithm


@pytest.mark.slow_variants("lights-out", "rush-hour", "fast-pancakes")
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_promises_of_the_protocol(puzzle: str) -> None:
    problem = make(puzzle)
    for state in reachable(problem):
        steps = list(problem.successors(state))
        assert steps == list(problem.successors(state))
        texts = [problem.format_action(step.action) for step in steps]
        assert len(set(texts)) == len(texts)
        assert problem.costs is not Costs.UNIT or all(step.cost == 1 for step in steps)
        if problem.undirected:
            for step in steps:
                back = [(each.state, each.cost) for each in problem.successors(step.state)]
                assert (state, step.cost) in back
        if isinstance(problem, HasGoalStates):
            assert problem.is_goal(state) == (state in problem.goal_states())
        if isinstance(problem, HasParse):
            assert problem.parse(problem.format_state(state)) == state
        assert all(line == line.rstrip() for line in problem.render(state).splitlines())


@pytest.mark.slow_variants("my-pancakes")
@pytest.mark.parametrize("puzzle", ["my-pancakes", "word-ladder", "bridge"])
def test_heuristics_are_admissible(puzzle: str) -> None:
    for state in reachable(make(puzzle)):
        problem = make(puzzle)
        cost, _ = optimal_cost_and_count(Started(problem, state))
        assert cost is None or problem.heuristic(state) <= cost


class Started(Problem[Any, Any]):
    """A problem with another start."""

    def __init__(self, problem: Problem[Any, Any], start: Any) -> None:
        self.start = start
        self.successors = problem.successors  # type: ignore[method-assign]
        self.is_goal = problem.is_goal  # type: ignore[method-assign]

    def initial_states(self) -> list[Any]:
        return [self.start]

    def successors(self, state: Any) -> Any:
        raise NotImplementedError

    def is_goal(self, state: Any) -> bool:
        raise NotImplementedError


def test_random_towers_are_legal_and_reproducible() -> None:
    problem: Any = make("hanoi", disks="5")
    state = problem.random_state(random.Random(1))
    assert state == problem.random_state(random.Random(1))
    started = problem.with_start(state)
    assert solve(started, AStar()).cost == optimal_cost_and_count(started)[0]


def test_ladders_between_other_words() -> None:
    problem: Any = make("word-ladder")
    ladder = problem.with_start(problem.parse("Head")).with_goal(problem.parse("tail"))
    assert solve(ladder, Bidirectional()).cost == 5
    with pytest.raises(ParseError, match="'xyzz' is not in the list"):
        problem.parse("xyzz")


@pytest.mark.parametrize(
    "algorithm",
    [
        pytest.param(each, id=each.name, marks=[] if each.name in QUICK else pytest.mark.slow)
        for each in (*ALGORITHMS, IDDFS("path"))
    ],
)
def test_fast_pancakes_are_the_pancakes(algorithm):
    """The packed puzzle, interpreted and compiled, against the plain one."""
    for stack in ("4 2 6 1 5 3", "6 1 5 2 3 4"):
        plain = solve(make("my-pancakes", stack=stack), AStar(), want="count")
        fast = make("fast-pancakes", stack=stack)
        for engine in ("reference", "compiled"):
            result = solve(fast, algorithm, want="count", engine=engine)
            assert (result.cost, result.count) == (plain.cost, plain.count)


def test_each_stage_of_the_dials_brings_one_dial_home() -> None:
    lock: Any = make("dials")
    for text in ("583", "999", "070", "000"):
        problem = lock.with_start(lock.parse(text))
        result = solve(problem, Stages())
        assert result.solution is not None
        verify_solution(problem, result.solution)
        dials = [action[0] for action in result.actions]
        assert dials == sorted(dials)
        assert len(dials) >= optimal_cost_and_count(problem)[0]


def test_the_patterns_of_sorting_are_lower_bounds_and_add_up() -> None:
    problem: Any = make("sorting")
    space = problem.pattern_space(problem.patterns_named("2-2"))
    bound = PatternHeuristic(space, [build(space, group) for group in range(2)])
    (start,) = problem.initial_states()
    assert bound(start) == 5
    assert solve(problem, IDAStar(bound)).cost == 6
    assert check_problem(problem, laws=["patterns"], engine="reference").ok


def test_tokens_glide_from_cell_to_cell() -> None:
    chains: Any = make("tokens")
    (start,) = chains.initial_states()
    for action, state, _ in chains.successors(start):
        *_, last = chains.motion(start, action)
        assert last.picture == chains.picture(state)
    assert check_problem(chains, laws=["pictures"]).ok


def test_lamps_are_explored_by_toggles_and_up_to_symmetry() -> None:
    found = explore(make("lamps"), backward=False, engine="compiled", symmetry="auto", paths=True)
    assert found.states == 1024
    assert found.layers == (1, 12, 66, 220, 391, 280, 54)
    assert sum(found.canonical_layers) == 96
    assert found.paths.optimal_solutions == 72
    assert optimal_cost_and_count(make("lamps")) == (4, 72)
    assert check_problem(make("lamps"), laws=["symmetries", "toggles"], engine="reference").ok


def test_the_ring_is_searched_by_its_heuristic_as_machine_code() -> None:
    result = solve(make("ring"), IDAStar(), engine="compiled")
    assert result.actions == ("right",) * 5
    laws = ["controls", "inverses", "kernels", "heuristics", "estimates"]
    assert check_problem(make("ring"), laws=laws, engine="reference").ok


@pytest.mark.parametrize("puzzle", PUZZLES)
def test_defaults_of_parameters_can_be_typed(puzzle: str) -> None:
    for parameter in registry().puzzles.get(puzzle).parameters:
        assert not (parameter.path and names_file(parameter.default_text))


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_examples_keep_the_laws_that_they_show(puzzle: str) -> None:
    known = registry()
    found = check_puzzle(known, known.puzzles.get(puzzle), make(puzzle))
    assert found.ok, str(found)
