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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import attrs

from searchkit.errors import UnsuitableError
from searchkit.fields.symbols import (
    KEEPS,
    Number,
    Run,
    UnknownState,
    Values,
    all_runs,
    domains_of,
    forget_runs,
    numbers_in,
    numbers_of,
    values_of,
)
from searchkit.packed import PackedProblem
from searchkit.running.overdue import let_go_of_call
from searchkit.running.task import whole_cost

MOST_LABELS = 1 << 14
MORE = 24
"""How many states at least, where a comparison needs each number with all of its values."""
MORE_WITNESSES = 1 << 12
"""On so many states, ways through plain rules are compared with every value of each number."""
FEW_WITNESSES = 1 << 9
"""The same for rules on declared fields."""
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

    def known(given: list[Any]) -> Any:
        return layout.unpack(layout.pack(values_of(layout, given)))

    follower = Follower(
        type(author).__name__, domains_of(layout), lambda run: UnknownState(layout, run), known
    )
    with follower.nothing_kept():
        labels = follower.labels(
            (f"the move {author.format_action(name)!s:.40}", _steps_by(author, move))
            for name, move in author.numbers.items()
        )
        if goal is None:
            goals = tuple(follower.goals("at_goal", author.at_goal))
        else:
            goals = ({n: (value,) for n, value in enumerate(numbers_of(layout, goal))},)
    return Lowered(
        follower.domains, tuple(labels), goals, tuple(numbers_of(layout, each) for each in starts)
    )


def _steps_by(author: Any, move: tuple[Any, ...]) -> Steps:
    """What a move costs and leads to, if it is legal. Each rule gets a state of its own."""
    kind = type(author)

    def steps(state: Callable[[], Any]) -> Iterator[tuple[Any, Sequence[Any]]]:
        if kind.legal is not PackedProblem.legal and not author.legal(state(), *move):
            return
        made = state()
        cost = int(author.cost(made, *move)) if kind.cost is not PackedProblem.cost else 1
        author.apply(made, *move)
        is_unknown = isinstance(made, UnknownState)
        layout = author.layout
        yield cost, numbers_in(made) if is_unknown else numbers_of(layout, layout.packed(made))

    return steps


# Any rules on states that are made of numbers


Steps = Callable[[Callable[[], Any]], Iterable[tuple[Any, Sequence[Any]]]]
"""What each step of a rule costs, and the numbers then, of a state that is made by a call."""
Rule = Callable[[Run | None, Callable[[], Any]], Any]
"""What is asked of a state: of one that is not known, in a run."""


