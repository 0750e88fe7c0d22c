"""Groups of pieces for pattern databases: by their names, or as an amount of memory allows.

A group is a tuple of numbers. Pieces are numbered through all orbits, each by the place where it
belongs; of `total` pieces, `piece + total` is where a piece is, however it is turned, and
`piece + 2 * total` how it is turned, wherever it is. Names are like `corners`, and like
`edges=0-5/edges=6-11:places`.

By memory, each component is cut into groups of consecutive pieces, as large as there is room for:
the component whose databases are smallest grows first, as the largest value counts. What is still
small then is joined, also of several components: a database of both is never worse than two. Pieces
that a group sees in images of a state (see `searchkit.pieces.images`) need no group of their own.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

import attrs

from searchkit.errors import UsageError
from searchkit.pattern_space import Pattern, consecutive_groups, numbers_named, runs_of
from searchkit.pieces.components import numbers_of, parity
from searchkit.pieces.coordinates import MOST_LINKS, MOST_LISTED, Mark, shared_out
from searchkit.pieces.definition import MOST_ORIENTATIONS, Definition
from searchkit.pieces.layout import Layout
from searchkit.pieces.patterns import counted_of
from searchkit.pieces.place_maps import PlaceMap
from searchkit.texts.amounts import quoted

WHAT = ("", "places", "turns")


def groups_named(definition: Definition, name: str) -> tuple[Pattern, ...]:
    """The groups of a name; `UsageError` if it names none.

    Groups are separated by `/`, what is joined in one database by `+`: the name of an orbit,
    `=` and numbers of its pieces from 0, as `0-5` or `0.2.4`, and `:places` or `:turns`. Without
    names of orbits, as `consecutive_groups` reads them, over all pieces.
    """
    if re.fullmatch(r"[0-9./-]*", name):
        groups = consecutive_groups(name, range(definition.firsts[-1]))
        _check_pieces(groups, definition.firsts[-1])
    else:
        groups = tuple(
            tuple(dict.fromkeys(p for part in group.split("+") for p in _part(definition, part)))
            for group in name.split("/")
        )
    check_groups(definition, groups)
    return groups


def check_groups(definition: Definition, groups: Sequence[Pattern]) -> None:
    """Raise `UsageError` unless each group has pieces, and all their numbers have a meaning."""
    _check_pieces(groups, len(WHAT) * definition.firsts[-1])
    if not groups or not all(groups):
        raise UsageError("patterns must have one piece or more each")


def _check_pieces(groups: Sequence[Pattern], total: int) -> None:
    for piece in (piece for group in groups for piece in group):
        if not 0 <= piece < total:
            raise UsageError(f"there is no piece {piece}; pieces are from 0 to {total - 1}")


def _part(definition: Definition, text: str) -> Iterator[int]:
    names = [orbit.name for orbit in definition.orbits]
    word, colon, what = text.rpartition(":")
    if not colon:
        word, what = text, ""
    if what not in WHAT or (colon and not what):
        raise UsageError(f"{quoted(text)}: write :places or :turns, or neither for both")
    pieces = ""
    if word not in names:
        word, equals, pieces = word.rpartition("=")
        if not equals or word not in names:
            raise UsageError(
                f"{quoted(text)} names no pieces; write an orbit ({', '.join(names)}) and, if some "
                f"of its pieces are meant, their numbers: {names[0]}=0-2"
            )
    number = names.index(word)
    places = definition.orbits[number].places
    for piece in numbers_named(pieces, "pieces") if pieces else range(places):
        if piece >= places:
            raise UsageError(
                f"orbit {word} has no piece {piece}; pieces are from 0 to {places - 1}"
            )
        yield definition.firsts[number] + WHAT.index(what) * definition.firsts[-1] + piece


def name_of(definition: Definition, group: Pattern) -> str:
    """A name of a group, which `groups_named` reads."""
    parts = []
    for begins, orbit in zip(definition.firsts, definition.orbits, strict=False):
        for number, what in enumerate(WHAT):
            first = begins + number * definition.firsts[-1]
            pieces = sorted(piece - first for piece in group if 0 <= piece - first < orbit.places)
            if pieces:
                some = "" if len(pieces) == orbit.places else "=" + ".".join(runs_of(pieces))
                parts.append(orbit.name + some + (f":{what}" if what else ""))
    return "+".join(parts)


def marks_of(definition: Definition, group: Pattern) -> dict[int, dict[int, Mark]]:
    """What matters in a group, by orbit and look: also of pieces that look like those named."""
    marks: dict[int, dict[int, Mark]] = {}
    for piece in group:
        what, place = divmod(piece, definition.firsts[-1])
        number = bisect_right(definition.firsts, place) - 1
        orbit, place = definition.orbits[number], place - definition.firsts[number]
        look, counted = orbit.looks[place], 1 if what == 1 else orbit.counted[place]
        known = marks.setdefault(number, {}).get(look, Mark(False, 1))
        marks[number][look] = Mark(known.place or what < 2, math.lcm(known.counted, counted))
    return marks


DEFAULT_MEMORY = 256_000_000
MOST_GROUPS = 8
"""A state is looked up in no more databases than this."""
LEAST_SHARE = 1000
"""The rest of a component is not looked up if it has fewer entries by this factor."""
MOST_JOINED = 1 << 44
MOST_AFTER = 1 << 24
"""How many codes after moves the tables of a group may have."""
SPARED = 2 * MOST_ORIENTATIONS
"""By what factor a whole component may take less than all of its pieces but one."""


@attrs.frozen
class _Group:
    """Pieces that are looked up together, and how many entries they take."""

    pieces: Pattern
    entries: int
    parts: frozenset[int]
    """The components that they are of."""


def choose_groups(layout: Layout, most: int, maps: Sequence[PlaceMap] = ()) -> tuple[Pattern, ...]:
    """Groups whose databases take at most that many bytes, the largest first; perhaps none.

    `maps` are the symmetries by which images are looked up.
    """
    homes = {tuple(each.places) for each in maps}
    forms = [each for each in (_forms(part, homes, most) for part in _parts(layout)) if each]
    chosen = [each for each in (_fitting(form, most) for form in forms) if each]
    left = most
    found: list[list[list[_Group]]] = []
    for form in sorted(chosen, key=lambda form: _size(form[0])):
        if _size(form[0]) <= left:
            found.append(form)
            left -= _size(form[0])
    levels = [0] * len(found)
    growing = set(range(len(found)))
    while growing:
        least = min(growing, key=lambda i: max(each.entries for each in found[i][levels[i]]))
        form, level = found[least], levels[least]
        if level + 1 < len(form) and (more := _size(form[level + 1]) - _size(form[level])) <= left:
            left -= more
            levels[least] += 1
        else:
            growing.discard(least)
    groups = [each for form, level in zip(found, levels, strict=True) for each in form[level]]
    joined = sorted(_joined(groups, left), key=lambda each: -each.entries)
    worth = [
        each
        for each in joined
        if all(o.entries <= LEAST_SHARE * each.entries for o in joined if o.parts == each.parts)
    ]
    return tuple(each.pieces for each in worth[:MOST_GROUPS])


def _size(groups: Sequence[_Group]) -> int:
    return sum(each.entries for each in groups)


def _fitting(form: list[list[_Group]], most: int) -> list[list[_Group]]:
    """The forms of a component that fit by themselves, each larger than those before."""
    found: list[list[_Group]] = []
    for each in form:
        if _size(each) <= most:
            found = [*(other for other in found if _size(other) < _size(each)), each]
    return found


def _joined(groups: Sequence[_Group], left: int) -> list[_Group]:
    """The smallest groups of different components joined while there is room."""
    found = sorted(groups, key=lambda each: each.entries)
    while True:
        pairs = (
            (one, other)
            for i, other in enumerate(found)
            for one in found[:i]
            if one.parts.isdisjoint(other.parts)
        )
        one, other = next(pairs, (None, None))
        if one is None or other is None:
            return found
        entries = one.entries * other.entries
        left -= entries - one.entries - other.entries
        if left < 0 or entries > MOST_JOINED:
            return found
        both = _Group(one.pieces + other.pieces, entries, one.parts | other.parts)
        found = sorted(
            [both, *(each for each in found if each not in (one, other))],
            key=lambda each: each.entries,
        )


@attrs.frozen
class _Part:
    """A component: what its looks take, and the pieces of each."""

    number: int
    places: int
    pieces: tuple[Pattern, ...]
    counted: tuple[int, ...]
    turns: int
    all_turns: int
    is_even: bool
    steps: int

    def entries(self, looks: Sequence[int]) -> int | None:
        """How many entries some looks take; None if that or its tables cannot be numbered."""
        if self._codes_after(looks) > MOST_AFTER:
            return None
        times = [len(self.pieces[look]) for look in looks]
        whole = len(looks) == len(self.pieces)
        ways = math.factorial(self.places) // math.factorial(self.places - sum(times))
        ways //= math.prod(map(math.factorial, times))
        by_place = max(times) > 1
        if whole and not by_place and self.is_even and self.places > 1:
            ways //= 2
        if whole and set(self.counted) == {self.turns}:
            return ways * self.all_turns if not by_place or ways <= MOST_LISTED else None
        ways *= math.prod(
            self.counted[look] ** time for look, time in zip(looks, times, strict=True)
        )
        return ways if not by_place or ways <= MOST_LISTED else None

    def _codes_after(self, looks: Sequence[int]) -> int:
        """How many codes after moves the coordinates of some looks list, pieces of which differ."""
        if max(len(self.pieces[look]) for look in looks) > 1:
            return 0
        kept = [self.counted[look] for look in looks]
        if len(looks) == len(self.pieces) and set(kept) == {self.turns}:
            kept = [1] * len(kept)
        parts = shared_out(list(range(len(looks))), self.places, kept)
        if len(parts) > MOST_LINKS + 1:
            return MOST_AFTER + 1
        return self.steps * sum(
            math.perm(self.places, len(part)) * math.prod(kept[i] for i in part) for part in parts
        )


@lru_cache(maxsize=16)
def _parts(layout: Layout) -> list[_Part]:
    """The components whose pieces can be told from those of others of their orbit."""
    definition = layout.definition
    motions = layout.group.motions
    sums = [numbers_of(layout.components, motion) for motion in motions]
    homes: dict[tuple[int, int], set[int]] = {}
    found = []
    for number, each in enumerate(layout.components):
        for place in each.places:
            look = definition.orbits[each.orbit].looks[place]
            homes.setdefault((each.orbit, look), set()).add(number)
    for number, each in enumerate(layout.components):
        orbit, first = definition.orbits[each.orbit], definition.firsts[each.orbit]
        counts = Counter(orbit.looks[place] for place in each.places)
        looks = [look for look in counts if len(homes[each.orbit, look]) == 1]
        if not each.moves or len(looks) < len(counts):
            continue
        counted = counted_of(orbit)
        kept = all(row[2 * number] == 0 for row in sums)
        found.append(
            _Part(
                number,
                len(each.places),
                tuple(
                    tuple(first + p for p in each.places if orbit.looks[p] == look)
                    for look in looks
                ),
                tuple(counted[look] for look in looks),
                each.orientations,
                int(each.orientations ** (len(each.places) - kept)),
                all(
                    not parity([motion[each.orbit].sources[place] for place in each.places])
                    for motion in motions
                ),
                len(layout.steps),
            )
        )
    return found


def _forms(part: _Part, maps: Collection[Sequence[int]], most: int) -> list[list[_Group]]:
    """The component in groups of ever more looks, as far as these can have `most` entries."""
    found: list[list[_Group]] = []
    for size in range(1, len(part.pieces) + 1):
        groups = []
        seen: set[int] = set()
        for first in range(0, len(part.pieces), size):
            looks = range(first, min(first + size, len(part.pieces)))
            entries = part.entries(looks)
            if entries is None or entries > most * SPARED:
                return found
            pieces = tuple(piece for look in looks for piece in part.pieces[look])
            if seen.issuperset(pieces):
                continue
            seen.update(pieces, (places[piece] for places in maps for piece in pieces))
            groups.append(_Group(pieces, entries, frozenset([part.number])))
        found.append(groups)
    return found
