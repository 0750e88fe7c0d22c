"""The kernels of a heuristic, as functions of its tables `H`, and what is known of it."""

from __future__ import annotations

from typing import Any

from searchkit.compiled.specialise.names import State, Tables, Word, parameter
from searchkit.packed import PackedStep

MEMORY = parameter()
"""The words that the heuristic remembers of a state, 0 if it is not a `CarriedHeuristic`."""
INCREMENTAL = parameter()
"""Whether the heuristic has `change`, so that its estimate is carried from state to state."""
FOLLOWED = parameter()
"""Whether steps are those that the heuristic knows the operators of; chains of them are not."""
FLOATS = parameter()
"""Whether estimates are words of floats: see `searchkit.kernel_language.floats`."""
CHILD_LATER = parameter()
"""Whether `change`, or `follow`, does not look at the child."""
FAR_BITS = parameter()
"""How many bits of an entry do not say which byte it is in, of a `PrefetchedHeuristic`."""


def estimate(H: Tables, state: State) -> Word:
    """The estimate of a state by itself."""


def change(H: Tables, state: State, control: Word, operator: Word, child: State) -> Word:
    """The estimate of the child less that of the state."""


def candidates(H: Tables, state: State, control: Word, most: Word) -> Word:
    """The operators that may change the estimate by `most` at most, as the bits of a word."""


def begin(H: Tables, memo: Any, at: Word, state: State) -> Word:
    """The estimate of the first state of a path; its words go to `memo` from `at` on."""


def follow(H: Tables, memo: Any, at: Word, after: Word, step: PackedStep, most: Word) -> Word:
    """The estimate of the child, whose words go to `memo` from `after` on."""


def recall(H: Tables, memo: Any, at: Word) -> Word:
    """The estimate of the state whose words are at `at`."""


def ask(H: Tables, memo: Any, at: Word, step: PackedStep, most: Word) -> Word:
    """The entry that `told` will look up."""


def told(
    H: Tables,
    memo: Any,
    at: Word,
    kept: Any,
    after: Word,
    step: PackedStep,
    most: Word,
    entry: Word,
) -> Word:
    """A lower bound on the estimate of the child, whose words go to `kept` from `after` on."""


def settle(H: Tables, memo: Any, at: Word) -> Word:
    """The estimate of a state that `told` was asked of."""


def estimate_of(H: Tables, state: State) -> Word:
    """The estimate of a state by itself, known to be an integer."""
