"""Some solution without a heuristic: what goal tests ask, what states lack, and shorter ways."""

from __future__ import annotations

import enum
import pickle
import random
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import product
from operator import mul
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import (
    INFINITY,
    Bidirectional,
    BreadthFirst,
    Costs,
    LimitKind,
    Limits,
    Problem,
    Status,
    Step,
    UniformCost,
    improvements,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.engines import novelty
from searchkit.engines.incumbents import Share
from searchkit.engines.motions import way_by_motions
from searchkit.engines.novelty import atoms_of
from searchkit.guides.watching import MOST_ASKED, Question, questions
from searchkit.guides.ways import Ways
from searchkit.guides.wishes import MOST_IN_VAIN, MOST_OTHERS, Members, Wishes
from searchkit.packed import ZeroHeuristic
from searchkit.running.task import Task
from searchkit.solving import with_tables
from searchkit.verify import verify_solution
from tests.support.graphs import best_cost, graphs_with_estimates

AT_ONCE = Share(start=0, burst=3, rate=1)


class Rows(Problem):
    """Things in a row, which three neighbours may change cyclically: 6 billion states of 13."""

    costs = Costs.INTEGER

    def __init__(self, start=(4, 11, 7, 0, 9, 2, 10, 5, 1, 8, 3, 6, 12)):
        self.start = start

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        for i in range(len(state) - 2):
            a, b, c = state[i : i + 3]
            yield Step(f"l{i}", (*state[:i], b, c, a, *state[i + 3 :]), 1 + i % 3)
            yield Step(f"r{i}", (*state[:i], c, a, b, *state[i + 3 :]), 2)

    def is_goal(self, state):
        count = len(self.start)
        return state in (tuple(range(count)), tuple(range(count - 1, -1, -1)))


SHORT = (7, 4, 0, 2, 5, 1, 3, 6)


class Tiles(Problem):
    """The 15-puzzle by plain rules, without a heuristic."""

    undirected = True

    def __init__(self, steps=500):
        state, choose = tuple(range(16)), random.Random(1)
        for _ in range(steps):
            state = choose.choice([step.state for step in self.successors(state)])
        self.start = state

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        blank = state.index(0)
        x, y = blank % 4, blank // 4
        for name, dx, dy in (("r", 1, 0), ("l", -1, 0), ("d", 0, 1), ("u", 0, -1)):
            if 0 <= x + dx < 4 and 0 <= y + dy < 4:
                there = blank + dx + 4 * dy
                items = list(state)
                items[blank], items[there] = items[there], 0
                yield Step(name, tuple(items))

    def is_goal(self, state):
        return all(each == i for i, each in enumerate(state))


class Stacks(Problem):
    """Blocks on stacks."""

    def initial_states(self):
        return [frozenset({(7, 2, 5), (0, 9, 4, 1), (3,), (8, 6)})]

    def successors(self, state):
        for stack in state:
            top, below, others = stack[-1], stack[:-1], state - {stack}
            rest = others | {below} if below else others
            if below:
                yield Step((top, "table"), rest | {(top,)})
            for onto in others:
                yield Step((top, onto[-1]), rest - {onto} | {(*onto, top)})

    def is_goal(self, state):
        return state == frozenset({tuple(range(10))})


class Queens(Problem):
    """A queen in each of twelve rows."""

    def initial_states(self):
        return [()]

    def successors(self, state):
        for column in range(12):
            if all(
                column != other and abs(column - other) != len(state) - row
                for row, other in enumerate(state)
            ):
                yield Step(column, (*state, column))

    def is_goal(self, state):
        return len(state) == 12


def way_of(problem, most):
    """The costs of the solutions that are noted within so many expansions."""
    costs = []
    task = Task(
        problem=problem, algorithm=BreadthFirst(), heuristic=ZeroHeuristic(),
        starts=tuple(problem.initial_states()), pause_at=most,
        tell=lambda found, improvement: costs.append(found.cost),
    )  # fmt: skip
    for _ in novelty.by_novelty(task):
        if task.counters.expanded >= most:
            break
    return costs


@pytest.mark.parametrize(
    ("problem", "most"),
    [(Rows(), 500), (Tiles(), 30_000), (Stacks(), 3_000), (Queens(), 5_000)],
    ids=lambda each: type(each).__name__,
)
def test_large_puzzles_have_some_solution_after_few_expansions(problem, most):
    costs = way_of(problem, most)
    assert costs
    assert costs == sorted(costs, reverse=True)


class Flips(Problem):
    """Twenty pancakes."""

    def initial_states(self):
        return [tuple(random.Random(3).sample(range(20), 20))]

    def successors(self, state):
        return [Step(i, state[:i][::-1] + state[i:]) for i in range(2, 21)]

    def is_goal(self, state):
        return all(each == i for i, each in enumerate(state))


class TopSpin(Problem):
    """A ring that turns in one direction alone, and four of its twenty tokens."""

    def initial_states(self):
        return [(10, 18, 16, 14, 0, 17, 11, 2, 3, 9, 5, 7, 4, 19, 6, 15, 8, 1, 13, 12)]

    def successors(self, state):
        return [Step("turn", state[:4][::-1] + state[4:]), Step("on", state[1:] + state[:1])]

    def is_goal(self, state):
        return state == tuple(range(20))


class PlainCube(Problem):
    """The 3x3x3 cube by the colours of its 54 stickers, in a text for each face."""

    def __init__(self):
        self.turns = sticker_turns()
        self.goal = ("W" * 9, "R" * 9, "G" * 9, "Y" * 9, "O" * 9, "B" * 9)

    def initial_states(self):
        state, choose = self.goal, random.Random(1)
        for _ in range(40):
            state = choose.choice(self.successors(state)).state
        return [state]

    def successors(self, state):
        stickers = "".join(state)
        turned = {name: "".join(stickers[i] for i in turn) for name, turn in self.turns.items()}
        return [
            Step(name, tuple(text[i : i + 9] for i in range(0, 54, 9)))
            for name, text in turned.items()
        ]

    def is_goal(self, state):
        return state == self.goal


@cache
def sticker_turns():
    """By the name of a turn: where each sticker comes from."""
    ways = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    spots = [
        (*place, way)
        for way in ways
        for place in product((-1, 0, 1), repeat=3)
        if sum(map(mul, place, way)) == 1
    ]
    number = {spot: i for i, spot in enumerate(spots)}
    turns = {}
    for axis, side in product(range(3), (1, -1)):
        one, two = (axis + 1) % 3, (axis + 2) % 3

        def turned(vector, one=one, two=two):
            made = list(vector)
            made[one], made[two] = -vector[two], vector[one]
            return tuple(made)

        quarter = list(range(54))
        for *place, way in spots:
            if place[axis] == side:
                quarter[number[(*turned(place), turned(way))]] = number[(*place, way)]
        half = [quarter[i] for i in quarter]
        back = [quarter[i] for i in half]
        for exponent, turn in enumerate((quarter, half, back), 1):
            turns[f"{'xyz'[axis]}{side}^{exponent}"] = turn
    return turns


@pytest.mark.parametrize(
    ("problem", "most"), [(Flips(), 60), (TopSpin(), 3_000), (PlainCube(), 120)],
    ids=["pancakes", "topspin", "cube"],
)  # fmt: skip
def test_rules_whose_steps_are_permutations_have_words_of_moves(problem, most):
    first = way_of(problem, 1)
    assert len(first) == 1
    assert 0 < first[0] <= most


def test_steps_that_are_no_permutations_have_no_words():
    for problem in (Tiles(), Stacks(), Queens(), Line()):
        (start,) = problem.initial_states()
        assert ended_with(way_by_motions(problem, start, start)) is None


def test_colours_that_are_no_cube_have_no_words():
    """A corner that is turned alone, and stickers that are exchanged."""
    cube = PlainCube()
    for one, other in ((0, 2), (1, 3)):
        stickers = list("".join(cube.goal))
        stickers[one], stickers[other + 9] = stickers[other + 9], stickers[one]
        state = tuple("".join(stickers[i : i + 9]) for i in range(0, 54, 9))
        way = way_by_motions(cube, state, cube.goal)
        assert ended_with(way) is None


def ended_with(generator):
    while True:
        try:
            next(generator)
        except StopIteration as stopped:
            return stopped.value


class Line(Problem):
    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("up", state + 1)]

    def is_goal(self, state):
        return state == 9


