"""A search that lasts has pattern databases built for it; one that is over sooner never does."""

from __future__ import annotations

import random

import attrs
import pytest

from examples.hanoi import Hanoi
from searchkit import (
    AStar,
    BreadthFirst,
    CompleteBeam,
    Heuristic,
    IDAStar,
    LimitKind,
    Limits,
    Problem,
    Status,
    Step,
    UsageError,
    WeightedAStar,
    solve,
)
from searchkit.errors import SearchkitWarning
from searchkit.heuristics import names
from searchkit.heuristics.names import is_ready, read_heuristic, tables_within
from searchkit.heuristics.patterns import choose
from searchkit.heuristics.patterns.choose import pattern_heuristic
from searchkit.limits import EXACTLY, Progress, Within
from searchkit.result import Overestimate
from searchkit.running.driver import Driver
from searchkit.solving import with_tables
from searchkit.solving.conclusion import joined
from searchkit.solving.onward import Onward
from searchkit_pancakes import Pancakes
from searchkit_sliding import Board, eight_puzzle, fifteen_puzzle, twenty_four_puzzle
from searchkit_sliding.heuristics import LinearConflict
from searchkit_sliding.puzzle import DRAWN, groups_named

SIZES = (1000, 20_000)


@pytest.fixture(autouse=True)
def library(tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def at_once(monkeypatch):
    """Databases are due at once, and small."""
    monkeypatch.setattr(with_tables, "AT_FIRST", 1e-6)
    monkeypatch.setattr(names, "CHOOSING", 2e-6)
    monkeypatch.setattr(names, "BUILT_A_SECOND", 1e12)
    monkeypatch.setattr(names, "CHOSEN_SIZES", SIZES)


def built(folder):
    return sorted(each.name for each in folder.rglob("*") if each.is_dir())


def test_a_search_that_is_over_soon_builds_nothing(library):
    result = solve(Hanoi(7, 4), limits=Limits(tables=10**9))
    assert (result.cost, result.algorithm.heuristic) == (25, None)
    assert built(library) == []


@pytest.mark.slow_variants("algorithm1", "algorithm2")
@pytest.mark.parametrize("algorithm", [None, AStar(), WeightedAStar(weight=1)])
def test_one_that_lasts_has_larger_and_larger_ones(library, at_once, algorithm):
    puzzle = Hanoi(8, 4)
    alone = solve(puzzle, AStar())
    result = solve(puzzle, algorithm, limits=Limits(tables=50_000))
    assert result.cost == alone.cost == 33
    assert result.algorithm.heuristic.name.startswith("max(estimate,pdb:auto=")
    assert type(result.algorithm) is type(algorithm or AStar())
    assert result.statistics.expanded < 0.7 * alone.statistics.expanded
    before = built(library)
    assert before
    again = solve(puzzle, algorithm, limits=Limits(tables=50_000))
    assert (again.cost, built(library)) == (33, before)


def test_larger_databases_that_are_there_already_stay(library, at_once):
    """A search that begins with larger ones than it would build for itself keeps them."""
    puzzle = fifteen_puzzle()
    begun = AStar(heuristic=read_heuristic(eight_puzzle(), "pdb:4-4", str))
    assert with_tables._larger(puzzle, 20_000_000, AStar())[1][0] == "pdb:6-6-3"
    for text, left in (("pdb:5-5-5", ["pdb:6-6-3"]), ("pdb:6-6-3", []), ("pdb:7-8", [])):
        begun.heuristic.name = text
        assert [each for each, _ in with_tables._larger(puzzle, 20_000_000, begun)] == left


def test_nobody_asks_for_databases_and_there_is_no_solution(library, at_once):
    """Then they are built for beams, which the problem's own estimate has led nowhere."""
    result = solve(Hanoi(9, 4), limits=Limits(within="any", time=600))
    assert result.algorithm.heuristic.name.startswith("max(estimate,pdb:auto=")
    assert result.cost >= 41 >= result.lower_bound
    assert built(library)


def test_nobody_asks_for_databases_and_there_is_one(library, monkeypatch):
    """The search goes on as it is: nothing is built, and nothing done twice."""
    alone = solve(Hanoi(8, 4), AStar(incumbents="beam"))
    monkeypatch.setattr(with_tables, "AT_FIRST", 1e-6)
    monkeypatch.setattr(Driver, "_seconds", lambda self: 0.0 if self.task.partial is None else 9.0)
    result = solve(Hanoi(8, 4))
    assert (result.cost, result.optimal, result.algorithm.heuristic) == (33, True, None)
    assert result.statistics.expanded == alone.statistics.expanded
    assert built(library) == []


@pytest.mark.parametrize("want", ["all", "count"])
def test_nobody_asks_for_databases_and_a_solution_is_not_enough(library, at_once, want):
    result, alone = solve(Hanoi(6, 4), want=want), solve(Hanoi(6, 4), AStar(), want=want)
    assert (result.cost, result.count, built(library)) == (17, alone.count, [])


def test_what_is_left_of_the_time_is_for_the_search(library, at_once, monkeypatch):
    """Where there is less than a build takes, none is begun."""
    monkeypatch.setattr(names, "BUILT_A_SECOND", 1)
    result = solve(Hanoi(8, 4), limits=Limits(time=60, tables=50_000))
    assert (result.cost, built(library)) == (33, [])


def test_limits_hold_for_all_of_it(library, at_once):
    result = solve(Hanoi(12, 4), limits=Limits(tables=50_000, expansions=1000))
    assert result.limit.label == "expansion"
    assert result.statistics.expanded <= 1000


def test_memory_that_is_used_up_makes_databases_due(library, monkeypatch):
    monkeypatch.setattr(names, "CHOSEN_SIZES", ())
    limits = Limits(tables=20_000, memory=200_000)
    alone = solve(Hanoi(8, 4), AStar(), limits=attrs.evolve(limits, tables=None))
    assert (alone.limit.label, alone.cost) == ("memory", None)
    assert solve(Hanoi(8, 4), AStar(), limits=limits).algorithm.heuristic is not None
    assert built(library)


class Letters(Problem):
    """Whose states are no numbers."""

    def initial_states(self):
        return ["badc"]

    def successors(self, state):
        for i in range(3):
            yield Step(i, state[:i] + state[i + 1] + state[i] + state[i + 2 :])

    def is_goal(self, state):
        return state == "abcd"


def test_those_that_a_puzzle_recommends_come_by_size():
    assert tables_within(fifteen_puzzle(), 600_000_000) == [
        ("pdb:5-5-5", 1_048_320), ("pdb:6-6-3", 11_534_880), ("pdb:7-8", 576_576_000)
    ]  # fmt: skip
    assert tables_within(fifteen_puzzle(), 20_000_000)[-1][0] == "pdb:6-6-3"
    assert tables_within(twenty_four_puzzle(), 10**9) == [
        ("pdb:5-5-5-5-4", 25_806_000), ("pdb:5-5-5-5-4^4-5-5-5-5", 45_236_400),
        ("pdb:6-6-6-6", 255_024_000),
    ]  # fmt: skip
    assert tables_within(Letters(), 10**9) == []
    assert tables_within(Hanoi(4, 4), 10**8)[-1] == ("pdb:auto=100000000", 10**8)


def test_the_larger_of_two_partitions(library):
    puzzle, rng = eight_puzzle(), random.Random(1)
    parts = [read_heuristic(puzzle, text, str) for text in ("pdb:4-4", "pdb:3-5")]
    both = read_heuristic(puzzle, "pdb:4-4^3-5", str)
    states = [puzzle.random_state(rng) for _ in range(50)]
    assert [both(each) for each in states] == [max(h(each) for h in parts) for each in states]
    assert (both.name, is_ready(puzzle, "pdb:4-4^3-5")) == ("pdb:4-4^3-5", True)
    assert not is_ready(puzzle, "pdb:4-4^2-6")
    for wrong in ("pdb:4-4^", "pdb:^4-4", "pdb:4-4^x"):
        with pytest.raises(UsageError):
            read_heuristic(puzzle, wrong, str)


@pytest.mark.parametrize(("board", "name"), DRAWN)
def test_groups_that_are_drawn_have_the_sizes_of_their_name(board, name):
    columns = int(board[0])
    goal = (*range(1, columns * columns), 0)
    groups = groups_named(Board.rectangle(columns, columns), goal, name)
    assert list(map(len, groups)) == list(map(int, name.split("-")))
    assert sorted(tile for group in groups for tile in group) == list(goal[:-1])


def test_a_recommended_one_stands_by_itself(at_once):
    puzzle = fifteen_puzzle()
    puzzle = attrs.evolve(puzzle, start=puzzle.board_set("korf100")[0].start)
    result = solve(puzzle, limits=Limits(tables=2_000_000))
    assert result.algorithm.heuristic.name == "pdb:5-5-5"
    assert (type(result.algorithm), result.cost) == (IDAStar, 57)


def test_what_was_done_before_they_were_there_counts():
    puzzle = eight_puzzle()
    before = solve(puzzle, IDAStar(), limits=Limits(expansions=500))
    later = solve(puzzle, IDAStar(heuristic=LinearConflict(puzzle)))
    both = joined(later, before).statistics
    assert both.expanded == 500 + later.statistics.expanded
    assert both.seconds == before.statistics.seconds + later.statistics.seconds
    assert both.iterations == later.statistics.iterations
    same = joined(solve(puzzle, IDAStar()), before)  # of which nothing tells that it is the second
    assert (same.cost, same.statistics.iterations) == (31, ())


@pytest.mark.slow_variants("limits1", "limits2")
@pytest.mark.parametrize(
    "limits", [Limits(), Limits(tables=2_000_000), Limits(tables=20_000_000, time=900)]
)
def test_a_search_with_the_largest_is_done_once(at_once, monkeypatch, limits):
    """Where nothing larger is to be built, or there is no time for it, it goes on as it is."""
    monkeypatch.setattr(with_tables, "SMALL_TABLES", 2_000_000)
    monkeypatch.setattr(names, "BUILT_A_SECOND", 1_000)
    puzzle, looks = fifteen_puzzle(), []
    puzzle = attrs.evolve(puzzle, start=puzzle.board_set("korf100")[0].start)
    pattern_heuristic(puzzle, "5-5-5")

    def look(algorithm, limits):
        looks.append(algorithm.heuristic.name)
        return solve(puzzle, algorithm, limits=limits, engine="compiled")

    method = with_tables.with_tables(puzzle, None, None, limits, look, any_solution=True)
    assert (method.answer(look).cost, looks) == (57, ["pdb:5-5-5"])


def test_the_best_so_far_stays_where_a_search_begins_again():
    told = []
    onward = Onward(told.append)
    looks = ((90, None), (92, 130), (94, 116), (90, None), (96, 134), (98, 112), (120, None))
    for bound, cost in looks:
        onward(
            Progress(expanded=0, generated=0, stored=0, frontier=0, lower_bound=bound, seconds=0,
                     cost=cost)
        )  # fmt: skip
    assert [(each.lower_bound, each.cost) for each in told] == [
        (90, None), (92, 130), (94, 116), (94, 116), (96, 116), (98, 112), (112, 112)
    ]  # fmt: skip


def test_those_that_nobody_else_builds_on_the_way(library, at_once, monkeypatch):
    """An amount of memory is named: large ones need no other command."""
    monkeypatch.setattr(choose, "BUILT_AT_ONCE", 1)
    puzzle = fifteen_puzzle()
    puzzle = attrs.evolve(puzzle, start=puzzle.board_set("korf100")[0].start)
    result = solve(puzzle, limits=Limits(tables=2_000_000))
    assert (result.algorithm.heuristic.name, result.cost) == ("pdb:5-5-5", 57)


def test_small_ones_come_without_being_asked_for(library, at_once, monkeypatch):
    monkeypatch.setattr(names, "SMALL_TABLES", 2_000_000)
    monkeypatch.setattr(with_tables, "SMALL_TABLES", 2_000_000)
    puzzle = fifteen_puzzle()
    puzzle = attrs.evolve(puzzle, start=puzzle.board_set("korf100")[0].start)
    result = solve(puzzle, limits=Limits(tables=0))
    assert (result.algorithm.heuristic.name, result.cost) == ("walking-distance", 57)
    assert built(library) == []
    result = solve(puzzle)
    assert (result.algorithm.heuristic.name, result.cost) == ("pdb:5-5-5", 57)
    ready, again = built(library), solve(puzzle)
    assert (again.algorithm.heuristic.name, built(library)) == ("pdb:5-5-5", ready)


@pytest.mark.slow_variants("30")
@pytest.mark.parametrize("number", [0, 30])
def test_what_was_known_before_databases_is_kept(number):
    puzzle = fifteen_puzzle()
    board = puzzle.board_set("korf100")[number]
    puzzle = attrs.evolve(puzzle, start=board.start)
    few = Limits(expansions=15_000)
    before = solve(puzzle, AStar(incumbents="beam"), limits=few, engine="reference")
    for algorithm in (IDAStar(), AStar(incumbents="beam")):
        after = solve(puzzle, algorithm, limits=few, engine="reference")
        found = joined(after, before, EXACTLY)
        costs = [each.cost for each in (before, after) if each.cost is not None]
        assert found.cost == min(costs) == found.solutions.cost
        assert found.lower_bound == max(before.lower_bound, after.lower_bound) <= board.cost
        assert found.status is after.status
        rows = [(each.cost, -each.expanded) for each in found.improvements]
        assert rows == sorted(rows, reverse=True)
        near = joined(after, before, Within(slack=found.cost))
        assert (near.status, near.optimal) == (Status.SOLVED, found.optimal)


def test_who_has_no_patterns_searches_on(at_once):
    stack = Pancakes.read("5 2 8 1 9 4 7 3 6 12 10 11")
    for problem, why in ((Letters(), "declares neither"), (stack, "are chosen by memory")):
        with pytest.warns(SearchkitWarning, match=f"nothing is built: .*{why}"):
            result = solve(problem, AStar(), limits=Limits(tables=10**6))
        assert result.solution is not None
        assert result.algorithm.heuristic is None


@pytest.mark.parametrize(("is_chosen", "kind"), [(True, IDAStar), (False, AStar)])
def test_recommended_ones_are_for_deepening_where_nobody_names_an_algorithm(is_chosen, kind):
    puzzle = twenty_four_puzzle()
    tables = choose.pattern_heuristic(puzzle, "2-2")
    algorithm = AStar(heuristic=LinearConflict(puzzle), incumbents="beam")
    found = with_tables.algorithm_with(puzzle, algorithm, tables, is_chosen=is_chosen)
    assert (type(found), found.heuristic, found.incumbents) == (kind, tables, "beam")


class Stopped(Heuristic):
    """Stands for databases by which a search is ended at once."""

    name = "stopped"

    def __call__(self, state):
        raise KeyboardInterrupt


@pytest.mark.parametrize("where", ["built", "searched"])
def test_what_was_found_before_databases_are_built_stays(at_once, monkeypatch, where):
    """Ctrl-C while they are built, or soon after, leaves the best solution and bound."""
    puzzle = fifteen_puzzle()
    puzzle = attrs.evolve(puzzle, start=puzzle.board_set("korf100")[0].start)
    known = solve(puzzle, CompleteBeam(), limits=Limits(expansions=20_000), engine="reference")
    assert known.cost is not None

    def search(algorithm, limits):
        if isinstance(algorithm.heuristic, Stopped):
            return solve(puzzle, algorithm, limits=limits, engine="reference")
        return attrs.evolve(known, limit=LimitKind.TIME)

    def read(self, problem, text, most=0):
        if where == "built":
            raise KeyboardInterrupt
        return Stopped()

    monkeypatch.setattr(choose.Patterns, "read", read)
    monkeypatch.setattr(with_tables, "AT_FIRST", 1e9)
    method = with_tables.with_tables(
        puzzle, None, CompleteBeam(), Limits(tables=2_000_000), search, any_solution=True
    )
    found = method.answer(search)
    assert (found.status, found.limit) == (Status.INTERRUPTED, None)
    assert found.solution == known.solution
    assert found.lower_bound == known.lower_bound
    assert found.improvements == known.improvements
    assert found.statistics.expanded >= known.statistics.expanded


def test_what_both_have_proved_is_joined():
    puzzle = fifteen_puzzle()
    puzzle = attrs.evolve(puzzle, start=puzzle.board_set("korf100")[0].start)
    first = solve(puzzle, CompleteBeam(), limits=Limits(expansions=20_000), engine="reference")
    second = solve(puzzle, AStar(), limits=Limits(expansions=2_000), engine="reference")
    assert second.solution is None
    for one, other in (first, second), (second, first):
        both = joined(one, other)
        assert (both.cost, both.status) == (first.cost, Status.LIMIT)
        assert both.lower_bound == max(first.lower_bound, second.lower_bound)
        assert not both.optimal
    proved = joined(first, attrs.evolve(second, lower_bound=first.cost))
    assert (proved.status, proved.limit, proved.optimal) == (Status.SOLVED, None, True)
    doubt = Overestimate("x", 9, 1)
    doubted = joined(first, attrs.evolve(second, lower_bound=0, overestimate=doubt))
    assert (doubted.lower_bound, doubted.overestimate) == (0, doubt)
    assert joined(first, None) is first


class Ring(Problem):
    """Of nine numbers: there is no estimate, and no way back that is known."""

    def initial_states(self):
        return [(3, 1, 4, 0, 5, 2, 7, 6, 8)]

    def successors(self, state):
        yield Step("left", state[1:] + state[:1])
        yield Step("right", state[-1:] + state[:-1])
        yield Step("turn", state[:4][::-1] + state[4:])

    def is_goal(self, state):
        return state == tuple(range(9))


class Watched(Ring):
    """Whose steps ask about each number by itself: there are too many ways through them."""

    def successors(self, state):
        if sum(each > 4 for each in state) >= 0 and all(each < 20 for each in state if each > 2):
            yield from super().successors(state)


def test_plain_rules_have_databases_where_memory_is_used_up(library):
    limits = Limits(memory=5_000_000)
    result = solve(Ring(), limits=limits, engine="reference")
    assert (result.status, result.cost) == (Status.SOLVED, 17)
    assert result.algorithm.heuristic.name == "pdb:auto"
    assert solve(Ring(), BreadthFirst(), limits=limits, engine="reference").cost is None


@pytest.mark.slow
def test_plain_rules_without_databases_are_searched_until_memory_is_used_up(library):
    refused = solve(Watched(), limits=Limits(memory=5_000_000), engine="reference")
    assert refused.limit is LimitKind.MEMORY
    assert refused.algorithm.name == "bfs"


class Pair(Problem):
    """Two numbers, each of which can become the next one."""

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        one, two = state
        return [Step("one", (one + 1, two)), Step("two", (one, two + 1))]

    def is_goal(self, state):
        return state == (2, 2)


def test_whether_rules_can_be_followed_is_not_asked_of_a_search_with_an_answer(monkeypatch):
    monkeypatch.setattr(with_tables, "can_be_followed", pytest.fail)
    assert solve(Pair()).cost == 4
    assert solve(Pair(), limits=Limits(expansions=3)).limit is LimitKind.EXPANSIONS
