"""The list of a proof, written in the order of its texts in little memory."""

from __future__ import annotations

import gzip
import hashlib
import heapq
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice, pairwise, starmap
from json import dumps
from operator import eq
from pathlib import Path
from typing import IO, Any, Self

import attrs

from searchkit.errors import SearchkitError, UnsuitableError
from searchkit.proofs.checker import KEYS, LONGEST
from searchkit.texts.files import WholeFile

AT_ONCE = 1 << 18
"""How many lines are sorted in memory; longer lists are sorted on disk."""
MANY = 1000
"""Lines of longer lists are made of words, and leave out those that the line above has, too."""
FIRST, MOST_SHARED = 32, 223
CODES = range(FIRST, 256)
"""The bytes that stand for words, and for how many words are shared."""
LEVEL = 4
"""Of compression: the one below packs less, and the next takes twice as long."""
BLOCK = 1 << 20
"""Bytes that are read at a time."""
LINES = 1 << 12
"""How many lines are written at a time."""

Line = tuple[str, int | None]
Blocks = Iterator[tuple[bytes, int]]
"""Lines as they are in the file, and how many."""
Worded = tuple[Sequence[str] | None, Blocks]
"""The words of which lines are made, if any, and the lines."""


@attrs.define(eq=False, repr=False)
class ProofFile:
    """A proof that is being written; it is there under its name once it is complete.

    A name that ends in `.gz` is that of a compressed file. What is left before `complete` leaves
    nothing.
    """

    path: Path
    states: int = 0
    lines: list[Line] = attrs.field(factory=list, init=False)
    """Those that are in memory."""
    _at_once: int = attrs.field(default=AT_ONCE, init=False)
    _added: int = attrs.field(default=0, init=False)
    _letters: set[str] = attrs.field(factory=set, init=False)
    _runs: list[IO[str]] = attrs.field(factory=list, init=False)
    _whole: WholeFile | None = attrs.field(default=None, init=False)
    _open: ExitStack = attrs.field(factory=ExitStack, init=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self._open.close()
        if self._whole is not None:
            with suppress(OSError):
                self._whole.drop()

    def begin(self, at_once: int = AT_ONCE) -> None:
        """Begin with no lines, of which no more than `at_once` are to be in memory."""
        self._at_once, self._added, self.states = at_once, 0, 0
        self.lines.clear()
        self._letters.clear()
        self._open.close()
        self._runs = []

    def add(self, lines: Sequence[Line]) -> None:
        """Add states and their numbers, in any order."""
        self.lines.extend(lines)
        self._letters.update(*map(_text, lines))
        self._added += len(lines)
        if len(self.lines) >= self._at_once:
            self.lines.sort(key=_text)
            with self._telling():
                self._runs.append(self._temporary())
                self._runs[-1].writelines(map(_written, self.lines))
            self.lines.clear()

    def write(self, header: Mapping[str, Any], worded: Worded | None = None) -> Iterator[None]:
        """Put all lines in order behind their header; yields now and then.

        Other lines are given as `worded`, if none were added.
        """
        with self._telling():
            yield from self._write(header, *(self._worded() if worded is None else worded))

    def _worded(self) -> Worded:
        """What was added, in order: many lines as words of a letter, if there are not too many."""
        words = sorted({*self._letters, *"\t-0123456789"})
        if self._added <= MANY or len(words) > len(CODES):
            return None, self._blocks(None)
        return words, self._blocks(
            {ord(word): code for word, code in zip(words, CODES, strict=False)}
        )

    def _blocks(self, codes: Mapping[int, int] | None) -> Blocks:
        self.lines.sort(key=_text)
        rows: Iterable[Line] = self.lines
        if self._runs:
            rows = heapq.merge(self.lines, *map(_told, self._runs), key=_text)
        last, above, rows = None, "", iter(rows)
        while block := list(islice(rows, LINES)):
            texts = [last, *map(_text, block)]
            if any(starmap(eq, pairwise(texts))):
                raise two_alike(next(one for one, other in pairwise(texts) if one == other))
            written = [*map(_written, block)]
            if codes is None:
                yield "".join(written).encode(), len(block)
            else:
                coded = [above, *(line[:-1].translate(codes) for line in written)]
                yield "".join(starmap(_shared, pairwise(coded))).encode("latin-1"), len(block)
                above = coded[-1]
            last = texts[-1]

    def _write(
        self, header: Mapping[str, Any], words: Sequence[str] | None, blocks: Blocks
    ) -> Iterator[None]:
        digest, body, store = hashlib.sha256(), self._temporary("w+b"), None
        is_packed = self.path.suffix == ".gz"
        if is_packed:
            store = gzip.GzipFile("", "wb", LEVEL, body, mtime=0)
        for part, count in blocks:
            digest.update(part)
            (store or body).write(part)
            self.states += count
            yield
        if store is not None:
            store.close()
        values = {**header, "words": words, "states": self.states, "sha256": digest.hexdigest()}
        lines = ["searchkit-proof 1", *(f"{key}: {dumps(values[key])}" for key in KEYS), "", ""]
        head = "\n".join(lines).encode()
        if max(map(len, lines)) >= LONGEST:
            raise UnsuitableError(
                "no proof can be written: the texts of its solution make too long a line"
            )
        self._whole = file = WholeFile(self.path)
        # What is compressed in two parts is a whole for whoever reads it.
        file.write(gzip.compress(head, LEVEL, mtime=0) if is_packed else head)
        body.seek(0)
        while part := body.read(BLOCK):
            file.write(part)
            yield

    def complete(self) -> None:
        """Give the file its name."""
        assert self._whole is not None
        with self._telling():
            self._whole.complete()
        self._whole = None

    def _temporary(self, mode: str = "w+") -> IO[Any]:
        """A file without a name, beside the proof, where there is room for it, if there can be."""
        try:
            file = _nameless(self.path.absolute().parent, mode)
        except OSError:
            file = _nameless(None, mode)
        return self._open.enter_context(file)

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Where the disk fails, it is not the puzzle that is to blame."""
        try:
            yield
        except OSError as error:
            why = error.strerror or error
            raise SearchkitError(f"cannot write to {self.path}: {why}") from error


def _nameless(folder: Path | None, mode: str) -> IO[Any]:
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    return tempfile.TemporaryFile(mode, dir=folder, **text)  # type: ignore[call-overload,no-any-return]


def two_alike(text: str | None) -> UnsuitableError:
    """The error to raise where a text stands for two states."""
    return UnsuitableError(f"no proof can be written: two states are written {text!r:.80}")


def _text(line: Line) -> str:
    return line[0]


def _written(line: Line) -> str:
    text, number = line
    return f"{text}\t{'-' if number is None else number}\n"


def _shared(above: str, line: str) -> str:
    """A coded line: how many words it shares with the one above, and the others."""
    pairs = enumerate(zip(above, line, strict=False))
    same = next((place for place, (one, other) in pairs if one != other), 0)
    same = min(same, MOST_SHARED)
    return f"{chr(FIRST + same)}{line[same:]}\n"


def _told(run: IO[str]) -> Iterator[Line]:
    run.seek(0)
    for line in run:
        text, _, number = line.rpartition("\t")
        yield text, None if number == "-\n" else int(number)
