"""Marking states in a hash table of two bits a slot, of which four are in a byte."""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import entry, frame, prefetch

BLOCK = 64


@entry
def mark(rows, table, slots, code):
    """Put `code` into the slots of states where less is; how many slots were empty."""
    new = 0
    places = frame(BLOCK)
    for start in range(0, len(rows), BLOCK):
        count = min(BLOCK, len(rows) - start)
        for i in range(count):
            hashed = words.mixed(words.load(rows, start + i))
            places[i] = words.slot_of(hashed, slots)
            prefetch(table, places[i] >> 2)
        for i in range(count):
            at, shift = places[i] >> 2, 2 * (places[i] & 3)
            known = table[at] >> shift & 3
            if known < code:
                table[at] = table[at] + ((code - known) << shift)
                if known == 0:
                    new += 1
    return new
