"""Texts of many states at once, where each part of a text is that of some bits of the state.

Nobody says which bits: it is found out by comparing with the texts that the puzzle writes, and
what no pattern explains is written one by one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, product
from typing import Any

import attrs
import numpy as np

from searchkit.bits import WORD_BITS
from searchkit.compiled.specialise.module import module_of
from searchkit.proofs.kernels import lines
from searchkit.proofs.listing import CODES, MANY, Blocks, Worded, two_alike

SAMPLES = 500
FEW = 64
"""Different texts of so many states tell most bits that make them from others."""
WIDEST = 12
"""A part of a text stands for so many bits at most."""
TRIES = 50
"""So often a pattern is found anew where a state does not fit."""
COMPARED = 1000
"""Of so many states, one is compared with what the puzzle writes; so many are of longer lists."""
ROWS = 1 << 14
"""How many lines are made at a time."""
HEAP_BITS = 10
"""How many bits of a key say in which heap it is sorted."""
BYTES_OF_ROW = 120
"""What sorting takes for a state of some words."""
BYTES_OF_NUMBERS = 24
"""What a line has at most beside the words of its text."""
TAIL, MOST_TAILS = 3, 1 << 20
"""How many of the last parts of a text make one word with its number, where they are frequent, and
how many such ends there may be."""
PARTS = re.compile(r"-?\w+|\W", re.ASCII), re.compile(".", re.ASCII)

Array = np.ndarray[Any, Any]
Slices = Callable[[], Iterable[tuple[Array, Array]]]
"""Gives states as rows of words, and their costs, slice by slice; each time the same."""
Texts = Callable[[Array], list[str]]
"""Gives the texts that the puzzle writes for rows."""


@attrs.define(eq=False)
class Part:
    """Some bits of a state, and the texts of their values."""

    word: int
    shift: int
    bits: int
    texts: dict[int, str] = attrs.field(factory=dict)

    @property
    def mask(self) -> int:
        """The bits, as those of their word."""
        return (1 << self.bits) - 1 << self.shift

    def values(self, rows: Array) -> Array:
        """What the bits are in each row."""
        return (rows[:, self.word].view(np.uint64) & np.uint64(self.mask)) >> np.uint64(self.shift)

    def text(self, value: int) -> str:
        """The text of a value, if any."""
        return self.texts.get(value, "")

    def learns(self, rows: Array, texts: Iterable[str]) -> bool:
        """Take these for the texts of the values; False if a value or a text has two others."""
        pairs = {*self.texts.items(), *zip(self.values(rows).tolist(), texts, strict=True)}
        self.texts = dict(pairs)
        return len(pairs) == len(self.texts) == len({*self.texts.values()})


@attrs.define(eq=False)
class Pattern:
    """How the texts of states are made of their bits, as far as is known of `rows`."""

    written: Texts
    rows: Array
    split: re.Pattern[str]
    total: int
    texts: list[str]
    parts: list[Part] = attrs.field(factory=list)
    others: list[tuple[Part, Part]] = attrs.field(factory=list)
    """Bits that tell as much of a text as those of its part, as far as is known."""
    fixed: Array = attrs.field(init=False)
    """A state, and the bits that are of no part and the same in all that are known."""
    table: Array = attrs.field(init=False)
    """Where the parts are, for kernels."""
    module: Any = attrs.field(factory=lambda: module_of({}, (lines,)))

    @classmethod
    def of(cls, slices: Slices, written: Texts) -> Pattern | None:
        """The pattern of all states, if there are many. O(states) whenever it is mended."""
        some, total = [], 0
        for rows, _ in slices():
            some.append(rows[:: 1 + len(rows) // SAMPLES])
            total += len(rows)
        if total <= MANY:
            return None
        rows = np.concatenate(some)
        rows = rows[:: 1 + len(rows) // SAMPLES]
        texts = written(rows)
        for split in PARTS:
            found = cls(written, rows, split, total, [*texts])
            if found.fits() and found._holds_of_all(slices) and found.is_in_order():
                return found
        return None

    def fits(self) -> bool:
        """Find the parts of the texts; False if there are none."""
        self.texts += self.written(self.rows[len(self.texts) :])
        split = [*map(self.split.findall, self.texts)]
        if len({*map(len, split)}) != 1 or not all(map(str.isascii, self.texts)):
            return False
        vary = np.bitwise_or.reduce(self.rows ^ self.rows[0], axis=0).view(np.uint64).tolist()
        taken = [0] * len(vary)
        self.parts, self.others = [], []
        for some in zip(*split, strict=True):
            found = self._parts_of(some, vary, taken)
            if not found:
                return False
            self.parts.append(found[0])
            self.others += [(found[0], other) for other in found[1:]]
            taken[found[0].word] |= found[0].mask
        for part, some in zip(self.parts, zip(*split, strict=True), strict=True):
            self._widen(part, some, taken, vary[part.word])
            taken[part.word] |= part.mask
        same = [~bits for bits in vary]
        for part in self.parts:
            same[part.word] &= ~part.mask
        masks = np.array([bits & (1 << WORD_BITS) - 1 for bits in same], np.uint64)
        self.fixed = np.stack([self.rows[0], masks.view(np.int64)])
        self.table = self._table()
        for _, other in self.others:
            taken[other.word] |= other.mask
        return not any(bits & ~mask for bits, mask in zip(vary, taken, strict=True))

    def _parts_of(self, texts: Sequence[str], vary: list[int], taken: list[int]) -> list[Part]:
        """The fewest bits by which texts differ; those first that are of no other part.

        They are among the bits that `vary`, but not between states of one text.
        """
        first = {text: place for place, text in reversed([*enumerate(texts)])}
        alike = self.rows ^ self.rows[[first[text] for text in texts]]
        differ = np.bitwise_or.reduce(alike, axis=0).view(np.uint64).tolist()
        least, few = (len(first) - 1).bit_length(), self.rows[[*first.values()][:FEW]]
        if least == 0:
            return [Part(0, 0, 0, {0: texts[0]})]
        for bits in range(least, WIDEST + 1):
            places = product(range(len(vary)), range(WORD_BITS + 1 - bits))
            tried = [Part(word, shift, bits) for word, shift in places]
            found = [
                each
                for each in tried
                if not each.mask & differ[each.word]
                and (each.mask & vary[each.word]).bit_count() >= least
                and len({*each.values(few).tolist()}) == len(few)
                and each.learns(self.rows, texts)
            ]
            if found:
                return sorted(found, key=lambda part: taken[part.word] & part.mask != 0)
        return []

    def _widen(self, part: Part, texts: Sequence[str], taken: list[int], left: int) -> None:
        """Let it have bits beside its own that vary and are of no part, if they fit its texts."""
        free = left & ~taken[part.word]
        if not free:
            return
        others = taken[part.word] & ~part.mask
        wider = [
            Part(part.word, shift, bits)
            for bits in range(part.bits + 1, WIDEST + 1)
            for shift in range(max(0, part.shift + part.bits - bits), part.shift + 1)
            if part.bits and shift + bits <= WORD_BITS
        ]
        wider = [each for each in wider if each.mask & free and not each.mask & others]
        for each in sorted(wider, key=lambda each: -(each.mask & free).bit_count()):
            if each.learns(self.rows, texts):
                part.shift, part.bits, part.texts = each.shift, each.bits, each.texts
                return

    def _holds_of_all(self, slices: Slices) -> bool:
        """Whether all states fit, once the pattern was mended by those that did not."""
        for _ in range(TRIES):
            for rows, _ in slices():
                misfits = self._misfits(rows)
                if len(misfits):
                    self.rows = np.concatenate([self.rows, misfits])
                    if not self.fits():
                        return False
                    break
            else:
                return True
        return False

    def _misfits(self, rows: Array) -> Array:
        """Some rows that do not fit, none if all do; values that are new are learnt."""
        known, places, at = self._ranks(), self._places(), 0
        keys = np.empty((len(rows), places[-1, 0] + 2), np.int64)
        while (at := self._rank(rows, known, places, at, keys)) < len(rows):
            row = rows[at : at + 1]
            if not self.learns(row):
                return row
            known[self.table[:, 3] + self._values(row)[0]] = 0
        for part, other in self.others:
            by_text = {text: value for value, text in other.texts.items()}
            alike = np.full(1 << part.bits, -1)
            for value, text in part.texts.items():
                alike[value] = by_text.get(text, -1)
            wrong = alike[part.values(rows).astype(np.int64)] != other.values(rows).astype(np.int64)
            if wrong.any():
                return rows[int(np.argmax(wrong)) :][:1]
        some = rows[:: max(COMPARED, self.total // COMPARED)]
        told = self._values(some).tolist()
        texts = ["".join(map(Part.text, self.parts, values)) for values in told]
        pairs = zip(texts, self.written(some), strict=True)
        return some[[one != other for one, other in pairs]]

    def learns(self, row: Array) -> bool:
        """Learn the texts of a state's values, unless it is of another pattern."""
        some, values = self.split.findall(self.written(row)[0]), self._values(row)[0].tolist()
        return (
            not ((row ^ self.fixed[0]) & self.fixed[1]).any()
            and len(some) == len(self.parts)
            and all(
                text == part.text(value) or part.learns(row, [text])
                for part, text, value in zip(self.parts, some, values, strict=True)
            )
        )

    def _values(self, rows: Array) -> Array:
        """What the bits of all parts are in each row."""
        word, shift, mask, _ = self.table.T
        values: Array = rows[:, word] >> shift & mask
        return values

    def _table(self) -> Array:
        """Where the parts are, for kernels."""
        rows, first = [], 0
        for part in self.parts:
            rows.append((part.word, part.shift, (1 << part.bits) - 1, first))
            first += 1 << part.bits
        return np.array(rows, np.int64)

    def is_in_order(self) -> bool:
        """Whether texts are in the order of their parts: none begins another that goes on.

        Texts that are the same in all states are joined to those before.
        """
        joined: list[Part] = []
        for part in self.parts:
            if len(part.texts) == 1 and joined:
                (end,) = part.texts.values()
                joined[-1].texts = {value: text + end for value, text in joined[-1].texts.items()}
            else:
                joined.append(part)
        self.parts = joined
        self.table = self._table()
        return are_told_apart(self.parts)

    def _places(self) -> Array:
        """Where the parts' ranks are in keys, and the first of the texts of each: for kernels."""
        rows, word, left, first = [], 0, WORD_BITS, 0
        for part in self.parts:
            size = max(1, (len(part.texts) - 1).bit_length())
            word, left = (word, left - size) if size <= left else (word + 1, WORD_BITS - size)
            rows.append((word, left, (1 << size) - 1, first))
            first += len(part.texts)
        return np.array(rows, np.int64)

    def _rank(self, rows: Array, *given: Any) -> int:
        """Fill keys, the last of those given; the first row that does not fit."""
        ranks, places, begin, keys = given
        return int(self.module.rank_rows(rows, self.table, ranks, places, self.fixed, begin, keys))

    def _ranks(self) -> Array:
        """The rank of each value of each part by its text, -1 if it has none."""
        ranks = np.full(self.table[-1, 2:].sum() + 1, -1)
        for part, first in zip(self.parts, self.table[:, 3].tolist(), strict=True):
            values = sorted(part.texts, key=part.text)
            ranks[[first + value for value in values]] = np.arange(len(values))
        return ranks

    def keys(self, rows: Array, costs: Array, ranks: Array) -> Array:
        """Numbers without a sign, in the order of the texts, for each row; behind them its cost."""
        places = self._places()
        keys = np.empty((len(rows), places[-1, 0] + 2), np.int64)
        self._rank(rows, ranks, places, 0, keys)
        keys[:, -1] = costs
        return keys.view(np.uint64)

    def worded(self, slices: Slices, at_once: int, most: int) -> Worded | None:
        """All lines in order; `at_once` states or so are sorted in memory. None of too many words.

        A number is a word, if those up to `most` find room; else each digit is one.
        """
        words = sorted({text for part in self.parts for text in part.texts.values()})
        numbers = ["\t", *"0123456789"]
        if most < len(CODES) - len(words):
            numbers = [f"\t{number}" for number in range(most + 1)]
        if len(words) + len(numbers) > len(CODES):
            return None
        code = dict(zip(words, CODES, strict=False))
        codes = [code[text] for part in self.parts for text in sorted(part.texts.values())]
        named = [*words, *numbers]
        ends = np.array([CODES[len(words)], numbers[0] == "\t", len(self.parts)], np.int64)
        tails, sizes = np.zeros(1, np.uint8), np.ones(1, np.int64)
        if not ends[1]:
            more, tails, sizes = self._tails(slices, most, CODES[len(named) :])
            named += more
        given = np.array(codes, np.int64), tails, sizes, ends
        return named, self._blocks(slices, at_once, *given)

    def _tails(
        self, slices: Slices, most: int, free: Sequence[int]
    ) -> tuple[list[str], Array, Array]:
        """Words for the ends of lines that are the most frequent, and a table of their codes."""
        last = [sorted(part.texts.values()) for part in self.parts[-TAIL:]]
        sizes = [*map(len, last), most + 1]
        if len(self.parts) <= TAIL or math.prod(sizes) > MOST_TAILS:
            return [], np.zeros(1, np.uint8), np.ones(1, np.int64)
        rows, costs = next(some for some in slices() if len(some[0]))
        keys = self.keys(rows[:ROWS], costs[:ROWS], self._ranks()).view(np.int64)
        word, shift, mask, _ = self._places()[-TAIL:].T
        ends = (*(keys[:, word] >> shift & mask).T, keys[:, -1])
        found, counts = np.unique(np.ravel_multi_index(ends, sizes), return_counts=True)
        chosen = found[np.argsort(-counts, kind="stable")][: len(free)]
        tails = np.zeros(math.prod(sizes), np.uint8)
        tails[chosen] = free[: len(chosen)]
        told = np.stack(np.unravel_index(chosen, sizes), axis=1).tolist()
        words = ["".join(map(list.__getitem__, last, ranks)) + f"\t{cost}" for *ranks, cost in told]
        return words, tails, np.array(sizes, np.int64)

    def _blocks(self, slices: Slices, at_once: int, *given: Array) -> Blocks:
        places, last = self._places(), np.zeros(0, np.int64)
        out = np.empty(ROWS * (len(self.parts) + BYTES_OF_NUMBERS), np.uint8)
        for keys in self._sorted(slices, at_once):
            for begin in range(0, len(keys), ROWS):
                some = keys[begin : begin + ROWS]
                last = last if len(last) else ~some[0]  # which shares nothing
                size = self.module.write_lines(some, places, *given, last, out)
                if size < 0:
                    raise two_alike(self._text(some[-1 - size]))
                yield out[:size].tobytes(), len(some)

    def _sorted(self, slices: Slices, at_once: int) -> Iterator[Array]:
        """The keys of all rows in order, a heap at a time, of pieces that there is room for."""
        pieces, ranks = 1 + self.total // at_once, self._ranks()
        some = np.sort(self.keys(self.rows, self.rows[:, 0], ranks)[:, 0])
        firsts = [int(some[len(some) * each // pieces]) for each in range(1, pieces)]
        for first, end in pairwise([0, *firsts, 1 << WORD_BITS]):
            taken = []
            for rows, costs in slices():
                keys = self.keys(rows, costs, ranks)
                inside = (keys[:, 0] >= first) & (keys[:, 0] <= end - 1) if pieces > 1 else ...
                taken.append(keys[inside])
            for heap in self._heaps(taken):
                own = heap[:, :-1]
                order = np.argsort(own[:, 0]) if own.shape[1] == 1 else np.lexsort(own.T[::-1])
                yield heap.take(order, axis=0).view(np.int64)

    def _heaps(self, taken: list[Array]) -> Iterator[Array]:
        """Keys in heaps of a few thousand or more, each to be sorted, where a cache holds it."""
        firsts = [keys[:, 0] for keys in taken if len(keys)]
        if not firsts:
            return
        low, high = int(min(map(np.min, firsts))), int(max(map(np.max, firsts)))
        shift = max(0, (high - low).bit_length() - HEAP_BITS)
        sizes = np.zeros(1 << HEAP_BITS, np.int64)
        for first in firsts:
            heaps = (first - np.uint64(low) >> np.uint64(shift)).view(np.int64)
            sizes += np.bincount(heaps, minlength=len(sizes))
        ends = np.cumsum(sizes)
        found = np.empty((ends[-1], taken[0].shape[1]), np.int64)
        at, least = ends - sizes, np.uint64(low).astype(np.int64)
        for keys in taken:
            self.module.deal(keys.view(np.int64), int(least), shift, at, found)
        begin = 0
        for end in ends.tolist():
            if end - begin >= ROWS or (end == len(found) > begin):
                yield found[begin:end].view(np.uint64)
                begin = end

    def _text(self, key: Array) -> str:
        """The text of a key."""
        ranks = zip(self._places().tolist(), self.parts, strict=True)
        values = [(int(key[word]) >> shift & mask, part) for (word, shift, mask, _), part in ranks]
        return "".join(sorted(part.texts.values())[rank] for rank, part in values)


def are_told_apart(parts: Sequence[Part]) -> bool:
    """Whether texts of parts, one behind the other, are in the order of these."""
    return all(
        not other.startswith(one)
        for part in parts[:-1]
        for one, other in pairwise(sorted(part.texts.values()))
    )
