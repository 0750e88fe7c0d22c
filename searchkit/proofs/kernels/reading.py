"""The list of a proof, read into words by the texts of parts of states; see `reading.py`."""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.names import borrowed, entry
from searchkit.proofs.kernels.lines import NEW_LINE, TAB, ZERO
from searchkit.proofs.kernels.twin import NEVER

At = IntEnum("At", "BYTE LINE END LENGTH SAME", start=0)
"""The next byte and line, the line at which to stop, how long the text at hand is, and how much of
it is from the line before."""
MINUS, ASCII = 45, 128
LARGEST = 1 << 38
"""Numbers are less, and the estimate of a dead end is more."""


class Automaton(NamedTuple):
    """Reads texts of parts: node n goes on to `moves[n, letter]`.

    Where the text of a value ends, `values[n]` says which: the row gets its `masks`, beside the
    bits that are `fixed`, and the next part begins at the next of `roots`.
    """

    moves: Any
    masks: Any
    fixed: Any
    values: Any
    roots: Any


@entry
def read_lines(data, text, automaton: Automaton, rows, numbers, at):
    """Read lines up to `END`; whether all went well.

    Without roots, lines are read alone. `text` is that of the last line.
    """
    moves, masks, fixed, values, roots = borrowed(automaton)
    place, length = at[At.BYTE], at[At.LENGTH]
    while at[At.LINE] < at[At.END]:
        line, first, same = at[At.LINE], place, 0
        # A number and a tab come first where there are two tabs.
        end, tabs, tab = place, 0, 0
        while end < len(data) and data[end] != NEW_LINE:
            if data[end] == TAB:
                tabs += 1
                if tabs == 1:
                    tab = end
                    if tab - place > 9:
                        tab = place
            end += 1
        if end == len(data) or tabs < 1 or tabs > 2:
            return False
        if tabs == 2:
            if tab == first:
                return False
            for i in range(first, tab):
                digit = int(data[i]) - ZERO
                if digit < 0 or digit > 9:
                    return False
                same = same * 10 + digit
            first = tab + 1
        if same > length:
            return False
        # The text is behind the one before it.
        is_above, j, i = line == 0, same, first
        while data[i] != TAB:
            letter = np.int64(data[i])
            if letter >= ASCII or j >= len(text):
                return False
            if not is_above:
                if j >= length or letter > np.int64(text[j]):
                    is_above = True
                elif letter < np.int64(text[j]):
                    return False
            text[j] = letter
            i, j = i + 1, j + 1
        if not is_above:
            return False
        length, i = j, i + 1
        number = NEVER
        if end - i == 1 and data[i] == MINUS:
            i += 1
        else:
            if end == i or (end - i > 1 and data[i] == ZERO):
                return False
            number = 0
            while i < end:
                digit = int(data[i]) - ZERO
                if digit < 0 or digit > 9 or number >= LARGEST:
                    return False
                number, i = number * 10 + digit, i + 1
        at[At.LENGTH], at[At.SAME] = length, same
        if len(roots) > 0:
            numbers[line] = number
            for w in range(rows.shape[1]):
                rows[line, w] = fixed[w]
            part, node = 0, roots[0]
            for j in range(length):
                if part == len(roots):
                    return False
                node = moves[node, np.int64(text[j])]
                if node < 0:
                    return False
                value = values[node]
                if value >= 0 and (part < len(roots) - 1 or j == length - 1):
                    for w in range(rows.shape[1]):
                        rows[line, w] |= masks[value, w]
                    part += 1
                    if part < len(roots):
                        node = roots[part]
            if part < len(roots):
                return False
        place = end + 1
        at[At.BYTE], at[At.LINE] = place, line + 1
    return True
