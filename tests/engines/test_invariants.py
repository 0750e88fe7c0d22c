"""Sums that no step changes: proved of declared fields, seen of plain rules, and never wrong."""

from __future__ import annotations

import copy
import itertools
import random

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from searchkit import BreadthFirst, Limits, Problem, Status, Step, solve
from searchkit.certificates import Certificate
from searchkit.errors import SearchkitWarning, VerificationError
from searchkit.explore import explore
from searchkit.fields import Array, Fields, Int
from searchkit.invariants import seen
from searchkit.invariants.finding import Arrays, Finder, Order, Span, is_odd
from searchkit.invariants.seen import goals_of, hint
from searchkit.limits import LimitKind
from searchkit.verify import verify_certificate
from tests.support.honest import Lamps
from tests.support.unsolvable import (
    CROSS,
    Lights,
    Pegs,
    PlainLights,
    PlainPegs,
    PlainTiles,
    Tiles,
    TilesAndBlank,
)

SAME_CLASS = [(3, 3), (0, 3), (6, 3), (3, 0), (3, 6)]
"""Where the last peg can be, by Reiss's classes, if the middle is vacant at first."""


def told(problem):
    return hint(problem, list(problem.initial_states()))


VECTORS = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), max_size=4)


@settings(max_examples=200)
@given(st.sampled_from([2, 3, 5]), VECTORS)
def test_a_span_has_all_sums_and_weights_tell_others(modulus, rows):
    vectors = [dict(enumerate(row)) for row in rows]
    span = Span(modulus)
    for vector in vectors:
        span.add(vector)
    sums = {
        tuple(sum(t * v[i] for t, v in zip(times, rows, strict=True)) % modulus for i in range(3))
        for times in itertools.product(range(modulus), repeat=len(rows))
    }
    for point in itertools.product(range(modulus), repeat=3):
        weights = span.weights_against(dict(enumerate(point)))
        assert (weights is None) == (point in sums)
        if weights is not None:
            for vector in vectors:
                assert not sum(w * vector[i] for i, w in weights.items()) % modulus
            assert sum(w * point[i] for i, w in weights.items()) % modulus


@given(st.permutations(range(6)), st.integers(0, 20))
def test_an_order_is_odd_by_swaps(before, swaps):
    after, rng = list(before), random.Random(swaps)
    for _ in range(swaps):
        i, j = rng.sample(range(6), 2)
        after[i], after[j] = after[j], after[i]
    assert is_odd(before, after) == (swaps % 2 == 1)


UNSOLVABLE = {
    "15 and 14, with a field for the blank": TilesAndBlank,
    "15 and 14": Tiles,
    "8-puzzle": lambda: Tiles(3, 3),
    "rectangle": lambda: TilesAndBlank(3, 2),
    "the other rectangle": lambda: Tiles(2, 3),
    "lights": Lights,
    "lights, 4 x 4": lambda: Lights(4),
    "pegs": lambda: Pegs((3, 4)),
    "pegs, far": lambda: Pegs((2, 2)),
    "two goals": lambda: Tiles(3, 3, also=[2, 3, 1, 4, 5, 6, 7, 8, 0]),
}


@pytest.mark.slow_variants("15 and 14", "pegs, far")
@pytest.mark.parametrize("name", UNSOLVABLE)
def test_a_certificate_is_found_and_checked(name):
    puzzle = UNSOLVABLE[name]()
    certificate = puzzle.late_certificate(puzzle.start)
    assert certificate is not None
    assert "no move changes" in certificate.text
    assert verify_certificate(puzzle, certificate).finished


SOLVABLE = {
    "15": lambda: Tiles(start=[*range(1, 13), 13, 14, 0, 15]),
    "8-puzzle": lambda: TilesAndBlank(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1]),
    "lights": lambda: Lights(3),
    "one of two goals": lambda: Tiles(3, 3, also=[2, 1, 3, 4, 5, 6, 7, 8, 0]),
    "pegs": Pegs,
}


