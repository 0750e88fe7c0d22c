"""Puzzles on fields: every engine finds what the rules as they are written say."""

import copy
import pickle
from contextlib import nullcontext

import pytest

from searchkit import AStar, BreadthFirst, Costs, IDAStar, Limits, UniformCost, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.fields import Array, Fields, Int, Set
from searchkit.solving import unsolvable
from tests.fields.puzzles import ALL, Jugs, Rush, Sokoban


def first_algorithm(puzzle):
    return BreadthFirst() if puzzle.costs is Costs.UNIT else UniformCost()


@pytest.mark.parametrize("kind", ALL)
def test_engines_agree_with_the_rules_as_they_are_written(monkeypatch, kind):
    monkeypatch.setattr(unsolvable, "LASTING", float("inf"))  # no proof however long a search takes
    puzzle = kind()
    algorithm = first_algorithm(puzzle)
    limits = Limits(expansions=400)
    plain = solve(puzzle.slow_rules(), algorithm, engine="reference", limits=limits)
    for engine in ("reference", "compiled"):
        found = solve(puzzle, algorithm, engine=engine, limits=limits)
        assert found.status is plain.status
        assert found.cost == plain.cost
        assert found.statistics.generated == plain.statistics.generated
        if plain.solution is not None:
            assert found.actions == plain.actions


@pytest.mark.slow_variants("Rush-nullcontext")
@pytest.mark.parametrize(("kind", "how"), [(Rush, nullcontext), (Sokoban, plainly)])
def test_estimates_are_kernels(kind, how):
    puzzle = kind()
    with how():
        found = [solve(puzzle, AStar(), engine=engine) for engine in ("reference", "compiled")]
    assert len({each.cost for each in found}) == 1
    assert len({each.statistics.generated for each in found}) == 1


def test_known_costs():
    assert solve(Rush(), BreadthFirst()).cost == 51
    assert solve(Sokoban(), BreadthFirst()).cost == 33
    assert solve(Jugs(), UniformCost()).cost == 22


@pytest.mark.parametrize("kind", ALL)
def test_states_are_unpacked_packed_written_and_read(kind):
    puzzle = kind()
    fields = puzzle.unpack(puzzle.start)
    values = {name: getattr(fields, name) for name in puzzle.layout.slots}
    assert puzzle.pack(**values) == puzzle.start
    assert puzzle.parse(puzzle.format_state(puzzle.start)) == puzzle.start


@pytest.mark.parametrize("kind", ALL)
def test_copies_and_pickles_are_the_same_puzzle(kind):
    puzzle = kind()
    for same in (copy.copy(puzzle), pickle.loads(pickle.dumps(puzzle)), kind()):
        assert type(same) is type(puzzle)
        assert same.tables == puzzle.tables
        assert list(same.successors(same.start)) == list(puzzle.successors(puzzle.start))
    (_, after, _), *_ = puzzle.successors(puzzle.start)
    moved = puzzle.with_start(after)
    assert type(moved) is type(puzzle)
    assert list(moved.initial_states()) == [after]
    assert list(moved.slow_rules().initial_states()) == [after]
    assert list(puzzle.initial_states()) == [puzzle.start]


class FromStart(Jugs):
    """Its rules look at the start."""

    def at_goal(self, s):
        return s.litres[0] == self.unpack(self.start).litres[0] - 4


def test_rules_that_look_at_the_start_are_made_again_for_another():
    puzzle = FromStart()
    moved = puzzle.with_start(puzzle.pack(litres=[7, 0, 1]))
    assert puzzle.is_goal(puzzle.pack(litres=[4, 4, 0]))
    assert not moved.is_goal(puzzle.pack(litres=[4, 4, 0]))
    assert moved.is_goal(puzzle.pack(litres=[3, 5, 0]))


@pytest.mark.parametrize("kind", ALL)
def test_the_checked_engine_finds_nothing_wrong(kind):
    puzzle = kind()
    limits = Limits(expansions=5)
    algorithm = first_algorithm(puzzle)
    found = solve(puzzle, algorithm, engine="checked", limits=limits)
    assert found.statistics.expanded == 5


class TwoStarts(Jugs):
    """Several starts, unit costs."""

    cost = Fields.cost

    def initial_states(self):
        return [self.pack(litres=[8, 0, 0]), self.pack(litres=[3, 5, 0])]


class Assigning(Fields):
    """Its rules assign to the arguments of a move, which are looked up."""

    def __init__(self):
        self.declare(at=Array(3, 6), gone=Int(9))
        self.moves = [(0, 1), (1, -1), (2, 2)]
        self.start = self.pack(at=[0, 5, 0], gone=0)

    def legal(self, s, i, d):
        d = s.at[i] + d
        return 0 <= d < 6 and s.gone < 8

    def apply(self, s, i, d):
        s.gone += 1
        if s.gone > 3:
            d += s.at[i]
            i, d = 2 - i, d % 6
            s.at[i] = d
        else:
            s.at[i] = (s.at[i] + d) % 6

    def at_goal(self, s):
        return s.gone == 6 and s.at[0] == 4


