"""Pattern databases of a puzzle on fields: what its variables say, and their distances."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, islice
from typing import Any, NamedTuple

import attrs
import numpy as np

from searchkit.errors import ProblemError, UnsuitableError, UsageError
from searchkit.fields.choosing import (
    DEFAULT_MEMORY,
    MOST_COST,
    NOWHERE,
    are_additive,
    choose_groups,
    moves_of,
    relaxed,
)
from searchkit.fields.factors import (
    Factors,
    Variable,
    can_merge,
    factors_of,
    merged_number,
    variable_of,
    with_merged,
)
from searchkit.fields.labels import Lowered, lowered
from searchkit.fields.symbols import MOST_VALUES, numbers_of
from searchkit.packed import has_expand
from searchkit.pattern_space import NoGoalError, Pattern, SolvedSpace, numbers_named, runs_of
from searchkit.problem import Problem, Step
from searchkit.texts.amounts import AUTO, memory, memory_named, quoted

Array = np.ndarray[Any, Any]
MOST_ENTRIES = 1 << 30
CHUNK_BITS = 9
"""Numbers beside each other in a word are looked up together, if they have no more bits."""
WALKS, WALK = 8, 40
"""How many random walks, and how long, make the states on which bounds are compared."""
UNREACHED, MOST_VALUE = 255, 254


class SpaceTables(NamedTuple):
    """What `locate` looks up.

    Chunks of bits have numbers; those of a group are from `first` to before `end`. Chunk `i` is
    what `mask[i]` leaves of word `word[i]` from bit `shift[i]` on, and what it adds to the entry
    is in `parts` from `part[i]` on.
    """

    first: tuple[int, ...]
    end: tuple[int, ...]
    word: tuple[int, ...]
    shift: tuple[int, ...]
    mask: tuple[int, ...]
    part: tuple[int, ...]
    parts: Array


@attrs.frozen(eq=False)
class Parted:
    """A puzzle whose states are made of numbers, as patterns look at it."""

    puzzle: str
    layout: Any
    factors: Factors
    space: type[FieldSpace]
    states: Callable[[], Iterable[tuple[int, ...]]]
    """The numbers of some states, the same each time."""
    most: int = DEFAULT_MEMORY
    """The bytes of databases that are chosen where nobody says how many."""


class FieldSpace(SolvedSpace):
    """The abstractions that groups of variables are; a pattern state is its own entry."""

    def __init__(self, made_of: Parted, groups: Sequence[Pattern]) -> None:
        self.groups = tuple(map(tuple, groups))
        numbers = [each for group in self.groups for each in group]
        self.factors = with_merged(made_of.factors, numbers)
        self.puzzle, self.layout = made_of.puzzle, made_of.layout
        self.additive = are_additive(self.factors, self.groups)
        for group in range(len(self.groups)):
            if self.entries(group) > MOST_ENTRIES:
                raise UnsuitableError(
                    f"pattern {self.name_of(group)} has {self.entries(group):,} entries, more than "
                    f"{MOST_ENTRIES:,}; name fewer fields"
                )
        self.tables = self._looked_up()
        self._identities = [_identity(self, group) for group in range(len(self.groups))]

    def _looked_up(self) -> Any:
        """What `locate` looks up."""
        return _tables(self)

    def sizes(self, group: int) -> list[int]:
        """How many digits each variable of a group has."""
        return [self.factors.variables[each].size for each in self.groups[group]]

    def name_of(self, group: int) -> str:
        """As `patterns_of` reads it."""
        return _name_of(self.factors.variables, self.groups[group])

    def identity(self, group: int) -> Mapping[str, Any]:
        """The puzzle, the variables, and a digest of what the moves make of them."""
        return self._identities[group]

    def entries(self, group: int) -> int:
        """All digits of the variables."""
        return int(np.prod(self.sizes(group), dtype=object))

    def strides(self, group: int) -> list[int]:
        """What a digit counts in an entry."""
        sizes = self.sizes(group)
        return [int(np.prod(sizes[i + 1 :], dtype=object)) for i in range(len(sizes))]

    def digits(self, word: int, group: int) -> tuple[int, ...]:
        """The digits of a pattern state."""
        pairs = zip(self.sizes(group), self.strides(group), strict=True)
        return tuple(word // stride % size for size, stride in pairs)

    def goals(self, group: int) -> list[tuple[int, int]]:
        """One pattern state of each goal."""
        pairs = list(zip(self.groups[group], self.strides(group), strict=True))
        words = {
            sum(min(goal.get(each, (0,))) * stride for each, stride in pairs)
            for goal in self.factors.goals
        }
        return [(word, 1) for word in sorted(words)]

    def is_goal(self, word: int, group: int) -> bool:
        """Whether a goal has these digits."""
        pairs = list(zip(self.groups[group], self.digits(word, group), strict=True))
        return any(
            all(each not in goal or digit in goal[each] for each, digit in pairs)
            for goal in self.factors.goals
        )

    def leads(self, word: int, after: int, group: int, cost: int) -> bool:
        """Whether some label, which costs no more, leads from a pattern state to another."""
        old, new = self.digits(word, group), self.digits(after, group)
        triples = list(zip(self.groups[group], old, new, strict=True))
        return any(
            min(label.cost, MOST_COST) <= cost
            and all(
                (a, b) in label.relations[each] if each in label.relations else a == b
                for each, a, b in triples
            )
            for label in self.factors.labels
        )

    def distances(self, group: int) -> Iterator[Array]:
        """The distances of all entries after every round; see `searchkit.fields.choosing`."""
        moves = moves_of(self.factors, self.groups[group])
        for found in relaxed(self.factors, self.groups[group], moves):
            values = np.minimum(found, MOST_VALUE).astype(np.uint8)
            values[found >= NOWHERE] = UNREACHED
            yield values.reshape(-1)

    def word(self, state: Any, number: int) -> int:
        """Kernel: a word of a state."""
        return int(state)

    def locate(self, state: Any, image: int, group: int) -> int:
        """Kernel: the entry of a state. O(chunks)."""
        entry = 0
        for i in range(self.tables.first[group], self.tables.end[group]):
            bits = self.word(state, self.tables.word[i]) >> self.tables.shift[i]
            entry += int(self.tables.parts[self.tables.part[i] + (bits & self.tables.mask[i])])
        return entry


class WideFieldSpace(FieldSpace):
    """The same where states have several words."""

    def word(self, state: Any, number: int) -> int:
        """Kernel: a word of a state."""
        return int(state[number])


@attrs.frozen
class _Chunk:
    """Numbers beside each other in a word, and what their values add to an entry."""

    word: int
    shift: int
    bits: int
    parts: Array


def _tables(space: FieldSpace) -> SpaceTables:
    chunks: list[list[_Chunk]] = []
    for group in range(len(space.groups)):
        added = added_by(space, group)
        found: list[_Chunk] = []
        places = sorted((*_place(space.layout, number), number) for number in added)
        for word, shift, bits, number in places:
            values: Array = np.zeros(1 << bits, dtype=np.int64)
            values[: len(added[number])] = added[number]
            last = found[-1] if found else None
            if last and last.word == word and shift + bits - last.shift <= CHUNK_BITS:
                gap = shift - last.shift
                size = 1 << gap + bits
                index = np.arange(size)
                parts = last.parts[(index & (1 << last.bits) - 1)] + values[index >> gap]
                found[-1] = _Chunk(word, last.shift, gap + bits, parts)
            else:
                found.append(_Chunk(word, shift, bits, values))
        chunks.append(found)
    flat = [each for found in chunks for each in found]
    ends = list(accumulate(len(found) for found in chunks))
    return SpaceTables(
        first=(0, *ends[:-1]),
        end=tuple(ends),
        word=tuple(each.word for each in flat),
        shift=tuple(each.shift for each in flat),
        mask=tuple((1 << each.bits) - 1 for each in flat),
        part=tuple(accumulate((len(each.parts) for each in flat[:-1]), initial=0)),
        parts=np.concatenate([each.parts for each in flat]),
    )


def added_by(space: FieldSpace, group: int) -> dict[int, Array]:
    """What each value of each number of the state adds to the entries of a group."""
    fields = [slot.field for slot in space.layout.slots.values() for _ in range(slot.field.length)]
    found: dict[int, Array] = {}
    for each, stride in zip(space.groups[group], space.strides(group), strict=True):
        variable = space.factors.variables[each]
        if variable.value is None:
            own = found.setdefault(variable.first, np.zeros(len(variable.classes), dtype=np.int64))
            own += np.asarray(variable.classes) * stride
            continue
        for place, digit in enumerate(variable.classes):
            number = variable.first + place
            field = fields[number]
            own = found.setdefault(number, np.zeros(field.values, dtype=np.int64))
            own[variable.value - field.low] += digit * stride
    return found


def _place(layout: Any, number: int) -> tuple[int, int, int]:
    """The word of a number of the state, its lowest bit, and how many bits it has."""
    slot, own = next((layout.slots[n], own) for n, own in layout.numbers.items() if number in own)
    return (*slot.place(number - own.start), slot.field.bits)


def _identity(space: FieldSpace, group: int) -> dict[str, Any]:
    own = space.groups[group]
    place = {number: i for i, number in enumerate(own)}
    labels = sorted(
        {
            (
                label.cost,
                tuple(sorted((place[n], r) for n, r in label.relations.items() if n in place)),
            )
            for label in space.factors.labels
            if not label.changed.isdisjoint(own)
        }
    )
    goals = sorted(
        {
            tuple(sorted((place[n], tuple(sorted(d))) for n, d in goal.items() if n in place))
            for goal in space.factors.goals
        }
    )
    text = repr((space.sizes(group), labels, goals))
    return {
        "puzzle": space.puzzle,
        "pattern": space.name_of(group),
        "moves": hashlib.sha256(text.encode()).hexdigest()[:32],
        "counts": "every move",
    }


# What a puzzle says of its databases


def factors_for(problem: Any) -> Factors:
    """The factors of a puzzle, which its copies with other starts share where they can."""
    if has_expand(problem):
        raise UnsuitableError(
            f"{type(problem).__name__} lists its steps by expand, and pattern databases of fields "
            "follow moves; write legal and apply, or use another heuristic"
        )
    starts = list(problem.initial_states())
    if hasattr(problem, "goal_states"):
        starts += problem.goal_states()
    numbers = [numbers_of(problem.layout, each) for each in starts]
    for known in problem.known_factors:
        if all(map(known.admit, numbers)):
            return known  # type: ignore[no-any-return]
    name = type(problem).__name__
    found = factors_found(name, problem.layout, lowered(problem.author, starts, problem.only_goal))
    problem.known_factors.append(found)
    return found


def factors_found(name: str, layout: Any, puzzle: Lowered) -> Factors:
    """The factors of a puzzle of that name; `NoGoalError` where they show that it has no goal."""
    found = factors_of(layout, puzzle)
    if not found.goals:
        raise NoGoalError(
            f"{name}: no state that can be reached is a goal, as far as two numbers of it show; "
            "there is no pattern database"
        )
    return found


def parted(problem: Any) -> Parted:
    """A puzzle on fields, as patterns look at it."""
    layout = problem.layout
    return Parted(
        type(problem).__name__,
        layout,
        factors_for(problem),
        FieldSpace if layout.words == 1 else WideFieldSpace,
        lambda: (numbers_of(layout, state) for state, _ in walks(problem)),
    )


def patterns_of(made_of: Callable[[], Parted], name: str) -> tuple[Pattern, ...]:
    """The groups of a name; `UsageError` if it names none.

    `auto` and `auto=1GB` are the best within that memory, 16 MB by default, 1 MB for plain rules.
    Else groups are
    separated by `/`, what is looked up together by `+`: a field, `=` and the numbers of some of its
    items, or `:` and values of which the places count; then `//` or `%` and a number, if values
    with the same quotient or remainder are merged.
    """
    most = memory_named(name, DEFAULT_MEMORY)
    if most is None and not re.match(r"[^\W\d]", name):  # sizes, say: pieces have them
        raise UsageError(f"{quoted(name)} names no part of a state; write one like {AUTO}")
    whole = made_of()
    factors = whole.factors
    if most is None:
        return tuple(
            tuple(
                dict.fromkeys(
                    each for part in group.split("+") for each in _merged_part(factors, part)
                )
            )
            for group in re.split("(?<!/)/(?!/)", name)
        )
    most = whole.most if name == AUTO else most
    groups = choose_groups(factors, list(whole.states()), most)
    if not groups:
        raise UnsuitableError(
            f"no pattern database of {whole.puzzle} within {memory(most)} says anything: "
            f"its bounds are all 0; allow more, like {AUTO}=256MB, name fields, or use another "
            "heuristic"
        )
    return tuple(groups)


def space_of(made_of: Parted, groups: Sequence[Pattern]) -> FieldSpace:
    """The space of some groups of variables."""
    factors = made_of.factors
    for group in groups:
        try:
            known = {each: variable_of(factors, each) for each in group}
        except KeyError:
            known = {}
        if not known or len(known) < len(group):
            raise UsageError(f"{group!r:.60} is not a pattern; its numbers are those of variables")
    return made_of.space(made_of, groups)


def walks(problem: Problem[Any, Any], count: int = WALKS) -> Iterator[tuple[Any, list[Any]]]:
    """States on random walks from the first start, the same each time, and the steps of each."""
    rng = random.Random(0)
    for start in islice(problem.initial_states(), 1):
        for _ in range(count):
            state = start
            for _ in range(WALK):
                steps = []
                with suppress(ProblemError):  # said by the search
                    steps = [Step(*each) for each in problem.successors(state)]
                yield state, steps
                if not steps:
                    break
                state = rng.choice(steps).state


def _merged_part(factors: Factors, text: str) -> list[int]:
    """The variables that a part of a name stands for, with values merged as its end says."""
    found = re.fullmatch("(.*?)(//|%)(.*)", text)
    if not found:
        return _part(factors, text)
    field, sign = found[1], found[2]
    by = int(found[3]) if re.fullmatch("[0-9]{1,9}", found[3]) else 0
    numbers = _part(factors, field)
    for each in numbers:
        variable = factors.variables[each]
        if not can_merge(variable, by):
            raise UsageError(
                f"{quoted(text)} merges no values: {variable.name} has {variable.size:,}; write a "
                f"number above 1 and below that after {sign} (no more than {MOST_VALUES:,} values "
                "are merged)"
            )
    return [merged_number(factors, each, sign, by) for each in numbers]


def _part(factors: Factors, text: str) -> list[int]:
    """The variables that a part of a name stands for."""
    kinds: dict[str, dict[int, int]] = {}
    for number in range(factors.count):
        each = factors.variables[number]
        field, sign, which = re.fullmatch(r"(\w+)([=:]?)(-?\d*)", each.name).groups()  # type: ignore[union-attr]
        kinds.setdefault(field + sign, {})[int(which or 0)] = number
    own = kinds.get(text) or kinds.get(f"{text}=")
    if own is not None:
        return list(own.values())
    kind = re.match(r"\w*[=:]?", text)[0]  # type: ignore[index]
    own = kinds.get(kind)
    if own is None or kind == text:
        known = ", ".join(f"{each}..." if each[-1] in "=:" else each for each in kinds)
        raise UsageError(f"{quoted(text)} names no part of a state; there are {known:.200}")
    found = []
    for number in numbers_named(text.removeprefix(kind)):
        if number not in own:
            raise UsageError(
                f"{quoted(text)}: there is no {kind}{number}; there are {kind}"
                f"{'.'.join(runs_of(list(own)))}"
            )
        found.append(own[number])
    return found


def _name_of(variables: Mapping[int, Variable], group: Pattern) -> str:
    """A name of a group, in its order, which `_merged_part` reads."""
    parts: list[tuple[str, str, list[int]]] = []
    for number in group:
        kind, which, end = re.fullmatch(
            r"(\w+[=:]?)(-?\d*)(\D.*)?", variables[number].name
        ).groups()  # type: ignore[union-attr]
        if parts and parts[-1][:2] == (kind, end) and which and int(which) > parts[-1][2][-1]:
            parts[-1][2].append(int(which))
        else:
            parts.append((kind, end, [int(which)] if which else []))
    return "+".join(kind + ".".join(runs_of(each)) + (end or "") for kind, end, each in parts)
