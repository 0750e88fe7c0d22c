"""The moves of a puzzle on fields in a normal form: what each asks and changes, number by number.

The author's `legal`, `cost` and `apply` are run for each move on a state that is not known
(`searchkit.fields.symbols`). Each way through them is a *label*: which values of the numbers that
it asked about lead there, and what becomes of the numbers that it changes. Whatever is left out of
a label, numbers that are dropped, say, only makes it possible in more states: so distances by
labels are lower bounds. (C. Baeckstroem and B. Nebel, Complexity results for SAS+ planning, 1995.)
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from searchkit.errors import UnsuitableError
from searchkit.fields.symbols import Number, Run, Values, all_runs
from searchkit.fields.unknown_states import (
    UnknownState,
    domains_of,
    numbers_in,
    numbers_of,
    values_of,
)
from searchkit.packed import PackedProblem

MOST_LABELS = 1 << 14
OTHERWISE = "it does something else there"
MORE = 24
MOST_PARTS = 64
"""A label that copies numbers becomes this many at most, one for each of their values."""


@attrs.frozen
class Copy:
    """What a number becomes: what a table makes of another number, or of itself."""

    source: int
    table: Mapping[int, int]


@attrs.frozen
class Label:
    """One way through a move: `given` are the values of numbers that lead there, where it matters.

    `after` is what becomes of numbers that it changes: a value, or a `Copy`.
    """

    cost: int
    given: Mapping[int, Values]
    after: Mapping[int, int | Copy]


@attrs.frozen
class Lowered:
    """A puzzle in the normal form: the values of numbers, labels, goals and starts.

    A goal is a mapping of some numbers to values that they have in it; in one of the goals, all
    are as it says.
    """

    domains: Mapping[int, Values]
    labels: tuple[Label, ...]
    goals: tuple[Mapping[int, Values], ...]
    starts: tuple[tuple[int, ...], ...]
    """The numbers of each start, and of the goal if it is listed."""


def lowered(author: Any, starts: Sequence[Any], goal: Any = None) -> Lowered:
    """The normal form of a puzzle; `UnsuitableError` where its rules cannot be run so.

    Where there is one `goal`, `at_goal` is not asked.
    """
    layout = author.layout
    domains = domains_of(layout)
    labels: dict[Any, Label] = {}
    for name, move in author.numbers.items():
        try:
            for label in _labels(author, domains, move):
                add_label(labels, label, domains)
        except UnsuitableError as error:
            shown = author.format_action(name)
            raise UnsuitableError(_refusal(author, f"the move {shown!s:.40}", error)) from None
        if len(labels) > MOST_LABELS:
            raise UnsuitableError(_refusal(author, "its moves", f"more than {MOST_LABELS:,} ways"))
    try:
        goals = tuple(_goals(author, domains, goal))
    except UnsuitableError as error:
        raise UnsuitableError(_refusal(author, "at_goal", error)) from None
    numbers = tuple(numbers_of(layout, each) for each in starts)
    return Lowered(domains, tuple(labels.values()), goals, numbers)


def _refusal(author: Any, what: str, why: Any) -> str:
    return (
        f"no pattern database is known for {type(author).__name__}: {what} cannot be followed "
        f"where a part of the state is unknown: {why}; use another heuristic"
    )


def key_of(label: Label) -> Any:
    """What is equal of equal labels."""
    after = [
        (number, (each.source, tuple(each.table.items())) if isinstance(each, Copy) else each)
        for number, each in sorted(label.after.items())
    ]
    return label.cost, tuple(sorted(label.given.items())), tuple(after)


def _labels(author: Any, domains: Mapping[int, Values], move: tuple[Any, ...]) -> Iterator[Label]:
    layout = author.layout

    def rule(run: Run) -> Any:
        made = _made(author, move, lambda: UnknownState(layout, run))
        if made is None:
            return None
        return made[0], [
            each.within(run) if type(each) is Number else each for each in numbers_in(made[1])
        ]

    rng = random.Random(0)
    for run, found, error in all_runs(domains, rule):
        for numbers in witnesses(run, rng):
            _compare(author, numbers, move, (found, error))
        if found is not None:
            yield label_of(run, *found)


def label_of(run: Run, cost: int, numbers: Sequence[Any]) -> Label:
    """What a run has asked so far, and what has become of all numbers."""
    after = {
        number: _after(each)
        for number, each in enumerate(numbers)
        if each is not None and not _is_itself(each, number)
    }
    return Label(cost, narrowed(run), after)


def add_label(labels: dict[Any, Label], label: Label, domains: Mapping[int, Values]) -> None:
    """Add the parts of a label to those that are known."""
    for part in _parts(label, domains):
        labels.setdefault(key_of(part), part)


def narrowed(run: Run) -> dict[int, Values]:
    """The values of numbers that a run has told apart from others."""
    return {
        number: tuple(sorted(values))
        for number, values in sorted(run.possible.items())
        if len(values) < len(run.domains[number])
    }


def _is_itself(value: Any, number: int) -> bool:
    return (
        isinstance(value, Number)
        and value.of == number
        and all(value.table[each] == each for each in value.run.values(number))
    )


def _after(value: Any) -> int | Copy:
    if not isinstance(value, Number):
        return int(value)
    table = {each: int(value.table[each]) for each in value.run.values(value.of)}
    results = set(table.values())
    return results.pop() if len(results) == 1 else Copy(value.of, table)


def witnesses(run: Run, rng: random.Random, *, are_all: bool = False) -> Iterator[list[Any]]:
    """The numbers of some states that go this way: the least of each, the largest, and any.

    Or, if `are_all`, at least `MORE`, and so many that each number has all of its values.
    """
    values = [run.values(number) for number in run.domains]
    yield [min(each, default=None) for each in values]
    yield [max(each, default=None) for each in values]
    shuffled = [rng.sample(each, len(each)) for each in values]
    for i in range(max(MORE, *map(len, values)) if are_all else 1):
        yield [each[i % len(each)] if each else None for each in shuffled]


def _compare(author: Any, numbers: list[Any], move: tuple[Any, ...], found: Any) -> None:
    """Raise `UnsuitableError` unless the rules do the same with a state of usual numbers."""
    result, error = found
    layout = author.layout
    state = layout.pack(values_of(layout, numbers))
    try:
        own = _made(author, move, lambda: layout.unpack(state))
        if own is not None:
            own = own[0], numbers_of(layout, layout.packed(own[1]))
    except Exception as raised:
        if error is not None and type(raised) is type(error):
            return
        raise UnsuitableError(f"it raises {raised!r:.80}") from raised
    if error is not None:
        raise UnsuitableError(f"{error!r:.80}") from error
    if (own is None) == (result is None) and (own is None or _agrees(own, result, numbers)):
        return
    raise UnsuitableError(OTHERWISE)


def _made(author: Any, move: tuple[Any, ...], state: Callable[[], Any]) -> tuple[int, Any] | None:
    """What a move costs and leads to; None if not legal. Each rule gets a state of its own."""
    kind = type(author)
    if kind.legal is not PackedProblem.legal and not author.legal(state(), *move):
        return None
    made = state()
    cost = int(author.cost(made, *move)) if kind.cost is not PackedProblem.cost else 1
    author.apply(made, *move)
    return cost, made


def _agrees(own: Any, result: Any, before: list[Any]) -> bool:
    cost, numbers = result
    found = [each.table[before[each.of]] if isinstance(each, Number) else each for each in numbers]
    return bool(
        own[0] == cost
        and all(one is None or int(one) == other for one, other in zip(found, own[1], strict=True))
    )


def _parts(label: Label, domains: Mapping[int, Values]) -> Iterator[Label]:
    """A label for each value of what it copies, where these are few: then it says more."""
    copies = ((number, each) for number, each in label.after.items() if isinstance(each, Copy))
    sources = sorted({each.source for number, each in copies if each.source != number})
    choices = [label.given.get(each, domains[each]) for each in sources]
    if not sources or math.prod(map(len, choices)) > MOST_PARTS:
        yield label
        return
    for values in itertools.product(*choices):
        known = dict(zip(sources, values, strict=True))
        given = {**label.given, **{number: (value,) for number, value in known.items()}}
        after = {
            number: each.table[known[each.source]]
            if isinstance(each, Copy) and each.source in known
            else each
            for number, each in label.after.items()
        }
        after = {n: each for n, each in after.items() if given.get(n) != (each,)}
        yield Label(label.cost, given, after)


def _goals(author: Any, domains: Mapping[int, Values], goal: Any) -> Iterator[dict[int, Values]]:
    layout = author.layout
    if goal is not None:
        yield {n: (value,) for n, value in enumerate(numbers_of(layout, goal))}
        return
    rng = random.Random(0)
    for run, found, error in all_runs(
        domains, lambda run: bool(author.at_goal(UnknownState(layout, run)))
    ):
        for numbers in witnesses(run, rng):
            fields = layout.unpack(layout.pack(values_of(layout, numbers)))
            try:
                own = bool(author.at_goal(fields))
            except Exception as raised:
                if type(raised) is type(error):
                    continue
                raise UnsuitableError(f"it raises {raised!r:.80}") from raised
            if error is not None or own != found:
                raise UnsuitableError(f"{error!r:.80}" if error else OTHERWISE)
        if found:
            yield narrowed(run)
