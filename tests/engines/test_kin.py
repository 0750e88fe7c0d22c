"""Problems of the same rules: what was found out about one of them holds for the others."""

from abc import ABC
from collections import Counter, OrderedDict, deque
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from operator import setitem
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import ClassVar

import pytest

from searchkit import AStar, BreadthFirst, Problem, Status, Step, solve
from searchkit.authors.blame import is_ours_class
from searchkit.authors.contents import MOST_FLAT
from searchkit.authors.kin import kin_of
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import LawError, UnsuitableError
from searchkit.premises.changed import MOST_ITEMS, values_of
from searchkit.premises.reasons import NEXT
from searchkit.premises.sample import Sample
from searchkit.solving import plan
from searchkit_sliding import SlidingPuzzle, eight_puzzle

ENGINES = ("compiled", "reference")
STEP = 1
TABLE = [1, 2]


class Settings:
    wide = False


SETTINGS = Settings()


class Shift:
    by = 0

    def of(self, state):
        return state + self.by


def after(state):
    return state - STEP


class Walk(Problem):
    """Along the numbers, to a goal."""

    undirected = True

    def __init__(self, start, goal=0, table=None):
        self.start, self.goal, self.table = start, goal, table
        self._known = {}

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        more = 2 if SETTINGS.wide else TABLE[0]
        return [Step("left", after(state)), Step("right", Shift().of(state) + more)]

    def is_goal(self, state):
        return state == self.goal

    def heuristic(self, state):
        return self._known.setdefault(state, abs(state - self.goal))


class FromStart(Walk):
    def is_goal(self, state):
        return state == self.start + 3


def kin(problem):
    return kin_of(problem, problem.initial_states())


def test_only_the_start_may_differ():
    first = kin(Walk(5))
    assert kin(Walk(7)) is first
    assert kin(Walk(7, goal=1)) is not first
    assert kin(Walk(7, table=[1])) is not first
    with_more = Walk(7)
    with_more.more = 1
    assert kin(with_more) is not first
    assert kin(FromStart(5)) is not kin(FromStart(6))
    assert kin(FromStart(5)) is kin(FromStart(5))
    listed = Walk(1, table=[[1]])
    second = kin(listed)
    assert kin(Walk(2, table=[[1]])) is second
    listed.table[0].append(2)
    assert kin(listed) is not second
    assert kin(Walk(5, table=[None] * MOST_FLAT * 2)) is not kin(Walk(5, table=[0] * MOST_FLAT * 2))


@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [
        (Walk, "is_goal", lambda self, state: False),
        (Walk, "undirected", False),
        (SETTINGS, "wide", True),
        (Shift, "by", 1),
        (Shift, "of", lambda self, state: state),
        (None, "STEP", 2),
        (None, "TABLE", [1, 2, 3]),
        (None, "after", lambda state: state + STEP),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_rules_read_may_not(monkeypatch, owner, name, value):
    first = kin(Walk(5))
    with monkeypatch.context() as patches:
        if owner is None:
            patches.setitem(globals(), name, value)
        else:
            patches.setattr(owner, name, value)
        assert kin(Walk(5)) is not first
    TABLE.append(3)
    assert kin(Walk(5)) is not first
    TABLE.pop()
    if owner is not SETTINGS:  # which has an attribute more now, of the same value
        assert kin(Walk(5)) is first


class OneOn(Problem):
    kept: int = 0  # so that nothing is put behind the last attribute
    by = 1

    def initial_states(self):
        return [0]

    def by_method(self):
        return 1

    def successors(self, state):
        return [Step("on", state + self.by * self.by_method())] if state < 12 else []

    def is_goal(self, state):
        return state == 12


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("name", "value"), [("by", 2), ("by_method", lambda self: 2)])
def test_names_of_what_classes_have_may_not(name, value, engine):
    """What hides an attribute has another name: the values are the same, and in the same order."""
    kind = type("Hiding", (OneOn,), {"__annotations__": {}, "__doc__": "", "__parameters__": ()})
    kind.__abstractmethods__ = frozenset()
    setattr(kind, name, value)

    def cost():
        with plainly():
            return solve(kind(), AStar(), engine=engine).cost

    first = kin_of(kind())
    assert cost() == 6
    delattr(kind, name)
    kind.other = value
    assert kin_of(kind()) is not first
    assert cost() == 12


