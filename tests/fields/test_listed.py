"""Puzzles on fields that list their steps: every engine finds what the rules say."""

import pickle
import random

import attrs
import pytest

from searchkit import (
    IDDFS,
    AStar,
    BeamSearch,
    Bidirectional,
    BreadthFirst,
    Costs,
    IDAStar,
    Limits,
    ProblemError,
    Step,
    UniformCost,
    UnsuitableError,
    WeightedAStar,
    check_problem,
    explore,
    solve,
)
from searchkit.capabilities import Symmetry
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError, VerificationError
from searchkit.fields import Array, Fields, Int, Set
from searchkit.heuristics.patterns.choose import pattern_heuristic
from searchkit.verify import verify_solution
from tests.fields.listed_puzzles import ALL, Far, Fill, Ice, Jumps, Robots

ALGORITHMS = [
    (Ice, BreadthFirst()),
    (Ice, IDDFS()),
    (Robots, AStar()),
    (Robots, IDAStar()),
    (Robots, BeamSearch(width=5)),
    (Jumps, Bidirectional()),
    (Jumps, BreadthFirst()),
    (Fill, UniformCost()),
    (Fill, IDDFS()),
    (Far, WeightedAStar(weight=2)),
    (Far, IDAStar()),
]


def told(found):
    work = found.statistics
    actions = found.solution and found.actions
    return found.status, found.cost, actions, found.limit, work.expanded, work.generated


@pytest.mark.slow_variants("Jumps-algorithm5", "Far-algorithm9")
@pytest.mark.parametrize(("kind", "algorithm"), ALGORITHMS)
def test_engines_agree(kind, algorithm):
    puzzle, limits = kind(), Limits(expansions=40)
    expected = solve(puzzle, algorithm, engine="reference", limits=limits)
    with plainly():
        found = solve(puzzle, algorithm, engine="compiled", limits=limits)
    assert told(found) == told(expected)
    assert found.engine == "compiled"


@pytest.mark.parametrize("kind", [Ice, Robots, Jumps])
def test_whole_spaces_are_the_same(kind):
    puzzle, limits = kind(), Limits(cost=2)
    expected = explore(puzzle, engine="reference", limits=limits)
    with plainly():
        found = explore(puzzle, engine="compiled", limits=limits)
    assert found.layers == expected.layers
    assert sorted(found.farthest) == sorted(expected.farthest)


class Marking(Ice):
    """Ice, on which marks are left, of more words than one."""

    def __init__(self):
        super().__init__()
        self.layout = None
        self.declare(at=Int(41), marks=Set(70))
        self.start = self.pack(at=0, marks=[])
        self.goal = self.pack(at=16, marks=[1, 8, 34, 69])

    def expand(self, s):
        for way in range(4):
            to = s.at
            while self.next[to][way] >= 0:
                to = self.next[to][way]
            if to != s.at:
                t = s.copy()
                t.at = to
                t.marks ^= {to, 69 - to}
                yield "udlr"[way], t


def test_machine_code_of_several_words():
    limits = Limits(expansions=300)
    expected, found = (
        solve(Marking(), BreadthFirst(), engine=engine, limits=limits)
        for engine in ("reference", "compiled")
    )
    assert found.engine == "compiled"
    assert Marking().words == 2
    assert told(found) == told(expected)


def test_solutions_are_verified_by_the_rules_as_they_are_written():
    found = solve(Ice(), BreadthFirst())
    verify_solution(Ice(), found.solution)
    wrong = attrs.evolve(found.solution, steps=found.solution.steps[1:])
    with pytest.raises(VerificationError):
        verify_solution(Ice(), wrong)


LAWS = (
    "starts", "mutation", "successors", "actions", "costs", "goals", "new-starts", "slow-rules",
    "words", "machine-code", "texts",
)  # fmt: skip


@pytest.mark.parametrize("kind", [Ice, Fill])
def test_all_laws_hold(kind):
    with plainly():
        report = check_problem(kind(), states=25, laws=LAWS)
    assert report.ok, str(report)