@dataclass(frozen=True)
class Cart:
    place: int
    load: frozenset[int]


class Pair(NamedTuple):
    left: str
    right: tuple[int, int]


class Colour(enum.IntEnum):
    RED = 1


ASKED = [
    (lambda s: s == (2, 1), (1, 2), [((), "__eq__", (2, 1), False)]),
    (lambda s: (2, 1) == s, (1, 2), [((), "__eq__", (2, 1), False)]),  # noqa: SIM300
    (lambda s: s in ("b", "c"), "a", [((), "__eq__", each, False) for each in "bc"]),
    (lambda s: all(x == 1 for x in s), (1, 2), [((i,), "__eq__", 1, not i) for i in (0, 1)]),
    (lambda s: not any(x != 0 for x in s), (0, 2), [((i,), "__ne__", 0, bool(i)) for i in (0, 1)]),
    (lambda s: len(s[1]) == 3, (1, "ab"), [((1, len), "__eq__", 3, False)]),
    (lambda s: not s, frozenset({4}), [((), "__bool__", None, True)]),
    (lambda s: s >= {1, 2}, frozenset({1}), [((), "__ge__", {1, 2}, False)]),
    (lambda s: s.issuperset([1, 2]), frozenset({1}), [((), "__ge__", {1, 2}, False)]),
    (lambda s: 5 in s, frozenset({1}), [((), "__contains__", 5, False)]),
    (lambda s: 5 in s, (1, 2), [((), "__contains__", 5, False)]),
    (lambda s: s[0] > 7 and s[1] == 1, (3, 2), [((0,), "__gt__", 7, False)]),
    (lambda s: s[-1] == "b", "aba", [((2,), "__eq__", "b", False)]),
    (lambda s: s.place == 3, Cart(1, frozenset()), [(("place",), "__eq__", 3, False)]),
    (lambda s: s.right[1] == 3, Pair("a", (1, 2)), [((1, 1), "__eq__", 3, False)]),
    (lambda s: s[0] == s[1], (1, 2), []),
    (lambda s: s == Colour.RED, 5, [((), "__eq__", Colour.RED, False)]),
    (lambda s: s.bit_count() == 1, 5, []),
]  # fmt: skip


