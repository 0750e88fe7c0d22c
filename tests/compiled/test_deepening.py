"""The compiled deepening engines do what the reference engines do, state by state."""

from __future__ import annotations

import csv
import random
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    IDDFS,
    AStar,
    IDAStar,
    LimitKind,
    Limits,
    Problem,
    ProblemError,
    Step,
    UnsuitableError,
    solve,
)
from searchkit.compiled.depth_first import batch_plan, crews, deepening, forms
from searchkit.compiled.depth_first import batched as batches
from searchkit.compiled.depth_first import counting as buckets
from searchkit.compiled.depth_first.resumable import NO_CUT
from searchkit.compiled.specialise.plain import plainly
from searchkit.engine import Engine
from searchkit.packed import PackedHeuristic, PackedProblem
from searchkit.scramble import scramble
from searchkit.verify import verify_solution
from searchkit_pancakes import Pancakes
from searchkit_pancakes.puzzle import Gap
from searchkit_sliding import Board, Manhattan, SlidingPuzzle, eight_puzzle, sliding
from tests.support.packed_graphs import (
    CarriedEstimate,
    Graph,
    GraphTables,
    TableEstimate,
    UnitGraph,
    WideEstimate,
    WideGraph,
    estimates,
    graphs,
)

with (Path(__file__).parents[1] / "benchmarks" / "data" / "korf100.csv").open() as file:
    KORF = {int(row["id"]): row for row in csv.DictReader(file)}

GIVEN_UP = Limits(expansions=3000, cost=25)


def agree(problem, algorithm, *, same_memory=True, threads=1, **options):
    """Solve with both engines; the results must be equal in all that can be.

    Batches hold other states in memory than one path.
    """
    reference = solve(problem, algorithm, engine="reference", **options)
    compiled = solve(problem, algorithm, engine=Engine("compiled", threads=threads), **options)
    assert compiled.engine == "compiled"
    for name in ("status", "cost", "limit", "lower_bound", "count", "complete", "optimal"):
        assert getattr(compiled, name) == getattr(reference, name), name
    ours, theirs = compiled.statistics, reference.statistics
    for name in ("expanded", "generated", *(("max_frontier", "stored") if same_memory else ())):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert [(row.bound, row.expanded, row.generated) for row in ours.iterations] == [
        (row.bound, row.expanded, row.generated) for row in theirs.iterations
    ]
    assert (compiled.solution is None) == (reference.solution is None)
    if compiled.solution is not None:
        assert compiled.solution == reference.solution
    if compiled.solutions is not None:
        assert list(compiled.solutions) == list(reference.solutions)
    return compiled


class WithoutChange(Manhattan):
    """Manhattan distance computed anew for every state."""

    change = PackedHeuristic.change


cycles = st.sampled_from(["path", "parent"])
wanted = st.sampled_from(["one", "all", "count", 1, 2])


@settings(deadline=None, max_examples=30)
@given(st.data(), graphs(), cycles, wanted)
def test_ida_star_agrees_with_the_reference(data, graph, cycles, want):
    tables, _ = graph
    kind = data.draw(st.sampled_from([TableEstimate, CarriedEstimate]))
    values = data.draw(estimates(tables, dead_ends=kind is TableEstimate))
    agree(
        Graph(*graph), IDAStar(kind(values), cycles),
        want=want, limits=GIVEN_UP,
    )  # fmt: skip


@settings(deadline=None, max_examples=40)
@given(graphs(unit=True), cycles, wanted)
def test_iddfs_agrees_with_the_reference(graph, cycles, want):
    agree(UnitGraph(*graph), IDDFS(cycles), want=want, limits=GIVEN_UP)


@settings(deadline=None, max_examples=25)
@given(st.data(), graphs(), cycles, wanted)
def test_states_of_200_bits(data, graph, cycles, want):
    values = data.draw(estimates(graph[0]))
    agree(
        WideGraph(*graph), IDAStar(WideEstimate(values), cycles), want=want, limits=GIVEN_UP
    )  # fmt: skip


@settings(deadline=None, max_examples=30)
@given(graphs(), cycles, st.integers(0, 40), st.integers(0, 6))
def test_limits_stop_both_at_the_same_state(graph, cycles, nodes, depth):
    limits = Limits(expansions=nodes, cost=depth)
    agree(Graph(*graph), IDDFS(cycles), want="all", limits=limits)


def test_a_problem_that_is_not_packed_has_no_compiled_engine():
    class Count(Problem):
        def initial_states(self):
            return [0]

        def successors(self, state):
            return [Step(1, state + 1)]

        def is_goal(self, state):
            return state == 3

        def key(self, state):
            return str(state)

    with pytest.raises(UnsuitableError, match="Count is not a PackedProblem"):
        solve(Count(), IDDFS(), engine="compiled")
    result = solve(Count(), IDDFS())
    assert result.engine == "reference"
    assert re.fullmatch(
        r"Count is not a PackedProblem, and its key is not the state \(at .*test_deepening.py:\d+ "
        r"in key\); use states that are their own keys",
        result.engine_reason,
    )


