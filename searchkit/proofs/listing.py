"""The list of a proof, written in the order of its texts in little memory."""

from __future__ import annotations

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
from searchkit.proofs.checker import KEYS
from searchkit.proofs.packing import Packer, read_on
from searchkit.texts.files import WholeFile

AT_ONCE = 1 << 18
"""How many lines are sorted in memory; longer lists are sorted on disk."""
MANY = 1 << 14
"""Longer lists leave out what a text has in common with the one before."""
LINES = 1 << 12
"""How many lines are written at a time."""

Line = tuple[str, int | None]
Blocks = Iterator[tuple[bytes, int]]
"""Lines as they are in the file, and how many."""


@attrs.define(eq=False, repr=False)
class ProofFile:
    """A proof that is being written; it is there under its name once it is complete.

    A name that ends in `.xz` is that of a compressed file. What is left before `complete` leaves
    nothing.
    """

    path: Path
    threads: int = 1
    """How many pack it, beside who makes its text."""
    states: int = 0
    lines: list[Line] = attrs.field(factory=list, init=False)
    """Those that are in memory."""
    _at_once: int = attrs.field(default=AT_ONCE, init=False)
    _added: int = attrs.field(default=0, init=False)
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
        self._open.close()
        self._runs = []

    def add(self, lines: Sequence[Line]) -> None:
        """Add states and their numbers, in any order."""
        self.lines.extend(lines)
        self._added += len(lines)
        if len(self.lines) >= self._at_once:
            self.lines.sort(key=_text)
            with self._telling():
                self._runs.append(self._temporary())
                self._runs[-1].writelines(map(_written, self.lines))
            self.lines.clear()

    def write(self, header: Mapping[str, Any], blocks: Blocks | None = None) -> Iterator[None]:
        """Put all lines in order behind their header; yields now and then.

        `blocks` are what `shortened` would make of all lines, if they were not added.
        """
        with self._telling():
            yield from self._write(header, self._blocks() if blocks is None else blocks)

    def _blocks(self) -> Blocks:
        """What was added, in order."""
        self.lines.sort(key=_text)
        rows: Iterable[Line] = self.lines
        if self._runs:
            rows = heapq.merge(self.lines, *map(_told, self._runs), key=_text)
        last, shares, rows = None, self._added > MANY, iter(rows)
        while block := list(islice(rows, LINES)):
            texts = [last, *map(_text, block)]
            if any(starmap(eq, pairwise(texts))):
                raise two_alike(next(one for one, other in pairwise(texts) if one == other))
            written = map(_shortened, texts, block) if shares else map(_written, block)
            yield "".join(written).encode(), len(block)
            last = texts[-1]

    def _write(self, header: Mapping[str, Any], blocks: Blocks) -> Iterator[None]:
        digest, body = hashlib.sha256(), self._temporary("w+b")
        store = (
            self._open.enter_context(Packer(body, self.threads))
            if self.path.suffix == ".xz"
            else None
        )
        for part, count in blocks:
            digest.update(part)
            (store or body).write(part)
            self.states += count
            yield
        values = {**header, "states": self.states, "sha256": digest.hexdigest()}
        lines = ["searchkit-proof 1", *(f"{key}: {dumps(values[key])}" for key in KEYS), "", ""]
        head = "\n".join(lines).encode()
        self._whole = file = WholeFile(self.path)
        for part in read_on(body, head) if store is None else store.whole(head):
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


def _shortened(last: str | None, line: Line) -> str:
    """A line without the characters with which the text before begins, but for their number."""
    pairs = enumerate(zip(last or "", line[0], strict=False))
    same = next((place for place, (one, other) in pairs if one != other), len(last or ""))
    written = _written(line)
    return f"{same}\t{written[same:]}" if same else written


def _told(run: IO[str]) -> Iterator[Line]:
    run.seek(0)
    for line in run:
        text, _, number = line.rpartition("\t")
        yield text, None if number == "-\n" else int(number)
