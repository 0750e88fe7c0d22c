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
def read_lines(data, line, tables: Tables, rows, numbers, at):
    """Read lines up to `END`; whether all went well. `line` has the codes of the last.

    Without values, lines are put together alone. A line that is not understood changes nothing.
    """
    values, ranks, masks, fixed, digits, widths, opens = borrowed(tables)
    parts = len(values)
    while at[At.LINE] < at[At.END]:
        row, length, first = at[At.LINE], at[At.LENGTH], at[At.BYTE] + 1
        end = first
        while end < len(data) and data[end] != NEW_LINE:
            end += 1
        if end >= len(data):
            return False
        same = int(data[first - 1]) - FIRST
        new = same + end - first
        if same < 0 or same > length or new > len(line):
            return False
        if parts > 0:
            if new <= parts:
                return False
            is_above = row == 0
            for w in range(rows.shape[1]):
                rows[row, w] = fixed[w]
            for p in range(parts):
                code = np.int64(line[p])
                if p >= same:
                    code = np.int64(data[first + p - same])
                value = values[p, code]
                if value < 0:
                    return False
                if not is_above and p >= same:
                    rank, before = ranks[p, code], ranks[p, np.int64(line[p])]
                    if rank < before:
                        return False
                    is_above = rank > before
                for w in range(rows.shape[1]):
                    rows[row, w] |= masks[value, w]
            number, width = 0, 0
            for p in range(parts, new):
                code = np.int64(line[min(p, len(line) - 1)])
                if p >= same:
                    code = np.int64(data[first + p - same])
                if opens[code] != (p == parts) or digits[code] == NO_DIGIT:
                    return False
                if digits[code] == OF_NEVER:
                    if width > 0 or p + 1 < new:
                        return False
                    number, width = NEVER, 1
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
            numbers[row] = number
        for j in range(first, end):
            line[same + j - first] = data[j]
        at[At.BYTE], at[At.LINE], at[At.LENGTH] = end + 1, row + 1, new
    return True