@pytest.mark.parametrize("kind", ALL)
def test_copies_and_other_starts(kind):
    puzzle = kind()
    same = pickle.loads(pickle.dumps(puzzle))
    steps = list(puzzle.successors(puzzle.start))
    assert list(same.successors(same.start)) == steps
    assert [puzzle.action(puzzle.start, i) for i in range(len(steps))] == [s.action for s in steps]
    moved = puzzle.with_start(steps[0].state)
    assert list(moved.initial_states()) == [steps[0].state]
    assert list(moved.successors(steps[0].state)) == list(puzzle.successors(steps[0].state))


def test_costs_are_seen_where_they_are_yielded():
    assert Fill().costs is Costs.INTEGER
    assert Ice().costs is Costs.UNIT
    cheap = solve(Far(), UniformCost(), engine="reference", limits=Limits(expansions=20))
    assert cheap.statistics.generated > 20


def test_the_checked_engine_finds_nothing_wrong():
    found = solve(Ice(), BreadthFirst(), engine="checked")
    assert found.cost == 7


class Backward(Ice):
    """With its predecessors, which are packed states."""

    def predecessors(self, state):
        for at in range(len(self.next)):
            for step in self.successors(self.pack(at=at)):
                if step.state == state:
                    yield Step(step.action, self.pack(at=at), step.cost)


def test_both_ends_where_predecessors_are_given():
    assert solve(Backward(), Bidirectional()).cost == 7
    with pytest.raises(
        UnsuitableError, match="predecessors of packed states are compiled for toggles alone"
    ):
        solve(Backward(), Bidirectional(), engine="compiled")


# What is said where something is wrong


class Beyond(Ice):
    """Its numbers leave their bounds in the second step."""

    def expand(self, s):
        t = s.copy()
        t.at = s.at * 9 + 5
        yield "jump", t


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_number_beyond_its_bounds_is_an_error_with_its_line(engine):
    message = (
        r"Beyond: .*test_listed\.py:\d+: at becomes 50; it must be from 0 to 40 \(in the state"
    )
    with plainly(), pytest.raises(ProblemError, match=message):
        solve(Beyond(), BreadthFirst(), engine=engine)


class LongLists(Ice):
    """A list that is longer than fields have values."""

    def expand(self, s):
        found = [s.at]
        while len(found) < 200:
            found.append(s.at)
        t = s.copy()
        t.at = (s.at + len(found)) % 41
        yield "up", t


def test_what_machine_code_has_no_room_for_is_said():
    with plainly(), pytest.raises(CompilationError, match="a list of more than 64 items"):
        solve(LongLists(), BreadthFirst(), engine="compiled")
    with plainly():
        found = solve(LongLists(), BreadthFirst(), limits=Limits(expansions=3))
    assert found.engine == "reference"


class Printing(Ice):
    """Its rules run in Python alone."""

    def expand(self, s):
        print(end="")
        yield from Ice.expand(self, s)


def test_rules_that_machine_code_cannot_have_run_in_python():
    assert solve(Printing(), BreadthFirst()).cost == 7
    with pytest.raises(CompilationError, match=r"test_listed\.py:\d+: calls print; leave it out"):
        solve(Printing(), BreadthFirst(), engine="compiled")


LEAP = [2]


class Changing(Ice):
    """Its rules look at what changes behind their back."""

    def expand(self, s):
        t = s.copy()
        t.at = (s.at + self.leap[0]) % 40
        yield "leap", t

    leap = LEAP


def test_machine_code_that_says_something_else_is_no_answer():
    puzzle = Changing()
    LEAP[0] = 3
    try:
        with (
            plainly(),
            pytest.raises(
                CompilationError, match=r"Changing\.expand, .*py:\d+: machine code gives"
            ),
        ):
            solve(puzzle, BreadthFirst(), engine="compiled")
        with plainly(), pytest.raises(CompilationError, match="machine code gives"):
            explore(puzzle, engine="compiled")
    finally:
        LEAP[0] = 2


def fields_with(**members):
    class Made(Fields):
        def __init__(self):
            self.declare(at=Int(4), row=Array(2, 3), few=Set(3))
            self.start = self.pack(at=0, row=[0, 0], few=[])
            self.goal = self.pack(at=3, row=[0, 0], few=[])

        def expand(self, s):
            t = s.copy()
            t.at = (s.at + 1) % 4
            yield "on", t

    return type("Made", (Made,), members)


def legal(self, s, i):
    return True


def no_generator(self, s):
    return [("on", s)]


