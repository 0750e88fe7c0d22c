"""The list of a proof as words, read in bulk where texts follow a pattern."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.specialise.module import module_of
from searchkit.proofs.bulk import TRIES, Array, Pattern, are_told_apart
from searchkit.proofs.checker import Unusable
from searchkit.proofs.kernels import reading
from searchkit.proofs.kernels.lines import NEW_LINE
from searchkit.proofs.kernels.reading import NO_DIGIT, OF_NEVER, At, Ends, Tables
from searchkit.proofs.listing import FIRST

CODES = 256
LONGEST = 1 << 12
"""Longer lines are read one by one."""
SAMPLES, MOST_NEW = 60, 500
"""How many states of a list the puzzle reads at any place, and how many that have a new part."""
MAGIC, OF_GZIP = b"\x1f\x8b", 31
NUMBER = re.compile(r"(\t?)(|0|[1-9][0-9]{0,8}|-)")


@attrs.define(eq=False)
class Lines:
    """The lines of a list, and how states are read and written."""

    data: Array
    words: Sequence[str]
    states: int
    rows: Callable[[list[str]], Array]
    texts: Callable[[Array], list[str]]
    split: re.Pattern[str] = attrs.field(init=False)
    at: Array = attrs.field(factory=lambda: np.zeros(len(At), np.int64))
    line: Array = attrs.field(factory=lambda: np.zeros(LONGEST, np.uint8))
    module: Any = attrs.field(factory=lambda: module_of({}, (reading,)))

    def __attrs_post_init__(self) -> None:
        words = sorted({word for word in self.words if "\t" not in word} - {""}, key=len)[::-1]
        self.split = re.compile("|".join(map(re.escape, words)))

    def read(self) -> tuple[Array, Array] | None:
        """Rows of words and numbers, in order; None if lines are to be read one by one.

        Some states are read by the puzzle, whose rows show which bits make a text; the others by
        that pattern. What a row stands for is what the pattern says.
        """
        ends = self._ends()
        samples = None if ends is None else self._samples(ends)
        if samples is None:
            return None
        known = self.rows(samples)
        rows = np.empty((self.states, known.shape[1]), np.int64)
        numbers = np.empty(self.states, np.int64)
        pattern, tries = Pattern(self.texts, known, self.split, self.states, samples), TRIES
        fits = pattern.fits()
        self.at[:] = 0
        self.at[At.END] = self.states
        while fits and tries:
            tables = self._tables(pattern)
            if tables is None:
                break
            if self.at[At.BYTE] == 0:
                heads = np.empty((len(pattern.parts) + 1, rows.shape[1]), np.int64)
            here = self.data, self.line, heads
            if self.module.read_lines(*here, tables, ends, rows, numbers, self.at):
                return rows, numbers
            last = self.rows([self._next()])
            if _learns(pattern, last):
                continue  # the line is read once more
            pattern.rows = np.concatenate([pattern.rows, last])
            fits, tries = pattern.fits(), tries - 1
            self.at[:] = 0
            self.at[At.END] = self.states
        return None

    def _samples(self, ends: Ends) -> list[str] | None:
        """The texts of some states: of all that have something that none before has, and others."""
        samples, seen = list[str](), np.zeros((LONGEST, CODES), np.uint8)
        self.at[At.NEW] = MOST_NEW
        for each in range(1, SAMPLES + 1):
            self.at[At.END] = max(self.states * each // SAMPLES, self.at[At.LINE])
            while True:
                if not self.module.skip_lines(self.data, self.line, ends, seen, self.at):
                    return None
                samples.append(self._text(self.line[: self.at[At.LENGTH]]))
                if self.at[At.LINE] == self.at[At.END]:
                    break
        return samples if self.at[At.BYTE] == len(self.data) else None

    def _ends(self) -> Ends | None:
        """What codes of numbers stand for, and of ends of texts with numbers."""
        if FIRST + len(self.words) > CODES:
            return None
        code = {word: place for place, word in enumerate(self.words, FIRST)}
        digits, widths, opens = np.zeros((3, CODES), np.int64)
        digits[:] = NO_DIGIT
        tails: dict[int, list[int]] = {}
        for place, word in enumerate(self.words, FIRST):
            text, tab, said = word.partition("\t")
            if text and tab:
                parts = self.split.findall(text)
                if "".join(parts) != text:
                    return None
                tails[place] = [*map(code.__getitem__, parts)]
            number = NUMBER.fullmatch(tab + said if tab else word)
            if number:
                is_never = number[2] == "-"
                digits[place] = OF_NEVER if is_never else int(number[2] or 0)
                widths[place] = len(number[2])
            opens[place] = bool(tab)
        sizes = {*map(len, tails.values())} or {0}
        table = np.zeros((CODES, max(sizes)), np.int64)
        for place, codes in tails.items():
            table[place, : len(codes)] = codes
        return Ends(digits, widths, opens, table) if len(sizes) == 1 else None

    def _text(self, codes: Array) -> str:
        """The text of the state of a line."""
        known = dict(enumerate(self.words, FIRST))
        return codes.tobytes().decode("latin-1").translate(known).partition("\t")[0]

    def _next(self) -> str:
        """The text of the line that was not understood."""
        begin = int(self.at[At.BYTE])
        rest = self.data[begin + 1 : begin + LONGEST]
        end = int(np.argmax(rest == NEW_LINE))
        same = max(0, int(self.data[begin]) - FIRST)
        return self._text(np.concatenate([self.line[:same], rest[:end]]))

    def _tables(self, pattern: Pattern) -> Tables | None:
        """What reads the lines of a pattern, if each part of a text is a word."""
        codes = defaultdict[str, list[int]](list)
        for place, word in enumerate(self.words, FIRST):
            codes[word].append(place)
        has_words = all(codes.keys() >= {*part.texts.values()} for part in pattern.parts)
        if not has_words or not are_told_apart(pattern.parts):
            return None
        state, same = pattern.fixed.copy()
        for _, other in pattern.others:
            same[other.word] &= ~np.uint64(other.mask).astype(np.int64)
        values, ranks = np.full((2, len(pattern.parts), CODES), -1)
        masks: list[list[int]] = []
        for place, part in enumerate(pattern.parts):
            for rank, text in enumerate(sorted(part.texts.values())):
                ranks[place, codes[text]] = rank
            beside = [
                (other, {text: value for value, text in other.texts.items()})
                for one, other in pattern.others
                if one is part
            ]
            for value, text in part.texts.items():
                values[place, codes[text]] = len(masks)
                words = [0] * len(state)
                words[part.word] |= value << part.shift
                for other, alike in beside:
                    words[other.word] |= alike.get(text, 0) << other.shift
                masks.append(words)
        bits = np.array(masks, np.uint64).view(np.int64)
        return Tables(values, ranks, bits, state & same)


def _learns(pattern: Pattern, row: Array) -> bool:
    """Whether a state has new texts of parts and is else like those known; they are learnt."""
    known = [len(part.texts) for part in pattern.parts]
    if not pattern.learns(row):
        return False
    texts = pattern.split.findall(pattern.written(row)[0])
    by_part = {id(part): text for part, text in zip(pattern.parts, texts, strict=True)}
    others = all(other.learns(row, [by_part[id(part)]]) for part, other in pattern.others)
    return others and known != [len(part.texts) for part in pattern.parts]


def read_in_bulk(
    path: str | Path,
    header: dict[str, Any],
    rows: Callable[[list[str]], Array],
    texts: Callable[[Array], list[str]],
    memory: float,
) -> tuple[Array, Array] | None:
    """The list of a proof; None where it must be read line by line. Memory: that of the file.

    Raises `Unusable` where it unpacks to more than `memory`.
    """
    if not header["words"]:
        return None
    with Path(path).open("rb") as file:
        data, room = file.read(int(memory)), int(memory)
    parts = [data]
    if data[:2] == MAGIC:
        parts = []
        while data.strip(b"\0") and room > 0:
            unpacking = zlib.decompressobj(wbits=OF_GZIP)
            try:
                parts.append(unpacking.decompress(data, room))
            except zlib.error:
                return None
            data, room = unpacking.unused_data, room - len(parts[-1])
            if room > 0 and not unpacking.eof:
                return None
    if sum(map(len, parts)) >= int(memory):
        raise Unusable("the list takes more memory than is allowed (--max-memory)")
    parts[:1] = (parts or [b""])[0].partition(b"\n\n")[2:]
    data = b"".join(filter(None, parts))  # of a single part, there is no copy
    if hashlib.sha256(data).hexdigest() != header["sha256"]:
        return None
    lines = np.frombuffer(data, np.uint8)
    return Lines(lines, header["words"], header["states"], rows, texts).read()
