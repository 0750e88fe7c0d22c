"""Machine code compared with the rules that it was made of: before a search, and during it."""

from __future__ import annotations

import random
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from searchkit.authors.user_code import short
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.listing import list_successors
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.errors import CompilationError
from searchkit.heuristic import is_estimate
from searchkit.packed import DEAD_END, MOST_STEPS
from searchkit.problem import INFINITY
from searchkit.running.overdue import GivenUpError, in_passing
from searchkit.running.task import Run
from searchkit.translation.problem import TranslatedHeuristic
from searchkit.translation.refusals import place_of_rule
from searchkit.translation.sampling import Steps

FIRST = 500
"""How many states are compared before a search, ..."""
DRAWN = 128
"""... and how many after its first slice, ..."""
AT_ONCE = 50
MOST_CHILDREN = 4000
"""... but no more, once they had so many children together, ..."""
SECONDS = 1.0
"""... or after so long."""
EVERY = 1 << 14
"""After so many expansions one more is, ..."""
MOST_AT_ONCE = 8
"""... but at most so many between two slices."""

T = TypeVar("T")


class _Asked(NamedTuple):
    """What the author's rules say of a state."""

    state: Any
    children: list[Any]
    costs: list[Any]
    is_goal: bool
    estimate: Any


class Compared(Protocol):
    """What has machine code made of an author's rules, to be compared with them."""

    noted: Any
    """The first machine code that was made of the problem; None before."""
    estimated: Any
    """The author's heuristic, if machine code was made of it."""
    method: str
    """The method of `author` that lists the steps."""

    @property
    def author(self) -> Any:
        """The problem by the rules as they are written."""

    def value(self, state: Any) -> Any:
        """A packed state as the rules know it."""

    def packed_states(self, values: Sequence[Any]) -> np.ndarray[Any, Any]:
        """The words of many of those, a row for each."""

    def shown(self, value: Any) -> Any:
        """What messages show for one."""

    def rule(self, method: str) -> tuple[type, str]:
        """The author's class and method that `method` of a problem, or its heuristic, is."""


