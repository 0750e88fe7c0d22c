"""Functions that call themselves: what kernels say, how deep they go, and whole searches."""

import contextlib
import re

import pytest

from searchkit import BreadthFirst, Limits, Problem, ProblemError, Step, explore, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError, Trapped
from searchkit.fields import Fields, Int, Set
from searchkit.solving import plan
from searchkit.translation.packing import TEXT
from searchkit.translation.refusals import Untranslatable
from searchkit.translation.rules import translate
from searchkit.translation.types import Atoms, Seq
from searchkit.translation.types import Int as Number
from tests.translation import recursive
from tests.translation.test_rules import Cells
from tests.translation.test_snippets import STATES, Plain, compare, rules_in


@pytest.mark.slow_variants("unlike2")
@pytest.mark.parametrize("rule", rules_in(recursive), ids=lambda rule: rule.__name__)
def test_kernels_say_what_python_says(rule):
    compare(rule, STATES[:14], may_trap=False)


def held(n, acc):
    acc.append(n)
    if n > 0:
        found = held(n - 1, acc)
        found.append(7)
        acc.append(8)
    return acc


def held_list(s):
    return (len(held(s[0], [])), 0, 0, 0, 0)


def either_of(n, one, other):
    if n <= 0:
        return one
    one.append(n)
    return other if n > 3 else either_of(n - 1, other, one)


def one_or_other(s):
    a, b = [1], [2]
    either_of(s[0], a, b).append(9)
    return (len(a), len(b), sum(a), 0, 0)


def passed(n, mine, theirs):
    if n <= 0:
        return len(theirs)
    own = [n, *mine]
    count = passed(n - 1, theirs, own)
    own.append(n)
    mine.append(count)
    return len(own) + len(mine) * 10


def lists_that_change_places(s):
    a = [1]
    return (passed(s[0], a, []), len(a), 0, 0, 0)


def over_a_set(i, seen, out):
    out.append(i)
    for x in {i + 1, i * 2 % 7}:
        if x not in seen and x < 7:
            seen.add(x)
            over_a_set(x, seen, out)


def order_of_a_set(s):
    out = []
    over_a_set(s[0], set(), out)
    return tuple((*out, 0, 0, 0, 0, 0)[:5])


def any_of_a_set(i, seen):
    seen.append(i)
    return i > 9 or any(any_of_a_set(x, seen) for x in {i + 1, i + 3} if x not in seen)


def order_of_an_answer(s):
    seen = []
    return (int(any_of_a_set(s[0], seen)), *seen[:1], len(seen), 0, 0)


def raises(n):
    try:
        return 1 // n + raises(n - 1)
    except ZeroDivisionError:
        return 5


def within_try(s):
    return (raises(abs(s[0])), 0, 0, 0, 0)


def asks_late(s):
    def one(n):
        return two(n - 1) if n > 0 else 1

    found = one(s[0])

    def two(n):
        return one(n) + 1

    return (found, 0, 0, 0, 0)


def consumed(n, board):
    if n > 0:
        for x in consumed(n - 1, board):
            board.append(x)
            yield x + len(board)
    yield n


def changed_by_both(s):
    board = []
    return (sum(consumed(s[0], board)), len(board), 0, 0, 0)


def deep_by_items(n):
    return n <= 0 or any(deep_by_items(n - k) for k in (1, 2))


def deep_items(n):
    if n > 0:
        yield from deep_items(n - 1)
    yield n


def deeper_than_python(s):
    """Python raises a RecursionError somewhere between 100 and 1000 calls, each in its own way."""
    return (int(deep_by_items(s[0] * 90)), sum(deep_items(s[1] * 90)), 0, 0, 0)


ATTACKS = (
    held_list, one_or_other, order_of_an_answer, lists_that_change_places, order_of_a_set,
    within_try, asks_late, changed_by_both, deeper_than_python,
)  # fmt: skip


@pytest.mark.parametrize("rule", ATTACKS, ids=lambda rule: rule.__name__)
def test_no_kernel_says_something_else(rule):
    with contextlib.suppress(Untranslatable):
        compare(rule, STATES, may_trap=True)


