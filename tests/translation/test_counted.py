"""Counters of statistics in rules: left out where nothing reads them, and a user is told."""

import functools
import inspect
import re
import types
import warnings
from dataclasses import dataclass

import pytest

from searchkit import AStar, Heuristic, Problem, Step, explore, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError, SearchkitWarning, UnsuitableError
from searchkit.translation import omitted
from searchkit.translation.search import Making


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch):
    monkeypatch.setattr(omitted, "_told", {})


class Walk(Problem):
    """From (0, 0) to (9, 3) by ones."""

    undirected = False
    expanded = 0

    def __init__(self):
        self.made = self.tests = 0
        self.sums = 0.5
        self.seen, self.had, self.memo = [], set(), {}

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        yield from self.steps(state)

    def steps(self, state):
        x, y = state
        if x < 9:
            yield Step("x", (x + 1, y))
        if y < 3:
            yield Step("y", (x, y + 1))

    def is_goal(self, state):
        return state == (9, 3)

    def report(self):
        return f"{self.expanded} expanded, {self.made} made"


class ByOnes(Walk):
    def successors(self, state):
        self.expanded += 1
        yield from self.steps(state)


class BySums(Walk):
    def successors(self, state):
        self.expanded = self.expanded + 1
        found = list(self.steps(state))
        self.made += len(found)
        self.sums += 0.25
        return found

    def is_goal(self, state):
        self.tests += 1
        return state == (9, 3)

    def heuristic(self, state):
        self.count(state[0])
        return 9 - state[0]

    def count(self, n):
        if n % 2:
            self.made += n // 2 + (n > 3)


class InSomeRounds(Walk):
    def steps(self, state):
        for way, child in enumerate([(state[0] + 1, state[1]), (state[0], state[1] + 1)]):
            if child[0] > 9 or child[1] > 3:
                self.expanded += 1
                continue
            yield Step(way, child)


class Left(Heuristic):
    name = "left"
    calls = 0

    def __call__(self, state):
        self.calls += 1
        return 9 - state[0]


def compared(make, algorithm=None):
    """Both engines' results, of which the second is compiled."""
    found = []
    for engine in ("reference", "compiled"):
        with plainly(), warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("default")
            found.append((solve(make(), algorithm or AStar(), engine=engine), said))
    return found


@pytest.mark.parametrize("make", [ByOnes, BySums, InSomeRounds])
def test_they_are_left_out(make):
    (expected, silent), (found, said) = compared(make)
    assert (found.engine, found.cost, found.actions) == ("compiled", 12, expected.actions)
    assert found.statistics.expanded == expected.statistics.expanded
    assert not silent
    assert {each.category for each in said} == {SearchkitWarning}
    assert any(
        "`self.expanded` is not counted in machine code" in str(each.message) for each in said
    )


def test_those_of_heuristics_are():
    (expected, _), (found, said) = compared(Walk, AStar(Left()))
    assert (found.cost, found.statistics.expanded) == (12, expected.statistics.expanded)
    assert ["`self.calls`" in str(each.message) for each in said] == [True]


def test_the_note_names_the_line_once():
    with plainly(), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        explore(ByOnes(), engine="compiled")
        solve(ByOnes(), AStar(), engine="compiled")
    (one,) = said
    line = ByOnes.successors.__code__.co_firstlineno + 1
    assert (one.filename, one.lineno) == (__file__, line)
    assert str(one.message).startswith(f"ByOnes.successors, {__file__}:{line}: `self.expanded` is")


class ReadByTheHeuristic(ByOnes):
    def heuristic(self, state):
        return 0 if self.expanded >= 0 else 1


class ReadByAHelper(ByOnes):
    def is_goal(self, state):
        return state == (9, 3) and self.much()

    def much(self):
        return self.expanded >= 0


class ReadByItsName(ByOnes):
    def is_goal(self, state):
        return state == (9, 3) and getattr(self, "expanded", 0) >= 0


class ReadByAnyName(ByOnes):
    def is_goal(self, state):
        return state == (9, 3) and len(self.__dict__) > 1


class ReadWhereItIsCounted(Walk):
    def successors(self, state):
        self.expanded += 1 + self.expanded % 2
        yield from self.steps(state)


class ReadByAProperty(ByOnes):
    @property
    def many(self):
        return self.expanded > 100

    def is_goal(self, state):
        return state == (9, 3) or (self.many and state[0] < 0)


@dataclass
class Read:
    """What has its attributes compared by Python."""

    expanded: int = 0


class ReadByEquality(Walk):
    def successors(self, state):
        self.expanded += 1
        if self == self:  # noqa: PLR0124
            yield from self.steps(state)

    def __eq__(self, other):
        return self.expanded == other.expanded

    __hash__ = object.__hash__


class Far:
    """Another object, which rules ask."""

    def __init__(self, problem):
        self.problem = problem

    def is_far(self, state):
        return state == (9, 3) and self.problem.expanded >= 0


class ReadByAnotherObject(ByOnes):
    def __init__(self):
        super().__init__()
        self.far = Far(self)

    def is_goal(self, state):
        return self.far.is_far(state)


class ReadByAFormat(ByOnes):
    def is_goal(self, state):
        return state == (9, 3) and "{0.expanded}".format(self) > "/"  # noqa: UP030, UP032


class Log:
    """Another object, which Python asks for what does not depend on states."""

    def __init__(self, problem):
        self.problem = problem

    def __len__(self):
        return self.problem.expanded

    def __get__(self, owner, kind):
        return self if owner is None else owner.expanded

    def __getattr__(self, name):
        if name != "several":
            raise AttributeError(name)
        return self.problem.expanded


