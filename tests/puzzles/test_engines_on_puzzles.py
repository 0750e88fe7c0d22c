"""Every engine on the bundled puzzles: published lengths, agreement, and replays."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import IDDFS, AStar, Bidirectional, BreadthFirst, IDAStar, UniformCost, solve
from searchkit.errors import LawError
from searchkit.explore import explore
from searchkit.registry import Registry
from searchkit.transforms import fix_first_step
from searchkit.verify import replay_texts, verify_solution

REGISTRY = Registry.load()
FAST = [BreadthFirst(), Bidirectional(), AStar(), UniformCost(), IDAStar()]
by_name = pytest.mark.parametrize("algorithm", FAST, ids=lambda algorithm: algorithm.name)


def puzzle(name, start=None, goal=None, **parameters):
    problem = REGISTRY.puzzles.get(name).create(**parameters)
    if goal is not None:
        problem = problem.with_goal(problem.parse(goal))
    if start is not None:
        problem = problem.with_start(problem.parse(start))
    return problem


def heuristic(name, problem):
    return REGISTRY.heuristics.get(name, problem).factory(problem)


def check(problem, result):
    """Replay the solution by the engine's own problem and by the slow rules."""
    solution = result.solution
    verify_solution(problem, solution)
    again = replay_texts(
        problem,
        problem.format_state(solution.start),
        [problem.format_action(action) for action in solution.actions],
        [problem.format_state(state) for state in solution.states],
    )
    assert again.cost == solution.cost == result.cost == result.lower_bound
    assert result.optimal


@pytest.fixture(scope="module")
def distances():
    """The distance of every 8-puzzle state to the goal, by a search of the slow rules."""
    rules = puzzle("8-puzzle").slow_rules()
    goal = rules.parse("123456780")
    table = {goal: 0}
    layer = [goal]
    while layer:
        fresh = []
        for state in layer:
            for step in rules.successors(state):
                if step.state not in table:
                    table[step.state] = table[state] + 1
                    fresh.append(step.state)
        layer = fresh
    assert len(table) == 181440
    return {rules.format_state(state): distance for state, distance in table.items()}


@pytest.mark.slow_variants("867254301-ucs", "867254301-astar")
@pytest.mark.spread
@by_name
@pytest.mark.parametrize("start", ["867254301", "647850321"])
def test_farthest_8_puzzle_boards_take_31_moves(algorithm, start):
    problem = puzzle("8-puzzle", start)
    result = solve(problem, algorithm, want="all")
    assert result.cost == 31
    assert result.count == 40
    check(problem, result)


@pytest.mark.slow
@pytest.mark.parametrize("start", ["867254301", "647850321"])
def test_farthest_8_puzzle_boards_by_iddfs(start):
    problem = puzzle("8-puzzle", start)
    result = solve(problem, IDDFS())
    assert result.cost == 31
    check(problem, result)


@pytest.mark.slow
def test_astar_and_idastar_agree_with_the_full_table(distances):
    rng = random.Random(8)
    problem = puzzle("8-puzzle")
    conflict = heuristic("linear-conflict", problem)
    for number, text in enumerate(rng.sample(sorted(distances), 60)):
        start = problem.with_start(problem.parse(text))
        algorithms = [AStar(), IDAStar()] if number % 10 else [AStar(conflict), IDAStar(conflict)]
        for algorithm in algorithms:
            result = solve(start, algorithm)
            assert result.cost == distances[text], (text, algorithm)
            if number < 20:
                check(start, result)


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False))
def test_random_8_puzzle_boards_replay_and_match_the_table(distances, rng):
    problem = puzzle("8-puzzle")
    state = problem.random_state(rng)
    start = problem.with_start(state)
    for algorithm in (AStar(), Bidirectional()):
        result = solve(start, algorithm)
        assert result.cost == distances[problem.format_state(state)]
        check(start, result)


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_random_6_puzzle_boards(rng):
    problem = puzzle("6-puzzle")
    start = problem.with_start(problem.random_state(rng))
    results = [solve(start, algorithm, want="all") for algorithm in (*FAST, IDDFS())]
    listed = [[solution.actions for solution in result.solutions] for result in results]
    assert all(each == listed[0] for each in listed)
    assert results[0].cost <= 15
    check(start, results[0])