@pytest.mark.parametrize(("is_goal", "state", "expected"), ASKED)
def test_what_a_goal_test_compares_is_seen(is_goal, state, expected):
    assert questions(is_goal, state) == ([Question(*each) for each in expected], False)


def test_a_goal_test_that_refuses_watched_values_tells_nothing():
    def is_goal(state):
        if type(state) is not tuple:
            raise TypeError
        return False

    assert questions(is_goal, (1, 2)) == ([], False)
    wishes = Wishes(is_goal)
    assert not wishes.learn((1, 2))
    assert wishes.missing((1, 2)) == (0, 0)


def test_a_test_that_stops_at_the_first_failure_tells_all_that_is_wanted():
    wishes = Wishes(lambda s: s[1] == "b" and all(x == i for i, x in enumerate(s[0])) and not s[2])
    assert wishes.learn(((3, 1, 0, 2), "a", frozenset({7, 8})))
    assert wishes.missing(((0, 1, 2, 3), "b", frozenset())) == (0, 0)
    assert wishes.missing(((0, 2, 1, 3), "b", frozenset({5}))) == (3, 3)
    assert wishes.missing(((3, 1, 0, 2), "a", frozenset({7, 8}))) == (6, 6)


def test_nothing_is_asked_for_good_in_vain():
    asked = []
    wishes = Wishes(lambda state: bool(asked.append(state)))
    for state in range(2 * MOST_IN_VAIN):
        wishes.learn(state)
    assert len(asked) == MOST_IN_VAIN