FAR = 10**6


def is_far(state):
    return state == FAR


def by_default(state, test=is_far):
    return test(state)


def by_keyword(state, *, far=FAR):
    return state == far


class Holder:
    def __init__(self):
        self.test = is_far


HOLDERS = {
    "tuple": {"tests": (is_far,)},
    "dict of lists": {"tests": {"far": [is_far]}},
    "partial": {"test": partial(is_far)},
    "object": {"holder": Holder()},
    "default": {"test": lambda self, state: by_default(state)},
}


@pytest.mark.parametrize("members", HOLDERS.values(), ids=HOLDERS)
@pytest.mark.parametrize("of_class", [True, False])
def test_what_functions_read_may_not_whatever_holds_them(monkeypatch, members, of_class):
    kind = type("Held", (Walk,), members if of_class else {})

    def held():
        made = kind(5)
        vars(made).update({} if of_class else members)
        return kin(made)

    first = held()
    assert held() is first
    monkeypatch.setitem(globals(), "FAR", 3)
    assert held() is not first


def test_defaults_that_are_named_may_not(monkeypatch):
    kind = type("Named", (Walk,), {"test": lambda self, state: by_keyword(state)})
    first = kin(kind(5))
    monkeypatch.setitem(by_keyword.__kwdefaults__, "far", 3)
    assert kin(kind(5)) is not first


def by_number(state, by=1):
    return state == by


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("__defaults__", (True,)),
        ("__defaults__", (2,)),
        ("__defaults__", None),
        ("__kwdefaults__", {"far": 3}),
        ("__code__", (lambda state, by=1: state > by).__code__),
    ],
)
def test_what_a_function_is_made_of_may_not(monkeypatch, name, value):
    kind = type("Made", (Walk,), {"test": lambda self, state: by_number(state)})
    first = kin(kind(5))
    monkeypatch.setattr(by_number, "__defaults__", (1,))
    assert kin(kind(5)) is first  # another tuple of the same
    monkeypatch.setattr(by_number, name, value)
    assert kin(kind(5)) is not first


def test_numbers_of_another_kind_may_not(monkeypatch):
    first = kin(Walk(5))
    monkeypatch.setitem(globals(), "STEP", True)
    assert STEP == 1
    assert kin(Walk(5)) is not first


def test_a_global_that_hides_a_function_of_pythons_may_not(monkeypatch):
    kind = type("Hidden", (Walk,), {"test": lambda self, state: max(state, 3)})
    first = kin(kind(5))
    monkeypatch.setitem(globals(), "max", min)
    assert kin(kind(5)) is not first


def own_module(**members):
    made = ModuleType("own")
    vars(made).update(members, __file__=__file__)
    return made


PACKAGE = own_module(levels=own_module(HEIGHT=1))


class InAPackage(Walk):
    def test(self, state):
        return PACKAGE.levels.HEIGHT


class InItsModule(Walk):
    def __init__(self, start):
        super().__init__(start)
        self.levels = (PACKAGE.levels,)

    def test(self, state):
        return self.levels[0].HEIGHT


@pytest.mark.parametrize("kind", [InAPackage, InItsModule])
def test_numbers_of_modules_may_not_wherever_these_are(monkeypatch, kind):
    first = kin(kind(5))
    assert kin(kind(6)) is first
    monkeypatch.setattr(PACKAGE.levels, "HEIGHT", 3)
    assert kin(kind(5)) is not first


def test_a_method_that_is_chosen_when_a_problem_is_made_may_not():
    class Chosen(Walk):
        def __init__(self, start, near):
            super().__init__(start)
            self.on = self.by_one if near else self.by_two

        def by_one(self, state):
            return state - 1

        def by_two(self, state):
            return state - 2

        def successors(self, state):
            return [Step("on", self.on(state))]

    assert kin(Chosen(6, near=True)) is kin(Chosen(8, near=True))
    assert kin(Chosen(6, near=True)) is not kin(Chosen(6, near=False))


