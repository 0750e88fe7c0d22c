"""Rules are made into kernels once for all objects of a class of which the same is true."""

import ast
import builtins
import linecache
import math
import random
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import AStar, BreadthFirst, explore, solve
from searchkit.authors.kin import kin_of, kind_of
from searchkit.compiled.specialise.plain import plainly
from searchkit.fields import Array, Fields, Int, puzzle
from searchkit.fields.forms import forms_of
from searchkit.kernel_language import definition
from searchkit.kernel_language.definition import MADE_FROM
from searchkit.kernel_language.program import Program
from searchkit.premises.patience import Patience
from searchkit.premises.reasons import MOST_FLOORS
from searchkit.solving import plan
from searchkit.solving.unsolvable import Doubts
from searchkit.translation import calls as translation_calls
from tests.fields.puzzles import Jugs, Lights, Rush, Sokoban, Tiles
from tests.fields.random_puzzles import Writer
from tests.fields.test_random import states_of

OTHER_BOARD = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"
KERNELS = ("at_goal", "legal", "apply", "cost", "control", "rank", "unrank")


def varied_class(seed):
    """A random class whose objects are changed by what they are given."""
    text = Writer(seed).text()
    text = text.replace("def __init__(self):", "def __init__(self, change):")
    text = text.replace("    def level(", "        change(self)\n    def level(", 1)
    file = f"<varied puzzle {seed}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {"Fields": Fields, "Array": Array, "Int": Int, "__name__": "random_puzzle"}
    exec("from searchkit.fields import Set", names)
    exec(compile(text, file, "exec"), names)
    return names["Made"], text


def change_by(seed):
    """What gives an object other numbers, lists of other lengths, and other moves."""
    rng = random.Random(seed)

    def change(self):
        if rng.random() < 0.3:
            return
        high = rng.choice([4, 6, 30])
        self.size = rng.randrange(-2, high)
        self.line = [rng.randrange(-2, high) for _ in range(rng.choice([4, 4, 5]))]
        self.grid = [[rng.randrange(high), rng.randrange(5)] for _ in range(3)]
        self.rows = [[rng.randrange(4) for _ in range(rng.choice([2, 2, 3]))] for _ in range(3)]
        self.small = [[rng.randrange(3) for _ in range(rng.randrange(1, 4))], [1]]
        self.pairs = [(rng.randrange(3), rng.randrange(4)) for _ in range(rng.randrange(1, 4))]
        self.few = {rng.randrange(4), 3}
        low, below = self.layout.fields["many"].low, self.layout.fields["many"].below
        self.whole = [rng.randrange(low, below + (rng.random() < 0.1)) for _ in self.whole]
        self.moves = self.moves[: rng.choice([1, 4, 9])]

    return change


def texts_of(made):
    """What kernels say."""
    parts = [each for each in (made, getattr(made, "bound", None)) if each is not None]
    found = [Program.of(each).carried for each in parts]
    trees = {
        name: getattr(value, MADE_FROM)
        for members in found
        for name, value in members.items()
        if hasattr(value, MADE_FROM)
    }
    return {
        name: ast.dump(each) if isinstance(each, ast.AST) else str(each)
        for name, each in trees.items()
    }


def made_alone(monkeypatch, make):
    """An object for which nothing is known of its class."""
    with monkeypatch.context() as patch:
        patch.setattr(puzzle, "forms_of", lambda kind, key: ())
        patch.setattr(puzzle, "keep", lambda kind, key, form: None)
        return make()


@given(st.integers(0, 1 << 40), st.lists(st.integers(0, 30), min_size=2, max_size=4))
@settings(max_examples=25, deadline=None)
def test_objects_of_a_class_have_the_kernels_they_would_have_alone(seed, seeds):
    kind, text = varied_class(seed)
    with pytest.MonkeyPatch.context() as monkeypatch:
        for each in seeds:
            made = kind(change_by(each))
            alone = made_alone(monkeypatch, lambda each=each: kind(change_by(each)))
            assert texts_of(made) == texts_of(alone), text
            assert made.tables == alone.tables, text
            assert (made.lists, made.changes) == (alone.lists, alone.changes), text


