"""Which part of a layer a state belongs to: by a hash of the state, the same in every process.

The lowest bits of the last word do not count, so that states whose words are near each other are
in one part, where the differences of their words take less room.
"""

from __future__ import annotations

from typing import Any

from searchkit.bits import WORD_BITS

RULE = "murmur3-without-16"
"""What manifests call it."""
NEAR_BITS = 16
MOST_PARTS = 1 << 16
PARTS_A_WORKER = 2
"""Of a new table: parts take equal time to merge, and workers may differ."""
ONES = (1 << WORD_BITS) - 1


def owner_of(state: Any, parts: int) -> int:
    """The part, from 0 to before `parts`, of a canonical state: a word, or a tuple of words."""
    *others, last = state if isinstance(state, tuple) else (state,)
    hashed = 0
    for word in (*others, last >> NEAR_BITS):
        hashed = _mixed(hashed ^ word)
    return (hashed >> 32) * parts >> 32


def parts_for(workers: int) -> int:
    """How many parts a new table has: one for one worker, else some for each."""
    return 1 if workers == 1 else min(PARTS_A_WORKER * workers, MOST_PARTS)


def _mixed(word: int) -> int:
    """A hash of a word in all its bits (as in MurmurHash3, A. Appleby, 2011)."""
    word ^= word >> 33
    word = word * 0xFF51AFD7ED558CCD & ONES
    word ^= word >> 33
    word = word * 0xC4CEB9FE1A85EC53 & ONES
    return word ^ word >> 33
