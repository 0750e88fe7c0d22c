"""The larger of two lower bounds."""

from __future__ import annotations

from typing import Any, NamedTuple

from searchkit.algorithms.validators import expect
from searchkit.heuristic import Heuristic, is_estimate, wrong_estimate
from searchkit.packed import CarriedHeuristic, PackedHeuristic


def maximum(first: Heuristic[Any, Any], *others: Heuristic[Any, Any]) -> Heuristic[Any, Any]:
    """The largest of some heuristics: admissible if they are, consistent if they are.

    It is packed if all of them are.

    >>> from searchkit.heuristic import ZeroHeuristic
    >>> maximum(ZeroHeuristic(), ZeroHeuristic()).name
    'max(zero,zero)'
    """
    for each in (first, *others):
        expect(each, Heuristic, "a heuristic", "a Heuristic object, like Manhattan(problem)")
    if not others:
        return first
    second = maximum(*others)
    if isinstance(first, PackedHeuristic) and isinstance(second, PackedHeuristic):
        return PackedMaximum(first, second)
    return PlainMaximum(first, second)


def _name(first: Heuristic[Any, Any], second: Heuristic[Any, Any]) -> str:
    inner = second.name
    if isinstance(second, (PackedMaximum, PlainMaximum)):
        inner = inner.removeprefix("max(").removesuffix(")")
    return f"max({first.name},{inner})"


class PlainMaximum(Heuristic[Any, Any]):
    """The larger of two heuristics of any kind."""

    def __init__(self, first: Heuristic[Any, Any], second: Heuristic[Any, Any]) -> None:
        self.first, self.second = first, second
        self.name = _name(first, second)

    def __call__(self, state: Any) -> float:
        """The larger value."""
        first, second = self.first(state), self.second(state)
        for each, value in ((self.first, first), (self.second, second)):
            if not is_estimate(value):  # a NaN would be lost in `max`
                raise wrong_estimate(each.name, value, repr(state))
        return max(first, second)

    def unfit(self, problem: Any) -> str | None:
        """Why either is unfit."""
        return self.first.unfit(problem) or self.second.unfit(problem)

    def fault(self) -> str | None:
        """That of either; both are asked, so that no note is left."""
        first, second = self.first.fault(), self.second.fault()
        return first or second


class MaximumTables(NamedTuple):
    """`memory` is how many words the first heuristic remembers."""

    memory: int


class PackedMaximum(CarriedHeuristic):
    """The larger of two packed heuristics; the second is asked only if the first allows a step."""

    parts = ("first", "second")

    def __init__(self, first: PackedHeuristic, second: PackedHeuristic) -> None:
        self.name = _name(first, second)
        self.first, self.second = _carried(first), _carried(second)
        self.tables = MaximumTables(self.first.memory)
        self.memory = 1 + self.first.memory + self.second.memory

    def unfit(self, problem: Any) -> str | None:
        """Why either is unfit."""
        return self.first.unfit(problem) or self.second.unfit(problem)

    def fault(self) -> str | None:
        """That of either; both are asked, so that no note is left."""
        first, second = self.first.fault(), self.second.fault()
        return first or second

    def begin(self, memo: Any, at: int, state: Any) -> int:
        """Kernel: both."""
        value = self.first.begin(memo, at + 1, state)
        other = self.second.begin(memo, at + 1 + self.tables.memory, state)
        value = max(value, other)
        memo[at] = value
        return int(value)

    def recall(self, memo: Any, at: int) -> int:
        """Kernel: the first word."""
        return int(memo[at])

    def follow(
        self,
        memo: Any,
        at: int,
        after: int,
        state: Any,
        control: int,
        operator: int,
        child: Any,
        most: int,
    ) -> int:
        """Kernel: one after the other."""
        value = self.first.follow(memo, at + 1, after + 1, state, control, operator, child, most)
        if value > most:
            return int(value)
        skip = 1 + self.tables.memory
        other = self.second.follow(
            memo, at + skip, after + skip, state, control, operator, child, most
        )
        value = max(value, other)
        memo[after] = value
        return int(value)


def _carried(heuristic: PackedHeuristic) -> CarriedHeuristic:
    if isinstance(heuristic, CarriedHeuristic):
        return heuristic
    if type(heuristic).change is PackedHeuristic.change:
        return _Recomputed(heuristic)
    return _Changed(heuristic)


class _Recomputed(CarriedHeuristic):
    """A packed heuristic, computed from scratch at each step."""

    parts = ("inner",)

    def __init__(self, inner: PackedHeuristic) -> None:
        self.inner = inner
        self.name = inner.name

    def unfit(self, problem: Any) -> str | None:
        """Why the inner heuristic is unfit."""
        return self.inner.unfit(problem)

    def fault(self) -> str | None:
        """That of the inner heuristic."""
        return self.inner.fault()

    def begin(self, memo: Any, at: int, state: Any) -> int:
        """Kernel: its estimate."""
        memo[at] = self.inner.estimate(state)
        return int(memo[at])

    def recall(self, memo: Any, at: int) -> int:
        """Kernel: the only word."""
        return int(memo[at])

    def follow(
        self,
        memo: Any,
        at: int,
        after: int,
        state: Any,
        control: int,
        operator: int,
        child: Any,
        most: int,
    ) -> int:
        """Kernel: the estimate of the child."""
        memo[after] = self.inner.estimate(child)
        return int(memo[after])


class _Changed(_Recomputed):
    """A packed heuristic whose changes are added up."""

    def follow(
        self,
        memo: Any,
        at: int,
        after: int,
        state: Any,
        control: int,
        operator: int,
        child: Any,
        most: int,
    ) -> int:
        """Kernel: the change of the step."""
        memo[after] = memo[at] + self.inner.change(state, control, operator, child)
        return int(memo[after])