def bare(self, s):
    yield s


def number(self, s):
    yield "on", 3


def growing(self, s):
    t = s.copy()
    t.row.append(1)
    yield "on", t


def chance(self, s):
    yield random.random(), s


def two(self, s, i):
    yield i, s


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"legal": legal}, "lists the steps, so that legal is never called; keep one of the two"),
        ({"ranked": True}, "states are ranked where there are moves; leave ranked out"),
        ({"expand": two}, r"must be written expand\(self, s\)"),
        ({"expand": chance}, "calls random.random; a rule must give the same answer each time"),
        ({"expand": 3}, r"must be written expand\(self, s\)"),
    ],
)
def test_what_does_not_go_together_is_said_when_the_puzzle_is_made(members, message):
    with pytest.raises(ProblemError, match=f"Made: expand.*: {message}"):
        fields_with(**members)()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (no_generator, r"expand returns \[.*; yield label, child"),
        (bare, "expand yields .*; yield label, child"),
        (number, "expand yields 3 for a child; change a copy"),
        (growing, "row has 3 numbers; it is an Array of 2"),
    ],
)
def test_what_is_no_step_is_said(rule, message):
    puzzle = fields_with(expand=rule)()
    with pytest.raises(ProblemError, match=f"Made: .*{message}"):
        solve(puzzle, BreadthFirst(), engine="reference")


def test_pattern_databases_need_moves():
    with pytest.raises(UnsuitableError, match="Ice lists its steps by expand, and pattern"):
        pattern_heuristic(Ice(), "at")


class Counters(Fields):
    """Four counters step to free neighbours on a board with a mirror image."""

    undirected = True

    def __init__(self):
        self.declare(full=Set(12))
        self.start = self.pack(full=[0, 3, 5, 6])
        self.goal = self.pack(full=[8, 9, 10, 11])

    def expand(self, s):
        for cell in s.full:
            for step in (-4, 4, -1, 1):
                to = cell + step
                is_near = 0 <= to < 12 and abs(to % 4 - cell % 4) <= 1
                if is_near and to not in s.full:
                    t = s.copy()
                    t.full ^= {cell, to}
                    yield (cell, to), t

    def mirrored(self, cell):
        return cell // 4 * 4 + 3 - cell % 4

    def symmetries(self):
        def image(state):
            return self.pack(full=map(self.mirrored, self.unpack(state).full))

        bits = tuple(map(self.mirrored, range(12)))
        yield Symmetry("same", lambda s: s, lambda a: a, bits=tuple(range(12)))
        yield Symmetry("mirror", image, lambda a: tuple(map(self.mirrored, a)), bits=bits)


def test_symmetries_fold_listed_steps():
    for engine in ("reference", "compiled"):
        with plainly():
            space = explore(Counters(), engine=engine, symmetry="auto")
        assert sum(space.layers) == 495
        assert sum(space.canonical_layers) < 300


WON = {0: 3, 1: 5, 2: 7, 3: 6}


class Wheels(Fields):
    """What `expand` looks up is of each object, and is not what `at_goal` looks up."""

    def __init__(self, turns, won=WON):
        self.turns, self.won = turns, won
        self.declare(at=Int(4), wheel=Int(8))
        self.start = self.pack(at=0, wheel=0)

    def expand(self, s):
        for i in range(2):
            child = s.copy()
            child.wheel = (s.wheel + self.turns[s.at]) % 8
            child.at = (s.at + i) % 4
            yield i, child

    def at_goal(self, s):
        return WON[s.at] == s.wheel

    def estimate(self, s):
        return min(1, abs(s.wheel - self.won.get(s.at, WON[s.at])))


@pytest.mark.parametrize("kind", [list, dict])
def test_each_object_looks_up_what_is_its_own(kind):
    for turns, won in [((1, 2, 3, 4), WON), ((2, 2, 2, 2), WON), ((3, 5, 1, 1), {0: 5, 3: 6})]:
        puzzle = Wheels(kind(turns) if kind is list else dict(enumerate(turns)), won)
        for algorithm in (BreadthFirst(), AStar()):
            expected = solve(puzzle, algorithm, engine="reference")
            with plainly():
                assert told(solve(puzzle, algorithm, engine="compiled")) == told(expected)
