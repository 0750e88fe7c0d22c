"""The kernels of the cosets of a puzzle, as functions of their tables `T`."""

from __future__ import annotations

from searchkit.compiled.specialise.names import Tables, Word


def after(T: Tables, word: Word, operator: Word) -> Word:
    """The coset after an operator."""


def reduction(T: Tables, word: Word) -> Word:
    """The class of a coset, and in its low bits the symmetry that leads there."""


def image(T: Tables, seconds: Word, symmetry: Word) -> Word:
    """What a symmetry makes of the second half of a coset."""


def number(T: Tables, kind: Word, seconds: Word, flips: Word) -> Word:
    """The entry of a class and the image of the second half."""


def least(T: Tables, word: Word) -> Word:
    """The smallest entry of a coset and its images, with all flips."""
