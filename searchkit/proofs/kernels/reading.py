"""The list of a proof, read into words of states by the words of its lines; see `reading.py`."""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.names import borrowed, entry
from searchkit.proofs.kernels.lines import NEW_LINE
from searchkit.proofs.kernels.twin import NEVER
from searchkit.proofs.listing import FIRST

At = IntEnum("At", "BYTE LINE END LENGTH", start=0)
"""The next byte and line, the line at which to stop, and how many codes the line at hand has."""
LARGEST = 1 << 38
"""Numbers are less, and the estimate of a dead end is more."""
NO_DIGIT, OF_NEVER = -1, -2


class Tables(NamedTuple):
    """What codes stand for, in each part of a text: which of the `masks`, beside `fixed` bits.

    `ranks` are in the order of the texts. `digits` are the values of codes of numbers, which
    `widths` says how many digits they have; those that `open` begin with a tab.
    """

    values: Any
    ranks: Any
    masks: Any
    fixed: Any
    digits: Any
    widths: Any
    opens: Any


@entry
def skip_lines(data, line, at):
    """Put the codes of lines up to `END` into `line`; whether there are so many."""
    while at[At.LINE] < at[At.END]:
        begin = at[At.BYTE] + 1
        if begin >= len(data):
            return False
        code, length = begin, np.int64(data[begin - 1]) - FIRST
        if length < 0 or length > at[At.LENGTH]:
            return False
        while data[code] != NEW_LINE:
            if length == len(line) or code + 1 == len(data):
                return False
            line[length] = data[code]
            length, code = length + 1, code + 1
        at[At.BYTE], at[At.LINE], at[At.LENGTH] = code + 1, at[At.LINE] + 1, length
    return True


@entry
def read_lines(data, line, heads, tables: Tables, rows, numbers, at):
    """Read lines up to `END`; whether all went well. `line` has the codes of the text of the last.

    `heads` has the words that its first parts make. A line that is not understood changes no codes.
    """
    values, ranks, masks, fixed, digits, widths, opens = borrowed(tables)
    parts, words = len(values), len(fixed)
    for w in range(words):
        heads[0, w] = fixed[w]
    while at[At.LINE] < at[At.END]:
        row, first = at[At.LINE], at[At.BYTE] + 1
        if first > len(data):
            return False
        same = np.int64(data[first - 1]) - FIRST
        # Only what begins with all parts of the text and ends a line is one.
        if same < 0 or same >= min(parts, at[At.LENGTH] + 1) or first + parts - same >= len(data):
            return False
        is_above = row == 0
        for p in range(same, parts):
            code = np.int64(data[first + p - same])
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
        begin = at_number = first + parts - same
        number, width = np.int64(0), np.int64(0)
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
            line[p] = data[first + p - same]
        for w in range(words):
            rows[row, w] = heads[parts, w]
        numbers[row] = number
        at[At.BYTE], at[At.LINE], at[At.LENGTH] = at_number + 1, row + 1, parts
    return True