@given(st.integers(0, 1 << 40), st.lists(st.integers(0, 30), min_size=2, max_size=4))
@settings(max_examples=25, deadline=None)
def test_interleaved_objects_do_what_their_rules_say(seed, seeds):
    kind, text = varied_class(seed)
    made = [kind(change_by(each)) for each in seeds]
    walks = [states_of(each.slow_rules(), 8) for each in made]
    for places in zip(*walks, strict=False):
        for each, (state, steps) in zip(made, places, strict=True):
            assert list(packed(each, state)) == [(a, s, c) for a, s, c in steps], text
            assert bool(each.at_goal(state)) == each.slow_rules().is_goal(state), text


def packed(problem, state):
    """The steps by kernels."""
    control = problem.control(state)
    for operator in problem.operators(control):
        if problem.legal(state, control, operator):
            cost = problem.cost(state, control, operator)
            yield problem.action(state, operator), problem.apply(state, control, operator), cost


class Line(Fields):
    """A walk along a line, by the numbers it is given."""

    def __init__(self, steps, goal, below=40):
        self.steps, self.far = steps, goal
        self.declare(at=Int(below))
        self.moves = list(range(len(steps)))
        self.start = self.pack(at=0)

    def legal(self, s, i):
        return s.at + self.steps[i] < LIMIT

    def apply(self, s, i):
        s.at += self.steps[i]

    def at_goal(self, s):
        return s.at == self.far + SHIFT

    def estimate(self, s):
        return int(s.at < self.far + SHIFT)


SHIFT, LIMIT = 0, 40


class Walk(Line):
    """A walk both ways, with rules that name the object, whose text is no other's."""

    undirected = True

    def __repr__(self):
        return f"walk {id(self)}"

    def legal(self, s, i):
        return self._is_inside(s.at + self.steps[i])

    def _is_inside(self, at):
        return 0 <= at < LIMIT

    def estimate(self, s):
        return int(not self.at_goal(s))


@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(1, 9), min_size=1, max_size=4, unique=True),
            st.integers(0, 39),
            st.sampled_from([40, 50]),
        ),
        min_size=2,
        max_size=6,
    )
)
@settings(max_examples=25, deadline=None)
def test_searches_of_interleaved_objects_agree_with_the_reference_engine(given_numbers):
    made = [Line(*each) for each in given_numbers]
    assert len({kind_of(each) for each in made}) <= 8
    for each, twin in zip(made, map(Line, *zip(*given_numbers, strict=True)), strict=True):
        for engine in ("compiled", "checked"):
            found = solve(each, BreadthFirst(), engine=engine)
            known = solve(twin, BreadthFirst(), engine="reference")
            assert (found.status, found.cost) == (known.status, known.cost)


def test_a_global_that_has_changed_makes_other_kernels(monkeypatch):
    first = Line([2, 3], 12)
    monkeypatch.setitem(globals(), "SHIFT", 1)
    second = Line([2, 3], 12)
    assert kind_of(first) is kind_of(second)
    assert [first.at_goal(12), first.at_goal(13)] == [True, False]
    assert [second.at_goal(12), second.at_goal(13)] == [False, True]
    monkeypatch.setitem(globals(), "LIMIT", 30)
    third = Line([2, 3], 12)
    assert kind_of(first) is not kind_of(third)
    assert [len(list(packed(each, 29))) for each in (first, third)] == [2, 0]
    monkeypatch.setitem(globals(), "LIMIT", 40)
    assert kind_of(Line([2, 3], 12)) is kind_of(first)


def test_a_rule_that_was_replaced_makes_other_kernels(monkeypatch):
    first = Line([2, 3], 12)
    monkeypatch.setattr(Line, "at_goal", lambda self, s: s.at == self.far - 1)
    second = Line([2, 3], 12)
    assert [first.at_goal(12), second.at_goal(12), second.at_goal(11)] == [True, False, True]