def test_explore_6_puzzle():
    found = explore(puzzle("6-puzzle"))
    assert found.layers == (
        1, 3, 9, 22, 42, 86, 183, 327, 516, 676, 783, 902, 834, 480, 152, 24,
    )  # fmt: skip
    assert found.states == 5040
    assert found.depth == 15
    assert len(found.farthest) == 24


def test_explore_8_puzzle():
    problem = puzzle("8-puzzle")
    found = explore(problem)
    assert found.states == 181440
    assert found.depth == 31
    assert found.layers[:8] == (1, 2, 4, 8, 16, 20, 39, 62)
    assert sorted(map(problem.format_state, found.farthest)) == ["647850321", "867254301"]


KORF_79_START = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"
KORF_79_NODES = 540860


@pytest.mark.slow_variants("AStar-manhattan")
@pytest.mark.spread
@pytest.mark.parametrize("name", ["manhattan", "linear-conflict"])
@pytest.mark.parametrize("make", [AStar, IDAStar])
def test_korf_79(make, name):
    goal = " ".join(map(str, range(16)))
    start = KORF_79_START
    problem = puzzle("15-puzzle", start, goal)
    result = solve(problem, make(heuristic(name, problem)))
    assert result.cost == 42
    check(problem, result)
    if make is IDAStar and name == "manhattan":
        by_parent = solve(problem, IDAStar(heuristic(name, problem), cycles="parent"))
        assert by_parent.statistics.generated == KORF_79_NODES


HOPPERS_ENGINES = [*FAST, IDDFS()]


@pytest.mark.slow_variants("ucs", "iddfs", "astar")
@pytest.mark.parametrize("algorithm", HOPPERS_ENGINES, ids=lambda algorithm: algorithm.name)
def test_hoppers_has_72_solutions_of_7_moves(algorithm):
    problem = puzzle("hoppers")
    result = solve(problem, algorithm, want="all")
    assert (result.cost, result.count, result.complete) == (7, 72, True)
    reference = solve(problem, BreadthFirst(), want="all")
    assert [s.actions for s in result.solutions] == [s.actions for s in reference.solutions]
    fixed = fix_first_step(problem)
    result = solve(fixed, algorithm, want="all")
    assert (result.cost, result.count) == (7, 18)
    assert sum(fixed.orbit_size(s.actions[0]) for s in result.solutions) == 72
    for solution in result.solutions:
        verify_solution(problem, solution)


@pytest.mark.slow_variants("algorithm2", "algorithm3")
@pytest.mark.parametrize("algorithm", [AStar(), UniformCost(), IDDFS(), IDAStar()])
def test_the_mover_model_agrees(algorithm):
    chains = solve(puzzle("hoppers"), BreadthFirst(), want="all")
    mover = solve(puzzle("hoppers", model="mover"), algorithm, want="all")
    assert (mover.cost, mover.count) == (7, 72)
    flat = {sum(solution.actions, ()) for solution in chains.solutions}
    assert {solution.actions for solution in mover.solutions} == flat


def test_remembering_only_the_cheapest_last_peg_is_refused():
    """The classic bug, which made 8 of 7: one state per board, whichever peg moved last."""
    mover = puzzle("hoppers", model="mover")

    class Forgetful(type(mover)):
        def key(self, state):
            return state[0]

    forgetful = Forgetful(mover.base)
    with pytest.raises(LawError, match=r"breaks the law keys: .* from which other steps lead"):
        solve(forgetful, UniformCost())
