"""Breadth-first search over pattern states, backwards from the goals, a mask of places an entry.

Successors are put into the next layer some time after they are found, when the memory asked for
has come.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    inlined,
    lowest_one,
    or_atomically,
    parameter,
    prefetch,
    space,
)
from searchkit.heuristics.patterns.database import UNREACHED

OPERATORS = parameter()
THREADED = parameter()
"""Whether several threads share a layer."""
STEP = parameter()
"""What all values of a database are multiples of, above their floors."""
PER_WORD = parameter()
"""The entries of a layer in eight bytes."""
PLACES = parameter()
"""All places, as bits."""
UNDIRECTED = parameter()
"""Whether values say what was reached, for want of masks."""
WAITING = 64
Info = IntEnum("Info", "FILLED EXPANDED FAULT ENTRY OPERATOR CHOICE", start=0)
"""Counts, and what is wrong with the pattern space, and where."""
Fault = IntEnum("Fault", "NONE OWN_RANK MOVE", start=0)


class Entries(NamedTuple):
    """All entries: values, the places that were expanded, and those of this layer and the next.

    `words` is the layer eight bytes at a time.
    """

    count: Any
    values: Any
    seen: Any
    layer: Any
    words: Any
    fresh: Any


@inlined
def add_places(fresh, entry_number, places):
    """Add places to those of an entry of the next layer."""
    if THREADED:
        or_atomically(fresh, entry_number, places)
    else:
        fresh[entry_number] |= places


@inlined
def note_fault(info, kind, entry_number, operator, choice):
    """Note what is wrong with the pattern space, and where."""
    info[Info.FAULT] = kind
    info[Info.ENTRY] = entry_number
    info[Info.OPERATOR] = operator
    info[Info.CHOICE] = choice


@entry
def expand_entries(T, group, level, begin, end, entries: Entries, info):
    """Expand the entries `begin` to `end` of a layer, which is emptied; `info` counts.

    `begin` and `end` are on the borders of words, except for the last. What is wrong with the
    space is noted in `info`: the kind, the entry, and the operator and the choice of the move.
    """
    T = borrowed(T)
    count, values, seen, layer, words, fresh = borrowed(entries)
    waiting_entry = np.zeros(WAITING, dtype=np.int64)
    waiting_places = np.zeros(WAITING, dtype=np.int64)
    at = 0
    filled = 0
    expanded = 0
    for number in range(begin // PER_WORD, (end + PER_WORD - 1) // PER_WORD):
        # Most entries of a layer are empty: they are skipped a word at a time.
        if words[number] == 0:
            continue
        for own in range(number * PER_WORD, min(number * PER_WORD + PER_WORD, end)):
            mask = np.int64(layer[own])
            if mask == 0:
                continue
            layer[own] = 0
            known = np.int64(seen[own])
            # What was seen is spread already, so nothing is new, and the entry is not unranked.
            if mask & ~known == 0:
                continue
            word = space.unrank(T, own, group)
            if space.rank(T, word, group) != own:
                note_fault(info, Fault.OWN_RANK, own, 0, 0)
            mask = space.spread(T, word, group, mask) & ~known
            if mask == 0:
                continue
            seen[own] = known | mask
            expanded += 1
            if values[own] == UNREACHED:
                values[own] = level
                filled += 1
            for operator in range(OPERATORS):
                choices = space.choices(T, word, group, mask, operator)
                while choices != 0:
                    choice = lowest_one(choices)
                    choices &= choices - 1
                    other = space.rank(T, space.previous(T, word, group, operator, choice), group)
                    if np.uint64(other) >= np.uint64(count):
                        note_fault(info, Fault.MOVE, own, operator, choice)
                        # A number that can be written to; the fault ends the build later.
                        other = own
                    # Writes wait in a ring until their memory has arrived.
                    prefetch(fresh, other)
                    if waiting_places[at] != 0:
                        add_places(fresh, waiting_entry[at], waiting_places[at])
                    waiting_entry[at] = other
                    waiting_places[at] = space.landing(T, word, group, mask, operator, choice)
                    at = (at + 1) & (WAITING - 1)
    for i in range(WAITING):
        if waiting_places[i] != 0:
            add_places(fresh, waiting_entry[i], waiting_places[i])
    info[Info.FILLED] += filled
    info[Info.EXPANDED] += expanded


@entry
def look_closely(T, group, entries, apart, seen, info):
    """Whether the pattern states that moves lead back to are those of their entries.

    Looks at a sample of the entries that were reached; what is wrong is noted as above.
    """
    for own in range(0, entries, apart):
        mask = np.int64(seen[own] != UNREACHED) if UNDIRECTED else np.int64(seen[own])
        if mask == 0:
            continue
        word = space.unrank(T, own, group)
        for operator in range(OPERATORS):
            choices = space.choices(T, word, group, mask, operator)
            while choices != 0:
                choice = lowest_one(choices)
                choices &= choices - 1
                before = space.previous(T, word, group, operator, choice)
                places = space.landing(T, word, group, mask, operator, choice)
                again = space.unrank(T, space.rank(T, before, group), group)
                if again != before or places == 0 or places & ~PLACES != 0:
                    note_fault(info, Fault.MOVE, own, operator, choice)
                    return


@entry
def halve_entries(T, group, begin, end, values, halves, info):
    """Write the values of `begin` to `end` less their floors, in steps, four bits each.

    If a floor cannot be one, `info` is one more than the entry.
    """
    for own in range(begin, end):
        above = 15
        if values[own] != UNREACHED:
            floor = space.floor(T, space.unrank(T, own, group), group)
            if values[own] < floor or (values[own] - floor) % STEP != 0:
                info[0] = own + 1
                return
            above = min(15, (values[own] - floor) // STEP)
        if own & 1 == 0:
            halves[own >> 1] = above
        else:
            halves[own >> 1] |= above << 4
