"""The list of a proof, read into words of states by the words of its lines; see `reading.py`."""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.names import borrowed, entry
from searchkit.proofs.kernels.lines import NEW_LINE
from searchkit.proofs.kernels.twin import NEVER
from searchkit.proofs.listing import FIRST

At = IntEnum("At", "BYTE LINE END LENGTH NEW", start=0)
"""The next byte and line, the line at which to stop, how many codes the line at hand has, and at
how many more lines to stop since they have something new."""
LARGEST = 1 << 38
"""Numbers are less, and the estimate of a dead end is more."""
NO_DIGIT, OF_NEVER = -1, -2


class Tables(NamedTuple):
    """What codes stand for, in each part of a text: which of the `masks`, beside `fixed` bits.

    `ranks` are in the order of the texts.
    """

    values: Any
    ranks: Any
    masks: Any
    fixed: Any


class Ends(NamedTuple):
    """What codes stand for that end a line.

    `digits` are the values of codes of numbers, which `widths` says how many digits they have;
    those that `open` begin with a tab. `tails` has the codes of the last parts of a text for codes
    that stand for these and a number, else zeros.
    """

    digits: Any
    widths: Any
    opens: Any
    tails: Any


@entry
def skip_lines(data, line, ends: Ends, seen, at):
    """Put the codes of lines into `line`, up to `END` or one with something new; whether they are.

    What was `seen` of the texts is a code at a place.
    """
    _, _, opens, tails = borrowed(ends)
    size = tails.shape[1]
    while at[At.LINE] < at[At.END]:
        begin = at[At.BYTE] + 1
        if begin >= len(data):
            return False
        code, length = begin, np.int64(data[begin - 1]) - FIRST
        if length < 0 or length > at[At.LENGTH]:
            return False
        place, is_new = length, False
        while data[code] != NEW_LINE:
            if length == len(line) or code + 1 == len(data):
                return False
            line[length] = data[code]
            length, code = length + 1, code + 1
        at[At.BYTE], at[At.LINE], at[At.LENGTH] = code + 1, at[At.LINE] + 1, length
        while place < min(length, len(seen) - size):
            if opens[line[place]]:
                for t in range(size):
                    part = tails[line[place], t]
                    is_new |= part != 0 and seen[place + t, part] == 0
                    seen[place + t, part] = 1
                break
            is_new |= seen[place, line[place]] == 0
            seen[place, line[place]] = 1
            place += 1
        if is_new and at[At.NEW] > 0:
            at[At.NEW] -= 1
            return True
    return True


@entry
def read_lines(data, line, heads, tables: Tables, ends: Ends, rows, numbers, at):
    """Read lines up to `END`; whether all went well. `line` has the codes of the text of the last.

    `heads` has the words that its first parts make. A line that is not understood changes no codes.
    """
    (values, ranks, masks, fixed), (digits, widths, opens, tails) = borrowed(tables), borrowed(ends)
    parts, words = len(values), len(fixed)
    split = parts - tails.shape[1]
    if data[len(data) - 1] != NEW_LINE:
        return False
    for w in range(words):
        heads[0, w] = fixed[w]
    while at[At.LINE] < at[At.END]:
        row, first = at[At.LINE], at[At.BYTE] + 1
        if first >= len(data):
            return False
        same = np.int64(data[first - 1]) - FIRST
        if same < 0 or same >= min(parts, at[At.LENGTH] + 1):
            return False
        is_above, listed, tail = row == 0, parts, np.int64(0)
        for p in range(same, parts):
            # No part is the end of a line, behind which nothing is read.
            code = np.int64(data[first + p - same]) if p < listed else tails[tail, p - split]
            if p == split and tails[code, 0] != 0:
                listed, tail, code = split, code, tails[code, 0]
            value = values[p, code]
            if value < 0:
                return False
            if not is_above:
                rank, before = ranks[p, code], ranks[p, np.int64(line[p])]
                if rank < before:
                    return False
                is_above = rank > before
            for w in range(words):
                heads[p + 1, w] = heads[p, w] | masks[value, w]
        begin = at_number = first + listed - same
        number, width = np.int64(0), np.int64(0)
        if listed == parts and split < parts and tails[np.int64(data[begin]), 0] != 0:
            return False
        while data[at_number] != NEW_LINE:
            code = np.int64(data[at_number])
            if opens[code] != (at_number == begin) or digits[code] == NO_DIGIT:
                return False
            at_number += 1
            if at_number == len(data):
                return False
            if digits[code] == OF_NEVER:
                if width > 0 or data[at_number] != NEW_LINE:
                    return False
                number, width = np.int64(NEVER), np.int64(1)
            else:
                if width > 0 and number == 0 and widths[code] > 0:
                    return False
                for _ in range(widths[code]):
                    number *= 10
                number += digits[code]
                width += widths[code]
                if number >= LARGEST:
                    return False
        if width == 0 or not is_above:
            return False
        for p in range(same, parts):
            line[p] = data[first + p - same] if p < listed else tails[tail, p - split]
        for w in range(words):
            rows[row, w] = heads[parts, w]
        numbers[row] = number
        at[At.BYTE], at[At.LINE], at[At.LENGTH] = at_number + 1, row + 1, listed
    return True
