"""The list of a proof, written in the order of its texts in little memory."""

from __future__ import annotations

import hashlib
import heapq
import lzma
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from json import dumps
from pathlib import Path
from typing import IO, Any, Self

import attrs

from searchkit.errors import UnsuitableError
from searchkit.proofs.checker import KEYS
from searchkit.texts.files import WholeFile

AT_ONCE = 1 << 18
"""So many lines are sorted in memory; what is longer is sorted on disk."""
BLOCK = 1 << 22
"""Bytes that are compressed by one thread at a time."""
SMALL = 1 << 24
"""The bytes of a list that is compressed as well as can be."""
PRESETS = 6, 1

Line = tuple[str, int | None]


@attrs.define(eq=False, repr=False)
class ProofFile:
    """A proof that is being written; it is there under its name once it is whole.

    A name that ends in `.xz` is that of a compressed file. What is closed before `finish` leaves
    nothing.
    """

    path: Path
    threads: int = 1
    states: int = 0
    sha256: str = ""
    _at_once: int = attrs.field(default=AT_ONCE, init=False)
    _lines: list[Line] = attrs.field(factory=list, init=False)
    _runs: list[IO[str]] = attrs.field(factory=list, init=False)
    _body: IO[bytes] | None = attrs.field(default=None, init=False)
    _open: ExitStack = attrs.field(factory=ExitStack, init=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self._open.close()

    @property
    def lines(self) -> list[Line]:
        """Those that are in memory."""
        return self._lines

    def begin(self, at_once: int = AT_ONCE) -> None:
        """Begin with no lines, of which no more than `at_once` are to be in memory."""
        self._at_once, self.states = at_once, 0
        self._lines.clear()
        self._open.close()
        self._runs = []

    def add(self, line: Line) -> None:
        """Add a state and its number, in any order."""
        self._lines.append(line)
        if len(self._lines) >= self._at_once:
            self._lines.sort(key=_text)
            run = self._temporary("w+")
            run.writelines(map(_written, self._lines))
            self._runs.append(run)
            self._lines.clear()

    def sort(self) -> Iterator[None]:
        """Put all lines in order and compress them; yields now and then."""
        self._lines.sort(key=_text)
        rows: Iterable[Line] = self._lines
        if self._runs:
            rows = heapq.merge(self._lines, *map(_told, self._runs), key=_text)
        self._body = self._temporary("wb+")
        digest, last, size = hashlib.sha256(), None, 0
        packed = _Packer(self._body, self.threads, self.is_packed)
        with packed:
            block: list[str] = []
            for text, number in rows:
                if text == last:
                    raise UnsuitableError(
                        f"no proof can be written: two states are written {text!r:.80}"
                    )
                last = text
                self.states += 1
                size += len(text)
                block.append(_written((text, number)))
                if size >= BLOCK:
                    data = "".join(block).encode()
                    digest.update(data)
                    packed.add(data)
                    block, size = [], 0
                    yield
            data = "".join(block).encode()
            digest.update(data)
            packed.add(data)
        self.sha256 = digest.hexdigest()
        for run in self._runs:
            run.close()
        self._lines, self._runs = [], []

    def finish(self, header: Mapping[str, Any]) -> None:
        """Write the file, header first, under its name."""
        assert self._body is not None
        values = {**header, "states": self.states, "sha256": self.sha256}
        head = ["searchkit-proof 1", *(f"{key}: {dumps(values[key])}" for key in KEYS), "", ""]
        data = "\n".join(head).encode()
        self._body.seek(0)
        file = WholeFile(self.path)
        try:
            file.write(lzma.compress(data) if self.is_packed else data)
            while part := self._body.read(BLOCK):
                file.write(part)
            file.complete()
        except BaseException:
            with suppress(OSError):
                file.drop()
            raise

    @property
    def is_packed(self) -> bool:
        """Whether it is to be compressed."""
        return self.path.suffix == ".xz"

    def _temporary(self, mode: str) -> Any:
        """A file beside the proof, where there is room for it; it has no name that stays."""
        folder, text = self.path.absolute().parent, "b" not in mode
        file = tempfile.TemporaryFile(  # noqa: SIM115  (closed by the stack)
            mode, dir=folder, encoding="utf-8" if text else None, newline="\n" if text else None
        )
        return self._open.enter_context(file)


class _Packer:
    """Compresses blocks by threads, and writes them in their order."""

    def __init__(self, file: IO[bytes], threads: int, compresses: bool) -> None:
        self._file, self._compresses, self._size = file, compresses, 0
        self._pool = ThreadPoolExecutor(threads)
        self._most, self._waiting = 2 * threads, list[Future[bytes]]()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *about: object) -> None:
        if kind is None:
            while self._waiting:
                self._file.write(self._waiting.pop(0).result())
        self._pool.shutdown(cancel_futures=True)

    def add(self, data: bytes) -> None:
        """Write a block, or have it compressed first."""
        if not self._compresses:
            self._file.write(data)
            return
        self._size += len(data)
        self._waiting.append(
            self._pool.submit(lzma.compress, data, preset=PRESETS[self._size > SMALL])
        )
        if len(self._waiting) > self._most:
            self._file.write(self._waiting.pop(0).result())


def _text(line: Line) -> str:
    return line[0]


def _written(line: Line) -> str:
    text, number = line
    return f"{text}\t{'-' if number is None else number}\n"


def _told(run: IO[str]) -> Iterator[Line]:
    run.seek(0)
    for line in run:
        text, _, number = line.rpartition("\t")
        yield text, None if number == "-\n" else int(number)