def test_ways_of_tiles_are_their_distances():
    tiles = Tiles()
    ways, wishes = Ways(), Wishes(tiles.is_goal)
    wishes.ways = ways
    state, choose = tuple(range(16)), random.Random(0)
    for _ in range(2_000):
        child = choose.choice([step.state for step in tiles.successors(state)])
        wishes.learn_step(state, child)
        state = child
    wishes.learn(state)
    apart = [(abs(i % 4 - v % 4) + abs(i // 4 - v // 4), i != v) for i, v in enumerate(state)]
    assert wishes.missing(state) == (sum(b for _, b in apart), sum(a for a, _ in apart))


leaves = st.integers(-3, 3) | st.text("ab", max_size=3) | st.booleans() | st.none()
states = (
    leaves
    | st.tuples(leaves, leaves)
    | st.frozensets(leaves, max_size=3)
    | st.tuples(leaves, st.tuples(leaves, leaves), st.frozensets(leaves, max_size=3))
)


@given(states, states)
def test_a_goal_lacks_nothing(goal, state):
    wishes = Wishes(lambda other: other == goal)
    wishes.learn(state)
    wishes.learn_step(state, goal)
    assert wishes.missing(goal) == (0, 0)
    assert atoms_of(goal) == atoms_of(goal)
    if state != goal and type(state) in (int, str, tuple, frozenset):
        assert min(wishes.missing(state)) > 0


@settings(max_examples=200, deadline=None)
@given(graphs_with_estimates())
def test_ways_end_as_cheap_as_can_be_where_all_is_looked_at(graph):
    costs = way_of(graph, 1 << 30)
    best = best_cost(graph)
    if best == INFINITY:
        assert not costs
    else:
        assert costs[-1] == best
        assert costs == sorted(set(costs), reverse=True)


@pytest.mark.slow_variants("UniformCost-compiled", "Bidirectional-compiled")
@pytest.mark.parametrize("kind", ["reference", "compiled"])
@pytest.mark.parametrize("algorithm", [BreadthFirst, Bidirectional, UniformCost])
def test_a_search_beside_gives_a_solution_that_is_told_with_its_bound(kind, algorithm, monkeypatch):
    monkeypatch.setattr(novelty, "SHARES", dict.fromkeys(novelty.SHARES, AT_ONCE))
    puzzle = Tiles(100)
    if algorithm is Bidirectional:
        puzzle = Listed(100)
    with plainly():
        found = solve(
            puzzle, algorithm(incumbents="novelty"), engine=kind, limits=Limits(expansions=6_000)
        )
    assert (found.status, found.limit) == (Status.LIMIT, LimitKind.EXPANSIONS)
    assert found.lower_bound < found.cost
    assert not found.optimal
    verify_solution(puzzle, found.solution)


class Listed(Tiles):
    def goal_states(self):
        return [tuple(range(16))]


@pytest.mark.parametrize("kind", ["reference", "compiled"])
def test_the_answer_of_a_search_with_one_beside_it_is_optimal(kind, monkeypatch):
    monkeypatch.setattr(novelty, "SHARES", dict.fromkeys(novelty.SHARES, AT_ONCE))

    class Jugs(Problem):
        def initial_states(self):
            return [(0, 0)]

        def successors(self, state):
            a, b = state
            moved, back = min(a, 7 - b), min(b, 11 - a)
            for child in (
                (11, b),
                (a, 7),
                (0, b),
                (a, 0),
                (a - moved, b + moved),
                (a + back, b - back),
            ):
                yield Step("pour", child)

        def is_goal(self, state):
            return state[0] == 6

    with plainly():
        plain = solve(Jugs(), BreadthFirst(), engine=kind)
        found = solve(Jugs(), BreadthFirst(incumbents="novelty"), engine=kind)
    assert (found.cost, found.optimal) == (plain.cost, True)


@pytest.mark.parametrize("algorithm", [BreadthFirst(), UniformCost(), Bidirectional()])
def test_any_solution_is_good_enough_where_that_is_asked_for(algorithm, monkeypatch):
    """A layer that is half expanded when both searches end says nothing about the rules."""
    monkeypatch.setattr(novelty, "SHARES", dict.fromkeys(novelty.SHARES, AT_ONCE))
    found = solve(Listed(), algorithm, engine="reference", limits=Limits(within="any"))
    assert found.status is Status.SOLVED
    assert not found.optimal


class Arrows(Problem):
    """Arrows between thirty points, drawn at random."""

    def __init__(self, seed):
        choose = random.Random(seed)
        self.next = [choose.sample(range(30), choose.choice([1, 2, 3])) for _ in range(30)]
        self.ends = choose.sample(range(30), 2)

    def initial_states(self):
        return self.ends[:1]

    def successors(self, state):
        return [Step(each, each) for each in self.next[state]]

    def predecessors(self, state):
        return [Step(state, each) for each in range(30) if state in self.next[each]]

    def is_goal(self, state):
        return state in self.ends[1:]

    def goal_states(self):
        return self.ends[1:]


@pytest.mark.parametrize("algorithm", [BreadthFirst, Bidirectional])
def test_a_search_that_ends_on_its_way_back_from_a_goal_says_nothing_about_the_rules(
    algorithm, monkeypatch
):
    monkeypatch.setattr(novelty, "SHARES", dict.fromkeys(novelty.SHARES, AT_ONCE))
    for seed in range(200):
        arrows = Arrows(seed)
        best = solve(arrows, BreadthFirst(), engine="reference").cost
        found = solve(arrows, algorithm(), engine="reference", limits=Limits(within="any"))
        assert found.status is (Status.UNSOLVABLE if best is None else Status.SOLVED)
        assert best is None or found.lower_bound <= best <= found.cost


def test_improvements_of_rules_without_a_heuristic(monkeypatch):
    monkeypatch.setattr(novelty, "SHARES", dict.fromkeys(novelty.SHARES, AT_ONCE))
    monkeypatch.setattr(with_tables, "AT_FIRST", 3_600.0)  # no databases on a busy machine
    costs = []
    for found in improvements(Stacks(), limits=Limits(expansions=10_000), engine="reference"):
        verify_solution(Stacks(), found.solution)
        costs.append(found.cost)
    assert len(costs) > 1
    assert costs == sorted(costs, reverse=True)


def test_what_is_out_of_memory_goes_on_with_databases_though_it_has_a_solution(monkeypatch):
    monkeypatch.setattr(novelty, "SHARES", dict.fromkeys(novelty.SHARES, AT_ONCE))
    found = solve(Rows(SHORT), limits=Limits(memory=3_000_000, time=600), engine="reference")
    assert found.solution is not None
    assert found.heuristic == "pdb:auto"


def test_a_solution_far_above_its_bound_has_databases_built(monkeypatch):
    """It is proved optimal where these show that nothing costs less."""
    monkeypatch.setattr(novelty, "SHARES", dict.fromkeys(novelty.SHARES, AT_ONCE))
    monkeypatch.setattr(with_tables, "AT_FIRST", 0.0)
    monkeypatch.setattr(with_tables, "seconds_to_build", lambda size: 0.01)
    found = solve(Rows(SHORT), limits=Limits(time=600), engine="reference")
    assert (found.status, found.optimal, found.heuristic) == (Status.SOLVED, True, "pdb:auto")
    blind = solve(Rows(SHORT), UniformCost(), engine="reference")
    assert found.cost == blind.cost
    verify_solution(Rows(SHORT), found.solution)


@pytest.mark.parametrize("method", ["successors", "is_goal", "goal_states"])
def test_rules_that_fail_far_from_the_start_do_not_end_the_search_for_the_nearest_goal(
    method, monkeypatch
):
    monkeypatch.setattr(novelty, "SHARES", dict.fromkeys(novelty.SHARES, AT_ONCE))

    class Line(Problem):
        def initial_states(self):
            return [0]

        def successors(self, state):
            if method == "successors" and state < -10:
                raise ZeroDivisionError
            return [Step("up", state + 1), Step("down", state - 1)]

        def is_goal(self, state):
            if method == "is_goal" and state < -10:
                raise ZeroDivisionError
            return state == 9 or state < -100

        def goal_states(self):
            if method == "goal_states":
                raise ZeroDivisionError
            return [-1 << 20, 9]

    found = solve(Line(), BreadthFirst(incumbents="novelty"), engine="reference")
    assert (found.cost, found.optimal) == (9, True)


class Sorting(Problem):
    """Neighbours change places until all are sorted."""

    def initial_states(self):
        return [(3, 1, 0, 5, 2, 4)]

    def successors(self, state):
        for i in range(5):
            yield Step(i, (*state[:i], state[i + 1], state[i], *state[i + 2 :]))

    def is_goal(self, state):
        return state == (0, 1, 2, 3, 4, 5)


class EndlessForWatched(Sorting):
    def is_goal(self, state):
        if state[0] != 0:
            return False
        lengths = []
        for each in range(1, 6):
            at, length = state[each], 1
            while at != each:
                at, length = state[at], length + 1
            lengths.append(length)
        return max(lengths) == 1


class EndlessForPlain(Sorting):
    def is_goal(self, state):
        if state[0] != 0:
            return False
        items = [int(str(each)) for each in state]
        at = items[2]
        while at != 2:
            at = items[at]
        return items == sorted(items)


class Leaving(Sorting):
    def is_goal(self, state):
        if len(set(map(int, state))) < 6:
            raise SystemExit
        return all(i == each for i, each in enumerate(state))


class WithoutLastGoal(Sorting):
    def goal_states(self):
        yield (0, 1, 2, 3, 4, 5)
        while True:
            pass


class Namesake(Sorting):
    def packed_state(self, state):
        return state


@pytest.mark.parametrize(
    "kind", [EndlessForWatched, EndlessForPlain, Leaving, WithoutLastGoal, Namesake]
)
def test_rules_are_asked_what_they_need_not_answer(kind, monkeypatch):
    """A goal test may have no end for what is put together of states, and not be one itself."""
    monkeypatch.setattr(novelty, "SHARES", dict.fromkeys(novelty.SHARES, AT_ONCE))
    monkeypatch.setattr("searchkit.running.overdue.SPARED", 0.5)
    search = BreadthFirst(incumbents="novelty")
    found = solve(kind(), search, engine="reference", limits=Limits(time=10))
    assert (found.cost, found.optimal) == (6, True)


def test_no_more_is_noted_than_a_goal_test_with_an_end_asks():
    assert questions(lambda state: any(iter(lambda: state[0] == 5, True)), (1, 2)) == ([], False)
    asked, _ = questions(lambda state: sum(state[0] == i for i in range(9)) > 9, (10,))
    assert len(asked) == 9
    many = range(MOST_ASKED + 1)
    assert questions(lambda state: sum(state[0] == i for i in many) > 9, (-1,)) == ([], False)


def test_what_a_goal_test_keeps_is_plain_when_it_is_sent_and_notes_nothing_more():
    kept = []

    def is_goal(state):
        kept.append(state)
        return state[0] == 2

    asked, _ = questions(is_goal, (1, "a", frozenset({2})))
    assert len(asked) == 1
    assert kept[0][0] != 7
    assert len(asked) == 1
    for again in (deepcopy(kept[0]), pickle.loads(pickle.dumps(kept[0]))):
        assert again == (1, "a", frozenset({2}))
        assert type(again) is tuple
        assert [type(each) for each in again] == [int, str, frozenset]


class Alike(tuple):
    """Of one hash, so that sets have their members in the order in which these came."""

    def __hash__(self):
        return 0


def test_a_sum_of_parts_does_not_depend_on_their_order():
    """Which that of the members of a set is, from one process to the next."""
    stacks = [Alike(range(10 * size, 11 * size)) for size in (2, 3, 6, 7, 9, 11, 13)]
    over = frozenset(Alike(stack[:1]) for stack in stacks)
    orders = [random.Random(seed).sample(stacks, len(stacks)) for seed in range(50)]
    assert len({Members((), frozenset(each)).missing(over, None) for each in orders}) == 1


def test_what_a_goal_test_looks_up_is_not_learned_without_end():
    """Each state would be one more thing that others are compared with."""
    seen, places = set(), {}
    for is_goal in (
        lambda state: bool(seen.add(state)) or (state in seen and False),
        lambda state: places.setdefault(state[0], state[0]) < 0,
    ):
        wishes = Wishes(is_goal)
        for number in range(4 * MOST_OTHERS):
            state = (number, number + 1)
            is_goal(state)
            wishes.learn(state)
        assert wishes.version <= MOST_OTHERS + MOST_IN_VAIN