class ReadByALength(ByOnes):
    def __init__(self):
        super().__init__()
        self.logs = {"only": Log(self)}

    def is_goal(self, state):
        return state == (9, 3) and len(self.logs["only"]) >= 0


class ReadByAMissingName(ReadByALength):
    def is_goal(self, state):
        return state == (9, 3) and self.logs["only"].several >= 0


class ReadByADescriptor(ByOnes):
    log = Log(None)

    def is_goal(self, state):
        return state == (9, 3) and self.log >= 0


LOG = Log(ByOnes())
MODULE = types.ModuleType("module")
MODULE.LOG = LOG


class OwnLogs(list):
    """A list whose length is something else."""

    def __len__(self):
        return LOG.problem.expanded


class ReadByAListOfTheAuthor(ByOnes):
    logs = OwnLogs([1])

    def is_goal(self, state):
        return state == (9, 3) and len(self.logs) >= 0


class ReadByADefault(ByOnes):
    def is_goal(self, state, log=LOG):
        return state == (9, 3) and len(log) >= 0


class ReadInAModule(ByOnes):
    def is_goal(self, state):
        return state == (9, 3) and len(MODULE.LOG) >= 0


def has_some(log, state):
    return len(log) >= 0


class ReadByAPartial(ByOnes):
    some = functools.partial(has_some, LOG)

    def is_goal(self, state):
        return state == (9, 3) and self.some(state)


class ReadByAGlobal(ByOnes):
    def is_goal(self, state):
        return state == (9, 3) and len(LOG) >= 0


@dataclass
class Board:
    """What is compared by a method that has no source."""

    width: int = 3


class HasARecord(ByOnes):
    """Nothing of what it holds reads the counter."""

    def __init__(self):
        super().__init__()
        self.board = Board()

    def steps(self, state):
        for each in super().steps(state):
            yield Step("{}".format(each.action), each.state)  # noqa: UP032

    def is_goal(self, state):
        return state == (9, self.board.width)


def test_records_and_formats_that_do_not_read_them_are_compiled():
    (expected, _), (found, _) = compared(HasARecord)
    assert (found.engine, found.cost, found.actions) == ("compiled", 12, expected.actions)


@pytest.mark.parametrize(
    "make", [
        ReadByAListOfTheAuthor, ReadByADefault, ReadInAModule, ReadByAPartial, ReadByAFormat,
        ReadByALength, ReadByAMissingName, ReadByADescriptor, ReadByAGlobal,
        ReadByTheHeuristic, ReadByAHelper, ReadByItsName, ReadByAnyName, ReadWhereItIsCounted,
        ReadByAProperty, ReadByEquality, ReadByAnotherObject,
    ],
)  # fmt: skip
def test_what_is_read_is_refused(make):
    with plainly(), pytest.raises(UnsuitableError, match=r"adds to .*expanded.*, which .* reads"):
        solve(make(), AStar(), engine="compiled")


class Property(Walk):
    def successors(self, state):
        self.count += 1
        yield from self.steps(state)

    @property
    def count(self):
        return self.made

    @count.setter
    def count(self, value):
        self.made = value


class Text(Walk):
    log = ""

    def successors(self, state):
        self.log += "x"
        yield from self.steps(state)


class Difference(Walk):
    def successors(self, state):
        self.made -= 1
        yield from self.steps(state)


class OfAnObject(Walk):
    counts = Read()

    def successors(self, state):
        self.counts.expanded += 1
        yield from self.steps(state)


class Told(int):
    """A number that does more than add."""

    def __add__(self, other):
        Walk.told = True
        return Told(int(self) + other)


class OwnNumber(Walk):
    def __init__(self):
        super().__init__()
        self.made = Told(0)

    def successors(self, state):
        self.made += 1
        yield from self.steps(state)


@pytest.mark.parametrize("make", [Property, Text, Difference, OfAnObject, OwnNumber])
def test_what_is_no_plain_counter_is_refused(make):
    problem = make()
    with pytest.raises(CompilationError, match=r"\d: changes `self\.\w+.*`; keep what changes in"):
        Making(problem, None, problem.initial_states()).made()


class Logs(Walk):
    def successors(self, state):
        self.seen.append(state)
        yield from self.steps(state)


class Marks(Walk):
    def successors(self, state):
        self.had.add(state)
        yield from self.steps(state)


class Remembers(Walk):
    def successors(self, state):
        if state not in self.memo:
            self.memo[state] = list(self.steps(state))
        return self.memo[state]


class Counts(Walk):
    def successors(self, state):
        self.memo[state[0]] = self.memo.get(state[0], 0) + 1
        yield from self.steps(state)


ALIKE = ", which lasts from one state to the next; "
REASONS = {
    Logs: f"changes `self.seen`{ALIKE}leave it out: results have statistics",
    Marks: f"changes `self.had`{ALIKE}leave it out: results have statistics",
    Remembers: "remembers what it returns in `self.memo`, which Walk.__init__ uses as well; ",
    Counts: f"changes `self.memo`{ALIKE}use functools.cache, which machine code does without",
}


@pytest.mark.parametrize("make", REASONS)
def test_what_grows_is_named(make):
    problem = make()
    lines = inspect.getsource(make.successors).splitlines()
    changes = r"self\.(seen|had)\.|self\.memo.*\] = "
    number = next(i for i, each in enumerate(lines) if re.search(changes, each))
    line = make.successors.__code__.co_firstlineno + number
    with pytest.raises(CompilationError) as error:
        Making(problem, None, problem.initial_states()).made()
    assert str(error.value).startswith(
        f"{make.__name__}.successors, {__file__}:{line}: {REASONS[make]}"
    )
