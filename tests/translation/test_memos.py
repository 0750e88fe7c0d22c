"""Dicts in which functions keep what they returned: left out where they make no difference."""

import functools
import warnings

import pytest

from searchkit import AStar, Heuristic, IDAStar, Problem, Step, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import SearchkitWarning, UnsuitableError
from searchkit.translation import omitted

OF_MODULE = {}
OF_MODULE_PAIRS: dict[tuple[int, int], int] = dict()  # noqa: C408
FILLED = {}
FILLED[9] = 100
READ_ELSEWHERE = {}
SHARED = {}
OF_METHOD = {}
ALIAS = SHARED


@pytest.fixture(autouse=True)
def nothing_told(monkeypatch):
    monkeypatch.setattr(omitted, "_told", {})


class Walk(Problem):
    """From (0, 0) to (6, 4) by ones, and by jumps of two to the right."""

    undirected = False
    goal = (6, 4)

    def __init__(self):
        self.memo = {}

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        x, y = state
        for name, child in (("x", (x + 1, y)), ("jump", (x + 2, y)), ("y", (x, y + 1))):
            if child[0] <= 6 and child[1] <= 4:
                yield Step(name, child)

    def is_goal(self, state):
        return state == self.goal

    def left(self, state):
        return abs(6 - state[0]) // 2 + abs(4 - state[1])

    def heuristic(self, state):
        return self.left(state)


class Found(Walk):
    def left(self, state):
        if state in self.memo:
            return self.memo[state]
        x, y = state
        found = abs(6 - x) // 2 + abs(4 - y)
        self.memo[state] = found
        return found


class NotFound(Walk):
    def left(self, state):
        if state not in self.memo:
            self.memo[state] = super().left(state)
        return self.memo[state]


class NotFoundOrElse(Walk):
    def left(self, state):
        if state not in self.memo:
            if state == self.goal:
                return 0
            far = super().left(state)
            self.memo[state] = far
            return far
        else:  # noqa: RET505
            return self.memo[state]


class Got(Walk):
    def left(self, state):
        found = self.memo.get(state)
        if found is not None:
            return found
        found = super().left(state)
        self.memo[state] = found
        return found


class GotOrNone(Walk):
    def left(self, state):
        found = self.memo.get(state, None)
        if found is None:
            found = super().left(state)
            self.memo[state] = found
        return found


class Tried(Walk):
    def left(self, state):
        try:
            return self.memo[state]
        except KeyError:
            pass
        self.memo[state] = super().left(state)
        return self.memo[state]


class ByAKey(Walk):
    def left(self, state):
        return self.far(state[0], y=state[1])

    def far(self, x, y=0):
        key = (x, y)
        if key in self.memo:
            return self.memo[key]
        self.memo[key] = abs(6 - x) // 2 + abs(4 - y)
        return self.memo[key]


def of_module(x):
    if x not in OF_MODULE:
        OF_MODULE[x] = abs(6 - x) // 2
    return OF_MODULE[x]


def of_pairs(x, y):
    if (x, y) in OF_MODULE_PAIRS:
        return OF_MODULE_PAIRS[x, y]
    OF_MODULE_PAIRS[x, y] = abs(x - y)
    return OF_MODULE_PAIRS[x, y]


class OfTheModule(Walk):
    def left(self, state):
        return of_module(state[0]) + of_pairs(state[1], 4)


def of_default(y, memo={}):  # noqa: B006
    if y in memo:
        return memo[y]
    memo[y] = abs(4 - y)
    return memo[y]


class OfADefault(Walk):
    def left(self, state):
        return of_default(state[1])


class OfSteps(Walk):
    def successors(self, state):
        if state not in self.memo:
            self.memo[state] = list(super().successors(state))
        return self.memo[state]


class OfLists(Walk):
    def moves(self, state):
        if state in self.memo:
            return self.memo[state]
        self.memo[state] = [c for c in ((state[0] + 1, state[1]), (state[0], state[1] + 1))
                            if c[0] <= 6 and c[1] <= 4]  # fmt: skip
        return self.memo[state]

    def successors(self, state):
        for each in self.moves(state):
            yield Step("by one", each)


class WithACounter(Walk):
    hits = misses = 0

    def left(self, state):
        if state in self.memo:
            self.hits += 1
            return self.memo[state]
        self.misses += 1
        self.memo[state] = super().left(state)
        return self.memo[state]


class OfParts(Walk):
    def left(self, state):
        x, y = state
        key = (y, x)
        if key not in self.memo:
            self.memo[key] = abs(6 - x) // 2 + abs(4 - y)
        return self.memo[key]


