"""The table of the states met so far: open addressing that grows in place, in slices."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.best_first.kernels.closed_list import Late, Table
from searchkit.compiled.specialise.entries import DirectCalls
from searchkit.compiled.specialise.growable import Account, GrowableArray, doubled
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised
from searchkit.running.task import seldom

WORD_BYTES = 8
FIRST_LINES = 64
FEW_LINES = 1 << 14
MOST_LOAD = 0.7
LATE = 1024
FILLS = 256
STEPS = 1 << 14
Rows = np.ndarray[Any, Any]


@attrs.frozen
class LineLayout:
    """How many states share a line, and where their marks are; see the kernels."""

    words: int
    mark_bits: int
    slots: int = attrs.field(init=False)
    line_words: int = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        # A line of states of one word is one cache line.
        slots = 64 * WORD_BYTES // (64 + self.mark_bits) if self.words == 1 else 4
        set_field = object.__setattr__
        set_field(self, "slots", slots)
        set_field(self, "line_words", slots * self.words + -(-slots * self.mark_bits // 64))

    def constants(self) -> dict[str, int]:
        """The constants that the kernels need, apart from SPARE."""
        marks = 64 // self.mark_bits
        return {
            "SLOTS": self.slots,
            "LINE_WORDS": self.line_words,
            "LINE_MARKS": self.line_words * marks,
            "FIRST_MARK": self.slots * self.words * marks,
        }


@attrs.define(eq=False, repr=False)
class ClosedTable:
    """States with a mark each."""

    spec: Specialised
    layout: LineLayout
    account: Account
    lines: int = attrs.field(factory=lambda: FIRST_LINES)
    memory: GrowableArray = attrs.field(init=False)
    record: Table = attrs.field(init=False)
    """What kernels take."""
    _late: Late = attrs.field(init=False)
    _fills: np.ndarray[Any, Any] = attrs.field(init=False)
    _calls: DirectCalls = attrs.field(factory=DirectCalls, init=False)

    def __attrs_post_init__(self) -> None:
        words = self._words(self.lines)
        self.account.reserve("table", words * WORD_BYTES, words * WORD_BYTES)
        self.memory = GrowableArray(np.int64, words)
        self.record = self._recorded()
        late = np.zeros(LATE * self.layout.words, dtype=np.int64)
        self._late = Late(late, np.zeros(LATE, dtype=np.int64))
        self._fills = np.zeros(FILLS, dtype=np.int64)

    @property
    def _spare(self) -> int:
        return int(self.spec.module.SPARE)

    def _words(self, lines: int) -> int:
        return (lines + self._spare + 1) * self.layout.line_words

    @property
    def bytes(self) -> int:
        """What it takes now."""
        return self.memory.bytes

    def _recorded(self) -> Table:
        words = self.memory.array
        return Table(words, words.view(f"u{self.layout.mark_bits // 8}"), np.int64(self.lines))

    @property
    def most_stored(self) -> int:
        """How many states may be in it before it has to grow."""
        return int(self.lines * self.layout.slots * MOST_LOAD)

    @seldom
    def grow(self) -> Generator[None, None, None]:
        """Make room for more states."""
        old = self.lines
        lines = int(old * _factor(self.bytes)) + 1
        words = self._words(lines)
        self.account.reserve("table", self.memory.bytes_to_grow(words), words * WORD_BYTES)
        self.memory.grow(words)
        self.lines = lines
        self.record = self._recorded()
        module = self.spec.module
        line, waiting, lowest = old + self._spare - 1, 0, lines + self._spare
        while line >= 0:
            before = line
            line, waiting, lowest = module.spread(
                self.record, old, line, STEPS, self._late, waiting, self._fills, lowest
            )
            if line == before:
                self._late = doubled(self._late)
            yield

    def copy_from(self, other: ClosedTable) -> Iterator[None]:
        """Take all states of a table over that may have another layout; this one is empty."""
        for states, marks in other.slices():
            put = marks > 0
            self.spec.module.put_all(
                self.record, states[put].ravel(), marks[put].astype(np.int64), put.sum()
            )
            yield

    def slices(self, *more: np.ndarray[Any, Any]) -> Iterator[tuple[np.ndarray[Any, Any], ...]]:
        """The states at some places at a time, their marks, and `more`, what all places have."""
        layout, slots = self.layout, self.layout.slots
        lines = self._all_lines()
        marks = lines.view(f"u{layout.mark_bits // 8}")[:, layout.constants()["FIRST_MARK"] :]
        of_places = [
            each[:, :slots] for each in (marks, *(m.reshape(len(lines), -1) for m in more))
        ]
        for begin in range(0, len(lines), STEPS):
            part = slice(begin, begin + STEPS)
            states = lines[part, : slots * layout.words].ravel()
            yield self.spec.rows(states), *(each[part].ravel() for each in of_places)

    def _all_lines(self) -> np.ndarray[Any, Any]:
        return self.memory.array.reshape(-1, self.layout.line_words)[: self.lines + self._spare]

    def drawn(self, count: int, choose: random.Random) -> list[Any]:
        """Some states, at most `count`: those of lines drawn from anywhere."""
        layout, lines = self.layout, self._all_lines()
        if len(lines) > FEW_LINES:  # else most of them may be empty
            lines = lines[sorted({choose.randrange(len(lines)) for _ in range(count)})]
        marks = lines.view(f"u{layout.mark_bits // 8}")[:, layout.constants()["FIRST_MARK"] :]
        states = self.spec.rows(lines[:, : layout.slots * layout.words].ravel())
        found = states[marks[:, : layout.slots].ravel() > 0]
        places = choose.sample(range(len(found)), min(count, len(found)))
        return list(map(python_state, found[places]))

    def noted(self, rows: Rows) -> tuple[Rows, Rows]:
        """The g of some states, -1 for those that are not in the table, and which were expanded."""
        marks = np.zeros(len(rows), dtype=np.int64)
        self._calls(self.spec.module, "look_up", self.record, rows, marks)
        return (marks >> 1) - 1, marks & 1 == 1

    def known(self, states: Sequence[Any]) -> list[tuple[int, bool] | None]:
        """The same of states that need not be there, of which nothing is known then."""
        noted = (each.tolist() for each in self.noted(self.spec.states(list(states))))
        return [(g, is_expanded) if g >= 0 else None for g, is_expanded in zip(*noted, strict=True)]

    def cost_of(self, state: Any) -> int:
        """The g of a state of the table."""
        return int(self.noted(self.spec.states([state]))[0][0])


def _factor(bytes_now: int) -> float:
    """By how much to grow: much while that costs little memory."""
    if bytes_now < 1 << 20:
        return 4
    return 2 if bytes_now < 1 << 24 else 1.5