class Across(Problem):
    """Along many numbers, and across from one that only a function in a tuple knows."""

    tests = (is_far,)
    _ends: ClassVar[list[int]] = [2490]

    def initial_states(self):
        return [0]

    def successors(self, state):
        yield Step("on", min(state + 1, 2500))
        if self.tests[0](state):
            yield Step("over", 2400)

    def is_goal(self, state):
        return state == self._ends[0]


def test_machine_code_knows_what_is_behind_a_tuple_or_private(monkeypatch):
    costs = []
    for far, end in ((10**6, 2490), (1500, 2490), (1500, 2480)):
        monkeypatch.setitem(globals(), "FAR", far)
        Across._ends[0] = end
        with plainly():
            costs += [solve(Across(), BreadthFirst(), engine=e).cost for e in ENGINES]
    assert costs == [2490, 2490, 1591, 1591, 1581, 1581]


def test_a_key_of_the_object_alone_is_asked_for():
    walk = Walk(5)
    walk.key = abs
    with plainly(), pytest.raises(UnsuitableError, match="its key is not the state"):
        solve(walk, BreadthFirst(), engine="compiled")
    walk.key = lambda state: state // 3
    with pytest.raises(LawError, match="breaks the law keys"):
        solve(walk, BreadthFirst(), engine="reference")


def is_three_on(problem, state):
    return state == problem.start + 3


class ThreeOn:
    def __call__(self, problem, state):
        return is_three_on(problem, state)


def around(test):
    return lambda self, state: bool(test(self, state))


ENDS = [is_three_on]
READERS = {
    "tuple": {"tests": ENDS, "is_goal": lambda self, state: self.tests[0](self, state)},
    "global": {"is_goal": lambda self, state: bool(ENDS[0](self, state))},
    "called": {"test": ThreeOn(), "is_goal": lambda self, state: self.test(self, state)},
    "closure": {"is_goal": around(is_three_on)},
    "default": {"is_goal": lambda self, state, test=is_three_on: test(self, state)},
    "special": {
        "__getitem__": lambda self, more: self.start + more,
        "is_goal": lambda self, state: state == self[3],
    },
}


class Above:
    far = 10**6

    def is_far(self, state):
        return state > self.far


class Beneath(Above):
    pass


BENEATH = Beneath()


@pytest.mark.parametrize("name", ["far", "is_far"])
def test_classes_above_those_of_objects_may_not_change(name, monkeypatch):
    kind = type("Under", (Walk,), {"is_goal": lambda self, state: BENEATH.is_far(state)})
    first = kin(kind(5))
    assert kin(kind(6)) is first
    monkeypatch.setattr(Above, name, 3000 if name == "far" else lambda self, state: True)
    assert kin(kind(6)) is not first


class Threes:
    """Has its function under a name that methods and partial functions have, too."""

    def __init__(self, test):
        self.func, self.test = max, test


def by_any(self, state):
    return any(test(self, state) for test in self.tests)


def by_attribute(self, state):
    return self.tests.test(self, state)


READERS |= {
    "keys": {"tests": {is_three_on: 1}, "is_goal": by_any},
    "row": {"tests": deque([is_three_on]), "is_goal": by_any},
    "view": {"tests": MappingProxyType({is_three_on: 1}), "is_goal": by_any},
    "namespace": {"tests": SimpleNamespace(test=is_three_on), "is_goal": by_attribute},
    "named func": {"tests": Threes(is_three_on), "is_goal": by_attribute},
}


@pytest.mark.parametrize("members", READERS.values(), ids=READERS)
def test_the_start_may_not_differ_where_rules_read_it_in_whatever_way(members):
    kind = type("Reading", (Walk,), members)
    assert kin(kind(5)) is not kin(kind(6))
    assert kin(kind(5)) is kin(kind(5))


class Onwards(Problem):
    """Along the numbers, to one that only a function in a list tells of, by the start."""

    tests = (is_three_on, lambda problem, state: problem.start + 500 <= state)

    def __init__(self, start):
        self.start = start

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        yield Step("on", min(state + 1, 2000))
        if state == 700:
            yield Step("over", 900)

    def is_goal(self, state):
        return self.tests[1](self, state)