@pytest.mark.slow_variants("15")
@pytest.mark.parametrize("name", SOLVABLE)
def test_what_can_be_solved_has_no_certificate(name):
    puzzle = SOLVABLE[name]()
    assert puzzle.late_certificate(puzzle.start) is None


@pytest.mark.slow_variants(
    "last9", "last23", "last28", "last31", "last19", "last16", "last1", "last4"
)
@pytest.mark.parametrize(
    "last",
    [
        last if last in SAME_CLASS or last[0] == 3 else pytest.param(last, marks=pytest.mark.slow)
        for last in CROSS
    ],
)
def test_classes_of_pegs_are_those_of_reiss(last):
    puzzle = Pegs(last)
    assert (puzzle.late_certificate(puzzle.start) is None) == (last in SAME_CLASS)


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(6)))
def test_half_of_the_orders_of_a_rectangle_are_certified(cells):
    puzzle = TilesAndBlank(3, 2, cells)
    certificate = puzzle.late_certificate(puzzle.start)
    assert (certificate is None) == (solve(puzzle, BreadthFirst()).status is Status.SOLVED)


class Wired(Fields):
    """Rules that were drawn at random: each move permutes items, adds to them, or sets a number."""

    def __init__(self, count, below, moves, start, goals):
        self.below = below
        self.rows, self.goals = moves, goals
        self.moves = [(i,) for i in range(len(moves))]
        self.declare(item=Array(count, below), at=Int(count))
        self.start = self.pack(item=start[:count], at=start[count])

    def legal(self, s, move):
        kind, a, _b, c = self.rows[move]
        return kind != 3 or s.item[a] == c

    def apply(self, s, move):
        kind, a, b, c = self.rows[move]
        if kind == 0:
            old = s.item[a]
            s.item[a] = s.item[b]
            s.item[b] = old
        elif kind == 1:
            s.item[a] = (s.item[a] + c) % self.below
            s.item[b] = (s.item[b] + self.below - c) % self.below
        elif kind == 2:
            old = s.item[s.at]
            s.item[s.at] = s.item[a]
            s.item[a] = old
            s.at = a
        else:
            s.item[b] = (s.item[b] + 1) % self.below

    def at_goal(self, s):
        return any(
            s.item[place] == value and s.at == where for place, value, where in self.goals
        ) or all(s.item[i] == i for i in range(len(s.item)))


@st.composite
def wired(draw):
    count, below = draw(st.integers(2, 4)), draw(st.integers(2, 5))
    places, values = st.integers(0, count - 1), st.integers(0, below - 1)
    kinds = draw(st.sampled_from([(0,), (1,), (2,), (0, 2), (1, 3), (0, 1, 2, 3)]))
    moves = draw(st.lists(st.tuples(st.sampled_from(kinds), places, places, values), min_size=1,
                          max_size=4))  # fmt: skip
    start = [*draw(st.lists(values, min_size=count, max_size=count)), draw(places)]
    if below >= count and draw(st.booleans()):
        start[:count] = draw(st.permutations(range(below)))[:count]
    goals = draw(st.lists(st.tuples(places, values, places), max_size=2))
    return Wired(count, below, moves, start, goals)


def is_solvable(puzzle):
    return solve(puzzle.slow_rules(), BreadthFirst(), engine="reference").status is Status.SOLVED


@pytest.mark.few
@settings(max_examples=300, deadline=None)
@given(wired())
def test_no_certificate_is_wrong(puzzle):
    certificate = puzzle.late_certificate(puzzle.start)
    event(f"certified: {certificate is not None}")
    if certificate is not None:
        assert not is_solvable(puzzle)
        assert puzzle.slow_rules().check_certificate(puzzle.start, certificate) is None