def endless(n):
    return endless(n + 1) * 2


def never(s):
    return (endless(s[0]), 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        (one_or_other, "changes the list `.*`, which has two names"),
        (order_of_a_set, "goes through a set in .*, whose order"),
        (order_of_an_answer, "calls itself while it goes through a set"),
        (within_try, "calls itself within try; test with if"),
        (changed_by_both, "goes through what it yields itself"),
        (never, "calls itself before it is known what it returns; begin with the case"),
    ],
)
def test_what_is_not_translated(rule, reason):
    with pytest.raises(Untranslatable, match=reason) as error:
        translate(Plain(rule), Seq(Number(), 5, 5), Atoms())
    assert re.search(r"test_recursion\.py:\d+", str(error.value))


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def as_deep_as_it_goes(s):
    return (deep(s[0]), 0, 0, 0, 0)


def test_depth_is_bounded_before_python_is():
    kind, atoms = Seq(Number(), 5, 5), Atoms()
    rules = translate(Plain(as_deep_as_it_goes), kind, atoms)
    own = Cells(kind, atoms, rules)
    size, last = (int(re.search(rf"{name} = (\d+)", getattr(rules.expand["successors"], TEXT))[1])
                  for name in ("stack_size", "stack_last"))  # fmt: skip
    most = last // size
    assert 100 < most < 1000
    assert list(rules.expand["successors"](own, (most, 0, 0, 0, 0))) == [(0, (most, 0, 0, 0, 0))]
    for more in (most + 1, 10_000, -1):
        with pytest.raises(Trapped):
            list(rules.expand["successors"](own, (more, 0, 0, 0, 0)))


MAZE = ["#######", "# . # #", "# $ $ #", "#@ .  #", "#######"]


class Rooms(Problem):
    """Pushes of boxes, where a flood says what the keeper reaches; sums of chains of jumps."""

    def __init__(self):
        cells = {(r, c): mark for r, row in enumerate(MAZE) for c, mark in enumerate(row)}
        self.walls = {cell for cell, mark in cells.items() if mark == "#"}
        self.goals = {cell for cell, mark in cells.items() if mark == "."}
        self.boxes = tuple(sorted(cell for cell, mark in cells.items() if mark == "$"))

    def initial_states(self):
        return [((3, 1), self.boxes)]

    def fill(self, cell, boxes, seen):
        if cell in seen or cell in self.walls or cell in boxes:
            return
        seen.add(cell)
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            self.fill((cell[0] + dr, cell[1] + dc), boxes, seen)

    def jumps(self, cell, boxes, path):
        """The keeper climbs over boxes, as often as there is one behind."""
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            over, to = (cell[0] + dr, cell[1] + dc), (cell[0] + 2 * dr, cell[1] + 2 * dc)
            if over in boxes and to not in boxes and to not in self.walls and to not in path:
                yield to, len(path)
                yield from self.jumps(to, boxes, (*path, to))

    def successors(self, state):
        keeper, boxes = state
        seen = set()
        self.fill(keeper, boxes, seen)
        for r, c in boxes:
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                to = (r + dr, c + dc)
                if (r - dr, c - dc) in seen and to not in self.walls and to not in boxes:
                    rest = [box for box in boxes if box != (r, c)]
                    yield Step((r, c), ((r, c), tuple(sorted([*rest, to]))))
        for to, far in self.jumps(keeper, boxes, (keeper,)):
            yield Step(("jump", far), (to, boxes))

    def is_goal(self, state):
        def all_in(i):
            return i == len(state[1]) or (state[1][i] in self.goals and all_in(i + 1))

        return all_in(0)


def test_whole_searches_by_machine_code():
    expected, found = (explore(Rooms(), engine=engine) for engine in ("reference", "compiled"))
    assert found.layers == expected.layers
    assert sum(found.layers) > 100
    expected, found = (
        solve(Rooms(), BreadthFirst(), engine=engine) for engine in ("reference", "compiled")
    )
    assert found.solution.actions == expected.solution.actions
    assert found.statistics.generated == expected.statistics.generated


def small(state):
    return tuple([x % 8 - 2 for x in state])


