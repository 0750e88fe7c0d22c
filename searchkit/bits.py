"""Operations on machine words for kernels: the same in plain Python and in compiled code.

Words are unsigned 64-bit integers; in compiled code they are signed ones with the same bits.
"""

from __future__ import annotations

from typing import Any

WORD_BITS = 64


def count_ones(word: int) -> int:
    """The number of one bits.

    >>> count_ones(0b1011)
    3
    """
    return word.bit_count()


def lowest_one(word: int) -> int:
    """The place of the lowest one bit; 64 of 0, which `engine="checked"` takes for a mistake.

    >>> lowest_one(0b1000), lowest_one(0)
    (3, 64)
    """
    return (word & -word).bit_length() - 1 if word else WORD_BITS


def shift_right(word: int, places: int) -> int:
    """The word shifted right by 0 to 63 places, zeros shifted in, whatever its highest bit.

    >>> shift_right(1 << 63, 60)
    8
    """
    if not 0 <= places < WORD_BITS:
        raise ValueError(f"shift by {places} places; a word can be shifted by 0 to 63")
    return word >> places


def zero_state(words: int) -> int | tuple[int, ...]:
    """The state of `words` words, all of them 0: an int if it is one.

    >>> zero_state(1), zero_state(3)
    (0, (0, 0, 0))
    """
    return 0 if words == 1 else (0,) * words


def replace_word(state: tuple[int, ...], index: int, word: int) -> tuple[int, ...]:
    """The state of several words with the one at `index` replaced.

    >>> replace_word((1, 2, 3), 1, 9)
    (1, 9, 3)
    """
    return (*state[:index], word, *state[index + 1 :])


def frame(cells: int) -> list[int]:
    """That many numbers, all of them 0, for a kernel to write to; `cells` must be a constant.

    In machine code they are on the stack, and hold anything at first; read what was written.
    Indexes count from 0: machine code does not look at them, and a negative one is an error here.

    >>> frame(3)
    [0, 0, 0]
    """
    return _Frame([0] * cells)


class _Frame(list[int]):
    """Numbers that are not counted from the end."""

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and index < 0:
            raise IndexError(f"a frame has no index {index}")
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, int) and index < 0:
            raise IndexError(f"a frame has no index {index}")
        super().__setitem__(index, value)


def reverse_bytes(word: int) -> int:
    """The eight bytes of a word in the opposite order.

    >>> hex(reverse_bytes(0x0123))
    '0x2301000000000000'
    """
    word = (word & 0x00FF00FF00FF00FF) << 8 | word >> 8 & 0x00FF00FF00FF00FF
    word = (word & 0x0000FFFF0000FFFF) << 16 | word >> 16 & 0x0000FFFF0000FFFF
    return (word & 0x00000000FFFFFFFF) << 32 | word >> 32 & 0x00000000FFFFFFFF


def reverse_nibbles(word: int) -> int:
    """The sixteen groups of four bits of a word in the opposite order.

    >>> hex(reverse_nibbles(0x0123))
    '0x3210000000000000'
    """
    return reverse_bytes((word & 0x0F0F0F0F0F0F0F0F) << 4 | word >> 4 & 0x0F0F0F0F0F0F0F0F)