def test_numbers_that_a_move_only_asks_about_add_nothing():
    puzzle = Wired(2, 5, [(3, 1, 0, 4), (3, 0, 1, 1)], [0, 0, 1], [])
    assert puzzle.late_certificate(puzzle.start) is None


def test_orders_count_modulo_2_alone():
    """Three steps round a circle, each by an odd order: 3 is 0 modulo 3, but is odd."""
    order = Order("cells")
    steps = [{order: 1, ("at", i): -1, ("at", (i + 1) % 3): 1} for i in range(3)]
    assert Finder(steps, Arrays({"cells": ()})).tell({order: 1}) is None


@st.composite
def forged(draw):
    puzzle = draw(wired())
    count, below = len(puzzle.unpack(puzzle.start).item), puzzle.below
    row = st.tuples(st.integers(0, count), st.integers(0, below), st.integers(1, 2)).map(list)
    orders = draw(st.sampled_from([[], ["item"]]))
    part = {
        "modulus": 2 if orders else draw(st.sampled_from([2, 3, 5])),
        "orders": orders,
        "weights": draw(st.lists(row, max_size=12)),
    }
    links = draw(st.sampled_from([[], [[count, 0, 0]], [[count, 0, 1]]]))
    distinct = orders or draw(st.sampled_from([[], ["item"]]))
    return puzzle, {"parts": [part], "distinct": distinct, "links": links}


@pytest.mark.few
@settings(max_examples=500, deadline=None)
@given(forged())
def test_no_forged_certificate_of_what_can_be_solved_is_accepted(case):
    puzzle, data = case
    wrong = puzzle.slow_rules().check_certificate(
        puzzle.start, Certificate("invariant", "so", data)
    )
    if wrong is None:
        assert not is_solvable(puzzle)


CHANGES = [
    lambda d: d["parts"][0]["weights"].pop(),
    lambda d: d["parts"][0]["weights"][0].__setitem__(0, 1),
    lambda d: d["parts"][0].update(orders=[]),
    lambda d: d["parts"].clear(),
    lambda d: d["parts"][0].update(modulus=3),
    lambda d: d["parts"][0].update(modulus="2"),
    lambda d: d["parts"][0]["weights"].append([99, 0, 1]),
    lambda d: d["parts"][0]["weights"].append([1, 0]),
    lambda d: d.update(distinct=[]),
    lambda d: d.update(distinct=["blank"]),
    lambda d: d.update(links=[]),
    lambda d: d.update(links=[[9, 0, 3]]),
    lambda d: d.update(links=[[0, 0, 3]]),
    lambda d: d.pop("links"),
]


@pytest.fixture(scope="module")
def certified():
    """A puzzle, and why it has no solution."""
    puzzle = TilesAndBlank(3, 3)
    return puzzle, puzzle.late_certificate(puzzle.start)


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_a_changed_certificate_is_refused(number, certified):
    puzzle, certificate = certified
    data = copy.deepcopy(dict(certificate.data))
    CHANGES[number](data)
    with pytest.raises(VerificationError):
        verify_certificate(puzzle, Certificate("invariant", certificate.text, data))


class Disguised(Fields):
    """Its rule does another thing with a number that is not known."""

    def __init__(self):
        self.moves = [(0,)]
        self.declare(a=Int(3), b=Int(3))
        self.start, self.goal = self.pack(a=0, b=0), self.pack(a=1, b=0)

    def apply(self, s, value):
        if type(s.a) is int:
            s.a = value + 1
        else:
            s.b = value


def test_rules_that_do_another_thing_where_numbers_are_unknown_are_not_believed():
    puzzle = Disguised()
    assert puzzle.late_certificate(puzzle.start) is None
    data = {"parts": [{"modulus": 2, "orders": [], "weights": [[0, 1, 1]]}]}
    forged = Certificate("invariant", "so", {**data, "distinct": [], "links": []})
    with pytest.raises(VerificationError, match="the rules do something else there"):
        verify_certificate(puzzle, forged)


