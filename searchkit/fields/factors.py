"""A puzzle on fields as factors: what each label makes of each of some variables, by itself.

A *variable* is a number of the state, or where in an array some value is, if it always is there
once. Of any choice of variables, what the labels make of these alone is an abstraction: a state is
at least as far from a goal as the values of its variables are. (M. Helmert, P. Haslum, J. Hoffmann
and R. Nissim, Merge-and-shrink abstraction, 2014.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from searchkit.fields.declared import Array
from searchkit.fields.labels import Copy, Label, Lowered, key_of
from searchkit.fields.pairs import Pairs, pairs_of
from searchkit.fields.symbols import MOST_VALUES, Values
from searchkit.problem import derived

Relation = tuple[tuple[int, int], ...]
"""The digits of a variable before and after: an identity where a label leaves it as it is."""
MOST_LOOKED_UP = 1 << 23
"""Places of values are no variables where labels x places x values are more."""


@attrs.frozen
class Variable:
    """What is kept of a state: the number `first`, or which of the numbers from there is `value`.

    Either counts from 0, and `classes` say which of the `size` digits it becomes.
    """

    name: str
    first: int
    size: int
    low: int = 0
    value: int | None = None
    classes: Sequence[int] = attrs.field(
        default=attrs.Factory(lambda self: range(self.size), takes_self=True)
    )

    def digit(self, numbers: Sequence[int]) -> int:
        """The digit in a state."""
        if self.value is None:
            return self.classes[numbers[self.first] - self.low]
        end = self.first + len(self.classes)
        return self.classes[numbers.index(self.value, self.first, end) - self.first]


@attrs.frozen
class Factored:
    """A label by the variables on which it depends, or that it changes."""

    cost: int
    relations: Mapping[int, Relation]

    changed: frozenset[int] = derived(
        lambda self: frozenset(
            variable
            for variable, relation in self.relations.items()
            if any(old != new for old, new in relation)
        )
    )
    """The variables that it can change."""


@attrs.frozen(eq=False)
class Factors:
    """The variables of a puzzle, its labels, and its goals, by sets of digits.

    Numbers of variables with all their values are below `count`; for others see `fields.merging`.
    """

    variables: Mapping[int, Variable]
    labels: tuple[Factored, ...]
    goals: tuple[Mapping[int, frozenset[int]], ...]
    pairs: Pairs
    count: int

    def admit(self, numbers: Sequence[int]) -> bool:
        """Whether what is said of states is said of this one, and of what it leads to."""
        once = all(
            numbers[each.first : each.first + len(each.classes)].count(each.value) == 1
            for each in self.variables.values()
            if each.value is not None
        )
        return once and self.pairs.admit(numbers)


def factors_of(layout: Any, puzzle: Lowered) -> Factors:
    """The factors of a puzzle. O(labels x numbers), and what pairs take."""
    pairs = pairs_of(puzzle)
    known = [(label, pairs.narrowed(label.given)) for label in puzzle.labels]
    narrow = [
        attrs.evolve(label, given=given, after=_still(label.after, given))
        for label, given in known
        if given is not None
    ]
    labels = list({key_of(label): label for label in narrow}.values())
    reached = pairs.narrowed({}) or {}
    variables = _variables(layout, puzzle, labels)
    found = []
    for label in labels:
        relations = dict(_of_numbers(label, puzzle.domains, reached))
        for number, variable in enumerate(variables):
            if variable.value is not None:
                relation = _moved(variable, label, puzzle.domains)
                assert relation is not None
                if len(relation) < variable.size or any(a != b for a, b in relation):
                    relations[number] = relation
        factored = Factored(label.cost, relations)
        if factored.changed:
            found.append(factored)
    goals = []
    for goal in puzzle.goals:
        within = pairs.narrowed(goal)
        if within is not None:
            digits = _digits(variables, within, puzzle.domains)
            if all(digits.values()):  # else a value that is always there is nowhere in it
                goals.append(digits)
    count = len(variables)
    return Factors(dict(enumerate(variables)), tuple(found), tuple(goals), pairs, count)


def _still(after: Mapping[int, int | Copy], given: Mapping[int, Values]) -> dict[int, int | Copy]:
    """What becomes of numbers, without what they are already."""
    found: dict[int, int | Copy] = {}
    for number, each in after.items():
        if isinstance(each, Copy) and each.source in given:
            values = given[each.source]
            each = Copy(each.source, {value: each.table[value] for value in values})  # noqa: PLW2901
        if given.get(number) != (each,):
            found[number] = each
    return found


def _of_numbers(
    label: Label, domains: Mapping[int, Values], reached: Mapping[int, Values]
) -> Iterator[tuple[int, Relation]]:
    for number in {**label.given, **label.after}:
        if not domains[number]:
            continue
        low = domains[number][0]
        values = label.given.get(number, domains[number])
        after = label.after.get(number)
        if after is None:
            if values == reached.get(number, domains[number]):
                continue
            pairs = [(value, value) for value in values]
        elif not isinstance(after, Copy):
            pairs = [(value, after) for value in values]
        elif after.source == number:
            pairs = [(value, after.table[value]) for value in values]
        else:
            results = sorted(set(after.table.values()))
            pairs = [(value, result) for value in values for result in results]
        yield number, tuple((old - low, new - low) for old, new in pairs)


def _variables(layout: Any, puzzle: Lowered, labels: Sequence[Label]) -> list[Variable]:
    """All variables; those that are places come last."""
    found: list[Variable] = []
    arrays = []
    for name, slot in layout.slots.items():
        field, first = slot.field, layout.numbers[name].start
        is_one = field.length == 1 and not isinstance(field, Array)
        found += [
            Variable(name if is_one else f"{name}={i}", first + i, field.values, field.low)
            for i in range(field.length)
        ]
        if isinstance(field, Array) and field.length > 1:
            arrays.append((name, field, first))
    for name, field, first in arrays:
        counts = [Counter(state[first : first + field.length]) for state in puzzle.starts]
        values = range(max(0, field.low), field.below)
        once = [v for v in values if all(each[v] == 1 for each in counts)]
        if field.length * len(once) * len(labels) > MOST_LOOKED_UP:
            continue
        for value in once:
            variable = Variable(f"{name}:{value}", first, field.length, 0, value)
            if all(_moved(variable, label, puzzle.domains) is not None for label in labels):
                found.append(variable)
    return found


def _moved(variable: Variable, label: Label, domains: Mapping[int, Values]) -> Relation | None:
    """Where a value is before and after a label; None if it may be nowhere, or twice."""
    value, first = variable.value, variable.first
    cells = range(first, first + variable.size)
    changed = {other: after for other, after in label.after.items() if other in cells}
    sure = [cell for cell in cells if label.given.get(cell) == (value,)]
    if len(sure) > 1:
        return ()
    found = []
    for cell in sure or cells:
        if value not in label.given.get(cell, domains[cell]):
            continue
        to = [] if cell in changed else [cell]
        for other, after in changed.items():
            if not isinstance(after, Copy):
                holds = after == value
            elif after.source == cell:
                holds = after.table.get(value) == value
            else:  # it holds another value, if it is one of the cells
                others = [own for own, result in after.table.items() if result == value]
                if others and (after.source not in cells or others != [value]):
                    return None
                holds = False
            if holds:
                to.append(other)
        if len(to) != 1:
            return None
        found.append((cell - first, to[0] - first))
    return tuple(found)


def _digits(
    variables: Sequence[Variable],
    goal: Mapping[int, Values],
    domains: Mapping[int, Values],
) -> dict[int, frozenset[int]]:
    """The digits that variables have in a goal, of those that cannot have all."""
    found: dict[int, frozenset[int]] = {}
    for number, variable in enumerate(variables):
        if variable.value is None:
            if number in goal:
                found[number] = frozenset(value - variable.low for value in goal[number])
            continue
        cells = range(variable.first, variable.first + variable.size)
        own = [c for c in cells if variable.value in goal.get(c, domains[c])]
        sure = [c for c in own if goal.get(c) == (variable.value,)]
        if len(sure or own) < variable.size:
            found[number] = frozenset(cell - variable.first for cell in sure or own)
    return found


SIGNS = "//", "%"


def can_merge(variable: Variable, by: int) -> bool:
    """Whether quotients and remainders of a division are fewer than the values, and more than one.

    Not where there are so many values that no rule is followed on them.
    """
    return 1 < by < variable.size <= MOST_VALUES


def merged_number(factors: Factors, number: int, sign: str, by: int) -> int:
    """The number of a variable after its values are merged, the same whenever that is asked."""
    return number + factors.count * (len(SIGNS) * by + SIGNS.index(sign))


def variable_of(factors: Factors, number: int) -> Variable:
    """The variable with a number, merged or not; `KeyError` where there is none."""
    if number in factors.variables:
        return factors.variables[number]
    code, plain = divmod(number, factors.count)
    by, sign = divmod(code, len(SIGNS))
    variable = factors.variables[plain]
    if not can_merge(variable, by):
        raise KeyError(number)
    return _merged(variable, SIGNS[sign], by)


def with_merged(factors: Factors, numbers: Iterable[int]) -> Factors:
    """The factors with the variables of these numbers besides. O(numbers x labels)."""
    own = {each: each % factors.count for each in numbers if each not in factors.variables}
    if not own:
        return factors
    variables = {**factors.variables, **{each: variable_of(factors, each) for each in own}}
    known: dict[tuple[int, Relation], Relation] = {}
    labels = []
    for label in factors.labels:
        relations = dict(label.relations)
        for each, number in own.items():
            relation = label.relations.get(number)
            if relation is None:
                continue
            if (each, relation) not in known:
                known[each, relation] = _image(variables[each], relation)
            if known[each, relation] != tuple((i, i) for i in range(variables[each].size)):
                relations[each] = known[each, relation]
        labels.append(Factored(label.cost, relations))
    goals = []
    for goal in factors.goals:
        digits = dict(goal)
        for each, number in own.items():
            if number in goal:
                digits[each] = frozenset(variables[each].classes[digit] for digit in goal[number])
        goals.append(digits)
    return attrs.evolve(factors, variables=variables, labels=tuple(labels), goals=tuple(goals))


def _merged(variable: Variable, sign: str, by: int) -> Variable:
    values = range(variable.low, variable.low + variable.size)
    if sign == "//":
        classes = [value // by - variable.low // by for value in values]
    else:
        classes = [value % by for value in values]
    name = f"{variable.name}{sign}{by}"
    return attrs.evolve(variable, name=name, size=max(classes) + 1, classes=tuple(classes))


def _image(variable: Variable, relation: Relation) -> Relation:
    return tuple(sorted({(variable.classes[a], variable.classes[b]) for a, b in relation}))
