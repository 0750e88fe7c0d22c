"""A table as it is made: a layer is added all at once, and what is added stays."""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.errors import SearchkitError, UsageError
from searchkit.tables.checked import Checked
from searchkit.tables.layer_files import PART_NAME, LayerFile
from searchkit.tables.lock import NAME as LOCK_NAME
from searchkit.tables.lock import FolderLock
from searchkit.tables.manifest import NAME, LayerEntry, Manifest, layer_name, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np


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
    def open(cls, folder: Path, identity: Mapping[str, Any]) -> TableWriter:
        """Go on with the table of the same exploration in `folder`, or begin one.

        The files of a table are compared with their checksums: machine code believes them.
        Nothing is written into a table that is complete. Raises `UsageError` if the folder
        holds something else, or if another process has it, and `SearchkitError` if it cannot
        be written.
        """
        identity = _as_read(identity)
        with blaming_disk(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / NAME).exists():
                _check_empty(folder)
            elif (manifest := Manifest.read(folder)).complete:
                self = cls(folder, manifest, Checked.read(folder))
                self._check_layers(identity)
                _tidy(folder)
                return self
            lock = FolderLock.take(folder)
            try:
                return cls._locked(folder, identity, lock)
            except BaseException:
                lock.release()
                raise

    @classmethod
    def _locked(cls, folder: Path, identity: dict[str, Any], lock: FolderLock) -> TableWriter:
        """The table in a folder that nobody else writes into."""
        if (folder / NAME).exists():
            self = cls(folder, Manifest.read(folder), Checked.read(folder), lock)
            self._check_layers(identity)
        else:
            self = cls(folder, Manifest(identity=identity), Checked(folder), lock)
            self.manifest.write(folder)
        _sweep(folder)
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

    def _check_layers(self, identity: Mapping[str, Any]) -> None:
        for name in sorted({*identity, *self.manifest.identity}):
            wanted, found = identity.get(name), self.manifest.identity.get(name)
            if wanted != found:
                raise UsageError(
                    f"{self.folder} holds another exploration: {name} is {found!r:.80} there and "
                    f"{wanted!r:.80} here; give another folder"
                )
        for depth in range(self.depth):
            self.layer(depth)

    @property
    def depth(self) -> int:
        """How many layers are complete."""
        return len(self.manifest.layers)

    def layer(self, depth: int) -> np.ndarray[Any, Any]:
        """The states of a complete layer, which are those that were written."""
        return self.manifest.layers[depth].read(self.folder, self.checked)

    @contextmanager
    def new_layer(self) -> Iterator[LayerFile]:
        """A file for the states of the next layer, which is dropped unless `add` takes it."""
        with blaming_disk(self.folder):
            file = LayerFile(self.folder / layer_name(self.depth))
            try:
                yield file
            finally:
                file.drop()

    def add(self, file: LayerFile, states: int) -> None:
        """Add the layer in `file`, which stands for `states` states."""
        with blaming_disk(self.folder):
            digest = file.complete()
            entry = LayerEntry(
                file=file.path.name, canonical=file.count, states=states, sha256=digest
            )
            self._replace(layers=(*self.manifest.layers, entry))
            self.checked.note(entry.file, digest, file.path.stat())

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
        if not PART_NAME.fullmatch(path.name) and path.name != LOCK_NAME
    )
    if others:
        raise UsageError(
            f"{folder} holds other files ({others[0]}); give an empty folder or one that explore "
            "--checkpoint made"
        )


def _sweep(folder: Path) -> None:
    """Delete what processes left behind that were killed."""
    for path in folder.iterdir():
        if PART_NAME.fullmatch(path.name):
            path.unlink()


def _tidy(folder: Path) -> None:
    """Sweep a folder that nothing more is written into, unless another process is there."""
    if any(PART_NAME.fullmatch(path.name) or path.name == LOCK_NAME for path in folder.iterdir()):
        with suppress(OSError, UsageError):
            lock = FolderLock.take(folder)
            try:
                _sweep(folder)
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