def test_machine_code_knows_the_start_that_rules_read():
    with plainly():
        found = [
            solve(Onwards(start), BreadthFirst(), engine=engine).cost
            for engine in ENGINES
            for start in (0, 300, 650)
        ]
    assert found[:3] == found[3:] == [500, 401, 301]


def test_what_is_around_a_function_may_not():
    lies = False

    class Fickle(Walk):
        def is_goal(self, state):
            return not lies and super().is_goal(state)

    first = kin(Fickle(3))
    assert kin(Fickle(4)) is first
    lies = True
    assert kin(Fickle(4)) is not first


def test_a_lie_that_comes_later_is_found():
    for start in range(3, 40):
        assert solve(Walk(start), AStar(), engine="reference").cost == start

    class Lying(Walk):
        lie = 0

        def successors(self, state):
            ahead = super().successors(state)
            return ahead if not self.lie or state < 15 else ahead[:1]

    for start in range(3, 40):
        assert solve(Lying(start), BreadthFirst(), engine="reference").cost == start
    Lying.lie = 1
    with pytest.raises(LawError, match="undirected is True, but"):
        solve(Lying(18), BreadthFirst(), engine="reference")


def boards(numbers):
    eight = eight_puzzle()
    return [eight.with_start(eight.parse(number)) for number in numbers.split()]


EVEN = "867254301 536407182 724506831 123450786 813402765 647850321"
ODD = "123456870 213456780 132456780 123546780 123465780"


@pytest.fixture
def asked(monkeypatch):
    """How often rules are asked: what kinds of problems need not be compared for."""
    calls, own = count(), SlidingPuzzle.apply
    monkeypatch.setattr(SlidingPuzzle, "legal", lambda *_: bool(next(calls) + 1), raising=False)
    assert own is SlidingPuzzle.apply
    return lambda: next(calls)


def test_further_boards_without_a_solution_ask_a_few_states(asked):
    before = asked()
    first, *others = boards(ODD)
    assert solve(first, AStar()).status is Status.UNSOLVABLE
    paid = asked() - before
    assert paid > 1000
    before = asked()
    for board in others:
        assert solve(board, AStar()).status is Status.UNSOLVABLE
    assert asked() - before < 30 * len(others)


def test_the_second_search_expands_nothing_in_the_reference_engine(monkeypatch):
    monkeypatch.setattr(plan, "TRIAL_NODES", 20)
    found = [solve(board, AStar()) for board in boards(EVEN)[:2]]
    assert [each.engine for each in found] == ["compiled"] * 2
    reference = []
    run = plan.Plan.carry_out

    def noted(self, limits, run_one, *more):
        def told(kind, *rest):
            reference.append(kind)
            return run_one(kind, *rest)

        return run(self, limits, told, *more)

    monkeypatch.setattr(plan.Plan, "carry_out", noted)
    again = [solve(board, AStar()) for board in boards(EVEN)[:2]]
    assert reference == ["compiled"] * 2
    assert [each.cost for each in again] == [each.cost for each in found]


def test_after_a_small_search_the_next_begins_with_a_trial(monkeypatch):
    monkeypatch.setattr(plan, "TRIAL_NODES", 20)
    large, small = boards(EVEN)[0], boards(EVEN)[3]
    engines = [solve(each, AStar()).engine for each in (large, small, small, small, large, large)]
    assert engines == ["compiled", "compiled", "reference", "reference", "compiled", "compiled"]


def test_values_that_rules_may_read_are_those_of_now():
    class Noting(Problem):
        _seen: ClassVar[list[int]] = []
        most = 9

        def __init__(self, start):
            self.start = start

        def initial_states(self):
            return [self.start]

        def successors(self, state):
            self._seen.append(state)
            return [Step("on", state + 1)] if state < self.most else []

        def is_goal(self, state):
            return state == self.most

    for start in (1, 2, 3):
        problem = Noting(start)
        kin = kin_of(problem, [start])
        Noting._seen.append(start)
        for each in (kin, None):
            values = {value.name: value for value in values_of(problem, each)}
            assert values["_seen"].before == Noting._seen
            assert values["_seen"].before is not Noting._seen
            assert (values["start"].before, values["most"].before) == (start, 9)


