"""Why there is no machine code for a problem: the line that is the reason, and what helps."""

import ast
import enum
import heapq
import inspect
import random
import re
from dataclasses import dataclass, field, replace

import attrs
import pytest

from searchkit import AStar, BreadthFirst, Problem, Step, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError
from searchkit.interop.aima import Problem as AimaProblem
from searchkit.translation import memory, rooms, sampling, statements
from searchkit.translation.search import Making


class Way(enum.Enum):
    NORTH = "n"
    SOUTH = "s"


class Named(enum.StrEnum):
    HERE = "here"
    THERE = "there"


class Rules(Problem):
    """A start, and what a test says of the steps."""

    start: object = (0, "ab")

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        yield Step("again", state)

    def is_goal(self, state):
        return False


class GoesOnWithTexts(Rules):
    """By numbers of words it fails at once; by letters it comes as far as to `is_goal`."""

    start = "ab"

    def successors(self, state):
        if len(state) < 5:
            yield Step("longer", state + "c")

    def is_goal(self, state):
        return complex(len(state)) == 3  # the reason


class MethodsOfTexts(Rules):
    start = (0, Named.HERE)

    def successors(self, state):
        yield Step("upper", (len(state[1].upper()), state[1]))  # the reason
        yield Step("there", (0, Named.THERE))


class ClassOfState(Rules):
    start = (0, 1.5)


class NumbersOfWords(Rules):
    start = (Way.NORTH, 3)

    def successors(self, state):
        yield Step("add", (state[0], state[0] + state[1]))  # the reason
        yield Step("turn", (Way.SOUTH, state[1]))


@attrs.frozen
class Level:
    n: int = attrs.field(validator=attrs.validators.le(3))


@dataclass(frozen=True)
class Checked:
    n: int

    def __post_init__(self):
        if self.n > 3:
            raise ValueError


@dataclass(frozen=True)
class Derived(Checked):
    m: int = 0


@dataclass(frozen=True)
class Filled:
    n: int
    items: tuple = field(default_factory=tuple)


class ChecksByAttrs(Rules):
    start = Level(0)

    def successors(self, state):
        with_more = Level(state.n + 1)  # the reason
        yield Step("more", with_more)


class ChecksByItsBase(Rules):
    start = Derived(0)

    def successors(self, state):
        yield Step("more", Derived(state.n + 1))  # the reason


class ChecksWhatIsReplaced(Rules):
    start = Checked(0)

    def successors(self, state):
        yield Step("more", replace(state, n=state.n + 1))  # the reason


class FillsIn(Rules):
    start = Filled(0)

    def successors(self, state):
        yield Step("more", Filled((state.n + 1) % 3))  # the reason


CHECKS = "whose class checks or changes what it is given; do so in the rules, or use a tuple"
REASONS = {
    ChecksByAttrs: f".successors, {{line}}: makes a Level, {CHECKS}",
    ChecksByItsBase: f".successors, {{line}}: makes a Derived, {CHECKS}",
    ChecksWhatIsReplaced: f".successors, {{line}}: makes a Checked, {CHECKS}",
    FillsIn: ".successors, {line}: makes a Filled without a field for which a function makes",
    GoesOnWithTexts: ".is_goal, {line}: calls complex; write it out",
    MethodsOfTexts: ".successors, {line}: calls .upper of a Named; look the answer up in a dict",
    ClassOfState: "1.5 is a number with a decimal point; states may hold whole numbers",
    NumbersOfWords: ".successors, {line}: uses + on a Way; use whole numbers",
}


def line_of(kind):
    lines, first = inspect.getsourcelines(kind)
    marked = (i for i, each in enumerate(lines) if each.endswith("# the reason\n"))
    return f"{__file__}:{first + next(marked, 0)}"


@pytest.mark.parametrize("kind", REASONS, ids=lambda kind: kind.__name__)
def test_the_reason_names_the_line_and_what_helps(kind):
    problem = kind()
    reason = Making(problem, None, problem.initial_states()).why_not()
    assert REASONS[kind].format(line=line_of(kind)) in reason


class SpellsWords(Rules):
    """Words by their numbers, of which one is asked for a letter."""

    start = ("_", 0)
    words = ("_", "north_", "a_" * 40)

    def successors(self, state):
        at = state[0].find("_")
        yield Step("next", (self.words[(state[1] + 1) % 3], at))  # longer each time


def test_a_text_among_many_takes_no_more_memory_than_a_table_may(monkeypatch):
    """Each has room for the longest: texts that double took gigabytes before a search began."""
    problem = SpellsWords()
    assert Making(problem, None, problem.initial_states()).why_not() is None
    monkeypatch.setattr(memory, "MOST_CONSTANT_CELLS", 200)
    reason = Making(problem, None, problem.initial_states()).why_not()
    assert "needs too large a table of constants; use shorter texts or lists" in reason


