"""Solving in stages: every solution is replayed by the slow rules, both engines agree."""

import random
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    AStar,
    LimitKind,
    Limits,
    ProblemError,
    Status,
    UnsuitableError,
    UsageError,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.engine import Engine
from searchkit.engines.refinement import up_to_goal
from searchkit.solve_many import solve_many
from searchkit.verify import replay_texts, verify_solution
from searchkit_peg import hoppers
from searchkit_sliding import (
    Board,
    SlidingPuzzle,
    eight_puzzle,
    fifteen_puzzle,
    packing_of,
    six_puzzle,
    sliding,
    stages,
)
from searchkit_stages import Stages
from tests.support.row_sorting import (
    SORTED,
    RowSorting,
    SortStage,
    inversions,
    place_of,
    read,
    swapped,
)

KORF = (Path(__file__).parent / "data" / "korf100.txt").read_text().splitlines()


def replayed(problem, solution):
    """The solution by the slow rules."""
    problem = problem.with_start(solution.start)
    return replay_texts(
        problem,
        problem.format_state(solution.start),
        [problem.format_action(action) for action in solution.actions],
        [problem.format_state(state) for state in solution.states],
    )


def random_starts(problem, count, seed=1):
    rng = random.Random(seed)
    return [problem.random_state(rng) for _ in range(count)]


def summary(result):
    counts = result.statistics
    return result.solution.actions, result.optimal, counts.expanded, counts.generated


def test_solutions_of_the_15_puzzle_have_the_published_mean_and_most():
    puzzle = fifteen_puzzle()
    found = solve_many(puzzle, random_starts(puzzle, 4000), Stages())
    assert abs(found.costs.mean() - 71.8) < 0.5  # four standard deviations
    assert found.costs.max() <= 123
    for i in range(100):
        assert replayed(puzzle, found[i].solution).cost == found.costs[i]


def test_korfs_hundred_whose_blank_ends_first():
    goal = " ".join(map(str, range(16)))
    puzzle = SlidingPuzzle.read(Board.rectangle(4, 4), goal, goal)
    found = solve_many(puzzle, [puzzle.parse(text) for text in KORF], Stages())
    assert len(found) == 100
    assert abs(found.costs.mean() - 71.91) < 1.5  # several ways are shortest within a stage
    for result in found:
        assert replayed(puzzle, result.solution).cost <= 123


@st.composite
def puzzles(draw, sizes=((2, 2), (2, 4), (3, 3), (2, 7), (4, 3), (4, 4))):
    """Any goal, any start that can become it."""
    board = Board.rectangle(*draw(st.sampled_from(sizes)))
    goal = packing_of(board).pack(draw(st.permutations(range(board.cells))))
    puzzle = SlidingPuzzle.of(board, goal, goal)
    return puzzle.with_start(puzzle.random_state(random.Random(draw(st.integers(0, 1 << 32)))))


beams = st.sampled_from([1, 2, 7])


@given(puzzles(), st.integers(1, 3), beams, st.sampled_from([0, 0, 500, 5000]))
@settings(deadline=None, max_examples=15)
def test_any_solution_is_replayed_by_the_slow_rules(puzzle, plans, beam, effort):
    plain = solve(puzzle, Stages(plans=plans, beam=beam))
    result = solve(puzzle, Stages(plans=plans, beam=beam, effort=effort))
    assert result.status is Status.SOLVED
    assert result.engine == "compiled"
    assert replayed(puzzle, result.solution).cost == result.cost <= plain.cost
    assert result.statistics.expanded <= plain.statistics.expanded + effort
    assert plain.statistics.expanded >= plain.cost >= plain.lower_bound
    assert result.lower_bound == puzzle.heuristic(puzzle.start) or result.optimal


@pytest.mark.slow_variants("size5")
@pytest.mark.parametrize("size", [(4, 4), (5, 5), (6, 6), (7, 7), (4, 7), (8, 8)])
def test_every_arrangement_of_a_stage_can_be_reached(size):
    """A tail of cells that only one way led to held tiles that could not change places."""
    board = Board.rectangle(*size)
    cells = board.cells
    goal = (*range(1, cells), 0)
    for plan in stages.plans(board, goal, 1 << 17)[:3]:
        for stage in plan[:-1]:
            region = set(stage.region)
            for cell in region:  # without it the others stay connected
                left = region - {cell}
                found = {min(left)}
                edge = list(found)
                while edge:
                    near = [to for each in edge for to in board.adjacency[each]]
                    edge = list({to for to in near if to in left and to not in found})
                    found |= set(edge)
                assert found == left, (stage.tracked, stage.region)


