"""Why there is no machine code for a problem: the line that is the reason, and what helps."""

import enum
import inspect
from dataclasses import dataclass, field, replace

import attrs
import pytest

from searchkit import Problem, Step
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
    ClassOfState: "1.5 is a number that is not whole; states may hold whole numbers",
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