@attrs.frozen(eq=False)
class Follower:
    """Runs rules on states that are not known, and on some that are, where they do the same.

    A rule that raises does so in a search as well, should it come there.
    """

    name: str
    domains: Mapping[int, Values]
    """The values of each number; of one without any, nothing is said."""
    unknown: Callable[[Run], Any]
    """A state of numbers that are not known."""
    known: Callable[[list[Any]], Any]
    """A state of usual numbers; one without values is None."""
    advice: str = "use another heuristic"
    compared: int = FEW_WITNESSES
    """On how many states ways are compared with every value of each number."""

    def refusal(self, why: str) -> UnsuitableError:
        """What is raised where rules cannot be followed."""
        return UnsuitableError(
            f"no pattern database is known for {self.name}: {why}; {self.advice}"
        )

    @contextmanager
    def nothing_kept(self) -> Iterator[None]:
        """Raise at the end where a rule keeps numbers that it was asked about, or a cache has."""
        try:
            yield
        finally:
            let_go_of_call()
            is_left = not forget_runs()
        if is_left:
            raise self.refusal(f"a rule cannot be followed: {KEEPS}")

    def labels(self, moves: Iterable[tuple[str, Steps]]) -> list[Label]:
        """The labels of moves, which have names for messages."""
        labels: dict[Any, Label] = {}
        for _ in self._ways((name, partial(self._steps, labels, steps)) for name, steps in moves):
            if len(labels) > MOST_LABELS:
                raise self.refusal(f"its steps go more than {MOST_LABELS:,} ways")
        return list(labels.values())

    def _steps(
        self, labels: dict[Any, Label], steps: Steps, run: Run | None, state: Callable[[], Any]
    ) -> list[tuple[int, list[Any]]]:
        """The steps out of a state; those of a run are noted among the labels."""
        found = []
        for given, made in steps(state):
            numbers = [
                (each.within(run) if type(each) is Number else each) if values else None
                for each, values in zip(made, self.domains.values(), strict=True)
            ]
            said: Any = given.known() if type(given) is Number else given
            cost = whole_cost(said)
            if cost is None:
                raise UnsuitableError(f"a step costs {said!r:.60}")
            if run is not None:  # what it asks later is not asked before this step
                for part in _parts(_label_of(run, cost, numbers), self.domains):
                    labels.setdefault(key_of(part), part)
            found.append((cost, numbers))
        return found

    def goals(self, name: str, is_goal: Callable[[Any], Any]) -> Iterator[dict[int, Values]]:
        """The values of numbers in goals: those of each way to say that a state is one."""
        for run, found in self._ways([(name, lambda run, state: bool(is_goal(state())))]):
            if found:
                yield _narrowed(run)

    def _ways(self, rules: Iterable[tuple[str, Rule]]) -> Iterator[tuple[Run, Any]]:
        """Every way through each rule, and what it returns."""
        rng, count = random.Random(0), 0
        for name, rule in rules:
            try:
                for run, found, error in all_runs(self.domains, partial(self._asked, rule)):
                    for numbers in _witnesses(run, rng, are_all=count < self.compared):
                        self._compare(rule, numbers, found, error)
                        count += 1
                    if error is None:
                        yield run, found
            except UnsuitableError as why:
                raise self.refusal(
                    f"{name} cannot be followed where a state is not known: {why}"
                ) from None

    def _asked(self, rule: Rule, run: Run) -> Any:
        return rule(run, partial(self.unknown, run))

    def _compare(self, rule: Rule, numbers: list[Any], found: Any, error: Exception | None) -> None:
        """Raise `UnsuitableError` unless a rule does the same with a state of usual numbers."""
        try:
            own = rule(None, partial(self.known, numbers))
        except UnsuitableError:
            raise
        except Exception as raised:
            if type(raised) is type(error):
                return
            raise UnsuitableError(f"it raises {raised!r:.80}") from raised
        if error is not None:
            raise UnsuitableError(f"{error!r:.80}") from error
        if own != _with(found, numbers):
            raise UnsuitableError("it does something else there")


def _with(found: Any, numbers: Sequence[Any]) -> Any:
    """What a rule returned, where the numbers of the state are these."""
    if isinstance(found, bool):
        return found
    return [
        (cost, [each.table[numbers[each.of]] if type(each) is Number else each for each in after])
        for cost, after in found
    ]


def key_of(label: Label) -> Any:
    """What is equal of equal labels."""
    after = [
        (number, (each.source, tuple(each.table.items())) if isinstance(each, Copy) else each)
        for number, each in sorted(label.after.items())
    ]
    return label.cost, tuple(sorted(label.given.items())), tuple(after)


def _label_of(run: Run, cost: int, numbers: Sequence[Any]) -> Label:
    """What a run has asked so far, and what has become of all numbers."""
    after = {
        number: _after(each)
        for number, each in enumerate(numbers)
        if each is not None and not _is_itself(each, number)
    }
    return Label(cost, _narrowed(run), after)


def _narrowed(run: Run) -> dict[int, Values]:
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


def _witnesses(run: Run, rng: random.Random, *, are_all: bool) -> Iterator[list[Any]]:
    """The numbers of some states that go this way: the least of each, the largest, and any.

    Or, if `are_all`, at least `MORE`, and so many that each number has all of its values.
    """
    values = [run.values(number) for number in run.domains]
    yield [min(each, default=None) for each in values]
    yield [max(each, default=None) for each in values]
    shuffled = [rng.sample(each, len(each)) for each in values]
    for i in range(max(MORE, *map(len, values)) if are_all else 1):
        yield [each[i % len(each)] if each else None for each in shuffled]


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
