"""The kernels of a pattern space, as functions of its tables `T`."""

from __future__ import annotations

from searchkit.compiled.specialise.names import Tables, Word


def rank(T: Tables, word: Word, group: Word) -> Word:
    """The number of a pattern state."""


def unrank(T: Tables, rank: Word, group: Word) -> Word:
    """The pattern state of a number."""


def spread(T: Tables, word: Word, group: Word, mask: Word) -> Word:
    """The places that can be reached for nothing from those of `mask`."""


def choices(T: Tables, word: Word, group: Word, mask: Word, operator: Word) -> Word:
    """The ways in which the operator can have led to the pattern state, as bits."""


def previous(T: Tables, word: Word, group: Word, operator: Word, choice: Word) -> Word:
    """The pattern state before."""


def landing(T: Tables, word: Word, group: Word, mask: Word, operator: Word, choice: Word) -> Word:
    """The places before."""


def floor(T: Tables, word: Word, group: Word) -> Word:
    """A lower bound on the value of an entry."""
