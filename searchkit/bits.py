"""Operations on machine words for kernels: the same in plain Python and in compiled code.

Words are unsigned 64-bit integers; in compiled code they are signed ones with the same bits.
"""

from __future__ import annotations

WORD_BITS = 64


def count_ones(word: int) -> int:
    """The number of one bits.

    >>> count_ones(0b1011)
    3
    """
    return word.bit_count()


def lowest_one(word: int) -> int:
    """The place of the lowest one bit of a word that is not 0.

    >>> lowest_one(0b1000)
    3
    """
    return (word & -word).bit_length() - 1


def shift_right(word: int, places: int) -> int:
    """The word shifted right by 0 to 63 places, zeros shifted in, whatever its highest bit.

    >>> shift_right(1 << 63, 60)
    8
    """
    if not 0 <= places < WORD_BITS:
        raise ValueError(f"shift by {places} places; a word can be shifted by 0 to 63")
    return word >> places


def replace_word(state: tuple[int, ...], index: int, word: int) -> tuple[int, ...]:
    """The state of several words with the one at `index` replaced.

    >>> replace_word((1, 2, 3), 1, 9)
    (1, 9, 3)
    """
    return (*state[:index], word, *state[index + 1 :])
