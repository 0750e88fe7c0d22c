"""What rules read is changed between two searches of one problem: each has its own answer.

It lies in containers, partials, defaults, closures and objects, which hold one another. A search
gives what a fresh problem gives, by both engines, or one line that says why not.
"""

from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import BreadthFirst, SearchkitError, StartAndGoal, Step, solve
from searchkit.authors.kin import kin_of

GOAL = 60
Reader = Callable[[], int]


class Held:
    """An object that holds another value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def read(self) -> Any:
        return self.value[0] if isinstance(self.value, list) else self.value


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def first_of(cell: list[int]) -> int:
    return cell[0]


def defaulted(cell: list[int]) -> Reader:
    def read(cell: list[int] = cell) -> int:
        return cell[0]

    return read


def named(cell: list[int]) -> Reader:
    def read(*, cell: list[int] = cell) -> int:
        return cell[0]

    return read


def enclosed(cell: list[int]) -> Reader:
    return lambda: cell[0]


READERS: dict[str, Callable[[list[int]], Reader]] = {
    "default": defaulted,
    "named default": named,
    "closure": enclosed,
    "partial": lambda cell: partial(first_of, cell),
    "named partial": lambda cell: partial(first_of, cell=cell),
    "method of another": lambda cell: Held(cell).read,
    "partial of a partial": lambda cell: partial(partial(first_of), cell),
    "closure over an object": lambda cell: enclosed(Held([cell]).value[0]),
}


class ByReader(StartAndGoal[int, str]):
    """Steps are as long as what is read says."""

    def __init__(self, reader: Any, look: Callable[[Any], Reader]) -> None:
        self.start, self.goal = 0, GOAL
        self.held, self.look = reader, look

    def successors(self, state: int) -> Any:
        return [Step("on", state + self.look(self.held)())] if state < self.goal else []


HOLDERS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "itself": (lambda each: each, lambda held: held),
    "list": (lambda each: [each], lambda held: held[0]),
    "tuple": (lambda each: (1, each), lambda held: held[1]),
    "dict": (lambda each: {"a": each}, lambda held: held["a"]),
    "nested": (lambda each: {"a": [({"b": each},)]}, lambda held: held["a"][0][0]["b"]),
    "object": (Held, lambda held: held.value),
    "slots": (Slotted, lambda held: held.value),
    "list of objects": (lambda each: [Held((each,))], lambda held: held[0].value[0]),
}


def answer(problem: Any, engine: Any) -> int | None:
    try:
        return solve(problem, BreadthFirst(), engine=engine).cost  # type: ignore[return-value]
    except SearchkitError:
        return None


@pytest.mark.spread
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("holder", HOLDERS)
def test_a_change_between_two_searches_is_seen(holder: str, reader: str) -> None:
    put, look = HOLDERS[holder]
    for engine in ("reference", "auto"):
        cell = [1]
        problem = ByReader(put(READERS[reader](cell)), look)
        for length in (1, 2, 3):
            cell[0] = length
            assert answer(problem, engine) == GOAL // length


class ByNumbers(StartAndGoal[int, str]):
    """Steps are as long as a number deep in containers, which rules read themselves."""

    def __init__(self, numbers: Any, way: tuple[Any, ...]) -> None:
        self.start, self.goal = 0, GOAL
        self.numbers, self.way = numbers, way

    def successors(self, state: int) -> Any:
        held = self.numbers
        for each in self.way:
            held = held[each]
        return [Step("on", state + held)] if state < self.goal else []


class ByCell(StartAndGoal[int, str]):
    """The same, as machine code has it."""

    def __init__(self, cell: Any) -> None:
        self.start, self.goal = 0, GOAL
        self.cell = cell

    def successors(self, state: int) -> Any:
        return [Step("on", state + self.cell[0])] if state < self.goal else []


def test_machine_code_sees_a_change_between_two_searches() -> None:
    cell = [1]
    problem = ByCell(cell)
    for length in (1, 2, 3):
        cell[0] = length
        assert solve(problem, BreadthFirst(), engine="compiled").cost == GOAL // length


class ByMethod(StartAndGoal[int, str]):
    """The steps are those of another object."""

    def __init__(self, steps: Any) -> None:
        self.start, self.goal, self.steps = 0, GOAL, steps

    def successors(self, state: int) -> Any:
        return self.steps(state)


class Stepping:
    def __init__(self, length: int) -> None:
        self.length = length

    def steps(self, state: int) -> Any:
        return [Step("on", state + self.length)] if state < GOAL else []


def test_machine_code_sees_a_change_of_the_object_whose_method_it_was_given() -> None:
    stepping = Stepping(1)
    problem = ByMethod(stepping.steps)
    for length in (1, 2, 3):
        stepping.length = length
        assert solve(problem, BreadthFirst(), engine="compiled").cost == GOAL // length


class Ground(Enum):
    """Each member has an attribute, a number, which can be set again."""

    ROAD = "road"
    MUD = "mud"

    def __init__(self, text: str) -> None:
        self.length = len(text)


class ByGround(StartAndGoal[int, str]):
    """Steps are as long as mud."""

    def __init__(self) -> None:
        self.start, self.goal = 0, GOAL

    def successors(self, state: int) -> Any:
        return [Step("on", state + Ground.MUD.length)] if state < self.goal else []


def test_attributes_of_members_of_enumerations_are_changed_between_two_searches() -> None:
    problem = ByGround()
    for length in (1, 2, 3):
        Ground.MUD.length = length
        assert answer(problem, "auto") == GOAL // length
    kin = kin_of(problem)
    assert kin_of(problem) is kin


class Dotted(dict[str, Any]):
    """A dict whose keys are attributes as well; of other names, None."""

    __getattr__ = dict.get


class Strict(dict[str, Any]):
    """The same; of other names, a `KeyError`."""

    __getattr__ = dict.__getitem__


class Anything:
    """An object that has every attribute: a number."""

    def __init__(self, value: list[int]) -> None:
        self.value = value

    def __getattr__(self, name: str) -> int:
        return 7


@pytest.mark.parametrize(
    "make", [lambda cell: Dotted(value=cell), lambda cell: Strict(value=cell), Anything]
)
@pytest.mark.parametrize("engine", ["reference", "auto"])
def test_an_object_may_answer_to_every_name(make: Callable[[list[int]], Any], engine: str) -> None:
    cell = [1]
    problem = ByReader(make(cell), lambda held: partial(first_of, held.value))
    for length in (1, 2, 3):
        cell[0] = length
        assert answer(problem, engine) == GOAL // length


def test_methods_of_a_problem_in_its_own_containers_are_no_loop() -> None:
    class Dispatching(ByMethod):
        def __init__(self) -> None:
            super().__init__(None)
            self.table = {"on": self.on, "others": [self.on]}

        def on(self, state: int) -> Any:
            return [Step("on", state + 1)]

        def successors(self, state: int) -> Any:
            return self.table["on"](state)

    problem = Dispatching()
    kin = kin_of(problem)
    assert kin_of(problem) is kin
    problem.table["more"] = problem.on
    assert kin_of(problem) is not kin


ways = st.lists(st.sampled_from(["list", "tuple", "dict"]), min_size=1, max_size=5)


@settings(max_examples=30, deadline=None)
@given(ways, st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_numbers_deep_in_containers(kinds: list[str], lengths: list[int]) -> None:
    cell = [1]
    held: Any = cell
    way: list[Any] = [0]
    for kind in kinds:
        held = {"list": [0, held], "tuple": (0, held), "dict": {1: held}}[kind]
        way.insert(0, 1)
    problem = ByNumbers(held, tuple(way))
    for length in lengths:
        cell[0] = length
        found = answer(problem, "auto")
        assert found == (GOAL // length if GOAL % length == 0 else None)
