"""Patterns of ordinary problems: their rules are followed on states that are not known.

A state is a tuple of whole numbers, or of such tuples. `successors` is run as it is written, as the
moves of a puzzle on fields are (`searchkit.fields.labels`); each step that it gives on the way is a
label. The values of numbers are those of the starts, and those that labels lead to from there,
until there are no more: so what is said holds for every state that can be reached.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import attrs

from searchkit.authors.kin import kin_of
from searchkit.errors import UnsuitableError
from searchkit.fields.declared import Array, Field, Int
from searchkit.fields.factors import factors_of
from searchkit.fields.labels import (
    MOST_LABELS,
    OTHERWISE,
    Copy,
    Label,
    Lowered,
    add_label,
    label_of,
    narrowed,
    witnesses,
)
from searchkit.fields.layout import numbered
from searchkit.fields.patterns import (
    WALK,
    WALKS,
    FieldSpace,
    Parted,
    added_by,
    patterns_of,
    space_of,
)
from searchkit.fields.symbols import Number, Run, Values, all_runs, leaving_no_runs
from searchkit.heuristics.kinds import MOST_LOOKED_UP
from searchkit.packed import PackedProblem
from searchkit.pattern_space import NoGoalError, Pattern, PatternSpace
from searchkit.problem import Problem, Step, derived
from searchkit.running.overdue import GivenUpError, in_passing
from searchkit.running.task import whole_cost

MOST_VALUES = 1 << 8
"""A number of more values, from the least to the largest, is not followed."""
MOST_ROUNDS = 64
"""How often rules are followed at most, each time with the values that were led to before."""
FEW_LABELS = 1000
"""No more labels are compared with the steps of many walks."""
MORE_WITNESSES = 1 << 12
"""On so many states, ways through a rule are compared with every value of each number."""
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
        if not all(isinstance(row, tuple) and row and all(map(_is_whole, row)) for row in rows):
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


def _is_whole(value: Any) -> bool:
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

    def domains(self) -> dict[int, Values]:
        """The values of each number."""
        fields = [slot.field for slot in self.slots.values() for _ in range(slot.field.length)]
        return {n: tuple(range(field.low, field.below)) for n, field in enumerate(fields)}


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
        domains = self.layout.domains()
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
            return leaving_no_runs(
                lambda: kin_of(self.problem).note(Followed, self._parted), self._refusal
            )
        except GivenUpError as error:
            raise self._refusal(str(error)) from None

    def _parted(self) -> Parted:
        problem, rows = self.problem, self.rows
        with in_passing(problem):
            starts = [rows.numbers(each) for each in problem.initial_states()]
            layout, labels = self._closed(starts)
            self._check_steps(labels)
            goals = tuple(self._goals(layout.domains()))
            numbers = tuple(tuple(map(int, each)) for each in starts)
            lowered = Lowered(layout.domains(), tuple(labels), goals, numbers)
            factors = factors_of(layout, lowered)
        name = type(problem).__name__
        if not factors.goals:
            raise NoGoalError(
                f"{name}: no state that can be reached is a goal, as far as two numbers of it "
                "show; there is no pattern database"
            )
        kind = FollowedSpace if rows.outer is None else FollowedRows
        return Parted(name, layout, factors, kind, self._walked, MOST_LOOKED_UP)

    def _closed(self, starts: Sequence[Sequence[int]]) -> tuple[Layout, list[Label]]:
        """The bounds within which all numbers stay, and the labels there."""
        known = [list(map(int, each)) for each in starts]
        for _ in range(MOST_ROUNDS):
            layout = Layout(self.rows.slots(known), self.rows)
            most = max(slot.field.values for slot in layout.slots.values())
            if most > MOST_VALUES:  # before they are listed, which may take all memory
                raise self._refusal(f"a number has {most:,} values, more than {MOST_VALUES:,}")
            domains = layout.domains()
            labels = self._labels(domains)
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

    def _labels(self, domains: Mapping[int, Values]) -> list[Label]:
        labels: dict[Any, Label] = {}

        def steps(run: Run | None, state: Any) -> list[tuple[int, list[Any]]]:
            found = []
            for each in self.problem.successors(state):
                step = Step(*each)
                numbers = [
                    each.within(run) if type(each) is Number else each
                    for each in self.rows.numbers(step.state)
                ]
                given: Any = step.cost
                given = given.known() if type(given) is Number else given
                cost = whole_cost(given)
                if cost is None:
                    raise UnsuitableError(f"a step costs {given!r:.60}")
                if run is not None:  # what it asks later is not asked before this step
                    add_label(labels, label_of(run, cost, numbers), domains)
                found.append((cost, numbers))
            return found

        for _ in self._ways(domains, steps, "successors"):
            if len(labels) > MOST_LABELS:
                raise self._refusal(f"its steps go more than {MOST_LABELS:,} ways")
        return list(labels.values())

    def _goals(self, domains: Mapping[int, Values]) -> Iterator[dict[int, Values]]:
        def is_goal(run: Run | None, state: Any) -> bool:
            return bool(self.problem.is_goal(state))

        for run, found in self._ways(domains, is_goal, "is_goal"):
            if found:
                yield narrowed(run)

    def _ways(
        self, domains: Mapping[int, Values], rule: Callable[[Run | None, Any], Any], name: str
    ) -> Iterator[tuple[Run, Any]]:
        """Every way through a rule, and what it returns; it does the same with usual numbers.

        A rule that raises does so in a search as well, should it come there.
        """
        rng = random.Random(0)
        identities = {values: {each: each for each in values} for values in domains.values()}

        def asked(run: Run) -> Any:
            numbers = [Number(run, n, identities[values]) for n, values in domains.items()]
            return rule(run, self.rows.state(numbers))

        try:
            count = 0
            for run, found, error in all_runs(domains, asked):
                for numbers in witnesses(run, rng, are_all=count < MORE_WITNESSES):
                    self._compare(rule, numbers, found, error)
                    count += 1
                if error is None:
                    yield run, found
        except UnsuitableError as why:
            raise self._refusal(
                f"{name} cannot be followed where a state is not known: {why}"
            ) from None

    def _compare(
        self,
        rule: Callable[[Run | None, Any], Any],
        numbers: list[int],
        found: Any,
        error: Exception | None,
    ) -> None:
        """Raise `UnsuitableError` unless a rule does the same with a state of usual numbers."""
        try:
            own = rule(None, self.rows.state(numbers))
        except UnsuitableError:
            raise
        except Exception as raised:
            if type(raised) is type(error):
                return
            raise UnsuitableError(f"it raises {raised!r:.80}") from raised
        if error is not None:
            raise UnsuitableError(f"{error!r:.80}") from error
        if own != _with(found, numbers):
            raise UnsuitableError(OTHERWISE)

    def _walked(self) -> Iterator[tuple[int, ...]]:
        """The numbers of states on random walks from the first start, the same each time."""
        return (before for before, *_ in self._walks(WALKS))

    def _walks(self, count: int) -> Iterator[tuple[tuple[int, ...], list[tuple[int, list[Any]]]]]:
        """The same, with what their steps cost and lead to."""
        rng = random.Random(0)
        for start in islice(self.problem.initial_states(), 1):
            for _ in range(count):
                state = start
                for _ in range(WALK):
                    steps = [Step(*each) for each in self.problem.successors(state)]
                    after = [(step.cost, self.rows.numbers(step.state)) for step in steps]
                    yield tuple(self.rows.numbers(state)), after
                    if not steps:
                        break
                    state = rng.choice(steps).state

    def _check_steps(self, labels: Sequence[Label]) -> None:
        """Raise `UnsuitableError` where a step on a walk is none of the labels.

        That of a rule which asks which object a state is, say.
        """
        for before, steps in self._walks(WALKS if len(labels) <= FEW_LABELS else 1):
            fitting = [
                label
                for label in labels
                if all(before[number] in values for number, values in label.given.items())
            ]
            for cost, after in steps:
                if not any(_leads(label, before, cost, after) for label in fitting):
                    raise self._refusal(f"a step from {before!r:.60} was not met")

    def _refusal(self, why: str) -> UnsuitableError:
        return UnsuitableError(
            f"no pattern database is known for {type(self.problem).__name__}: {why}; {ADVICE}"
        )


def _with(found: Any, numbers: Sequence[int]) -> Any:
    """What a rule returned, where the numbers of the state are these."""
    if isinstance(found, bool):
        return found
    return [
        (cost, [each.table[numbers[each.of]] if type(each) is Number else each for each in after])
        for cost, after in found
    ]


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