class Spot:
    """A place that compares as what it holds, and may be given another."""

    def __init__(self, at):
        self.at = at

    def __eq__(self, other):
        return self.at == other.at

    def __hash__(self):
        return hash(self.at)


class SlottedSpot(Spot):
    __slots__ = ("more",)


class ToSpots(Problem):
    """From place to place, to one of several that are the problem's own."""

    def __init__(self, kind, spots):
        self.spots, self.kind = spots, kind

    def initial_states(self):
        return [self.kind(0)]

    def is_goal(self, state):
        return state in self.spots

    def successors(self, state):
        if state.at < 9:
            yield Step("on", self.kind(state.at + 1))


@pytest.mark.parametrize("kind", [Spot, SlottedSpot])
@pytest.mark.parametrize("hold", [list, tuple, lambda spots: (1, tuple(spots)), frozenset, set])
def test_objects_that_change_in_place_are_no_longer_the_same(kind, hold):
    spots = [kind(3), kind(5)]
    problem = ToSpots(kind, hold(spots))
    first = kin_of(problem)
    same = kin_of(ToSpots(kind, hold([kind(3), kind(5)])))
    assert (same is first) is (hold not in (frozenset, set))  # the order of sets is not compared
    spots[0].at = 7
    assert kin_of(problem) is not first


def test_machine_code_knows_where_an_object_of_the_problem_has_changed():
    problem, found = ToSpots(Spot, [Spot(3), Spot(8)]), []
    for at in (3, 2, 4):
        problem.spots[0].at = at
        with plainly():
            found += [solve(problem, BreadthFirst(), engine=e).cost for e in ENGINES]
    assert found == [3, 3, 2, 2, 4, 4]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ((1, 2), (True, 2)),
        ((1, (2, 3)), (1, (2.0, 3))),
        ([1], [True]),
        ([[1, ()]], [[1.0, ()]]),
        ({1: 0}, {True: 0}),
        ({"a": 1}, {"a": True}),
        ({1}, {True}),
        (frozenset({(1, 2)}), frozenset({(1, 2.0)})),
        ((0.0, "a"), (-0.0, "a")),
        ({1: 0, 2: 0}, {2: 0, 1: 0}),
        (OrderedDict({1: 0, 2: 0}), OrderedDict({2: 0, 1: 0})),
    ],
    ids=str,
)
def test_what_is_equal_but_of_other_types_is_not_the_same(before, now):
    first = kin(Walk(5, table=before))
    assert kin(Walk(6, table=now)) is not first
    assert kin(Walk(6, table=before)) is first


class Slotted:
    __slots__ = ("by",)

    def __init__(self, by=3):
        self.by = by

    def get(self):
        return self.by


class Row(tuple):
    """A row that may have attributes."""


@dataclass(frozen=True)
class Kept:
    at: int
    more: list = field(compare=False)


def labelled(state):
    return labelled.by


def _row():
    made = Row((1, 2))
    made.by = 3
    return made


CHANGES = {
    "slots": (Slotted, lambda held: setattr(held, "by", 7)),
    "slots in a tuple": (lambda: (Slotted(),), lambda held: setattr(held[0], "by", 7)),
    "bound method": (lambda: Slotted().get, lambda held: setattr(held.__self__, "by", 7)),
    "method of a list": (lambda: [3].__getitem__, lambda held: setitem(held.__self__, 0, 7)),
    "partial": (lambda: partial(len, [3]), lambda held: held.args[0].append(7)),
    "ordered": (lambda: OrderedDict(a=3), lambda held: held.update(a=7)),
    "counter": (lambda: Counter(a=3), lambda held: held.update(a=7)),
    "proxy": (lambda: (MappingProxyType(PROXIED),), lambda held: PROXIED.update(a=7)),
    "deque": (lambda: deque([3]), lambda held: held.append(7)),
    "list of one's own": (lambda: type("Own", (list,), {})([3]), lambda held: held.append(7)),
    "row with an attribute": (_row, lambda held: setattr(held, "by", 7)),
    "namespace": (lambda: SimpleNamespace(by=3), lambda held: setattr(held, "by", 7)),
    "not compared": (lambda: Kept(1, [3]), lambda held: held.more.append(7)),
    "function": (lambda: labelled, lambda held: setattr(held, "by", 7)),
}
PROXIED = {"a": 3}


