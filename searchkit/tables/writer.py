"""A table as it is made: a layer is added all at once, and what is added stays."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import attrs

from searchkit.errors import SearchkitError, UsageError
from searchkit.tables.checked import Checked
from searchkit.tables.keys import KeyFile
from searchkit.tables.layers import Layers
from searchkit.tables.lock import NAME as LOCK_NAME
from searchkit.tables.lock import FolderLock
from searchkit.tables.manifest import NAME, LayerEntry, Manifest, PartEntry, part_name, plain
from searchkit.texts.amounts import plural

LEFT_OVER = re.compile(
    r"(layer-\d{4,}-\d{3,}\.keys|run-\d+|(manifest|checked)\.json)(\.[0-9a-f]+)+\.part"
)
"""What attempts are called that did not come to their end, or are merged."""


@attrs.frozen(kw_only=True)
class WrittenPart:
    """A part of the next layer: its file, which is complete, and what that has."""

    file: Path
    canonical: int
    first: tuple[int, ...]
    sha256: str


@attrs.define(eq=False)
class TableWriter:
    """The table in `folder`: layers so far, and where the next one goes.

    One process at a time has it, until it is closed: use it in a `with` statement.
    """

    folder: Path
    manifest: Manifest
    checked: Checked
    _lock: FolderLock | None = None

    @classmethod
    def open(cls, folder: Path, identity: Mapping[str, Any], *, words: int = 1) -> TableWriter:
        """Go on with the table of the same exploration in `folder`, or begin one.

        States have so many `words`. The files of a table are compared with their checksums:
        machine code believes them. Nothing is written into a
        table that is complete. Raises `UsageError` if the folder holds something else, or if
        another process has it, and `SearchkitError` if it cannot be written.
        """
        new = Manifest(identity=_as_read(identity), words=words)
        with blaming_disk(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / NAME).exists():
                _check_empty(folder)
            elif (manifest := Manifest.read(folder)).complete:
                self = cls(folder, manifest, Checked.read(folder))
                self._check_layers(new)
                _tidy(folder)
                return self
            lock = FolderLock.take(folder)
            try:
                return cls._locked(folder, new, lock)
            except BaseException:
                lock.release()
                raise

    @classmethod
    def _locked(cls, folder: Path, new: Manifest, lock: FolderLock) -> TableWriter:
        """The table in a folder that nobody else writes into."""
        if (folder / NAME).exists():
            self = cls(folder, Manifest.read(folder), Checked.read(folder), lock)
            self._check_layers(new)
        else:
            self = cls(folder, new, Checked(folder), lock)
            self.manifest.write(folder)
        self.sweep()
        return self

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others have the folder; nothing more can be added."""
        if self._lock is not None:
            self.checked.save()
            self._lock.release()
            self._lock = None

    def _check_layers(self, new: Manifest) -> None:
        """Refuse what is not the exploration `new`, and files that have changed."""
        wanted, found = new.identity, self.manifest.identity
        for name in sorted({*wanted, *found}):
            if wanted.get(name) != found.get(name):
                raise UsageError(
                    f"{self.folder} holds another exploration: {name} is {found.get(name)!r:.80} "
                    f"there and {wanted.get(name)!r:.80} here; give another folder"
                )
        if new.words != self.manifest.words:
            raise UsageError(
                f"{self.folder} holds states of {plural(self.manifest.words, 'word')}, and here "
                f"they have {new.words}; give another folder"
            )
        for depth in range(self.depth):
            self.layer(depth)

    @property
    def depth(self) -> int:
        """How many layers are complete."""
        return len(self.manifest.layers)

    def file(self, depth: int, part: int) -> Path:
        """The file of a part of a complete layer."""
        return self.folder / part_name(depth, part)

    def layer(self, depth: int) -> list[KeyFile]:
        """The parts of a complete layer, which are those that were written."""
        return self.manifest.open_layer(self.folder, depth, self.checked)

    def layers(self) -> Layers:
        """All complete layers."""
        files = [self.layer(depth) for depth in range(self.depth)]
        return Layers(self.manifest.words, self.manifest.layers, files)

    def add(self, parts: Sequence[WrittenPart], states: int) -> None:
        """Add a layer that stands for `states` states, all at once; its parts are in order.

        Files get their names, and last the manifest has them.
        """
        with blaming_disk(self.folder):
            for number, each in enumerate(parts):
                path = self.file(self.depth, number)
                each.file.replace(path)
                self.checked.note(path.name, each.sha256, path.stat())
            entry = LayerEntry(
                canonical=sum(each.canonical for each in parts),
                states=states,
                parts=tuple(
                    PartEntry(canonical=each.canonical, first=each.first, sha256=each.sha256)
                    for each in parts
                ),
            )
            self._replace(layers=(*self.manifest.layers, entry))

    def sweep(self) -> None:
        """Delete what attempts left behind, of processes that were killed as well."""
        for path in self.folder.iterdir():
            if LEFT_OVER.fullmatch(path.name):
                path.unlink(missing_ok=True)

    def delete(self, runs: Iterable[Path]) -> None:
        """Delete runs that nobody needs any more."""
        for path in runs:
            path.unlink(missing_ok=True)

    def finish(self) -> None:
        """Note that there are no more layers; a table that is complete stays as it is."""
        if not self.manifest.complete:
            with blaming_disk(self.folder):
                self._replace(complete=True)

    def _replace(self, **changes: Any) -> None:
        changed = attrs.evolve(self.manifest, **changes)
        changed.write(self.folder)
        self.manifest = changed


def _check_empty(folder: Path) -> None:
    """Raise `UsageError` unless there is nothing in `folder` but what was left of a table."""
    others = sorted(
        path.name
        for path in folder.iterdir()
        if not LEFT_OVER.fullmatch(path.name) and path.name != LOCK_NAME
    )
    if others:
        raise UsageError(
            f"{folder} holds other files ({others[0]}); give an empty folder or one that explore "
            "--checkpoint made"
        )


def _tidy(folder: Path) -> None:
    """Sweep a folder that nothing more is written into, unless another process is there."""
    if any(LEFT_OVER.fullmatch(path.name) or path.name == LOCK_NAME for path in folder.iterdir()):
        with suppress(OSError, UsageError):
            lock = FolderLock.take(folder)
            try:
                TableWriter(folder, Manifest(identity={}), Checked(folder)).sweep()
            finally:
                lock.release()


@contextmanager
def blaming_disk(folder: Path) -> Iterator[None]:
    """Turn errors of the disk into one line that says what is kept."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            advice = "make room and give the same command again: complete layers are kept"
        elif error.errno == errno.ENOENT:
            advice = "a file was taken away; leave the folder alone while it is explored into"
        else:
            advice = "give a folder that can be written to"
        raise SearchkitError(f"{folder}: {error.strerror or error}; {advice}") from error


def _as_read(identity: Mapping[str, Any]) -> dict[str, Any]:
    """`identity` as it will be read from a manifest: tuples are lists there."""
    try:
        found = dict(json.loads(json.dumps(dict(identity), allow_nan=False)))
        plain(found)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"identity {dict(identity)!r:.80} cannot be written down: {error}") from (
            error
        )
    return found