@pytest.mark.slow
@pytest.mark.parametrize("side", [5, 6, 7, 8])
def test_large_boards(side):
    text = " ".join(map(str, [*range(1, side * side), 0]))
    puzzle = SlidingPuzzle.read(Board.rectangle(side, side), text, text)
    rng = random.Random(side)
    starts = [puzzle.random_state(rng) for _ in range(20)]
    for start, result in zip(starts, solve_many(puzzle, starts, Stages()), strict=True):
        verify_solution(puzzle.with_start(start), result.solution)


@pytest.mark.slow
def test_the_24_puzzle():
    puzzle = sliding("5x5")
    start = random_starts(puzzle, 1)[0]
    results = [solve(puzzle.with_start(start), Stages(effort=effort)) for effort in (0, 100_000)]
    costs = [replayed(puzzle, result.solution).cost for result in results]
    assert 80 < costs[1] < costs[0] < 260


@given(
    puzzles([(3, 3), (2, 3)]),
    st.integers(1, 2),
    beams,
    st.integers(0, 3000),
    st.sampled_from([4, 10, 28]),
)
@settings(deadline=None, max_examples=12)
def test_both_engines_do_the_same(puzzle, plans, beam, effort, window):
    algorithm = Stages(plans=plans, beam=beam, effort=effort)
    # Parts of short solutions, too.
    with patch("searchkit.engines.refinement.FIRST_WINDOW", window):
        results = [solve(puzzle, algorithm, engine=engine) for engine in ("compiled", "reference")]
    assert summary(results[0]) == summary(results[1])


@given(puzzles([(3, 3)]))
@settings(deadline=None, max_examples=15)
def test_with_enough_effort_solutions_are_proved_optimal(puzzle):
    result = solve(puzzle, Stages(plans=2, effort=10_000_000))
    assert result.optimal
    assert result.cost == result.lower_bound == solve(puzzle, AStar()).cost


@pytest.mark.few
@given(st.permutations(range(7)), beams, st.integers(0, 2000))
@settings(deadline=None, max_examples=12)
def test_a_problem_that_is_no_board(numbers, beam, effort):
    problem = RowSorting(read(numbers))
    algorithm = Stages(plans=2, beam=beam, effort=effort)
    with patch("searchkit.engines.refinement.FIRST_WINDOW", 8):
        with plainly():
            compiled = solve(problem, algorithm, engine="compiled")
        results = [compiled, solve(problem, algorithm, engine="reference")]
    assert summary(results[0]) == summary(results[1])
    verify_solution(problem, results[0].solution)
    assert results[0].cost >= inversions(problem.start)
    assert not results[0].optimal or results[0].cost == inversions(problem.start)


def test_windows_make_it_shorter_without_a_bound_between_states():
    reversed_row = RowSorting(read([2, 4, 6, 1, 3, 5, 0]))
    assert solve(reversed_row, Stages(effort=10**7)).cost == inversions(reversed_row.start)


@pytest.mark.parametrize(
    ("count", "most"), [(8, 20_000), pytest.param(60, 10**6, marks=pytest.mark.slow)]
)
def test_more_effort_comes_near_the_optimal_mean(count, most):
    puzzle = fifteen_puzzle()
    starts = random_starts(puzzle, count)
    means = [
        solve_many(puzzle, starts, Stages(plans=plans, beam=beam, effort=effort)).costs.mean()
        for plans, beam, effort in [(1, 1, 0), (6, 1, 0), (6, 4, 0), (6, 4, 20_000), (6, 8, most)]
    ]
    assert means == sorted(means, reverse=True)
    if count == 60:
        assert means[0] > 68 > means[1] > 62 > means[2] > 57 > means[4]


def test_one_stage_is_optimal_where_a_table_holds_the_puzzle():
    assert solve(six_puzzle(), Stages()).cost == 15
    puzzle = eight_puzzle()
    assert solve(puzzle, Stages(states=362880)).cost == 31


@pytest.mark.spread
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "algorithm", [Stages(plans=3), Stages(plans=2, effort=800), Stages(beam=3)]
)
def test_many_starts_give_what_each_alone_does(algorithm, threads):
    puzzle = eight_puzzle()
    starts = [*random_starts(puzzle, 600), puzzle.parse("123456870"), puzzle.goal]
    with patch("searchkit.solve_many.AT_ONCE", 250):
        found = solve_many(puzzle, starts, algorithm, engine=Engine(threads=threads))
        assert len(found) == len(found.costs) == 602
    assert found[600].status is Status.UNSOLVABLE
    assert found[600].certificate.kind == "parity"
    assert found.costs[600] == -1
    assert found[601].solution.steps == ()
    for i in [0, 1, 249, 250, 599, -1]:
        alone = solve(puzzle.with_start(starts[i]), algorithm, engine="compiled")
        assert alone.solution == found[i].solution
    with pytest.raises(IndexError):
        found[602]