class Four(Problem):
    """Four rules, each a step to numbers of one digit."""

    def initial_states(self):
        return [small(state) for state in STATES[:12]]

    def successors(self, state):
        yield Step(0, small(self.first(state)))
        yield Step(1, small(self.second(state)))
        yield Step(2, small(self.third(state)))
        yield Step(3, small(self.fourth(state)))

    def is_goal(self, state):
        return False


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(rules_in(recursive)) // 4))
def test_rules_by_machine_code(number):
    chosen = rules_in(recursive)[4 * number : 4 * number + 4]
    names = zip(("first", "second", "third", "fourth"), map(staticmethod, chosen), strict=True)
    kind = type("Four", (Four,), {"__module__": __name__, **dict(names)})
    limits = Limits(expansions=500)
    expected, found = (
        explore(kind(), engine=engine, limits=limits) for engine in ("reference", "compiled")
    )
    assert found.layers == expected.layers
    assert found.statistics.generated == expected.statistics.generated


class Hops(Fields):
    """Pegs in a row: a chain of jumps is one move. Copies of the state are made on the way."""

    def __init__(self):
        self.declare(pegs=Set(9), last=Int(9))
        self.start = self.pack(pegs=[0, 1, 2, 4, 6, 7], last=3)

    def chain(self, s, at, many):
        for way in (-1, 1):
            over, to = at + way, at + 2 * way
            if 0 <= to < 9 and over in s.pegs and to not in s.pegs and many < 3:
                after = s.copy()
                after.pegs.remove(at)
                after.pegs.remove(over)
                after.pegs.add(to)
                after.last = to
                yield (at, to, many), after
                yield from self.chain(after, to, many + 1)

    def expand(self, s):
        for at in range(9):
            if at in s.pegs:
                yield from self.chain(s, at, 0)

    def at_goal(self, s):
        return len(s.pegs) == 1


def test_declared_fields():
    expected, found = (explore(Hops(), engine=engine) for engine in ("reference", "compiled"))
    assert found.layers == expected.layers
    assert sum(found.layers) == 23


class Countdown(Problem):
    """Steps that count down by calls, `steep` of them for one."""

    steep = 1

    def initial_states(self):
        return [(0,)]

    def down(self, n):
        return 0 if n == 0 else 1 + self.down(n - 1)

    def successors(self, state):
        yield Step("up", (self.down(state[0] * self.steep) // self.steep + 1,))

    def is_goal(self, state):
        return state[0] == 60


@pytest.mark.parametrize(("steep", "error"), [(1100, ProblemError), (30, CompilationError)])
def test_where_python_raises_its_own_error_is_raised(steep, error, monkeypatch):
    """With 30 there is a state that Python can go on from, and machine code cannot."""
    problem = Countdown()
    problem.steep = steep
    with plainly():
        with pytest.raises(error, match=r"RecursionError|cannot go on from the state"):
            solve(problem, BreadthFirst(), engine="compiled")
        monkeypatch.setattr(plan, "TRIAL_NODES", 5)
        with pytest.raises(ProblemError, match="RecursionError"):
            solve(problem, BreadthFirst())


class OfItself(Countdown):
    """Rules that call themselves, and rules of the same name."""

    def successors(self, state):
        if state[0] > 5:
            for step in self.successors((state[0] % 5,)):
                yield Step("down", (step.state[0] + 1,))
        yield from super().successors(state)

    def is_goal(self, state):
        return state[0] > 2 and (state[0] == 7 or self.is_goal((state[0] - 2,)))


class Printing(OfItself):
    def successors(self, state):
        print(state)
        yield from super().successors(state)


def test_rules_may_call_themselves():
    problem, atoms, kind = OfItself(), Atoms(), Seq(Number(), 1, 1)
    rules = translate(problem, kind, atoms)
    own = Cells(kind, atoms, rules)
    for number in range(20):
        expected = [step.state for step in problem.successors((number,))]
        assert [each[1] for each in rules.expand["successors"](own, (number,))] == expected
        assert rules.at_goal(own, (number,)) == problem.is_goal((number,))
    with pytest.raises(Untranslatable, match="calls print; leave it out"):
        translate(Printing(), kind, Atoms())