# Where a search leaves machine code: what `engine="compiled"` says then


class Pair(Rules):
    """Two numbers and a set, on a way that is longer than what is looked at."""

    start = (0, 0, frozenset({1}))
    size = 60

    def successors(self, state):
        x, y, members = state
        if x < self.size:
            yield Step("x", (x + 1, y, members))
        if y < self.size:
            yield Step("y", (x, y + len(self.seen(state)) - 1, members))

    def is_goal(self, state):
        return state[:2] == (self.size, self.size)


class PutsWhatWasNotMet(Pair):
    def seen(self, state):
        return state[2] | {50 if state[1] > 28 else 0}


class GoesBeyondNumbers(Pair):
    def seen(self, state):
        far = 1 << (39 if state[0] < 57 else 20)
        large = [far + far * (state[0] > 55)]  # the reason
        return large[:1] * 2


class EstimatesBeyondNumbers(Pair):
    def seen(self, state):
        return (1, 2)

    def heuristic(self, state):
        far = 1 << (39 if state[0] > 55 else 20)
        large = [far + far]  # the reason
        large[0] = 0
        return large[0]


class TurnsForLong(Pair):
    def seen(self, state):
        most = 40 if state[0] > 55 else 2
        turns = 0
        while turns < most:  # the reason
            turns += 1
        return (1, 2)


LARGE = f"it gets {1 << 40}, a number beyond 2**40; calculate with smaller numbers, "
LEFT = {
    GoesBeyondNumbers: f"cannot go on from the state | {LARGE}",
    TurnsForLong: "cannot go on from the state | it takes more than 30 turns in a loop, which may "
    "have no end; ",
    EstimatesBeyondNumbers: f"cannot judge the state | {LARGE}",
}


def test_a_set_made_from_that_of_a_state_gets_what_no_state_has():
    problem = PutsWhatWasNotMet()
    expected = solve(problem, BreadthFirst(), engine="reference")
    with plainly():
        found = solve(problem, BreadthFirst(), engine="compiled")
    assert found.cost == expected.cost == 120
    assert found.statistics.generated == expected.statistics.generated


@pytest.mark.parametrize("kind", LEFT, ids=lambda kind: kind.__name__)
def test_what_machine_code_lacks_on_the_way_has_a_line_a_value_and_a_cure(kind, monkeypatch):
    monkeypatch.setattr(statements, "MOST_TURNS", 30)
    problem = kind()
    algorithm = BreadthFirst() if kind.heuristic is Problem.heuristic else AStar()
    assert solve(problem, algorithm, engine="reference").cost == 120
    with plainly(), pytest.raises(CompilationError) as error:
        solve(problem, algorithm, engine="compiled")
    said = str(error.value)
    method = "heuristic" if "judge" in LEFT[kind] else "seen"
    verb, what = LEFT[kind].split("|")
    assert f"{method}, {line_of(kind)}: machine code {verb}(" in said
    assert f", frozenset({{1}})), though Python can:{what}" in said
    assert said.endswith("engine='reference' runs the rules in Python")


class DigitsAndWords(Rules):
    def successors(self, state):
        made = [(self.shown(i), (state + i + 1) % 100) for i in range(3)]
        made.append((self.last, 2 * state % 100))
        for action, after in made:
            yield Step(action, after)

    def initial_states(self):
        return [0]

    def is_goal(self, state):
        return state == 77

    def shown(self, number):
        return str(number)

    last = "double"


class DigitsAlone(DigitsAndWords):
    last = "d"


class NumbersAlone(DigitsAndWords):
    last = -1

    def shown(self, number):
        return number


class DigitsBesideOthers(DigitsAndWords):
    """Whose letters are met in part."""

    ways = (("x", 3), ("halve", 5))

    def successors(self, state):
        made = [(self.shown(i), (state + i + 1) % 100) for i in range(3)]
        for name, by in self.ways:
            made.append((name, (state + by) % 100))
        for action, after in made:
            yield Step(action, after)


def test_some_letters_beside_words_are_refused_and_what_helps_is_told():
    cure = "use texts of letters alone, or numbers"
    with plainly(), pytest.raises(CompilationError, match=cure):
        solve(DigitsBesideOthers(), BreadthFirst(), engine="compiled")


def test_letters_go_beside_words_and_with_others_or_numbers_as_well():
    for kind in (DigitsAndWords, DigitsAlone, NumbersAlone):
        with plainly():
            assert solve(kind(), BreadthFirst(), engine="compiled").cost == 8


class Mixed(Rules):
    """Texts of letters alone, and others, in one place: to whoever writes them they are alike."""

    start = (1, 1)
    board = ("OOOOO", "O   O", "O O O", "OOOOO")
    ways = (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1), ("down right", 1, 1))

    def successors(self, state):
        names = []
        for name, down, right in self.ways:
            if self.board[state[0] + down][state[1] + right] == " ":
                names.append(name)
        for name in names:
            yield Step(name, self.after(state, name))

    def after(self, state, name):
        row, column = state
        row += name.count("down") - name.count("up")
        return row, column + name.count("right") - name.count("left")

    def is_goal(self, state):
        return state == (2, 3)