class OfAGoal(Walk):
    def is_goal(self, state):
        if state in self.memo:
            return self.memo[state]
        self.memo[state] = state == self.goal
        return self.memo[state]


def compared(make, algorithm, heuristic=None):
    """Both engines' results, of which the second is compiled, with what is told."""
    found = []
    for engine in ("reference", "compiled"):
        with plainly(), warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("default")
            found.append((solve(make(), algorithm, engine=engine), said))
    return found


LEFT_OUT = [Found, NotFound, NotFoundOrElse, Got, GotOrNone, Tried, ByAKey, OfTheModule,
            OfADefault, OfSteps, OfLists, OfAGoal, OfParts,
            WithACounter]  # fmt: skip


@pytest.mark.slow_variants(
    "NotFoundOrElse-astar", "GotOrNone-astar", "OfADefault-astar", "OfAGoal-astar", "OfParts-astar"
)
@pytest.mark.spread
@pytest.mark.parametrize("algorithm", [AStar(), IDAStar()], ids=["astar", "idastar"])
@pytest.mark.parametrize("make", LEFT_OUT)
def test_they_are_left_out(make, algorithm):
    (expected, silent), (found, said) = compared(make, algorithm)
    assert found.engine == "compiled"
    assert (found.cost, found.actions) == (expected.cost, expected.actions)
    assert found.statistics.expanded == expected.statistics.expanded
    assert not silent
    assert {each.category for each in said} == {SearchkitWarning}
    assert any("` is not filled by machine code" in str(each.message) for each in said)


class Far(Heuristic):
    name = "far"

    def __init__(self):
        self.known = {}

    def __call__(self, state):
        if state not in self.known:
            self.known[state] = abs(6 - state[0]) // 2
        return self.known[state]


def test_those_of_heuristics():
    (expected, _), (found, _) = compared(Walk, AStar(Far()))
    assert (found.engine, found.actions) == ("compiled", expected.actions)


class OfAPart(Walk):
    def left(self, state):
        x, y = state
        if x not in self.memo:
            self.memo[x] = abs(6 - x) // 2 + abs(4 - y)
        return self.memo[x]


class OfPartsTwice(Walk):
    def left(self, state):
        x, y = state
        if (x, y) in self.memo:
            return self.memo[x, y]
        x, y = y, x
        self.memo[x, y] = abs(6 - y) // 2 + abs(4 - x)
        return self.memo[x, y]


class OfOneNumber(Walk):
    """What it keeps is of another state with the same x."""

    def left(self, state):
        if state[0] in self.memo:
            return self.memo[state[0]]
        self.memo[state[0]] = super().left(state)
        return self.memo[state[0]]


class OfAnArgument(Walk):
    def heuristic(self, state):
        return self.left(state[0], state[1])

    def left(self, x, y):
        if x in self.memo:
            return self.memo[x]
        self.memo[x] = abs(6 - x) // 2 + abs(4 - y)
        return self.memo[x]


class OfASum(Walk):
    def left(self, state):
        key = sum(state)
        if key in self.memo:
            return self.memo[key]
        self.memo[key] = super().left(state)
        return self.memo[key]


class KeepsAnother(Walk):
    def left(self, state):
        if state in self.memo:
            return self.memo[state]
        found = super().left(state)
        self.memo[state] = found // 2
        return found


class KeepsTheNext(Walk):
    def left(self, state):
        if state in self.memo:
            return self.memo[state]
        self.memo[state[0] + 1, state[1]] = 0
        return super().left(state)


class ChangesItsKey(Walk):
    def left(self, state):
        if state in self.memo:
            return self.memo[state]
        found = super().left(state)
        state = (0, 0)
        self.memo[state] = found
        return found


class OfAnInnerFunction(Walk):
    """What it keeps is of another argument of the inner one."""

    def left(self, state):
        def go(y):
            if state in self.memo:
                return self.memo[state]
            self.memo[state] = y
            return y

        return go(state[1]) + go(0)


class WithACounterThatIsRead(WithACounter):
    def is_goal(self, state):
        return state == self.goal and self.hits >= 0


class ReadByTheGoal(Found):
    def is_goal(self, state):
        return state == self.goal and len(self.memo) < 1000


class ReadByALength(Found):
    def is_goal(self, state):
        return state == self.goal and self.size() < 1000

    def size(self):
        return len(self.memo)


class FilledBefore(Found):
    def __init__(self):
        self.memo = {}
        self.memo[0, 0] = 3


class FilledAsItIsMade(Found):
    def __init__(self):
        self.memo = {(0, 0): 3}


class FilledLater(Found):
    def fill(self):
        self.memo.update({(0, 0): 3})


