"""The list of a proof as words, read in bulk where texts follow a pattern."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.specialise.module import module_of
from searchkit.proofs.bulk import PARTS, SAMPLES, TRIES, Array, Part, Pattern
from searchkit.proofs.checker import KEYS, lines_of
from searchkit.proofs.kernels import reading
from searchkit.proofs.kernels.reading import At, Automaton

LETTERS = 128
LONGEST = 1 << 12
"""Longer texts are read one by one."""


@attrs.define(eq=False)
class Lines:
    """The lines of a list, and how states are read and written."""

    data: Array
    states: int
    rows: Callable[[list[str]], Array]
    texts: Callable[[Array], list[str]]
    at: Array = attrs.field(factory=lambda: np.zeros(len(At), np.int64))
    text: Array = attrs.field(factory=lambda: np.zeros(LONGEST, np.uint8))
    module: Any = attrs.field(factory=lambda: module_of({}, (reading,)))

    def read(self) -> tuple[Array, Array] | None:
        """Rows of words and numbers, in order; None if lines are to be read one by one.

        A thousand states are read by the puzzle, whose rows show which bits make a text; the others
        by that pattern. What a row stands for is what the pattern says.
        """
        samples: list[str] = []
        table, row = np.zeros((0, LETTERS), np.int64), np.zeros(0, np.int64)
        none = Automaton(table, table, row, row, row)
        count = min(SAMPLES, self.states)
        for each in range(1, count + 1):
            if not self._go_on(none, self.states * each // count, table, row):
                return None
            samples.append(self._last())
        if self.at[At.BYTE] != len(self.data):
            return None
        known = self.rows(samples)
        rows, numbers = (
            np.empty((self.states, known.shape[1]), np.int64),
            np.empty(self.states, np.int64),
        )
        for split in PARTS:
            pattern, tries = Pattern(self.texts, known, split, self.states, samples.copy()), TRIES
            fits = pattern.fits()
            self.at[:] = 0
            while fits and tries:
                automaton = automaton_of(pattern)
                if automaton is None:
                    break
                if self._go_on(automaton, self.states, rows, numbers):
                    return rows, numbers
                last = self.rows([self._last()])
                if _learns(pattern, last):
                    self.at[At.LENGTH] = self.at[At.SAME]  # the line is read once more
                    continue
                pattern.rows = np.concatenate([pattern.rows, last])
                fits, tries = pattern.fits(), tries - 1
                self.at[:] = 0
        return None

    def _last(self) -> str:
        """The text at hand."""
        return bytes(self.text[: self.at[At.LENGTH]]).decode()

    def _go_on(self, automaton: Automaton, end: int, rows: Array, numbers: Array) -> bool:
        """Read lines up to `end`; False where one is none, or is not understood."""
        self.at[At.END] = end
        read = self.module.read_lines
        return bool(read(self.data, self.text, automaton, rows, numbers, self.at))


def _learns(pattern: Pattern, row: Array) -> bool:
    """Whether a state has new texts of parts and is else like those known; they are learnt."""
    known = [len(part.texts) for part in pattern.parts]
    if not pattern.learns(row, pattern.fixed()):
        return False
    texts = pattern.split.findall(pattern.written(row)[0])
    by_part = {id(part): text for part, text in zip(pattern.parts, texts, strict=True)}
    others = all(other.learns(row, [by_part[id(part)]]) for part, other in pattern.others)
    return others and known != [len(part.texts) for part in pattern.parts]


def automaton_of(pattern: Pattern) -> Automaton | None:
    """What reads the texts of a pattern, if its parts can be told apart."""
    parts = [attrs.evolve(part, texts=dict(part.texts)) for part in pattern.parts]
    whole = attrs.evolve(pattern, parts=parts)  # it joins some of them
    beside: dict[int, list[tuple[Part, dict[int, int]]]] = {}
    for part, other in pattern.others:
        by_text = {text: value for value, text in other.texts.items()}
        alike = {value: by_text[text] for value, text in part.texts.items() if text in by_text}
        copy = parts[[*map(id, pattern.parts)].index(id(part))]
        beside.setdefault(id(copy), []).append((other, alike))
    if not whole.is_in_order():
        return None
    state, same = pattern.fixed()
    for _, other in pattern.others:
        same[other.word] &= ~np.uint64(other.mask).astype(np.int64)
    moves: list[list[int]] = []
    masks: list[Array] = []
    values, roots = list[int](), list[int]()

    def node() -> int:
        moves.append([-1] * LETTERS)
        values.append(-1)
        return len(moves) - 1

    for part in whole.parts:
        roots.append(node())
        for value, text in part.texts.items():
            here = roots[-1]
            for letter in text.encode():
                if moves[here][letter] < 0:
                    moves[here][letter] = node()
                here = moves[here][letter]
            values[here] = len(masks)
            words = np.zeros(len(state), np.uint64)
            words[part.word] |= np.uint64(value << part.shift)
            for other, alike in beside.get(id(part), ()):
                words[other.word] |= np.uint64(alike.get(value, 0) << other.shift)
            masks.append(words.view(np.int64))
    tables = (np.array(each, np.int64) for each in (moves, masks, [state & same], values, roots))
    first, second, third, *rest = tables
    return Automaton(first, second, third[0], *rest)


def read_in_bulk(
    path: str | Path,
    header: dict[str, Any],
    rows: Callable[[list[str]], Array],
    texts: Callable[[Array], list[str]],
) -> tuple[Array, Array] | None:
    """The list of a proof; None where it must be read line by line. Memory: that of the file."""
    lines = islice(lines_of(path), len(KEYS) + 2, None)
    data = b"\n".join((*lines, b""))
    if hashlib.sha256(data).hexdigest() != header["sha256"]:
        return None
    return Lines(np.frombuffer(data, np.uint8), header["states"], rows, texts).read()
