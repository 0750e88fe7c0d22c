"""Functions that rules call at many places, as functions of the machine code as well."""

import importlib
import itertools
import random
import sys

import pytest

from searchkit import AStar, BreadthFirst, Problem, Step, solve
from searchkit.errors import NoRoomError
from searchkit.translation import outlined
from searchkit.translation.packing import PARTS, TEXT
from searchkit.translation.rules import translate
from searchkit.translation.types import Atoms, Int, Seq
from tests.translation.test_snippets import RULES, STATES, Plain, compare

CALLING = [rule for rule in RULES if any(name in rule.__name__ for name in ("helper", "call"))]


@pytest.fixture
def at_once(monkeypatch):
    """Whatever can be apart is so, however short and seldom."""
    monkeypatch.setattr(outlined, "MOST_COPIED", 0)
    monkeypatch.setattr(outlined, "FEWEST_LINES", 0)


@pytest.mark.parametrize(
    "rule", dict.fromkeys([*CALLING, *RULES[::9]]), ids=lambda rule: rule.__name__
)
@pytest.mark.usefixtures("at_once")
def test_kernels_say_what_python_says(rule):
    compare(rule, STATES[:40], may_trap=False)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
@pytest.mark.usefixtures("at_once")
def test_all_kernels_say_what_python_says(rule):
    compare(rule, STATES, may_trap=False)


def parts_of(rule):
    rules = translate(Plain(rule), Seq(Int(), 5, 5), Atoms())
    return getattr(rules.expand["successors"], PARTS)


def halved(s, i, floor):
    """A number, or None; of a state, a number, and a tuple."""
    if s[i] % 3 == 0:
        return None
    total = floor[0]
    for each in s:
        if each > total:
            total += each // 2
    return total - floor[1]


def pair(s, i):
    low, high = s[i], s[(i + 1) % 5]
    if low > high:
        low, high = high, low
    return (low, high * 2 - low)


def optional_numbers_and_tuples(s):
    found = [halved(s, i, (i, s[0])) or 0 for i in range(5)]
    first, second = pair(s, 0), pair(s, 1)
    third = pair(s, 2)
    return (
        found[0] + found[1],
        first[1],
        second[0],
        third[1],
        7 if halved(s, 3, (1, 2)) is None else 8,
    )


def added(row, value):
    row.append(value)
    return len(row)


def changed_lists(s):
    row = list(s)
    return (added(row, 1), added(row, 2), added(row, s[0]), row[-1], sum(row))


@pytest.mark.usefixtures("at_once")
def test_only_what_changes_nothing_is_apart():
    for rule in (optional_numbers_and_tuples, changed_lists):
        compare(rule, STATES, may_trap=False)
    assert len(parts_of(optional_numbers_and_tuples)) > 2
    assert not parts_of(changed_lists)


NUMBERS = ("i", "s[i % 5]", "t[0]", "t[1] * 2", "len(s)", "3", "i - t[1]", "sum(s[:i % 3])")
TUPLES = ("t", "(i, t[0])", "(s[0], 1)", "s[1:3]", "PAIRS[i % 2]", "(t[1], i % 4)")


USES = {
    int: "a += {} % 7",
    bool: "a = a + 2 if {} else a - 1",
    tuple: "b = {}",
    None: "b = {} or b",
}
GIVEN = {
    int: "a + b[1]",
    bool: "a % 2 == 0",
    tuple: "(b[1] % 9, a % 9)",
    None: "(a % 9, b[0] % 9) if a % 3 else None",
}
SHOWN = {
    int: "v{0} % 99",
    bool: "5 if v{0} else 6",
    tuple: "v{0}[0] * 9 + v{0}[1]",
    None: "-1 if v{0} is None else v{0}[0] * 9 + v{0}[1]",
}


def random_functions(draw):
    """The text of functions that call those before them, each with all of a state or a part."""
    lines = ["PAIRS = ((1, 2), (0, 3))", "", "def f0(s, i, t):", "    return i + t[0] - t[1]"]
    kinds = [int]
    for n in range(1, 5):
        kinds.append(draw(list(GIVEN)))
        lines += ["", f"def f{n}(s, i, t):", "    a, b = 0, (t[0], t[1])"]
        for _ in range(draw([1, 2, 3])):
            m, turns = draw(range(n)), draw(["2", "i % 3", "len(t)"])
            use = USES[kinds[m]].format(f"f{m}(s, {draw(NUMBERS)}, {draw(TUPLES)})")
            is_loop = draw([0, 0, 1])
            lines += [f"    for i in range({turns}):"] * is_loop + ["    " * is_loop + f"    {use}"]
        if draw([0, 1]):
            lines += [f"    if a > {draw(NUMBERS)}:", "        a -= b[0]"]
        lines.append(f"    return {GIVEN[kinds[n]]}")
    lines += ["", "def rule(s):"]
    called = [draw(range(5)) for _ in range(5)]
    for i, n in enumerate(called):
        lines.append(f"    v{i} = f{n}(s, {draw(range(4))}, {draw(['(1, 2)', '(s[0], s[1])'])})")
    shown = ", ".join(SHOWN[kinds[n]].format(i) for i, n in enumerate(called))
    return "\n".join([*lines, f"    return ({shown})", ""])


