"""Where the files of a table are kept: what every such place can do.

A file of states is written under a name that no other attempt has, and never changed. Which files
are the table's says the manifest, which is written last. So an attempt that is lost, or comes too
late, harms nothing.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import attrs

from searchkit.tables.keys import KeyFile

LEFT_OVER = re.compile(
    r"(layer-\d{4,}-\d{3,}\.keys|run-\d+|(manifest|checked)\.json)(\.[0-9a-f]+)+\.part"
)
"""What attempts are called that did not come to their end, or are merged."""
IS_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(::|://)")
"""How the text of a place begins that is not a path. A drive has a single letter and colon."""


class StoreError(OSError):
    """A place that is not a folder cannot be read or written."""


@attrs.frozen
class Stored:
    """A file of rising states in a store."""

    name: str
    count: int


@attrs.frozen
class Kept(Stored):
    """A file of a layer, its SHA-256, and words that all its states come before, if it has some."""

    sha256: str
    limit: tuple[int, ...] | None = None


@attrs.frozen
class Rows:
    """Rows of an open file, from one to before another, that are going to be read."""

    file: KeyFile
    begin: int
    end: int


class Files(ABC):
    """The files of a store as one task has them: in a `with` statement, as scratch may be used."""

    @property
    @abstractmethod
    def folder(self) -> Path:
        """Where new files are written."""

    @abstractmethod
    def open(self, stored: Sequence[Stored], words: int) -> list[KeyFile]:
        """Those files, whose indexes are at hand; `UsageError` for any other file."""

    def load(self, rows: Sequence[Rows]) -> None:  # noqa: B027  (nothing where all are here)
        """Fetch rows that are going to be read; those that are not fetched come when needed."""

    @abstractmethod
    def put(self, paths: Sequence[Path]) -> list[str]:
        """Let all workers see files that are whole, written into `folder`; their names."""

    def close(self) -> None:  # noqa: B027  (nothing where nothing was fetched)
        """Remove what was fetched; open files cannot be read any more."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Opener(ABC):
    """Opens files of layers to be asked, and believes none that has changed since it was written.

    `is_late` where that is seen when they are read, and not when they are opened.
    """

    is_late: bool

    @abstractmethod
    def open(self, parts: Sequence[Kept], words: int, *, again: bool = False) -> list[KeyFile]:
        """Those files; `again` compares every checksum, whatever is known of it, and all rows.

        Raises `UsageError` for a file with another number of states, or with rows that do not rise
        to below the limit, and `VerificationError` for one that is not what was written.
        """

    def note(self, name: str, sha256: str) -> None:  # noqa: B027  (not where each read is compared)
        """A file, as it is now, has that checksum."""

    def save(self) -> None:  # noqa: B027
        """Write down what is known, if it is worth it."""


class Lock(ABC):
    """A lock that is held: nobody else adds layers."""

    def check(self) -> None:  # noqa: B027  (nobody takes it where the system holds it)
        """Raise `SearchkitError` where somebody else has taken it."""

    @abstractmethod
    def release(self) -> None:
        """Give it back."""


class Store(ABC):
    """A place that tables are kept in. Its text is what messages call it.

    All methods raise `OSError` where the place cannot be read or written. Stores can be pickled.
    """

    left_over: re.Pattern[str] = LEFT_OVER
    """What files are called that may have been left behind, unless the manifest names them."""

    def place_of(self, error: OSError) -> str:
        """The place to blame for an error."""
        return str(self)

    def absolute(self) -> Store:
        """The same place for processes whose current folder is another one."""
        return self

    @abstractmethod
    def make(self) -> None:
        """Make the place, unless it is there."""

    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """The names of all files there, and their bytes."""

    @abstractmethod
    def read(self, name: str, most: int) -> bytes:
        """The first `most` bytes of a file; `FileNotFoundError` if there is none."""

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Write a small file whole, or leave what is there."""

    @abstractmethod
    def delete(self, names: Sequence[str]) -> None:
        """Delete files, of which some may be gone."""

    @abstractmethod
    def adopt(self, name: str, wanted: str) -> str:
        """Make a file that was put one of a layer; its name from now on, `wanted` if it can be."""

    @abstractmethod
    def lock(self) -> Lock:
        """Take the lock; `UsageError`, which says who has it, if somebody does."""

    @abstractmethod
    def at_hand(self) -> Files:
        """The files, for a task."""

    @abstractmethod
    def opener(self, *, is_new: bool = False) -> Opener:
        """What opens layers; if the table `is_new`, nothing can be known of its files."""

    def exists(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return name in self.sizes()