def korf(number):
    """One of Korf's hundred, with his goal (blank first) and his order of operators."""
    row = KORF[number]
    goal = " ".join(map(str, range(16)))
    return SlidingPuzzle.read(Board.rectangle(4, 4), row["start"], goal), row


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 2**32), st.sampled_from(["auto", "path"]), wanted)
def test_sliding_boards_agree(seed, cycles, want):
    puzzle = sliding("2x4")
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(seed)))
    limits = Limits(expansions=20_000)  # the last of which may be in batches
    agree(puzzle, IDAStar(cycles=cycles), want=want, limits=limits, same_memory=False)


@cache
def solved_state_by_state(seed, heuristic, want):
    """A random 8-puzzle, its heuristic, and what the reference engine says of it."""
    puzzle = sliding("3x3")
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(seed)))
    chosen = heuristic and heuristic(puzzle)
    return puzzle, chosen, solve(puzzle, IDAStar(chosen), want=want, engine="reference")


def in_small_runs(monkeypatch):
    """Do by batches, in runs of a few states, what large problems do in runs of many."""
    monkeypatch.setattr(deepening, "BATCHES_FROM", 40)
    monkeypatch.setattr(crews, "STATES_PER_THREAD", 10)
    monkeypatch.setattr(batches, "SEARCHED_DEPTH_FIRST", 20)
    monkeypatch.setattr(batch_plan, "RUN_OVERHEAD", 40)


@pytest.mark.spread
@pytest.mark.parametrize("want", ["one", "all", "count"])
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("heuristic", [None, WithoutChange])
@pytest.mark.parametrize("roots", [50, 2])
def test_batches_count_what_depth_first_search_counts(monkeypatch, want, threads, heuristic, roots):
    """Iterations are begun in batches, or continued, in one list of subtrees or in several."""
    in_small_runs(monkeypatch)
    monkeypatch.setattr(batch_plan, "MOST_ROOTS", roots)
    used = []
    run = batches.BatchIteration.run
    monkeypatch.setattr(
        batches.BatchIteration, "run", lambda self: used.append(1) or (yield from run(self))
    )
    for seed in range(5):
        puzzle, chosen, reference = solved_state_by_state(seed, heuristic, want)
        compiled = solve(
            puzzle, IDAStar(chosen), want=want, engine=Engine("compiled", threads=threads)
        )
        assert compiled.cost == reference.cost
        assert compiled.count == reference.count
        assert compiled.solution == reference.solution
        if want == "all":
            assert list(compiled.solutions) == list(reference.solutions)
        ours, theirs = compiled.statistics, reference.statistics
        assert (ours.expanded, ours.generated) == (theirs.expanded, theirs.generated)
        assert [row.expanded for row in ours.iterations] == [
            row.expanded for row in theirs.iterations
        ]
    assert used