class NotAssigning(Assigning):
    """The same by other names."""

    def legal(self, s, i, d):
        to = s.at[i] + d
        return 0 <= to < 6 and s.gone < 8

    def apply(self, s, i, d):
        s.gone += 1
        if s.gone > 3:
            s.at[2 - i] = (d + s.at[i]) % 6
        else:
            s.at[i] = (s.at[i] + d) % 6


@pytest.mark.parametrize("running", [nullcontext, plainly])
def test_rules_may_assign_to_the_arguments_of_a_move(running):
    with running():
        engine = "reference" if running is nullcontext else "compiled"
        one, other = (
            solve(kind(), BreadthFirst(), want="count", engine=engine)
            for kind in (Assigning, NotAssigning)
        )
    assert (one.cost, one.count, one.statistics.generated) == (
        other.cost, other.count, other.statistics.generated,
    )  # fmt: skip
    assert one.cost is not None


@pytest.mark.parametrize("algorithm", [BreadthFirst(), IDAStar()])
@pytest.mark.parametrize("running", [nullcontext, plainly])
def test_all_solutions_from_several_starts(algorithm, running):
    puzzle = TwoStarts()
    counts = []
    for problem, engine in (
        (puzzle.slow_rules(), "reference"), (puzzle, "reference"), (puzzle, "compiled"),
    ):  # fmt: skip
        with running():
            every = solve(problem, algorithm, engine=engine, want="all")
            found = [each.actions for each in every.solutions]
            count = solve(problem, algorithm, engine=engine, want="count").count
        counts.append((every.cost, count, sorted(found)))
    assert counts[0] == counts[1] == counts[2]
    assert len(counts[0][2]) == counts[0][1] >= 1


class Full(Fields):
    """Fields that take the highest bit of a word."""

    def __init__(self):
        self.declare(on=Set(64), at=Array(16, 16), more=Set(100))
        self.moves = range(5)
        self.even = range(0, 64, 2)
        self.start = self.pack(on=[63, 2, 1], at=range(16), more=[99, 64, 63, 0])

    def apply(self, s, move):
        if move == 0:
            s.on &= self.even
        elif move == 1:
            s.at[15] = 3
        elif move == 2:
            s.more &= self.even
        elif move == 3:
            s.more |= self.even
        else:
            s.on.add(63)

    def at_goal(self, s):
        return s.at[15] == 3 and 63 not in s.on and 99 not in s.more and 62 in s.more


def test_fields_reach_the_highest_bit():
    puzzle = Full()
    searches = [(puzzle.slow_rules(), "reference")]
    searches += [(puzzle, engine) for engine in ("reference", "compiled", "checked")]
    found = [
        solve(problem, BreadthFirst(), want="count", engine=engine) for problem, engine in searches
    ]
    assert {(each.cost, each.count, each.statistics.generated) for each in found} == {(4, 24, 96)}


class Goes(Fields):
    """Sets of several words are gone through as they are at first; moves have texts."""

    def __init__(self):
        self.declare(wide=Set(130), n=Int(5), big=Set(64))
        self.moves = {"a": ("up", 0), "b": ("down", 1)}
        self.start = self.pack(wide=[0, 62, 63, 64, 127, 129], n=0, big=[63, 1])

    def legal(self, s, way, by):
        return way == "up" or 63 in s.wide or len(s.big) > 1

    def apply(self, s, way, by):
        for m in s.wide:
            s.wide.discard(m)
            s.wide.add((m * 7 + 1 + by) % 130)
        for m in s.big:
            if way == "down":
                s.big.remove(m)
            s.big.add((m + 63) % 64)
        s.n = (s.n + 1) % 5

    def at_goal(self, s):
        return s.n == 4


def test_sets_of_several_words_are_gone_through():
    puzzle = Goes()
    searches = [(puzzle.slow_rules(), "reference")]
    searches += [(puzzle, engine) for engine in ("reference", "compiled", "checked")]
    limits = Limits(expansions=300)
    found = [
        solve(problem, BreadthFirst(), want="count", engine=engine, limits=limits)
        for problem, engine in searches
    ]
    assert {(each.cost, each.count, each.statistics.generated) for each in found} == {(4, 16, 31)}


class Clipped(Fields):
    """A helper gives its argument another value on one way."""

    def __init__(self):
        self.declare(at=Int(8))
        self.moves = [3, -5]
        self.start, self.goal = self.pack(at=1), self.pack(at=2)

    def clip(self, number):
        if number < 0:  # noqa: PLR1730
            number = 0
        return number

    def apply(self, s, by):
        s.at = min(7, self.clip(s.at + by))


def test_arguments_that_are_assigned_to_keep_their_first_value_elsewhere():
    assert solve(Clipped(), BreadthFirst(), engine="reference").actions == (3, 3, -5)
