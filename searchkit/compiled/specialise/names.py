"""What a generated module provides, for kernel files to import.

Kernel files are ordinary modules of functions in folders called `kernels`. What they import from
here is put in its place when a module is generated (`searchkit.compiled.specialise.linking`):

- constants of the module, which are folded into what uses them;
- the kernels of a problem (`problem_`), of a heuristic (`heuristic_`), or of a pattern space
  (`space_`), as functions of tables: `problem_apply(P, ...)` is the method `apply` of the problem,
  and `P` holds the fields of its `tables`. Any method can be imported so if it is declared here;
- the prelude: how functions are compiled, and machine words.

The functions of the prelude do here in plain Python what the machine code in
`kernels/prelude.py` and `kernels/arithmetic.py` does, so that a generated module runs without a
compiler as well: see `searchkit.compiled.specialise.plain`. Words are then `np.int64`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from searchkit.bits import WORD_BITS, replace_word, zero_state

__all__ = ["replace_word", "zero_state"]

Function = TypeVar("Function", bound=Callable[..., Any])
Tables = Any
"""The tables of an object with kernels: a named tuple of arrays, numbers and tables of parts."""
State = Any
"""One word, or a tuple of words."""
Word = Any
"""A signed number of 64 bits."""

ONES = (1 << WORD_BITS) - 1


def parameter() -> int:
    """A constant that whoever asks for the module gives, by the name it is assigned to.

    Here it is 0.
    """
    return 0


# Constants

WORDS = parameter()
"""The words of a state."""
ALWAYS_LEGAL = parameter()
"""Whether every listed operator is legal: the problem does not define `legal`."""
UNIT_COSTS = parameter()
"""Whether every step costs 1: the problem does not define `cost`."""
ASKED = parameter()
"""How many of the first states are asked for the control state that `next_control` foretold."""
STATIC = parameter()
"""Whether the operator lists know the control state after every step."""
MEMORY = parameter()
"""The words that the heuristic remembers of a state, 0 if it is no `CarriedHeuristic`."""
INCREMENTAL = parameter()
"""Whether the heuristic has `change`, so that its estimate is carried from state to state."""
CHILD_LATER = parameter()
"""Whether `change` does not look at the child."""
LEAST_COST = parameter()
MOST_COST = parameter()
"""The range of the costs of a step."""


# The kernels of a problem


def problem_at_goal(P: Tables, state: State) -> Any:
    """Whether the state is a goal."""


def problem_legal(P: Tables, state: State, control: Word, operator: Word) -> Any:
    """Whether the operator can be applied."""


def problem_apply(P: Tables, state: State, control: Word, operator: Word) -> State:
    """The state that a legal operator leads to."""


def problem_cost(P: Tables, state: State, control: Word, operator: Word) -> Word:
    """The cost of a step."""


def problem_rank(P: Tables, state: State) -> Word:
    """The number of a state."""


def problem_unrank(P: Tables, rank: Word) -> State:
    """The state of a number."""


def problem_aim(P: Tables, target: State) -> State:
    """What is looked up of a target, once for many states."""


def problem_bound_to(P: Tables, state: State, aim: State) -> Word:
    """A lower bound on the number of steps from the state to a target."""


def problem_bound_change(
    P: Tables, state: State, control: Word, operator: Word, child: State, aim: State
) -> Word:
    """The bound of the child less that of the state."""


def problem_moved_from(P: Tables, control: Word, operator: Word) -> Word:
    """The piece that an operator moves, as it is before."""


def problem_moved_to(P: Tables, control: Word, operator: Word) -> Word:
    """The piece that an operator moves, as it is after."""


def unchecked_control(P: Tables, state: State) -> Word:
    """The control state; see `kernels/control.py` for the one that is checked."""


# The kernels of a heuristic


def heuristic_estimate(H: Tables, state: State) -> Word:
    """The estimate of a state by itself."""


def heuristic_change(H: Tables, state: State, control: Word, operator: Word, child: State) -> Word:
    """The estimate of the child less that of the state."""


def heuristic_begin(H: Tables, memo: Any, at: Word, state: State) -> Word:
    """The estimate of the first state of a path; its words go to `memo` from `at` on."""


def heuristic_follow(
    H: Tables, memo: Any, at: Word, after: Word, state: State, control: Word, operator: Word,
    child: State, most: Word,
) -> Word:  # fmt: skip
    """The estimate of the child, whose words go to `memo` from `after` on."""


def heuristic_recall(H: Tables, memo: Any, at: Word) -> Word:
    """The estimate of the state whose words are at `at`."""


# The kernels of a pattern space


def space_rank(T: Tables, word: Word, group: Word) -> Word:
    """The number of a pattern state."""


def space_unrank(T: Tables, rank: Word, group: Word) -> Word:
    """The pattern state of a number."""


def space_spread(T: Tables, word: Word, group: Word, mask: Word) -> Word:
    """The places that can be reached for nothing from those of `mask`."""


def space_choices(T: Tables, word: Word, group: Word, mask: Word, operator: Word) -> Word:
    """The ways in which the operator can have led to the pattern state, as bits."""


def space_previous(T: Tables, word: Word, group: Word, operator: Word, choice: Word) -> Word:
    """The pattern state before."""


def space_landing(
    T: Tables, word: Word, group: Word, mask: Word, operator: Word, choice: Word
) -> Word:
    """The places before."""


def space_floor(T: Tables, word: Word, group: Word) -> Word:
    """A lower bound on the value of an entry."""


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


# The prelude: machine words


def count_ones(word: Word) -> Word:
    """The number of one bits."""
    return np.int64((int(word) & ONES).bit_count())


def lowest_one(word: Word) -> Word:
    """The place of the lowest one bit of a word that is not 0."""
    word = int(word) & ONES
    return np.int64((word & -word).bit_length() - 1)


def shift_right(word: Word, places: Word) -> Word:
    """The word shifted right, zeros shifted in."""
    return wrapped((int(word) & ONES) >> int(places))


def wrapped(number: int) -> Word:
    """The word with the lowest 64 bits of a number."""
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


def whole(number: Word) -> Word:
    """An estimate, which must be an integer, as a word."""
    return wrapped(number.__index__())


def as_word(value: Any) -> Any:
    """A number of any width as a word; all else as it is."""
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


# The prelude: memory


def borrowed(value: Any) -> Any:
    """An array, or a tuple with arrays, without its reference counts; the caller keeps it.

    Counting takes atomic instructions, which let nothing pass.
    """
    return value


def prefetch(array: Any, index: Word) -> None:
    """Ask for the memory of `array[index]` (one dimension) ahead of its use."""


def or_atomically(array: Any, index: Word, bits: Word) -> Word:
    """Set bits of `array[index]` in one step that no thread can come between; what was there."""
    before = array[index]
    array[index] |= array.dtype.type(bits)
    return before


def equal_among_eight(array: Any, start: Word, value: Word) -> Word:
    """Which of the eight items `array[start:start + 8]` equal `value`, as bits."""
    return np.int64(sum(1 << i for i in range(8) if array[start + i] == value))


def compress(source: Any, keys: Any, i: Word, key: Word, target: Any, start: Word) -> Word:
    """Copy those of eight words `source[i:i + 8]` whose keys equal `key` to `target[start:]`."""
    kept = source[i : i + 8][keys[i : i + 8] == key]
    target[start : start + len(kept)] = kept
    return np.int64(len(kept))