@pytest.mark.parametrize(("make", "change"), CHANGES.values(), ids=CHANGES)
def test_whatever_holds_a_number_its_change_is_noticed(make, change):
    labelled.by = 3
    problem = Walk(5, table=make())
    first = kin(problem)
    assert kin(problem) is first
    change(problem.table)
    assert kin(problem) is not first


def test_objects_that_compare_less_than_they_hold_are_told_apart():
    first = kin(Walk(5, table=(Kept(1, 3),)))
    assert kin(Walk(5, table=(Kept(1, 3),))) is first
    assert kin(Walk(5, table=(Kept(1, 7),))) is not first


class Lift(Problem):
    """A board on which one place is a lift, of whose height a slot tells."""

    _height = Slotted(0)

    def initial_states(self):
        return [(0, 0)]

    def successors(self, place):
        x, y = place
        if x < 40:
            yield Step("x", (x + 1, y))
        if y < 40:
            yield Step("y", (x, y + 1))
        if place == (29, 7):
            yield Step("lift", (x, y + self._height.by))

    def is_goal(self, place):
        return place == (40, 40)


@pytest.mark.slow_variants("of the class")
@pytest.mark.parametrize("own", [False, True], ids=["of the class", "of the problem"])
def test_machine_code_knows_what_slots_hold_now(monkeypatch, own):
    problem, found = Lift(), []
    monkeypatch.setattr(Lift, "_height", Slotted(0))
    if own:
        problem._height = Lift._height
    for by in (0, 30):
        problem._height.by = by
        with plainly():
            found += [solve(problem, BreadthFirst(), engine=e).cost for e in ENGINES]
    assert found == [80, 80, 51, 51]


def test_classes_made_by_type_are_their_authors():
    """Python says that they are of the module `abc`."""
    kind = type("Made", (Across,), {"_ends": [30]})
    assert kind.__module__ == "abc"
    with plainly():
        assert solve(kind(), BreadthFirst(), engine="compiled").cost == 30
    assert not is_ours_class(kind)
    assert is_ours_class(ABC)
    assert is_ours_class(object)


class Marked(set):
    """A set with an attribute."""

    def __init__(self, members, mark):
        super().__init__(members)
        self.mark = mark


def test_what_a_set_holds_is_not_taken_for_its_attributes():
    first = kin(Walk(5, table=Marked([1], 2)))
    assert kin(Walk(5, table=Marked([1], 2))) is first
    assert kin(Walk(5, table=Marked([2], 1))) is not first


def test_a_quick_look_is_not_paid_for_after_a_thorough_one(monkeypatch):
    asked, look = [], Sample.look
    monkeypatch.setattr(
        Sample, "look", lambda self, budget: (asked.append(budget.states), look(self, budget))
    )
    puzzle = eight_puzzle()
    boards = map(puzzle.parse, ("213456780", "123456708", "123456078"))
    unsolvable, first, second = map(puzzle.with_start, boards)
    assert solve(unsolvable, AStar()).status is Status.UNSOLVABLE
    solve(first, AStar())
    asked.clear()
    assert solve(second, AStar()).status is Status.SOLVED
    assert asked[0] == NEXT.states


@pytest.mark.parametrize(
    ("row", "count", "noted"),
    [
        ([1, 2], 10, 11),
        ({3: 4}, 10, 11),
        ([(1,), [2]], 10, 21),
        ([1, 2], MOST_ITEMS, 0),
        ({3: 4}, MOST_ITEMS // 2 + 1, 0),
    ],
)
def test_what_containers_hold_is_noted_as_a_whole_or_not_at_all(row, count, noted):
    problem = Walk(5, table=[deepcopy(row) for _ in range(count)])
    inner = [each for row in problem.table for each in row if isinstance(each, list)]
    places = {id(each) for each in (problem.table, *problem.table, *inner)}
    found = [value for value in values_of(problem) if id(value.container) in places]
    assert len(found) == noted
    for value in found:
        value.container.clear()
    assert all(value.has_changed() for value in found)