@pytest.mark.slow_variants("2-count")
@pytest.mark.spread
@pytest.mark.parametrize("want", ["one", "count"])
@pytest.mark.parametrize("threads", [1, 2])
def test_batches_stop_at_a_limit_as_depth_first_search_does(monkeypatch, want, threads):
    """States that are expanded in vain, behind a goal, must not use up the limit."""
    in_small_runs(monkeypatch)
    for seed in range(2):
        puzzle, _, reference = solved_state_by_state(seed, None, want)
        total = reference.statistics.expanded
        for nodes in (total // 2, 9 * total // 10, total - 1, total, total + 1, 11 * total // 10):
            agree(
                puzzle, IDAStar(), want=want, threads=threads, limits=Limits(expansions=nodes),
                same_memory=False,
            )  # fmt: skip


@pytest.mark.parametrize("most_lost", [1e-9, 1e9])
@pytest.mark.parametrize("stack", [(5, 2, 3, 1, 6, 4), (6, 2, 4, 5, 1, 3)])
def test_batches_that_meet_many_goals_find_all_solutions(monkeypatch, stack, most_lost):
    """However much is lost in runs that hold a goal, the rest goes on in batches, or does not."""
    in_small_runs(monkeypatch)
    monkeypatch.setattr(batches, "MOST_LOST", most_lost)
    puzzle = Pancakes.read(" ".join(map(str, stack)))
    result = agree(puzzle, IDDFS("parent"), want="all", same_memory=False)
    assert result.count in (6, 7)


@pytest.mark.slow_variants("2")
@pytest.mark.parametrize("threads", [1, 2])
def test_batches_of_states_of_several_words(monkeypatch, threads):
    """Their words were packed as if each were a state, and goals were missed.

    They are not worth it, so that they must be asked for.
    """
    monkeypatch.setattr(forms, "MOST_WORDS_IN_BATCHES", 2)
    in_small_runs(monkeypatch)
    used = []
    run = batches.BatchIteration.run
    monkeypatch.setattr(
        batches.BatchIteration, "run", lambda self: used.append(1) or (yield from run(self))
    )
    puzzle = sliding("3x6")
    assert puzzle.words == 2
    start = scramble(puzzle, 40, random.Random(0))
    agree(puzzle.with_start(start), IDAStar(), same_memory=False, threads=threads)
    assert used


def test_a_full_spill_is_made_larger(monkeypatch):
    monkeypatch.setattr(buckets, "FIRST_SPILL", 1 << 10)
    puzzle, row = korf(79)
    monkeypatch.setattr(batch_plan, "RUN_OVERHEAD", 1 << 50)  # one run of all
    result = solve(puzzle, IDAStar(), engine="compiled")
    assert result.statistics.generated == int(row["ida_md_nodes_generated"])


@pytest.mark.slow_variants("2")
@pytest.mark.parametrize("threads", [1, 2])
def test_published_counts_of_states(threads):
    """The 15-puzzles of Korf (1985) that he solved with the fewest states, exactly."""
    few = [number for number in KORF if int(KORF[number]["ida_md_nodes_generated"]) < 3_000_000]
    assert len(few) >= 8
    for number in few:
        puzzle, row = korf(number)
        result = solve(puzzle, IDAStar(), engine=Engine("compiled", threads=threads))
        assert result.cost == int(row["optimal_length"])
        assert result.statistics.generated == int(row["ida_md_nodes_generated"])
        verify_solution(puzzle, result.solution)


def test_limits_are_kept_within_batches():
    puzzle, _ = korf(88)  # 6,320,047,980 nodes: some processors do 2,000 million a second
    nodes = solve(puzzle, IDAStar(), engine="compiled", limits=Limits(expansions=5_000_000))
    assert nodes.limit is LimitKind.EXPANSIONS
    assert nodes.statistics.expanded == 5_000_000
    late = solve(puzzle, IDAStar(), engine="compiled", limits=Limits(time=0.3))
    assert late.limit is LimitKind.TIME
    assert late.statistics.seconds >= 0.3
    assert late.lower_bound > nodes.lower_bound - 8
    small = solve(puzzle, IDAStar(), engine="compiled", limits=Limits(memory=1_000_000))
    assert small.limit is LimitKind.MEMORY
    assert small.statistics.bytes <= 1_000_000


def test_progress_is_told():
    told = []
    puzzle, _ = korf(88)
    limits = Limits(time=0.7)
    solve(puzzle, IDAStar(), engine="compiled", limits=limits, progress=told.append)
    assert len(told) >= 2
    assert [each.expanded for each in told] == sorted(each.expanded for each in told)
    assert told[-1].lower_bound >= 40


def test_auto_begins_with_the_reference_engine():
    puzzle, row = korf(79)
    result = solve(puzzle, IDAStar())
    assert result.engine == "compiled"
    assert result.statistics.generated == int(row["ida_md_nodes_generated"])
    near = solve(eight_puzzle(), IDAStar())
    assert (near.engine, near.engine_reason) == ("reference", "it was done in the trial")


@pytest.mark.slow_variants("6-3x3", "8-2x3")
@pytest.mark.spread
@pytest.mark.parametrize("size", ["2x3", "3x3"])
@pytest.mark.parametrize("length", [2, 6, 8, 10])
def test_operator_pruning_keeps_the_optimal_cost(size, length):
    generated = {0: 0, length: 0}
    for seed in range(8):
        puzzle = sliding(size)
        puzzle = puzzle.with_start(puzzle.random_state(random.Random(seed)))
        cost = solve(puzzle, AStar()).cost
        for pruning in generated:
            result = solve(puzzle, IDAStar(operator_pruning=pruning), engine="compiled")
            assert result.cost == cost
            verify_solution(puzzle, result.solution)
            generated[pruning] += result.statistics.generated
    assert generated[length] <= generated[0]
    assert (generated[length] < generated[0]) is (length >= 6)


def test_operator_pruning_is_off_for_all_solutions():
    puzzle = sliding("2x3")
    puzzle = puzzle.with_start(puzzle.random_state(random.Random(5)))
    plain = solve(puzzle, IDAStar(), want="count")
    pruned = solve(puzzle, IDAStar(operator_pruning=10), want="count", engine="compiled")
    assert pruned.count == plain.count


def test_operator_pruning_needs_witnesses_and_machine_code():
    graph = Graph(GraphTables(((0, -1, -1, -1),), ((1, 1, 1, 1),), (0,)), (0,))
    with pytest.raises(UnsuitableError, match="needs witness"):
        solve(graph, IDDFS(operator_pruning=4), engine="compiled")
    with pytest.raises(UnsuitableError, match="is for the compiled engine"):
        solve(eight_puzzle(), IDDFS(operator_pruning=4), engine="reference")


class Swaps(PackedProblem[int]):
    """Four pieces in a row; an operator swaps two neighbours, to put them in order."""

    def __init__(self, row, example):
        self.row, self.example = row, example

    def initial_states(self):
        return [self.row]

    def operators(self, control):
        return range(3)

    def action(self, state, operator):
        return operator

    def witness(self, control):
        return self.example

    def at_goal(self, state):
        return state == 0x4321

    def apply(self, state, control, operator):
        differs = (state >> 4 * operator ^ state >> 4 * operator + 4) & 15
        return state ^ differs << 4 * operator ^ differs << 4 * operator + 4


def test_operator_pruning_trusts_no_witness_with_pieces_that_are_alike():
    """From it, the swap of the twins does nothing: a search that never made it lost solutions."""
    search = IDDFS(operator_pruning=3, cycles="path")
    with plainly():
        assert solve(Swaps(0x1234, 0x5678), search, engine="compiled").cost == 6
        with pytest.raises(ProblemError, match="breaks the law witness: from") as told:
            solve(Swaps(0x1234, 0x1134), search, engine="compiled")
    assert "as they do from witness(0), in which no two pieces may be alike" in str(told.value)
    assert "in witness)" in str(told.value)


class EagerGap(Gap):
    """A gap heuristic whose kernel `change` looks at the child, so that it is made first."""

    name = "eager-gap"

    def change(self, state, control, operator, child):
        return self.estimate(child) - self.estimate(state)


def test_children_made_late_are_the_children_made_at_once():
    """The change of `Gap` needs no child: none is made that is beyond the bound."""
    puzzle = Pancakes.read("4 9 2 12 6 1 11 8 3 10 5 7")
    late, eager = (
        agree(puzzle, IDAStar(heuristic=kind(puzzle)), same_memory=False)
        for kind in (Gap, EagerGap)
    )
    assert late.statistics.generated == eager.statistics.generated
    assert late.solution.actions == eager.solution.actions


GOAL = 6 * 16 + 5


class Fenced(PackedProblem[int]):
    """Cells of a grid of 16 by 15, with a goal that can only be entered from below.

    Within the first bound all slacks are 0, and many ways lead there.
    """

    def initial_states(self):
        return [0]

    def operators(self, control):
        return [-16, -1, 1, 16]

    def inverse(self, control, operator):
        return -operator

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == GOAL

    def legal(self, state, control, operator):
        child = state + operator
        is_inside = (child >= 0) & (child < 256) & ((child & 15) != 15)
        return is_inside & ((child != GOAL) | (operator == -16))

    def apply(self, state, control, operator):
        return state + operator


class ToGoal(PackedHeuristic):
    """Rows and columns to the goal of `Fenced`."""

    name = "to-goal"

    def estimate(self, state):
        return abs((state >> 4) - (GOAL >> 4)) + abs((state & 15) - (GOAL & 15))

    def change(self, state, control, operator, child):
        return self.estimate(child) - self.estimate(state)


@pytest.mark.parametrize("unknown", [100, 1_000_000])
def test_subtrees_without_slack_are_cut_off_by_depth(monkeypatch, unknown):
    in_small_runs(monkeypatch)
    monkeypatch.setattr(batch_plan, "UNKNOWN", unknown)
    monkeypatch.setattr(batch_plan, "MOST_ROOTS", 100)
    cuts = []
    cut = batch_plan.Plan.cut
    monkeypatch.setattr(
        batch_plan.Plan, "cut", lambda self, depth: cuts.append(cut(self, depth)) or cuts[-1]
    )
    with plainly():
        agree(Fenced(), IDAStar(ToGoal(), "parent"), same_memory=False)
    assert any(each.depth < NO_CUT for each in cuts)


class Strides(PackedProblem[int]):
    """Numbers are changed by operators that no word of 32 bits without a sign can tell apart."""

    def initial_states(self):
        return [0]

    def operators(self, control):
        return [-7, 2**32 - 1, 2**40]

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == 2**41 + 2**32 - 1 - 14

    def legal(self, state, control, operator):
        return state + operator >= 0

    def apply(self, state, control, operator):
        return state + operator


def test_operators_may_be_any_numbers():
    assert agree(Strides(), IDDFS()).cost == 5