class Watch:
    """Compares the machine code of one run: on states that were sampled, then on those it stores.

    Raises `CompilationError` where it gives other children, in another order, at other costs, or
    says something else of a state than the author's rules. States of which these raise an error
    are left out: the search may never ask them.

    It begins with `sample`: states, as the author made them, with their steps if these are known.
    `before` says how many states were compared at first, in searches before this one as well.
    """

    _spec: Specialised
    _heuristic: TranslatedHeuristic | None = None
    _room: Children
    _has_begun = False
    _asked_at: int | None = None

    def __init__(self, run: Run, sample: Mapping[Any, Steps | None], before: int = 0) -> None:
        self.run, self.sample, self.before = run, sample, before
        problem: Any = run.problem
        self._problem: Compared = getattr(problem, "compared", problem)
        self._choose = random.Random(1)
        self._legal: set[tuple[type, Any]] = set()
        """Costs that were looked at, and that steps may have."""

    def begin(self) -> None:
        """Compare the first states, once an engine has made its machine code."""
        self._spec = spec = self._problem.noted
        if isinstance(spec.heuristic, TranslatedHeuristic):
            self._heuristic = spec.heuristic
        self._room = spec.children(64)
        half, states = FIRST // 2, list(self.sample)
        near_and_far = zip(states[:half], states[-half:], strict=True)
        self._compare_all({each: self.sample[each] for each in chain.from_iterable(near_and_far)})

    def look(self) -> None:
        """Compare some more, as many as are due; at first what machine code there is by then."""
        if self._problem.noted is None:
            return
        if not self._has_begun:
            self._has_begun = True
            self.begin()
        expanded = self.run.counters.expanded
        if self._asked_at is None:
            due = min(DRAWN - self.before, expanded)
            self.before += due
            self._asked_at = expanded if expanded else None
        else:
            due = min(MOST_AT_ONCE, (expanded - self._asked_at) // EVERY)
            self._asked_at = expanded if due else self._asked_at
        if due > 0:
            drawn = map(self._problem.value, self.run.drawn(due, self._choose))
            self._compare_all(dict.fromkeys(drawn))

    def _compare_all(self, states: dict[Any, Steps | None]) -> None:
        """Compare states, of which steps may be known, until rules do not answer for one."""
        began, children, values = time.monotonic(), 0, self._all_asked(states)
        while some := list(islice(values, AT_ONCE)):
            children += self._compare([each for each in some if each])
            if children > MOST_CHILDREN or time.monotonic() - began > SECONDS:  # rules may be slow
                break

    def _all_asked(self, states: dict[Any, Steps | None]) -> Iterator[_Asked | None]:
        for value, known in states.items():
            found = None
            try:
                with in_passing(self._problem.author):
                    found = self._asked(value, known)
            except GivenUpError:
                return
            except Exception:
                pass
            yield found

    def _asked(self, value: Any, known: Steps | None) -> _Asked | None:
        author = self._problem.author
        if known is None:
            listed = getattr(author, self._problem.method)(value)
            known = list(islice(listed, MOST_STEPS))
            asked = self.run.reservoir.asked
            if len(asked) < DRAWN and not hasattr(self.run.problem, "compared"):
                asked[value] = known
        children, costs = [step[1] for step in known], [step[2] for step in known]
        new = {(type(each), each) for each in costs} - self._legal
        for _, cost in new:
            self.run.legal_cost(None, cost)
        self._legal |= new
        is_goal = bool(author.is_goal(value))
        estimate: Any = None if self._heuristic is None else self._heuristic.own(value)
        if len(children) == MOST_STEPS or not (estimate is None or is_estimate(estimate)):
            return None
        return _Asked(value, children, costs, is_goal, estimate)

    def _compare(self, asked: Sequence[_Asked]) -> int:
        """Compare some states; how many children they have."""
        problem, spec = self._problem, self._spec
        rows = problem.packed_states([each.state for each in asked])
        wanted = problem.packed_states([child for each in asked for child in each.children])
        self._room, ends = list_successors(self.run, spec, rows, self._room)
        numbers = ends.tolist()
        counts = [len(each.children) for each in asked]
        costs = [cost for each in asked for cost in each.costs]
        if (
            numbers != list(accumulate(counts))
            or not np.array_equal(self._room.states[: len(wanted)], wanted)
            or (self._room.costs[: len(costs)].tolist() or [1] * len(costs)) != costs
        ):
            self._compare_children(asked, numbers, wanted)
        goals, estimates = np.zeros((2, len(rows)), dtype=np.int64)
        spec.module.answers(*spec.head[:2], rows, goals, estimates)
        for each, goal, estimate in zip(asked, goals.tolist(), estimates.tolist(), strict=True):
            if each.is_goal != bool(goal):
                raise self._differing(each.state, "is_goal", bool(goal), each.is_goal)
            if each.estimate is None:
                continue
            is_never = not spec.module.FLOATS and estimate == DEAD_END
            given = INFINITY if is_never else spec.number_of(estimate)
            if each.estimate != given:
                raise self._differing(each.state, "heuristic", given, each.estimate)
        return sum(counts)

    def _compare_children(
        self, asked: Sequence[_Asked], ends: Sequence[int], wanted: np.ndarray[Any, Any]
    ) -> None:
        """Raise `CompilationError` for the first state with other children than those in `wanted`.

        Its own are in `_room`; those of each state end at the number that `ends` has.
        """
        problem = self._problem
        first = begin = 0
        for each, end in zip(asked, ends, strict=True):
            last = first + len(each.children)
            found = self._room.states[begin:end]
            costs = self._room.costs[begin:end].tolist() or [1] * len(found)
            if not np.array_equal(found, wanted[first:last]) or costs != each.costs:
                said = [problem.shown(problem.value(python_state(row))) for row in found]
                expected = list(map(problem.shown, each.children))
                if said == expected:
                    said, expected = costs, each.costs
                raise self._differing(each.state, "successors", said, expected)
            first, begin = last, end

    def _differing(self, state: Any, method: str, found: Any, expected: Any) -> CompilationError:
        kind, method = self._problem.rule(method)
        return CompilationError(
            f"{place_of_rule(kind, method)}: machine code gives {short(found, 120)} for "
            f"{short(self._problem.shown(state))}, and Python {short(expected, 120)}; "
            "engine='reference' runs it as it is"
        )


def watches(
    runs: Sequence[Run], samples: Sequence[Mapping[Any, Steps | None]], drawn: int | None = None
) -> list[Watch]:
    """What compares the ends of a search: of what they have met, as many states as of one end.

    Those are `drawn`, or `DRAWN`.
    """
    before = DRAWN - min(DRAWN, drawn or DRAWN) // len(runs)
    return [Watch(run, sample, before) for run, sample in zip(runs, samples, strict=True)]


def watched(run: Run, engine: Generator[None, None, T]) -> Generator[None, None, T]:
    """Run an engine, and compare machine code with the rules if it was made of an author's."""
    compared = getattr(run.problem, "compared", None)
    if compared is None:
        return (yield from engine)
    watch = Watch(run, dict.fromkeys(run.problem.initial_states()), compared.count)
    try:
        while True:
            try:
                next(engine)
            except StopIteration as stopped:
                found: T = stopped.value
                return found
            watch.look()
            compared.count = watch.before
            yield
    finally:
        engine.close()