def test_a_certificate_of_another_start_or_kind_is_refused():
    puzzle = Tiles(3, 3)
    certificate = puzzle.late_certificate(puzzle.start)
    other = puzzle.with_start(puzzle.pack(cells=[*range(1, 9), 0]))
    with pytest.raises(VerificationError, match="no sum tells a goal from the start"):
        verify_certificate(other, certificate)
    with pytest.raises(VerificationError, match="not a kind of certificate here"):
        verify_certificate(puzzle, Certificate("magic", "so", {}))


@pytest.mark.slow_variants("Tiles", "<lambda>", "TilesAndBlank")
@pytest.mark.parametrize("make", [TilesAndBlank, Tiles, Lights, lambda: Pegs((3, 4))])
def test_a_search_that_lasts_is_ended_by_the_proof(make):
    puzzle = make()
    result = solve(puzzle, limits=Limits(expansions=2_000_000))
    assert result.status is Status.UNSOLVABLE
    assert result.certificate.kind == "invariant"
    assert result.reason.startswith("no move changes")
    verify_certificate(puzzle, result.certificate)


def test_toggles_prove_as_well():
    """Four lamps in a row, of which each key flips two: an odd number is never out."""
    from searchkit.solving.unsolvable import CertifiedError, Doubts  # noqa: PLC0415

    lamps = Lamps()
    starts = list(lamps.initial_states())
    goals = [starts[0] ^ 1]
    even = type("Even", (Lamps,), {
        "toggles": lambda self: (0b11, 0b110, 0b1100), "goal_states": lambda self: goals,
    })()  # fmt: skip
    with pytest.raises(CertifiedError) as found:
        Doubts(even, starts, Limits()).certify()
    assert found.value.certificate.kind == "toggles"


PLAIN = {
    "15 and 14": (
        PlainTiles,
        "the parity of the order of the state, together with the place of 0,",
    ),
    "rectangle": (lambda: PlainTiles(3, 2), "the parity of the order of the state, together"),
    "lights": (PlainLights, "a sum over the values of the state, modulo 2,"),
    "pegs": (lambda: PlainPegs((3, 4)), "a sum over the values of the state, modulo 2,"),
    "pegs, several goals": (lambda: PlainPegs((3, 4), (2, 2), (4, 3)), "a sum over the values"),
}


@pytest.mark.slow_variants("pegs", "15 and 14", "pegs, several goals")
@pytest.mark.parametrize("name", PLAIN)
def test_what_never_changed_is_told(name):
    make, words = PLAIN[name]
    said = told(make())
    assert said.startswith(words)
    assert said.endswith("probably there is no solution")


@pytest.mark.slow_variants("problem4", "problem3", "problem0")
@pytest.mark.parametrize(
    "problem",
    [
        PlainTiles(start=[*range(1, 13), 13, 14, 0, 15]),
        PlainTiles(3, 3, [8, 6, 7, 2, 5, 4, 3, 0, 1]),
        PlainLights(3),
        PlainPegs((3, 3)),
        PlainPegs((3, 4), (3, 3)),
        PlainPegs(),
    ],
)
def test_nothing_is_told_of_what_can_be_solved(problem):
    assert told(problem) is None


