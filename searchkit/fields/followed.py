"""Patterns of ordinary problems: their rules are followed on states that are not known.

A state is a tuple of whole numbers, or of such tuples. `successors` is run as it is written, as the
moves of a puzzle on fields are (`searchkit.fields.labels`); each step that it gives on the way is a
label. The values of numbers are those of the starts, and those that labels lead to from there,
until there are no more: so what is said holds for every state that can be reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import attrs

from searchkit.authors.kin import kin_of
from searchkit.errors import UnsuitableError
from searchkit.fields.declared import Array, Field, Int
from searchkit.fields.labels import MORE_WITNESSES, Copy, Follower, Label, Lowered
from searchkit.fields.layout import numbered
from searchkit.fields.patterns import (
    WALKS,
    FieldSpace,
    Parted,
    added_by,
    factors_found,
    patterns_of,
    space_of,
    walks,
)
from searchkit.fields.symbols import Number, Run, Values
from searchkit.heuristics.kinds import MOST_LOOKED_UP
from searchkit.packed import PackedProblem
from searchkit.pattern_space import Pattern, PatternSpace
from searchkit.problem import Problem, Step, derived
from searchkit.running.overdue import GivenUpError, in_passing

MOST_VALUES = 1 << 8
"""A number of more values, from the least to the largest, is not followed."""
MOST_ROUNDS = 64
"""How often rules are followed at most, each time with the values that were led to before."""
FEW_LABELS = 1000
"""No more labels are compared with the steps of many walks."""
OUTSIDE = 1 << 30
"""The pattern state of what cannot be reached: more than any pattern has."""
ADVICE = "declare its states by fields (searchkit.fields), or use another heuristic"


@attrs.frozen
class Rows:
    """The form of states: the classes of a tuple, and of those within it, with their lengths.

    Where a state is one tuple of numbers, it is its only row.
    """

    outer: type | None
    kinds: tuple[type, ...]
    lengths: tuple[int, ...]

    @classmethod
    def of(cls, state: Any) -> Rows | None:
        """The form of a state; None for another one."""
        if not isinstance(state, tuple) or not state:
            return None
        is_one = not any(isinstance(each, tuple) for each in state)
        rows = (state,) if is_one else state
        if not all(isinstance(row, tuple) and row and all(map(_is_number, row)) for row in rows):
            return None
        outer = None if is_one else type(state)
        return cls(outer, tuple(map(type, rows)), tuple(map(len, rows)))

    def numbers(self, state: Any) -> list[Any]:
        """The numbers of a state of this form; `UnsuitableError` for another state."""
        if Rows.of(state) != self:
            raise UnsuitableError(f"it leads to {state!r:.60}, which is of another form")
        return list(state) if self.outer is None else [each for row in state for each in row]

    def state(self, numbers: Iterable[Any]) -> Any:
        """The state of some numbers."""
        each = iter(numbers)
        rows = [
            _made(kind, [next(each) for _ in range(length)])
            for kind, length in zip(self.kinds, self.lengths, strict=True)
        ]
        return rows[0] if self.outer is None else _made(self.outer, rows)

    def slots(self, numbers: Sequence[Sequence[int]]) -> dict[str, Slot]:
        """The parts of states with such numbers: all of them, or one for each that has a name."""
        names = [name for kind in self.kinds for name in getattr(kind, "_fields", ())]
        if len(set(names)) < sum(self.lengths):
            every = [each for state in numbers for each in state]
            return {"state": Slot(Array(sum(self.lengths), min(every), max(every) + 1))}
        columns = zip(names, zip(*numbers, strict=True), strict=True)
        return {name: Slot(Int(min(each), max(each) + 1)) for name, each in columns}


def _is_number(value: Any) -> bool:
    return type(value) in (int, Number)  # whose class adds and compares as it likes is another form


def _made(kind: type, parts: list[Any]) -> Any:
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)


@attrs.frozen
class Slot:
    """A part of a state, by the bounds of its numbers."""

    field: Field


@attrs.frozen(eq=False)
class Layout:
    """The parts of a state."""

    slots: Mapping[str, Slot]
    rows: Rows
    numbers: dict[str, range] = derived(
        lambda self: numbered({name: slot.field for name, slot in self.slots.items()})
    )

    domains: dict[int, Values] = derived(
        lambda self: {
            number: tuple(range(slot.field.low, slot.field.below))
            for name, slot in self.slots.items()
            for number in self.numbers[name]
        }
    )
    """The values of each number."""


class FollowedTables(NamedTuple):
    """By group: each number that counts, its least value, and what each value adds."""

    added: tuple[Any, ...]


class FollowedSpace(FieldSpace):
    """The abstractions that groups of numbers of a tuple are."""

    def _looked_up(self) -> Any:
        """What `locate` looks up."""
        added = tuple(
            tuple(
                (*place, low, tuple(values.tolist())) for place, low, values in self._places(group)
            )
            for group in range(len(self.groups))
        )
        return FollowedTables(added)

    def _places(self, group: int) -> Iterator[tuple[tuple[int, ...], int, Any]]:
        domains = self.layout.domains
        for number, values in sorted(added_by(self, group).items()):
            yield (number,), domains[number][0], values

    def locate(self, state: Any, image: int, group: int) -> int:
        """The entry of a state; written so that it is translated. O(numbers that count)."""
        entry = 0
        for number, low, values in self.tables.added[group]:
            value = state[number] - low
            if value < 0 or value >= len(values):
                return OUTSIDE
            entry += values[value]
        return entry


class FollowedRows(FollowedSpace):
    """The same for tuples of tuples."""

    def _places(self, group: int) -> Iterator[tuple[tuple[int, ...], int, Any]]:
        lengths = self.layout.rows.lengths
        at = [(row, column) for row, length in enumerate(lengths) for column in range(length)]
        for (number,), low, values in super()._places(group):
            yield at[number], low, values

    def locate(self, state: Any, image: int, group: int) -> int:
        """The entry of a state; written so that it is translated. O(numbers that count)."""
        entry = 0
        for row, column, low, values in self.tables.added[group]:
            value = state[row][column] - low
            if value < 0 or value >= len(values):
                return OUTSIDE
            entry += values[value]
        return entry


@attrs.frozen(eq=False)
class Followed:
    """An ordinary problem that has patterns: see `searchkit.capabilities.HasPatterns`."""

    problem: Problem[Any, Any]
    rows: Rows

    def patterns_named(self, name: str) -> tuple[Pattern, ...]:
        """What the databases of a name look at: see `searchkit.fields.patterns.patterns_of`."""
        return patterns_of(self.parted, name)

    def pattern_space(self, groups: Sequence[Pattern]) -> PatternSpace:
        """The space of pattern databases for some groups of what a state holds."""
        return space_of(self.parted(), groups)

    def parted(self) -> Parted:
        """The problem, as patterns look at it; noted with its rules.

        O(ways through the rules x rounds) the first time.
        """
        try:
            return kin_of(self.problem).note(Followed, self._parted)
        except GivenUpError as error:
            raise self._refusal(str(error)) from None

    def _parted(self) -> Parted:
        problem, rows = self.problem, self.rows
        with in_passing(problem), self._follower({}).nothing_kept():
            starts = [rows.numbers(each) for each in problem.initial_states()]
            layout, labels = self._closed(starts)
            self._check_steps(labels)
            goals = tuple(self._follower(layout.domains).goals("is_goal", problem.is_goal))
            numbers = tuple(tuple(map(int, each)) for each in starts)
            puzzle = Lowered(layout.domains, tuple(labels), goals, numbers)
            factors = factors_found(type(problem).__name__, layout, puzzle)
        return Parted(
            type(problem).__name__,
            layout,
            factors,
            FollowedSpace if rows.outer is None else FollowedRows,
            lambda: (tuple(rows.numbers(state)) for state, _ in walks(problem)),
            MOST_LOOKED_UP,
        )

    def _closed(self, starts: Sequence[Sequence[int]]) -> tuple[Layout, list[Label]]:
        """The bounds within which all numbers stay, and the labels there."""
        known = [list(map(int, each)) for each in starts]
        for _ in range(MOST_ROUNDS):
            slots = self.rows.slots(known)
            most = max(slot.field.values for slot in slots.values())
            if most > MOST_VALUES:  # before they are listed, which may take all memory
                raise self._refusal(f"a number has {most:,} values, more than {MOST_VALUES:,}")
            layout = Layout(slots, self.rows)
            domains = layout.domains
            labels = self._follower(domains).labels([("successors", self._steps)])
            bounds = [
                [each[0] for each in domains.values()],
                [each[-1] for each in domains.values()],
            ]
            for label in labels:
                for number, after in label.after.items():
                    results = [after] if isinstance(after, int) else after.table.values()
                    bounds[0][number] = min(bounds[0][number], *results)
                    bounds[1][number] = max(bounds[1][number], *results)
            if all(low >= domains[n][0] for n, low in enumerate(bounds[0])) and all(
                high <= domains[n][-1] for n, high in enumerate(bounds[1])
            ):
                return layout, labels
            known = bounds
        raise self._refusal("the values of a number are ever more")

    def _follower(self, domains: Mapping[int, Values]) -> Follower:
        identities = {values: {each: each for each in values} for values in domains.values()}

        def unknown(run: Run) -> Any:
            return self.rows.state(
                Number(run, number, identities[values]) for number, values in domains.items()
            )

        name = type(self.problem).__name__
        return Follower(name, domains, unknown, self.rows.state, ADVICE, MORE_WITNESSES)

    def _steps(self, state: Callable[[], Any]) -> Iterator[tuple[Any, list[Any]]]:
        for each in self.problem.successors(state()):
            step = Step(*each)
            yield step.cost, self.rows.numbers(step.state)

    def _check_steps(self, labels: Sequence[Label]) -> None:
        """Raise `UnsuitableError` where a step on a walk is none of the labels.

        That of a rule which asks which object a state is, say.
        """
        for state, steps in walks(self.problem, WALKS if len(labels) <= FEW_LABELS else 1):
            before = self.rows.numbers(state)
            fitting = [
                label
                for label in labels
                if all(before[number] in values for number, values in label.given.items())
            ]
            for step in steps:
                after = self.rows.numbers(step.state)
                if not any(_leads(label, before, step.cost, after) for label in fitting):
                    raise self._refusal(f"a step from {tuple(before)!r:.60} was not met")

    def _refusal(self, why: str) -> UnsuitableError:
        return self._follower({}).refusal(why)


def _leads(label: Label, before: Sequence[int], cost: int, after: Sequence[int]) -> bool:
    """Whether a label that can be made leads from numbers to others, and costs no more."""
    return label.cost <= cost and all(
        _of(label.after.get(number, old), before) == new
        for number, (old, new) in enumerate(zip(before, after, strict=True))
    )


def _of(made: int | Copy, before: Sequence[int]) -> int | None:
    return made.table.get(before[made.source]) if isinstance(made, Copy) else made


def followed(problem: Any) -> Followed | None:
    """An ordinary problem as one that has patterns; None where its states have no such form."""
    if not isinstance(problem, Problem) or isinstance(problem, PackedProblem):
        return None
    found = {Rows.of(each) for each in problem.initial_states()}
    rows = found.pop() if len(found) == 1 else None
    return None if rows is None else Followed(problem, rows)