@pytest.mark.parametrize(
    "make",
    [
        Rush, lambda: Rush(OTHER_BOARD), Jugs, Lights, Sokoban, Tiles,
        lambda: Line([1, 2], 7), lambda: Line([3], 9), lambda: Walk([2, -2], 8),
    ],
)  # fmt: skip
def test_a_second_object_reads_compiles_and_makes_nothing(make, monkeypatch):
    first, calls = make(), []
    read, compiled = definition.source_of, builtins.compile
    for module in (definition, translation_calls):
        monkeypatch.setattr(module, "source_of", lambda *a: calls.append("read") or read(*a))
    monkeypatch.setattr(
        builtins, "compile", lambda *a, **b: calls.append("compile") or compiled(*a, **b)
    )
    second = make()
    assert kind_of(second) is kind_of(first)
    assert second.tables == first.tables
    assert calls == []
    monkeypatch.setattr(translation_calls, "_sources", {})
    alone = made_alone(monkeypatch, make)
    assert kind_of(alone) is not kind_of(first)
    assert {"read", "compile"} <= {*calls}


def test_boards_of_one_shape_share_their_kernels():
    boards = [
        "AAooooBBooooooooooCCooooDDoooooooooo"[:36],
        "ooAAooBBooooooooooCCoooooDDooooooooo"[:36],
    ]
    assert len({type(Rush(board)) for board in boards}) == 1
    assert explore(Rush(boards[0])).states > 1


def test_further_boards_are_compared_with_their_rules_at_few_states(monkeypatch):
    monkeypatch.setattr(Patience, "is_over", lambda self: True)
    asked, stepped = [], []
    listed, written = Fields.successors, Fields.written_step
    monkeypatch.setattr(Fields, "successors", lambda *a: asked.append(a) or listed(*a))
    monkeypatch.setattr(Fields, "written_step", lambda *a: stepped.append(a) or written(*a))
    counts = []
    with plainly():
        for goal in range(28, 28 + MOST_FLOORS + 3):
            asked.clear()
            stepped.clear()
            found = solve(Line([1, 2], goal), BreadthFirst(), engine="compiled")
            counts.append(len(asked))
            assert len(stepped) == found.cost == (goal + 1) // 2
    assert counts[0] > 20
    assert max(counts[MOST_FLOORS + 1 :]) < 10


FAR = {"fast": 3, "slow": 2, "idle": 1}