def test_texts_of_letters_alone_are_texts_as_others():
    expected = solve(Mixed(), BreadthFirst(), engine="reference")
    with plainly():
        found = solve(Mixed(), BreadthFirst(), engine="compiled")
    assert (found.engine, found.cost, found.actions) == ("compiled", 2, expected.actions)


class OfLibrary(AimaProblem):
    """What does not fit in the class for problems of aima was made here."""

    def actions(self, state):
        few = {state % 3}
        few.add(5)
        return few  # the reason

    def result(self, state, action):
        return state + action


def test_no_reason_names_a_line_of_ours():
    problem = OfLibrary(0, 30)
    reason = Making(problem, None, [0]).why_not()
    assert reason.startswith(f"OfLibrary.actions, {line_of(OfLibrary)}: goes through a set, ")


class ReturnsHalves(OfLibrary):
    def result(self, state, action):
        return state + 0.5

    def actions(self, state):
        return (0, 1)


def test_the_class_is_named_where_states_have_no_type():
    reason = Making(ReturnsHalves(0, 30), None, [0]).why_not()
    line = inspect.getsourcelines(ReturnsHalves)[1]
    assert reason.startswith(f"ReturnsHalves.successors, {__file__}:{line}: 0.5 is a number")


def test_what_fails_in_the_translator_is_its_limit_at_a_line_of_the_author(monkeypatch):
    def fails(_, node):
        assert node is None

    monkeypatch.setitem(rooms.PLAIN.expressions, ast.JoinedStr, fails)

    class Shown(Rules):
        def successors(self, state):
            text = f"{state}"  # the reason
            yield Step(text, state)

    reason = Making(Shown(), None, [(0, "ab")]).why_not()
    assert reason.startswith(f"{Shown.__qualname__}.successors, {line_of(Shown)}: comes to a limit")
    assert "internal" not in reason
    assert "AssertionError" not in reason


class FarCorners(Rules):
    """Corners that no near state has visited."""

    start = ((30, 30), ())
    corners = ((0, 0), (60, 60), (0, 60), (60, 0))

    def successors(self, state):
        (x, y), visited = state
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            at = x + dx, y + dy
            if 0 <= min(at) <= max(at) <= 60:
                now = list(visited)
                if at in self.corners and at not in now:
                    now.append(at)
                yield Step((dx, dy), (at, tuple(now)))

    def is_goal(self, state):
        return len(state[1]) == 4


def test_what_was_always_empty_is_looked_for_on_a_long_walk():
    problem = FarCorners()
    assert Making(problem, None, [problem.start]).why_not() is None


def test_what_is_always_empty_is_named(monkeypatch):
    monkeypatch.setattr(sampling, "LONG_WALK", 0)
    problem = FarCorners()
    reason = Making(problem, None, [problem.start]).why_not()
    assert "states looked at, state[1] was always empty" in reason
    assert "begin with a state where it holds some" in reason


def rule(make):
    """A problem of which `make` gives the steps."""

    class Ruled(Rules):
        start = frozenset({1, 2, "light"})
        moves = {"up": lambda state: state, "down": lambda state: state}  # noqa: RUF012

        def successors(self, state):
            yield from make(self, state)

    return Ruled()


def of_mixed_members(self, state):
    for each in state:
        yield Step("take", state - {each})


def of_functions(self, state):
    kept = []
    kept.append(self.moves)
    yield Step("first", kept[0]["clear"](state))


def of_unlike_actions(self, state):
    actions = [("move", (0, 1))]
    actions.append(("rest", None, 1))
    for each in actions:
        yield Step(each, state)


def by_chance(self, state):
    yield Step("any", state if random.randint(0, 1) else frozenset())


def of_heaps(self, state):
    found = [len(state)]
    heapq.heappush(found, 1)
    yield Step("all", state)


HELPFUL = {
    of_mixed_members: "goes through a set in .*; use a tuple, as its members are of several kinds",
    of_functions: "which holds functions .<lambda>.; call them by their names",
    of_unlike_actions: "tuple .* give all of them one shape: as many parts, .* join lists",
    by_chance: "calls randint of random; choose in __init__",
    of_heaps: "calls heappush; use sorted",
}


@pytest.mark.parametrize("make", HELPFUL, ids=lambda make: make.__name__)
def test_the_cure_is_one_that_helps(make):
    problem = rule(make)
    reason = Making(problem, None, [problem.start]).why_not()
    assert re.search(HELPFUL[make], reason)
    assert f"{make.__name__}, {__file__}:" in reason