class OfTheClass(Found):
    memo = {}  # noqa: RUF012

    def __init__(self):
        pass


class OfTwoFunctions(Found):
    def is_goal(self, state):
        if state in self.memo:
            return self.memo[state]
        self.memo[state] = state == self.goal
        return self.memo[state]


class UnderTwoNames(Found):
    def __init__(self):
        self.memo = {}
        self.known = self.memo

    def is_goal(self, state):
        return state == self.goal and len(self.known) < 1000


class InAList(Found):
    def __init__(self):
        self.memo = {}
        self.all = [self.memo]


class ByAMethodOfIt(Found):
    def __init__(self):
        self.memo = {}
        self.look = self.memo.get


class ReadByAnyName(Found):
    def is_goal(self, state):
        return state == self.goal and len(vars(self)) < 1000


class ByASubclass(NotFound):
    def left(self, state):
        if state in self.memo:
            return self.memo[state]
        self.memo[state] = super().left(state) + 1
        return self.memo[state]


class Ordered(Found):
    def __init__(self):
        self.memo = OwnDict()


class OwnDict(dict):
    pass


def filled_before(x):
    if x not in FILLED:
        FILLED[x] = abs(6 - x) // 2
    return FILLED[x]


class OfAFilledModule(Walk):
    def left(self, state):
        return filled_before(state[0])


def read_elsewhere(x):
    if x not in READ_ELSEWHERE:
        READ_ELSEWHERE[x] = abs(6 - x) // 2
    return READ_ELSEWHERE[x]


class OfAReadModule(Walk):
    def left(self, state):
        return read_elsewhere(state[0])

    def is_goal(self, state):
        return state == self.goal and len(READ_ELSEWHERE) < 1000


def shared(x):
    if x not in SHARED:
        SHARED[x] = abs(6 - x) // 2
    return SHARED[x]


class OfASharedModule(Walk):
    def left(self, state):
        return shared(state[0])


class OfAMethodsModule(Walk):
    """Another problem of the class may have another goal."""

    def left(self, state):
        if state not in OF_METHOD:
            OF_METHOD[state] = abs(self.goal[0] - state[0]) // 2
        return OF_METHOD[state]


class GivenADefault(Walk):
    def __init__(self):
        self.memo = {4: 0, 3: 0}

    def left(self, state):
        return of_default(state[1], self.memo)


class Counts(Walk):
    def left(self, state):
        self.memo[state] = self.memo.get(state, 0) + 1
        return self.memo[state]


class ChangesWhatItReturned(Walk):
    def moves(self, state):
        if state not in self.memo:
            self.memo[state] = [state[0] + 1, state[1]]
        return self.memo[state]

    def successors(self, state):
        there = self.moves(state)
        there[0] += 0
        if there[0] <= 6:
            yield Step("x", tuple(there))
        yield from super().successors(state)


class CallsItself(Walk):
    def left(self, state):
        return self.far(state[0]) + self.far(state[1])

    def far(self, x):
        if x in self.memo:
            return self.memo[x]
        self.memo[x] = 0 if x > 5 else self.far(x + 2) + 0
        return self.memo[x]


REFUSED = [OfOneNumber, OfAnArgument, OfASum, KeepsAnother, KeepsTheNext, ChangesItsKey,
           OfAnInnerFunction, OfAPart, OfPartsTwice,
           WithACounterThatIsRead,
           ReadByTheGoal, ReadByALength, FilledBefore, FilledAsItIsMade, FilledLater, OfTheClass,
           OfTwoFunctions, UnderTwoNames, InAList, ByAMethodOfIt, ReadByAnyName, ByASubclass,
           Ordered, OfAFilledModule, OfAReadModule, OfASharedModule, OfAMethodsModule,
           GivenADefault, Counts, ChangesWhatItReturned, CallsItself]  # fmt: skip


@pytest.mark.parametrize("make", REFUSED)
def test_what_may_be_something_else_is_refused(make):
    cures = "; (use functools.cache|fill a table|copy it)"
    reasons = f"(remembers what it return|changes ).*{cures}|calls vars;|adds to `self.hits`, which"
    with plainly(), pytest.raises(UnsuitableError, match=reasons):
        solve(make(), AStar(), engine="compiled")


class Cached(Walk):
    @functools.lru_cache(maxsize=None)  # noqa: B019, UP033
    def left(self, state):
        return abs(6 - state[0]) // 2 + abs(4 - state[1])


def test_functools_is_without_a_note():
    (expected, _), (found, said) = compared(Cached, AStar())
    assert (found.engine, found.actions, said) == ("compiled", expected.actions, [])