@pytest.mark.few
@settings(max_examples=6, deadline=None)
@given(st.permutations(range(9)))
def test_orders_of_tiles_are_told_apart(cells):
    solved = [*range(1, 9), 0]
    blank = cells.index(0)
    is_solvable = is_odd(solved, cells) == ((blank // 3 + blank % 3) % 2 == 1)
    assert (told(PlainTiles(3, 3, cells)) is None) == is_solvable


class Numbers(Problem):
    """Rules that were drawn at random, as plain ones, from one state to another."""

    def __init__(self, puzzle, goal):
        self.puzzle, self.goal = puzzle, goal

    def _view(self, state):
        fields = self.puzzle.unpack(state)
        return (*fields.item, fields.at)

    def initial_states(self):
        return [self._view(self.puzzle.start)]

    def successors(self, state):
        packed = self.puzzle.pack(item=state[:-1], at=state[-1])
        for step in self.puzzle.successors(packed):
            yield Step(step.action, self._view(step.state))

    def is_goal(self, state):
        return state == self.goal


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(wired(), st.data())
def test_no_hint_on_small_puzzles_is_wrong(puzzle, data):
    """So small that the walks meet all of their states."""
    count, below = len(puzzle.unpack(puzzle.start).item), puzzle.below
    values = [st.integers(0, below - 1)] * count
    goal = data.draw(st.tuples(*values, st.integers(0, count - 1)))
    assume(count * below**count <= 200)
    problem = Numbers(puzzle, goal)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seen, "MOST_STEPS", 5_000)
        said = hint(problem, problem.initial_states(), seconds=60)
    event(f"hint: {said is not None}")
    if said is not None:
        assert solve(problem, BreadthFirst()).status is Status.UNSOLVABLE


def test_goals_are_those_that_a_state_is_compared_with():
    assert goals_of(PlainTiles(3, 2), [(1, 2, 3, 5, 4, 0)]) == [(1, 2, 3, 4, 5, 0)]
    assert goals_of(PlainLights(3), [1]) == [0]


def test_a_search_that_gives_up_says_what_it_has_seen(monkeypatch):
    monkeypatch.setattr("searchkit.solving.unsolvable.LASTING", 0.0)
    monkeypatch.setattr("searchkit.solving.unsolvable.LONG", 0.2)
    with pytest.warns(SearchkitWarning, match="probably there is no solution"):
        result = solve(PlainTiles(), BreadthFirst(), limits=Limits(time=3), engine="reference")
    assert (result.status, result.limit) == (Status.LIMIT, LimitKind.TIME)
    assert result.certificate is None
    assert "together with the place of 0, was the same after each of " in result.hint
    assert result.hint in str(result)
    assert result.hint in result.advice


def test_a_solution_that_is_found_after_all_is_told_without_the_hint(monkeypatch):
    """A hint is no proof, and may be wrong."""
    monkeypatch.setattr("searchkit.solving.unsolvable.LASTING", -1.0)
    monkeypatch.setattr("searchkit.solving.unsolvable.LONG", -1.0)
    monkeypatch.setattr("searchkit.running.driver.PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("searchkit.invariants.seen.hint", lambda *_, **__: "there is none")
    puzzle = PlainTiles(3, 3, [0, 1, 5, 2, 8, 3, 4, 7, 6])
    with pytest.warns(SearchkitWarning, match="there is none"):
        result = solve(puzzle, BreadthFirst(), engine="reference")
    assert (result.cost, result.hint) == (18, None)


def test_nothing_is_said_of_a_search_that_does_not_last():
    result = solve(PlainTiles(), BreadthFirst(), limits=Limits(expansions=100))
    assert result.hint is None


def test_closed_sets_agree():
    """Half of the arrangements of the rectangle are reached, and no other."""
    assert explore(PlainTiles(3, 2)).states == 360


class StepsWithoutEnd(Problem):
    def __init__(self, is_silent):
        self.is_silent = is_silent

    def initial_states(self):
        return [0]

    def successors(self, state):
        for number in itertools.count(1):
            if not self.is_silent:
                yield Step(number, number)

    def goal_states(self):
        return [-1]

    def is_goal(self, state):
        return state == -1


@pytest.mark.parametrize("is_silent", [False, True])
def test_no_hint_is_looked_for_in_steps_that_have_no_end(is_silent, monkeypatch):
    from searchkit.solving.unsolvable import Doubts  # noqa: PLC0415

    monkeypatch.setattr("searchkit.running.overdue.SPARED", 0.2 if is_silent else 600)
    assert Doubts(StepsWithoutEnd(is_silent), [0], Limits()).look() is None
