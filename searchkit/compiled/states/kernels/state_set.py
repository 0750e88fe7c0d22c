"""A set of states: an array in the order of arrival, and a table of where each one is in it.

Open addressing with linear probing. An entry has 32 bits: 0 is empty; the lowest `bits` hold
one more than the index of a state, the others bits of its hash, so that most entries of other
states are passed over without a look at the array.
"""

from typing import Any, NamedTuple

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    frame,
    inlined,
    prefetch,
    problem,
)

ENTRY = 0xFFFFFFFF
BLOCK = 64


class StateSet(NamedTuple):
    """The states that there is room for, and the table of entries."""

    states: Any
    table: Any
    bits: Any


@inlined
def index_of(known, state, hashed):
    """The index of a state; if it is not in the set, -1 - the slot for it."""
    table, bits = known.table, known.bits
    slot = words.slot_of(hashed, len(table))
    wanted = (hashed << bits) & ENTRY
    while True:
        entry = table[slot]
        if entry == 0:
            return -1 - slot
        if (entry ^ wanted) >> bits == 0:
            index = (entry & ((1 << bits) - 1)) - 1
            if words.load(known.states, index) == state:
                return index
        slot += 1
        if slot == len(table):
            slot = 0


@inlined
def add(known, slot, state, hashed, index):
    """Put a new state at `index`, which is the number of states before."""
    words.store(known.states, index, state)
    known.table[slot] = ((hashed << known.bits) & ENTRY) | (index + 1)


@inlined
def put(known, state, hashed, index):
    """Put a state at `index`, by which it is found from now on; whether it was found before."""
    table, bits = known.table, known.bits
    slot = words.slot_of(hashed, len(table))
    wanted = (hashed << bits) & ENTRY
    while table[slot] != 0:
        entry = table[slot]
        if (entry ^ wanted) >> bits == 0:
            if words.load(known.states, (entry & ((1 << bits) - 1)) - 1) == state:
                break
        slot += 1
        if slot == len(table):
            slot = 0
    is_known = table[slot] != 0
    words.store(known.states, index, state)
    table[slot] = wanted | (index + 1)
    return is_known


@inlined
def prefetch_slot(known, hashed):
    """Ask for the memory of the slot where the search for a state begins."""
    prefetch(known.table, words.slot_of(hashed, len(known.table)))


@inlined
def prefetch_state(known, hashed):
    """Ask for the memory of the state that the first slot's entry is probably of."""
    bits = known.bits
    entry = known.table[words.slot_of(hashed, len(known.table))]
    if entry != 0 and (entry ^ ((hashed << bits) & ENTRY)) >> bits == 0:
        prefetch(known.states, ((entry & ((1 << bits) - 1)) - 1) * problem.WORDS)


@entry
def enter(known: StateSet, begin, end):
    """Enter the states from `begin` to `end`, all different and new, into the table."""
    states, table, bits = borrowed(known)
    hashes = frame(BLOCK)
    slots = len(table)
    for start in range(begin, end, BLOCK):
        count = min(BLOCK, end - start)
        for i in range(count):
            hashes[i] = words.mixed(words.load(states, start + i))
            prefetch(table, words.slot_of(hashes[i], slots))
        for i in range(count):
            slot = words.slot_of(hashes[i], slots)
            while table[slot] != 0:
                slot += 1
                if slot == slots:
                    slot = 0
            table[slot] = ((hashes[i] << bits) & ENTRY) | (start + i + 1)


@entry
def enter_latest(known: StateSet, begin, end):
    """Enter states, of which the last of equal ones is found; how many were there before."""
    known = borrowed(known)
    hashes = frame(BLOCK)
    twins = 0
    for start in range(begin, end, BLOCK):
        count = min(BLOCK, end - start)
        for i in range(count):
            hashes[i] = words.mixed(words.load(known.states, start + i))
            prefetch_slot(known, hashes[i])
        for i in range(count):
            twins += put(known, words.load(known.states, start + i), hashes[i], start + i)
    return twins


@entry
def locate(known: StateSet, wanted, found):
    """The indexes of states, negative if they are not there."""
    for i in range(len(found)):
        state = words.load(wanted, i)
        found[i] = index_of(known, state, words.mixed(state))


@entry
def insert(known: StateSet, wanted, stored):
    """Add those of some states that are new to a set of `stored`; how many there are then."""
    hashes = frame(BLOCK)
    for start in range(0, len(wanted), BLOCK):
        count = min(BLOCK, len(wanted) - start)
        for i in range(count):
            hashes[i] = words.mixed(words.load(wanted, start + i))
            prefetch_slot(known, hashes[i])
        for i in range(count):
            state = words.load(wanted, start + i)
            slot = index_of(known, state, hashes[i])
            if slot < 0:
                add(known, -1 - slot, state, hashes[i], stored)
                stored += 1
    return stored