class Named(Fields):
    """Rules that look at a text, and at an object without numbers, of which each has others."""

    def __init__(self, mode, other):
        self.declare(at=Int(60))
        self.mode, self.other = mode, other
        self.moves = {"on": (1,), "back": (-1,)}
        self.start = self.pack(at=0)

    def legal(self, s, way):
        return 0 <= s.at + way * FAR[self.mode] < 60

    def apply(self, s, way):
        s.at += way * (FAR[self.mode] if self.mode != "idle" else len(self.mode) - 3)

    def at_goal(self, s):
        return s.at >= 10 + ("s" in self.mode) + (self.mode > "lazy") + (self.other is None)


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_objects_with_other_texts_do_what_their_rules_say(engine):
    costs = []
    with plainly():
        for mode in ("fast", "slow", "idle", "fast", "idle"):
            for other in (None, object(), "text"):
                made = Named(mode, other)
                alike = [s for s in range(60) if made.is_goal(s) == bool(made.at_goal(s))]
                assert len(alike) == 60
                costs.append(solve(made, BreadthFirst(), engine=engine).cost)
    assert costs == [
        -(-(10 + ("s" in mode) + (mode > "lazy") + (other == 0)) // FAR[mode])
        for mode in ("fast", "slow", "idle", "fast", "idle")
        for other in range(3)
    ]


def test_a_solution_is_walked_back_by_kernels_and_made_by_rules(monkeypatch):
    """The rules are asked along the solution once, to make it, and else at few states."""
    monkeypatch.setattr(Patience, "is_over", lambda self: True)
    asked, listed = [], Fields.successors
    monkeypatch.setattr(Fields, "successors", lambda *a: asked.append(a) or listed(*a))
    with plainly():
        for _ in range(MOST_FLOORS + 2):
            asked.clear()
            found = solve(Walk([1, -1], 39), AStar(), engine="compiled")
    assert found.cost == 39
    assert len(asked) < 20


def test_estimates_of_objects_with_one_form_are_kin():
    heuristics = [Walk([1, -1], goal).default_heuristic() for goal in (20, 30)]
    assert heuristics[0].tables != heuristics[1].tables
    assert kin_of(heuristics[0]) is kin_of(heuristics[1])
    assert kin_of(heuristics[0]) is not kin_of(Line([1, 2], 7).default_heuristic())


def test_a_proof_that_was_not_found_is_not_looked_for_before_each_search(monkeypatch):
    """Machine code is at hand for the second one, which is longer than its trial."""
    monkeypatch.setattr(plan, "TRIAL_NODES", 5)
    monkeypatch.setattr(plan, "SMALL", 12)
    monkeypatch.setattr("searchkit.solving.unsolvable.LASTING", math.inf)
    looked, ended = [], []
    certify, of = Doubts.certify, Doubts.of
    monkeypatch.setattr(Doubts, "certify", lambda self: looked.append(self) or certify(self))
    monkeypatch.setattr(Doubts, "__call__", lambda self, progress: None)
    monkeypatch.setattr(Doubts, "of", lambda self, found: ended.append(self) or of(self, found))
    with plainly():
        found = [solve(Walk([1, -1], goal), AStar()).cost for goal in (10, 33)]
    assert found == [10, 33]
    assert looked == ended[:1]
    assert [each.lasting < math.inf for each in ended] == [False, True]


def test_machine_code_that_has_run_is_used_at_once_for_further_boards(monkeypatch):
    monkeypatch.setattr(plan, "SMALL", 0)
    with plainly():
        before = solve(Line([1, 2], 31), BreadthFirst())
        solve(Line([1, 2], 30), BreadthFirst(), engine="compiled")
        after = solve(Line([1, 2], 31), BreadthFirst())
    assert (before.engine, after.engine) == ("reference", "compiled")
    assert before.cost == after.cost == 16


def test_objects_are_not_kept_by_their_class(collect):
    made = Line([4, 5], 9)
    gone = weakref.ref(made.author)
    del made
    collect()
    assert gone() is None
    assert forms_of(Line, next(iter(vars(Line)["searchkit_forms"])))


def test_threads_make_objects_of_one_class():
    def agrees(seed):
        rng = random.Random(seed)
        steps = rng.sample(range(1, 9), rng.randrange(1, 4))
        made = Line(steps, rng.randrange(1, 39), rng.choice([40, 45, 60]))
        return [step.state for step in made.slow_rules().successors(0)] == [
            state for _, state, _ in packed(made, 0)
        ]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(agrees, range(200)))


class Listed(Fields):
    """A goal as a list."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.declare(at=Array(2, 6))
        self.moves = [0, 1]
        self.start = self.pack(at=[0, 0])

    def apply(self, s, i):
        s.at[i] = (s.at[i] + 1) % 6

    def at_goal(self, s):
        return s.at == self.wanted


@pytest.mark.parametrize("wanted", [[9, 3], [-1, 0], [0, 6]])
def test_an_array_is_never_equal_to_numbers_beyond_its_bounds(wanted):
    assert solve(Listed([2, 3])).cost == 5
    made = Listed(wanted)
    assert not any(made.at_goal(made.pack(at=[i, j])) for i in range(6) for j in range(6))
    assert solve(made, BreadthFirst(), engine="reference").cost is None
