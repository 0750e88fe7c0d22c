"""The judge of certificates by a sum that no move changes.

The data are, for each of `parts`, the modulus, the arrays whose orders count, 1 where odd, and
weights, `[number, value, weight]`, where the numbers of a state are counted through its fields; of
a set, each member is one, 1 where it is there. `distinct` are arrays whose values are all
different. `links` are those `[number, first, value]` of which, in the array that begins with the
number `first`, the item at the place that `number` names has the value. That these never cease to
hold is checked as well.

Of the code that finds certificates nothing is used. Each way of each move, by the rules as they are
written, on a state that is not known, is tried with every combination of values of the numbers
that it changes or takes, one by one; and two states that go that way are asked themselves.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from searchkit.certificates import Certificate, entries
from searchkit.errors import ProblemError, UnsuitableError, VerificationError
from searchkit.fields.declared import Array
from searchkit.fields.symbols import (
    Number,
    Run,
    UnknownState,
    all_runs,
    domains_of,
    numbers_in,
    numbers_of,
    values_of,
)
from searchkit.problem import derived

KIND = "invariant"
MOST_TRIED = 1 << 17
"""The most combinations that are tried of one move."""
MOST_SUMS = 1 << 12


@attrs.frozen
class _Part:
    """One sum: what the values of numbers and the orders of arrays weigh, and the modulus."""

    modulus: int
    orders: Sequence[str]
    weights: Mapping[int, Mapping[int, int]]

    def of(self, values: Mapping[int, int]) -> int:
        """The sum of the weights of values, without the orders."""
        return sum(
            self.weights[n].get(value, 0) for n, value in values.items() if n in self.weights
        )


@attrs.frozen
class _Claims:
    """What a certificate says of the states of a puzzle, by the numbers of its fields."""

    rules: Any
    parts: Sequence[_Part]
    distinct: Sequence[str]
    links: Sequence[tuple[int, str, int]]
    start: tuple[int, ...]
    places: Mapping[str, range] = derived(lambda self: self.rules.layout.numbers)

    def holds(self, values: Mapping[int, int]) -> bool:
        """Whether what never ceases to hold does so, as far as values are known."""
        for name in self.distinct:
            own = [values[n] for n in self.places[name] if n in values]
            if len({*own}) < len(own):
                return False
        return all(
            values.get(self.places[name][values[number]], value) == value
            for number, name, value in self.links
            if number in values
        )

    def broken_by(self, before: Mapping[int, int], after: Mapping[int, int]) -> str | None:
        """What a change that is possible does not keep."""
        if not self.holds(before):
            return None
        now = {**before, **after}
        for name in self.distinct:
            own = [n for n in self.places[name] if n in after]
            if sorted(before[n] for n in own) != sorted(after[n] for n in own):
                return f"a move can put other values into {name}"
        for number, name, value in self.links:
            touched = number in after or any(n in after for n in self.places[name])
            if touched and now.get(self.places[name][now[number]]) != value:
                return f"a move can end that an item of {name} is {value}"
        for part in self.parts:
            changed = part.of(after) - part.of({n: before[n] for n in after})
            for name in part.orders:
                own = [n for n in self.places[name] if n in after]
                changed += _swaps([before[n] for n in own], [after[n] for n in own])
            if changed % part.modulus:
                return f"a move can add {changed % part.modulus} to a sum modulo {part.modulus}"
        return None


def objection(rules: Any, start: Any, certificate: Certificate) -> str | None:
    """Why a certificate does not prove that no goal is reached from a start; None if it does.

    Raises `VerificationError` if it has other data.
    """
    if certificate.kind != KIND:
        return f"{certificate.kind!r} is not a kind of certificate here; known: {KIND}"
    claims = _read(rules, start, certificate)
    if not claims.holds(dict(enumerate(claims.start))):
        return "the start lacks what is said to hold of every state"
    if not hasattr(type(rules.author), "apply") or rules._has("expand"):
        return "its steps are listed by expand, and cannot be followed"
    try:
        return _of_moves(claims) or _of_goals(claims)
    except (ProblemError, UnsuitableError) as error:
        return f"the rules cannot be followed where a part of the state is unknown: {error}"


def _read(rules: Any, start: Any, certificate: Certificate) -> _Claims:
    names = {"parts": list[dict[str, Any]], "distinct": list[str], "links": list[list[int]]}
    listed, distinct, rows = entries(certificate.data, names)
    places, fields = rules.layout.numbers, rules.layout.fields
    arrays = {places[name][0]: name for name, each in fields.items() if isinstance(each, Array)}
    singles = {places[name][0]: each for name, each in fields.items() if each.length == 1}
    count = sum(field.length for field in fields.values())
    if not {*distinct} <= {*arrays.values()}:
        raise VerificationError(f"{distinct!r:.60} are not all arrays")
    parts, links = [], []
    for each in listed:
        kinds = {"modulus": int, "orders": list[str], "weights": list[list[int]]}
        modulus, orders, weights = entries(each, kinds)
        table: dict[int, dict[int, int]] = {}
        for row in weights:
            if len(row) != 3 or not 0 <= row[0] < count:
                raise VerificationError(
                    f"a weight is {row!r:.60}; it must be [number, value, weight]"
                )
            table.setdefault(row[0], {})[row[1]] = row[2]
        if modulus < 2 or (orders and modulus != 2):
            raise VerificationError("a modulus must be 2 or more, and 2 where orders count")
        if not {*orders} <= {*distinct} or len({*orders}) < len(orders):
            raise VerificationError("orders count, once, of arrays of different values alone")
        parts.append(_Part(modulus, orders, table))
    for row in rows:
        if len(row) != 3 or row[0] not in singles or row[1] not in arrays:
            raise VerificationError(f"a link is {row!r:.60}; it must be [number, first, value]")
        field, name = singles[row[0]], arrays[row[1]]
        if field.low < 0 or field.below > len(places[name]):
            raise VerificationError(f"number {row[0]} does not name places of {name}")
        links.append((row[0], name, row[2]))
    return _Claims(rules, parts, distinct, links, numbers_of(rules.layout, start))


def _swaps(before: Sequence[int], after: Sequence[int]) -> int:
    """How many swaps make one sequence of the other, its values, which are different, in turn."""
    left, swaps = [*before], 0
    for place, value in enumerate(after):
        if left[place] != value:
            other = left.index(value)
            left[place], left[other] = left[other], left[place]
            swaps += 1
    return swaps


def _of_moves(claims: _Claims) -> str | None:
    rules = claims.rules
    author, layout, domains = rules.author, rules.layout, domains_of(rules.layout)
    for label, move in enumerate(rules.moves):
        tried = 0

        def rule(run: Run, move: tuple[Any, ...] = move) -> Any:
            if rules._has("legal") and not author.legal(UnknownState(layout, run), *move):
                return None
            state = UnknownState(layout, run)
            author.apply(state, *move)
            return numbers_in(state)

        for run, numbers, error in all_runs(domains, rule):
            for state, before in _states(claims, run):
                if _step(claims, state, label) != _made(numbers, before):
                    raise UnsuitableError("the rules do something else there")
            if error is not None or numbers is None:
                continue  # no step
            for values in _ways(claims, run, numbers):
                tried += 1
                wrong = claims.broken_by(*values)
                if wrong is not None or tried > MOST_TRIED:
                    what = wrong or "there are too many ways to go"
                    return f"{what}: {author.format_action(rules.labels[label])}"
    return None


def _states(claims: _Claims, run: Run) -> Iterator[tuple[Any, list[int]]]:
    """Two states that go this way, and their numbers: with the least values, and the largest."""
    layout = claims.rules.layout
    for which in (min, max):
        numbers = [which(run.values(n) or (claims.start[n],)) for n in run.domains]
        yield layout.pack(values_of(layout, list(numbers))), numbers


def _step(claims: _Claims, state: Any, label: int) -> tuple[int, ...] | None:
    """The numbers after a move by the rules as they are written; None if they have no such step."""
    try:
        step = claims.rules.step(state, label)
    except Exception:  # which the search would tell
        return None
    return None if step is None else numbers_of(claims.rules.layout, step.state)


def _made(numbers: Sequence[Any] | None, before: Sequence[int]) -> tuple[int, ...] | None:
    if numbers is None:
        return None
    return tuple(
        old if new is None else int(new.table[before[new.of]] if isinstance(new, Number) else new)
        for old, new in zip(before, numbers, strict=True)
    )


def _ways(
    claims: _Claims, run: Run, numbers: Sequence[Any]
) -> Iterator[tuple[dict[int, int], dict[int, int]]]:
    """The values before and after one way of a move, of the numbers that it changes or takes."""
    made = {
        n: value
        for n, value in enumerate(numbers)
        if value is not None and not _same(value, n, run)
    }
    matter = {*made, *(value.of for value in made.values() if isinstance(value, Number))}
    matter |= {n for n in run.possible if len(run.possible[n]) == 1}
    for number, name, _ in claims.links:
        if number in made or any(n in made for n in claims.places[name]):
            matter.add(number)
    order = sorted(matter)
    if math.prod(len(run.values(n)) for n in order) > MOST_TRIED:
        raise UnsuitableError("a move can change too much in too many ways")
    for values in itertools.product(*(run.values(n) for n in order)):
        before = dict(zip(order, values, strict=True))
        after = {
            n: int(value.table[before[value.of]] if isinstance(value, Number) else value)
            for n, value in made.items()
        }
        yield before, after


def _same(value: Any, number: int, run: Run) -> bool:
    """Whether a number stays as it is, whatever it is."""
    is_it = isinstance(value, Number) and value.of == number
    return is_it and all(value.table[each] == each for each in run.values(number))


def _of_goals(claims: _Claims) -> str | None:
    """Each goal, all of them that are allowed at once, must differ from the start in some sum."""
    rules = claims.rules
    domains = domains_of(rules.layout)
    if not rules._has("at_goal"):
        numbers = numbers_of(rules.layout, rules.author.goal)
        return _of_goal(claims, {n: (value,) for n, value in enumerate(numbers)})
    for run, found, error in all_runs(
        domains, lambda run: bool(rules.author.at_goal(UnknownState(rules.layout, run)))
    ):
        if (
            not found
            and not error
            and any(rules.is_goal(state) for state, _ in _states(claims, run))
        ):
            raise UnsuitableError("at_goal does something else there")
        wrong = _of_goal(claims, {n: run.values(n) for n in domains}) if found or error else None
        if wrong is not None:
            return wrong
    return None


def _of_goal(claims: _Claims, values: Mapping[int, Sequence[int]]) -> str | None:
    """None if some part has one sum on all these states, or some sums, none of them the start's."""
    for part in claims.parts:
        sums: set[int] = {0}
        for n, weights in part.weights.items():
            own = values.get(n) or (claims.start[n],)
            each = {weights.get(v, 0) - weights.get(claims.start[n], 0) for v in own}
            sums = {(a + b) % part.modulus for a in sums for b in each}
            if len(sums) > MOST_SUMS:
                return "a goal has too many sums"
        for name in part.orders:
            before = [claims.start[n] for n in claims.places[name]]
            there = [values.get(n) or (claims.start[n],) for n in claims.places[name]]
            after = [each[0] for each in there]
            is_known = all(len(each) == 1 for each in there) and sorted(before) == sorted(after)
            swaps = {_swaps(before, after)} if is_known else {0, 1}
            sums = {(a + b) % 2 for a in sums for b in swaps}
        if 0 not in sums:
            return None
    return "no sum tells a goal from the start"
