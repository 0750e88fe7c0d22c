"""The larger of two lower bounds."""

from __future__ import annotations

from typing import Any, NamedTuple

from searchkit.algorithms.validators import expect
from searchkit.heuristic import Heuristic, is_estimate, wrong_estimate
from searchkit.packed import CarriedHeuristic, PackedHeuristic, PackedStep


def maximum(first: Heuristic[Any, Any], *others: Heuristic[Any, Any]) -> Heuristic[Any, Any]:
    """The largest of some heuristics: admissible if they are, consistent if they are.

    It is packed if all of them are.

    >>> from searchkit.packed import ZeroHeuristic
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


def own_given(heuristic: Heuristic[Any, Any]) -> str | None:
    """What makes a heuristic a lower bound, by its own class: that of a base need not hold."""
    of_class = vars(type(heuristic)).get("given")
    found = getattr(heuristic, "__dict__", {}).get("given") if of_class is None else of_class
    return None if found is None else str(found)


class _OfTwo(Heuristic[Any, Any]):
    """What two heuristics together say of a problem."""

    def __init__(self, first: Heuristic[Any, Any], second: Heuristic[Any, Any]) -> None:
        self.both = first, second
        inner = second.name
        if isinstance(second, _OfTwo):
            inner = inner.removeprefix("max(").removesuffix(")")
        self.name = f"max({first.name},{inner})"
        given = own_given(first), own_given(second)
        if all(given):
            self.given = " and ".join(dict.fromkeys(map(str, given)))

    def unfit(self, problem: Any) -> str | None:
        """Why either is unfit."""
        return self.both[0].unfit(problem) or self.both[1].unfit(problem)

    def fault(self) -> str | None:
        """That of either; both are asked, so that no note is left."""
        first, second = (each.fault() for each in self.both)
        return first or second


class PlainMaximum(_OfTwo):
    """The larger of two heuristics of any kind."""

    def __call__(self, state: Any) -> float:
        """The larger value; written so that it is translated where both heuristics are."""
        one, other = self.both
        first, second = one(state), other(state)
        if not is_estimate(first):  # a NaN would be lost in `max`
            raise wrong_estimate(one.name, first, repr(state))
        if not is_estimate(second):
            raise wrong_estimate(other.name, second, repr(state))
        return max(first, second)


class MaximumTables(NamedTuple):
    """`memory` is how many words the first heuristic remembers."""

    memory: int


class PackedMaximum(_OfTwo, CarriedHeuristic):
    """The larger of two packed heuristics; the second is asked only if the first allows a step."""

    parts = ("first", "second")

    def __init__(self, first: PackedHeuristic, second: PackedHeuristic) -> None:
        super().__init__(first, second)
        self.first, self.second = _carried(first), _carried(second)
        self.tables = MaximumTables(self.first.memory)
        self.memory = 1 + self.first.memory + self.second.memory

    def begin(self, memo: Any, at: int, state: Any) -> int:
        """Kernel: evaluate both bounds and remember the larger, before the words of both."""
        value = self.first.begin(memo, at + 1, state)
        other = self.second.begin(memo, at + 1 + self.tables.memory, state)
        value = max(value, other)
        memo[at] = value
        return int(value)

    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        """Kernel: update both bounds; skip the second if the first prunes."""
        value = self.first.follow(memo, at + 1, after + 1, step, most)
        if value > most:
            return int(value)
        skip = 1 + self.tables.memory
        other = self.second.follow(memo, at + skip, after + skip, step, most)
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
    """A packed heuristic that remembers its estimate, computed from scratch at each step."""

    parts = ("inner",)

    def __init__(self, inner: PackedHeuristic) -> None:
        self.inner = inner

    def begin(self, memo: Any, at: int, state: Any) -> int:
        memo[at] = self.inner.estimate(state)
        return int(memo[at])

    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        _, _, _, child = step
        memo[after] = self.inner.estimate(child)
        return int(memo[after])


class _Changed(_Recomputed):
    """A packed heuristic whose changes are added up."""

    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        state, control, operator, child = step
        memo[after] = memo[at] + self.inner.change(state, control, operator, child)
        return int(memo[after])
