"""Variables of which values are merged: numbers by their quotient or remainder, `at//2` and `at%2`.

A label leads from one class to another where it leads from some value of the first to some value of
the second, and a class has a goal where some value of it is one. Every path is then one of classes,
of the same cost, so that distances of classes are consistent lower bounds. (M. Helmert, P. Haslum,
J. Hoffmann and R. Nissim, Merge-and-shrink abstraction, 2014.)
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from searchkit.fields.factors import Factored, Factors, Relation, Variable
from searchkit.fields.unknown_states import MOST_VALUES

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
