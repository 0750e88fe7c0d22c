"""What a generated module provides, for kernel files to import.

Kernel files are ordinary modules of functions in folders called `kernels`. What they import from
here is put in its place when a module is generated (`searchkit.compiled.specialise.linking`):

- the modules `problem`, `heuristic` and `space` declare the kernels of a problem, a heuristic and
  a pattern space, as functions of tables: `problem.apply(P, ...)` is the method `apply` of the
  problem, and `P` holds the fields of its `tables`. Any method can be used so if it is declared.
  The constants beside them say what is known of the object, and are folded into what uses them;
- this file has the prelude: how functions are compiled, and machine words.

The functions of the prelude do here in plain Python what the machine code in
`kernels/prelude.py` and `kernels/arithmetic.py` does, so that a generated module runs without a
compiler as well: see `searchkit.compiled.specialise.plain`. Words are then `np.int64`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from searchkit.bits import WORD_BITS, frame, replace_word, zero_state
from searchkit.kernel_language import floats
from searchkit.kernel_language.floats import float_equal, float_less

__all__ = ["float_equal", "float_less", "frame", "replace_word", "zero_state"]

Function = TypeVar("Function", bound=Callable[..., Any])
Tables = Any
"""The tables of an object with kernels: a named tuple of arrays, numbers and tables of parts."""
State = Any
"""One word, or a tuple of words."""
Word = Any
"""A signed number of 64 bits."""

ONES = (1 << WORD_BITS) - 1
LEAST_WORD = -(1 << (WORD_BITS - 1))
MOST_WORD = (1 << (WORD_BITS - 1)) - 1
NOTHING = -1
"""What is in place of words that may be anything."""
EXPAND_AT, GOAL_AT, ESTIMATE_AT = 0, 1, 0
"""Where the addresses of rules, or of an estimate, are in the table `at`."""
TABLES_AT = 8
"""Where the tables begin that these are called with."""


def parameter() -> int:
    """A constant that whoever asks for the module gives, by the name it is assigned to.

    Here it is 0.
    """
    return 0


def unchecked_control(P: Tables, state: State) -> Word:
    """The control state; see `problem.control` for the one that is checked."""


# The prelude: how functions are compiled


def entry(function: Function) -> Function:
    """Compile a function that the host calls; its machine code is kept on disk.

    In plain Python words wrap around without a warning.
    """

    @wraps(function)
    def wrapping(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*arguments)

    return wrapping  # type: ignore[return-value]


def inlined(function: Function) -> Function:
    """Compile a function into each of its callers."""
    return function


def called(function: Function) -> Function:
    """Compile a function that kernels call."""
    return function


def outlined(function: Function) -> Function:
    """Compile a function once, however small, for all that call it."""
    return function


def apart(function: Function) -> Function:
    """Compile a function that kernels call with arrays of which no two overlap if it writes to one.

    Its loops can use vectors where those of `called` and `inlined` must fear that what is stored
    changes what is loaded next.
    """
    return function


# The prelude: machine words


def count_ones(word: Word) -> Word:
    """The number of one bits."""
    return np.int64((int(word) & ONES).bit_count())


def lowest_one(word: Word) -> Word:
    """The place of the lowest one bit; 64 if there is none."""
    word = int(word) & ONES
    return np.int64((word & -word).bit_length() - 1 if word else WORD_BITS)


def shift_right(word: Word, places: Word) -> Word:
    """The word shifted right, zeros shifted in."""
    return wrapped((int(word) & ONES) >> int(places))


def wrapped(number: int) -> Word:
    """The word with the lowest 64 bits of a number."""
    if LEAST_WORD <= number <= MOST_WORD:
        return np.int64(number)
    number &= ONES
    return np.int64(number - (ONES + 1) if number >> (WORD_BITS - 1) else number)


def wrapping_add(left: Word, right: Word) -> Word:
    """The sum of two words, as a word."""
    return wrapped(int(left) + int(right))


def wrapping_subtract(left: Word, right: Word) -> Word:
    """The difference of two words, as a word."""
    return wrapped(int(left) - int(right))


def wrapping_multiply(left: Word, right: Word) -> Word:
    """The product of two words, as a word."""
    return wrapped(int(left) * int(right))


def natural(number: Word) -> Word:
    """The number, which is known to be from 0 to 2**31 - 1.

    Where it is an index, machine code need not find out whether it counts from the end.
    """
    return number & 0x7FFFFFFF


def one_of(arrays: tuple[Any, ...], index: Word) -> Any:
    """One of several arrays. Machine code has no jump there that the processor must guess."""
    return arrays[index]


def whole(number: Word) -> Word:
    """An estimate, which must be an integer, as a word."""
    return wrapped(number.__index__())


def as_word(value: Any) -> Any:
    """A number of any width as a word; all else as it is."""
    if value.__class__ is int:
        return wrapped(value)
    if value.__class__ is np.int64:
        return value
    return wrapped(int(value)) if np.ndim(value) == 0 and not isinstance(value, tuple) else value


def as_number(value: Any) -> Any:
    """The number that a kernel returns."""
    return value


def as_state(value: Any) -> State:
    """The state that a kernel returns, of words."""
    return tuple(map(as_word, value)) if isinstance(value, tuple) else as_word(value)


def to_fixed_tuple(array: Any, length: int) -> tuple[Word, ...]:
    """The tuple of the first `length` words of an array."""
    return tuple(array[:length])


# The prelude: floats, as words of the same bits: see `searchkit.kernel_language.floats`


def _giving_words(function: Callable[..., int]) -> Callable[..., Word]:
    """The function, what it gives being a word."""
    return lambda *words: np.int64(function(*words))


float_of = _giving_words(floats.float_of)
float_add = _giving_words(floats.float_add)
float_subtract = _giving_words(floats.float_subtract)
float_multiply = _giving_words(floats.float_multiply)
float_divide = _giving_words(floats.float_divide)
float_power = _giving_words(floats.float_power)
float_root = _giving_words(floats.float_root)
float_floor = _giving_words(floats.float_floor)


# The prelude: memory


def borrowed(value: Any) -> Any:
    """An array, or a tuple with arrays, without its reference counts; the caller keeps it.

    Counting takes atomic instructions, which let nothing pass.
    """
    return value


def prefetch(array: Any, index: Word) -> None:
    """Ask for the memory of `array[index]` (one dimension) ahead of its use."""


def prefetch_to_read(array: Any, index: Word) -> None:
    """The same of an array that nobody writes to meanwhile: other processors may keep it, too."""


def or_atomically(array: Any, index: Word, bits: Word) -> Word:
    """Set bits of `array[index]` in one step that no thread can come between; what was there."""
    before = array[index]
    array[index] |= array.dtype.type(bits)
    return before


def add_atomically(array: Any, index: Word, number: Word) -> Word:
    """Add to `array[index]` in one step that no thread can come between; what was there."""
    before = array[index]
    array[index] += number
    return before


def lower_atomically(array: Any, index: Word, number: Word) -> Word:
    """Make `array[index]` the number, if that is smaller, likewise; what was there."""
    before = array[index]
    array[index] = min(before, number)
    return before


def read_atomically(array: Any, index: Word) -> Word:
    """The word `array[index]` as it is now, whoever has changed it."""
    return array[index]


def equal_among_eight(array: Any, start: Word, value: Word) -> Word:
    """Which of the eight items `array[start:start + 8]` equal `value`, as bits."""
    return np.int64(sum(1 << i for i in range(8) if array[start + i] == value))


def keep_of_eight(source: Any, keys: Any, i: Word, key: Word, target: Any, start: Word) -> Word:
    """Copy those of eight words `source[i:i + 8]` whose keys equal `key` to `target[start:]`.

    How many those are. All of `target[start:start + 8]` may be written to. For AVX-512.
    """
    return _keep(8, source, keys, i, key, target, start)


def keep_of_four(source: Any, keys: Any, i: Word, key: Word, target: Any, start: Word) -> Word:
    """Do what `keep_of_eight` does, with four words, for AVX2."""
    return _keep(4, source, keys, i, key, target, start)


def _keep(lanes: int, source: Any, keys: Any, i: Word, key: Word, target: Any, start: Word) -> Word:
    kept = source[i : i + lanes][keys[i : i + lanes] == key]
    target[start : start + lanes] = NOTHING
    target[start : start + len(kept)] = kept
    return np.int64(len(kept))


def smallest_of_eight(left: Any, i: Word, right: Any, j: Word) -> Word:
    """The smallest of the sums (exclusive or) of `left[i:i + 8]` and `right[j:j + 8]`."""
    return np.int64((left[i : i + 8] ^ right[j : j + 8]).min())


def add_eight(left: Any, i: Word, right: Any, j: Word, target: Any, at: Word) -> None:
    """Put the sums (exclusive or) of `left[i:i + 8]` and `right[j:j + 8]` to `target[at:]`."""
    target[at : at + 8] = left[i : i + 8] ^ right[j : j + 8]


# The prelude: rules by their addresses, which only machine code has


def keep_tables(at: Any, tables: Tables) -> Word:
    """Let the functions kept in `at` be called with these tables, if there is room for them.

    How many words of `at` it takes.
    """


def keep_listing(
    at: Any, place: Word, function: Function, tables: Tables, state: State, children: Any
) -> None:
    """Keep at a place a function of tables, a state, children, and how many there are."""


def keep_asking(at: Any, place: Word, function: Function, tables: Tables, state: State) -> None:
    """Keep at a place a function of tables and a state."""


def call_listing(at: Any, place: Word, state: State, children: Any, made: Word) -> Word:
    """What the function kept at a place by `keep_listing` gives."""


def call_asking(at: Any, place: Word, state: State) -> Word:
    """What the function kept at a place by `keep_asking` gives."""
