"""A hash table of states with a small number, the *mark*, for each: one line of memory a look-up.

A line holds the words of SLOTS states and then their marks (0: the slot is empty). A state
belongs into the line hash * lines / 2**32, or the first line after it that has room; there are
SPARE lines after the last. So the order of the lines is that of the hashes whatever the number
of lines, and the table grows in place: from the last line to the first, states move up.

A *place* is line * SLOTS + slot.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    borrowed,
    called,
    entry,
    equal_among_eight,
    inlined,
    lowest_one,
    parameter,
    prefetch,
    problem,
    shift_right,
)

SLOTS = parameter()
LINE_WORDS = parameter()
"""The words of a line."""
LINE_MARKS = parameter()
"""The marks that would take as much memory as a line."""
FIRST_MARK = parameter()
"""The place of the first mark of a line among those."""
SPARE = parameter()
SLOTS_SHIFT = 3
SLOT_MASK = 7
MARGIN = 16
ALL_SLOTS = (1 << SLOTS) - 1


class Table(NamedTuple):
    """A hash table: `words` and `marks` are views of the same memory."""

    words: Any
    marks: Any
    lines: Any


class Late(NamedTuple):
    """States that wait until all lines are done, with their marks."""

    states: Any
    marks: Any


@inlined
def word_at(place):
    """Where the words of the state at `place` begin in `table`."""
    return shift_right(place, SLOTS_SHIFT) * LINE_WORDS + (place & SLOT_MASK) * problem.WORDS


@inlined
def mark_at(place):
    """Where the mark of the state at `place` is in `marks`."""
    return shift_right(place, SLOTS_SHIFT) * LINE_MARKS + FIRST_MARK + (place & SLOT_MASK)


@inlined
def mark_of(marks, place):
    """The mark of the state at `place`, 0 if it is empty."""
    return np.int64(marks[mark_at(place)])


@inlined
def home_line(state, lines):
    """The line that `state` belongs into."""
    return words.slot_of(words.mixed(state), lines)


@inlined
def free_slots(marks, line):
    """The empty slots of a line, as bits."""
    return equal_among_eight(marks, line * LINE_MARKS + FIRST_MARK, 0) & ALL_SLOTS


@inlined
def find(closed: Table, state):
    """The place of `state`, or the empty one where it is to be put."""
    table, marks, lines = closed
    line = home_line(state, lines)
    while True:
        free = free_slots(marks, line)
        if problem.WORDS == 1:
            equal = equal_among_eight(table, line * LINE_WORDS, state) & ALL_SLOTS & ~free
            # One branch: whether it is the state's slot or an empty one cannot be foretold.
            slots = equal if equal else free
            if slots:
                return (line << SLOTS_SHIFT) + lowest_one(slots)
        else:
            for slot in range(SLOTS):
                if free >> slot & 1:
                    break
                if words.read(table, line * LINE_WORDS + slot * problem.WORDS) == state:
                    return (line << SLOTS_SHIFT) + slot
            if free:
                return (line << SLOTS_SHIFT) + lowest_one(free)
        line += 1


@inlined
def prefetch_line(closed: Table, state):
    """Ask for the memory of the line that `state` belongs into."""
    table, line = closed.words, home_line(state, closed.lines)
    prefetch(table, line * LINE_WORDS)
    prefetch(table, line * LINE_WORDS + LINE_WORDS)
    if LINE_WORDS > 8:
        prefetch(table, line * LINE_WORDS + LINE_WORDS - 1)


@inlined
def has_run_over(marks, lines, room):
    """Whether so few lines are left after the last that `room` more states may not fit."""
    return marks[(lines + SPARE - 1 - room) * LINE_MARKS + FIRST_MARK] != 0


@entry
def put_all(closed: Table, states, given, count):
    """Put states that are not in the table in, with their marks."""
    put(closed, states, given, count)


@called
def put(closed: Table, states, given, count):
    """The same for kernels."""
    table, marks, _ = closed
    for i in range(count):
        state = words.read(states, i * problem.WORDS)
        place = find(closed, state)
        words.write(table, word_at(place), state)
        marks[mark_at(place)] = given[i]


@entry
def look_up(closed: Table, states, found):
    """The marks of `states`, 0 where they are not in the table."""
    marks = closed.marks
    for i in range(len(states)):
        state = words.load(states, i)
        found[i] = mark_of(marks, find(closed, state))


@entry
def spread(closed: Table, old, line, steps, late: Late, waiting, fills, lowest):
    """Move up to `steps` lines, from `line` down, to where they belong among `lines` lines.

    There were `old` lines before. `fills[i % len(fills)]` is how many states line i has now,
    for the lines from `lowest` on.
    States whose line is not above the one they are in wait in `late`. Returns the next line
    (-1 when all are done), how many wait, and `lowest`; stops early where `late` is full.
    """
    closed, late, fills = borrowed((closed, late, fills))
    table, marks, lines = closed
    mask = len(fills) - 1
    while line >= 0 and steps > 0:
        # A line is moved as a whole or not at all.
        if waiting + SLOTS > len(late.marks):
            break
        # Lines grow in proportion, so what comes from here on lands near there: the counts of a
        # small ring of lines are enough, and are cleared as it turns.
        while lowest > line * lines // old - MARGIN:
            lowest -= 1
            fills[lowest & mask] = 0
        count = lowest_one(free_slots(marks, line) | 1 << SLOTS)
        for slot in range(count):
            place = (line << SLOTS_SHIFT) + slot
            mark = mark_of(marks, place)
            state = words.read(table, word_at(place))
            there = home_line(state, lines)
            # Its line is not emptied yet, and may hold states that were not moved.
            if there <= line:
                words.write(late.states, waiting * problem.WORDS, state)
                late.marks[waiting] = mark
                waiting += 1
                continue
            while lowest > there:
                lowest -= 1
                fills[lowest & mask] = 0
            while there - lowest < mask and fills[there & mask] == SLOTS:
                there += 1
            fill = fills[there & mask]
            if there - lowest >= mask:
                # Farther than the ring reaches, which holds the count of another line there.
                place = find(closed, state)
            else:
                place = (there << SLOTS_SHIFT) + fill
                fills[there & mask] = fill + 1
            words.write(table, word_at(place), state)
            marks[mark_at(place)] = mark
        for w in range(SLOTS * problem.WORDS, LINE_WORDS):
            table[line * LINE_WORDS + w] = 0
        line -= 1
        steps -= 1
    if line < 0:
        put(closed, late.states, late.marks, waiting)
        waiting = 0
    return line, waiting, lowest
