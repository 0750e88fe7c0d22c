"""Standard streams that may be closed or full, and integers of any length."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from searchkit.texts.harmless import harmless, harmless_but_drawn


class OutputError(Exception):
    """Standard output cannot be written. It is not an `OSError`: those come from puzzles too."""


class PipeClosedError(OutputError):
    """The reader of standard output went away."""


class _Stream:
    """A text stream that fails in one way.

    Where it is `needed`, as standard output is, what cannot be written ends the command; what
    cannot be written to standard error is lost. `harmless` takes from a text what would command the
    terminal.
    """

    def __init__(
        self, stream: Any, name: str, *, needed: bool, harmless: Callable[[str], str] = harmless
    ) -> None:
        self._stream, self._name, self._needed, self._harmless = stream, name, needed, harmless

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def isatty(self) -> bool:
        """Whether the stream is a terminal; a closed one is not."""
        return self._stream is not None and bool(self._stream.isatty())

    def write(self, text: str) -> int:
        """Write `text`, made harmless."""
        length, text = len(text), self._harmless(text)
        try:
            if self._stream is None or self._stream.closed:
                self._failed(OSError(f"{self._name} is closed"), text)
            else:
                self._stream.write(text)
        except OSError as error:
            self._failed(error, text)
        return length

    def drawing(self) -> _Stream:
        """The same stream for what searchkit draws itself, in colours, moving the cursor."""
        return _Stream(self._stream, self._name, needed=self._needed, harmless=harmless_but_drawn)

    def flush(self) -> None:
        """Write what is left in the buffer."""
        try:
            if self._stream is not None and not self._stream.closed:
                self._stream.flush()
        except OSError as error:
            self._failed(error, "?")

    def _failed(self, error: OSError, text: str) -> None:
        """`text` could not be written."""
        if not text and self._needed:
            return
        # What is still buffered goes nowhere, or Python would complain at its exit.
        with suppress(OSError, ValueError, AttributeError):  # raised if the stream is not a file
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
        if not self._needed:
            self._stream = None
        elif isinstance(error, BrokenPipeError):
            raise PipeClosedError from error
        else:
            why = error.strerror or error
            raise OutputError(f"cannot write to {self._name}: {why}") from error


def for_drawing(*, stderr: bool) -> Any:
    """Standard output, or standard error, for what has colours."""
    stream = sys.stderr if stderr else sys.stdout
    return stream.drawing() if isinstance(stream, _Stream) else stream


def _able(stream: Any) -> Any:
    """`stream` for any text; click would go past it to a stream of its own where it is ASCII."""
    encoding = getattr(stream, "encoding", None)
    if encoding is not None and codecs.lookup(encoding).name == "ascii":
        with suppress(AttributeError, OSError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="replace")
    return stream


def _fill_gaps() -> None:
    """Open nothing as 0, 1 or 2 where that is closed: a file that is opened later would be it.

    Python has noted that those are closed, and goes on to say so.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Standard streams that fail in one way; integers are read and written whole."""
    _fill_gaps()
    before = sys.stdout, sys.stderr
    digits = sys.get_int_max_str_digits()
    sys.stdout = _Stream(_able(sys.stdout), "standard output", needed=True)
    sys.stderr = _Stream(_able(sys.stderr), "standard error", needed=False)
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        sys.set_int_max_str_digits(digits)