def test_no_start_gives_no_solution():
    assert list(solve_many(eight_puzzle(), [], Stages())) == []


def test_a_start_that_cannot_be_solved_is_refused_by_its_certificate():
    puzzle = eight_puzzle()
    result = solve(puzzle.with_start(puzzle.parse("123456870")), Stages())
    assert result.status is Status.UNSOLVABLE
    assert result.certificate.kind == "parity"


def test_what_stages_cannot_do_is_refused_in_one_line():
    with pytest.raises(UnsuitableError, match="has no plan"):
        solve(sliding("9x9"), Stages())
    with pytest.raises(UnsuitableError, match="has no plan"):
        solve(sliding(edges=" ".join(f"{i}-{(i + 1) % 11}" for i in range(11)) + " 0-5"), Stages())
    with pytest.raises(UnsuitableError, match=r"stage_plans\(\)"):
        solve(hoppers(), Stages())
    with pytest.raises(UnsuitableError, match="one solution"):
        solve(eight_puzzle(), Stages(), want="all")
    with pytest.raises(UsageError, match="threads is 0"):
        solve_many(eight_puzzle(), [], Stages(), engine=Engine(threads=0))
    with pytest.raises(UsageError, match="effort"):
        Stages(effort=-1)


@pytest.mark.slow_variants("reference")
@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_limits(engine):
    puzzle = eight_puzzle()
    cost = solve(puzzle, Stages()).cost
    cut = solve(puzzle, Stages(), limits=Limits(cost=cost - 1), engine=engine)
    assert (cut.status, cut.limit, cut.lower_bound) == (Status.LIMIT, LimitKind.COST, 21)
    assert solve(puzzle, Stages(), limits=Limits(cost=cost), engine=engine).cost == cost
    amid = solve(puzzle, Stages(), limits=Limits(expansions=cost - 2), engine=engine)
    assert (amid.limit, amid.solution) == (LimitKind.EXPANSIONS, None)
    assert amid.statistics.expanded == cost - 2
    later = solve(puzzle, Stages(effort=5000), limits=Limits(expansions=cost + 700), engine=engine)
    assert later.limit is LimitKind.EXPANSIONS
    assert later.statistics.expanded == cost + 700
    assert replayed(puzzle, later.solution).cost <= cost
    for nodes in (5, 100):
        within = solve(puzzle, Stages(beam=4), limits=Limits(expansions=nodes), engine=engine)
        assert (within.limit, within.statistics.expanded) == (LimitKind.EXPANSIONS, nodes)
    few = solve(fifteen_puzzle(), Stages(), limits=Limits(memory=1000), engine="compiled")
    assert few.limit is LimitKind.MEMORY


@attrs.frozen
class WrongRank(SortStage):
    def rank(self, state):
        return 3


@attrs.frozen
class Directed(SortStage):
    undirected = False


@attrs.frozen
class Forgetful(SortStage):
    """Numbers tell where the first one is, and at_goal asks for all."""

    ranks = 7

    def rank(self, state):
        return place_of(state, 0)

    def unrank(self, index):
        state = SORTED
        for place in range(index):
            state = swapped(state, place)
        return state


@attrs.frozen
class NoGoal(SortStage):
    def at_goal(self, state):
        return False


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ([WrongRank(0, 2)], "rank gives 3"),
        ([Directed(0, 2)], "not an undirected Stage"),
        ([NoGoal(0, 2)], "at its goal"),
        ([SortStage(0, 2)], "which is not a goal"),
        ([SortStage(2, 2)], "find no way"),
        ([Forgetful(0, 2)], "which is not a goal"),
        ([Forgetful(0, 2), SortStage(2, 5)], "find no way"),
        ([], "without stages"),
        (["no stage"], "not an undirected Stage"),
    ],
)
def test_wrong_stages_are_named(plan, message, engine):
    problem = RowSorting(read([2, 1, 0, 3, 4, 6, 5]))
    problem.stages = (tuple(plan),)
    with pytest.raises(ProblemError, match=message):
        solve(problem, Stages(), engine=engine)


@given(st.lists(st.integers(0, 3), max_size=30))
def test_paths_lose_their_loops_and_end_at_the_first_goal(moves):
    puzzle = eight_puzzle()
    walk = [puzzle.goal]
    for move in moves:
        steps = puzzle.successors(walk[-1])
        walk.append(steps[move % len(steps)].state)
    walk.reverse()
    path = up_to_goal(puzzle, walk)
    assert (path[0], path[-1]) == (walk[0], puzzle.goal)
    assert len(set(path)) == len(path) <= len(walk)
    for state, child in pairwise(path):
        assert child in [step.state for step in puzzle.successors(state)]