@pytest.mark.spread("9", "13", "20")
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.usefixtures("at_once")
def test_random_functions_say_what_python_says(functions, seed):
    module = functions(random_functions(random.Random(seed).choice))
    compare(module.rule, STATES[:30], may_trap=False)
    assert parts_of(module.rule)


def nested(depth):
    """The text of functions of two calls each."""
    lines = ["def f0(s, i):", "    return s[i % 5] + i"]
    for n in range(1, depth + 1):
        lines += [
            f"def f{n}(s, i):",
            f"    a = f{n - 1}(s, i + 1)",
            f"    if a > {n * 3}:",
            f"        a -= {n}",
            f"    return a + f{n - 1}(s, a % 7) % {n + 11}",
        ]
    return "\n".join(lines) + "\n"


@pytest.fixture
def functions(tmp_path, monkeypatch):
    """What makes a module of a text."""
    monkeypatch.syspath_prepend(tmp_path)
    numbers = itertools.count()

    def make(text):
        name = f"outlined_functions_{next(numbers)}"
        (tmp_path / f"{name}.py").write_text(text)
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, name, raising=False)
        return importlib.import_module(name)

    return make


class Nested(Problem):
    """Numbers, one of which is replaced by what functions within functions say of all."""

    def __init__(self, function, last=6):
        self.function, self.last = function, last

    def initial_states(self):
        return [(0, 1, 2, 3, 4)]

    def successors(self, state):
        for i in range(5):
            yield Step(i, (*state[:i], self.function(state, i) % self.last, *state[i + 1 :]))

    def is_goal(self, state):
        return state[0] == state[1] == state[2] == state[3] == self.last - 1


def test_text_grows_with_the_functions_and_not_with_the_calls(functions):
    sizes = []
    for depth in (5, 7, 9):
        own = getattr(functions(nested(depth)), f"f{depth}")
        kernel = translate(Nested(own), Seq(Int(), 5, 5), Atoms()).expand["successors"]
        parts = getattr(kernel, PARTS)
        sizes.append(sum(getattr(each, TEXT).count("\n") for each in (kernel, *parts.values())))
        assert parts
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0] < 100


@pytest.mark.slow_variants("AStar(heuristic=None, incumbents='none')-5")
@pytest.mark.spread
@pytest.mark.parametrize("last", [6, 5])
@pytest.mark.parametrize("algorithm", [BreadthFirst(), AStar()], ids=repr)
def test_engines_agree(functions, algorithm, last):
    problem = Nested(functions(nested(8)).f8, last)
    found, expected = (
        solve(problem, algorithm, engine=engine) for engine in ("compiled", "reference")
    )
    assert found.status is expected.status
    assert found.cost == expected.cost
    assert found.statistics.expanded == expected.statistics.expanded


GROWING = """
def grown(s, i):
    a = s[i] + 1
    for n in range(6):
        a = a * (s[0] + 3)
        if a > 1000 and s[0] < 30:
            a = a % 1000
    return a

def several(s):
    return grown(s, 0) + grown(s, 1) + grown(s, 2)
"""


class Growing(Problem):
    """Numbers that become too large for machine code within a function that is apart."""

    def __init__(self, function):
        self.function = function

    def initial_states(self):
        return [(1, 2, 3)]

    def successors(self, state):
        yield Step("next", (state[0] + 100 * (self.function(state) > 0), state[1], state[2]))
        yield Step("over", (state[0], self.function(state) % 5, 1))

    def is_goal(self, state):
        return state[0] > 20_000


@pytest.mark.usefixtures("at_once")
def test_a_reason_is_told_with_the_line_of_the_function(functions):
    module = functions(GROWING)
    with pytest.raises(NoRoomError, match=r"grown, .*\.py:5: .* a number beyond 2\*\*40"):
        solve(Growing(module.several), BreadthFirst(), engine="compiled")
