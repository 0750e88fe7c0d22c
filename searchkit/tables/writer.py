"""A table as it is made: a layer is added all at once, and what is added stays."""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.errors import SearchkitError, UsageError
from searchkit.tables.layer_files import PART_NAME, LayerFile, read_layer
from searchkit.tables.manifest import NAME, LayerEntry, Manifest

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np


@attrs.define(eq=False)
class TableWriter:
    """The table in `folder`: layers so far, and where the next one goes."""

    folder: Path
    manifest: Manifest

    @classmethod
    def open(cls, folder: Path, identity: Mapping[str, Any]) -> TableWriter:
        """Go on with the table of the same exploration in `folder`, or begin one.

        The files of a table are compared with their checksums: machine code believes them.
        """
        identity = _as_read(identity)
        with _blaming_disk(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if (folder / NAME).exists():
                self = cls(folder, Manifest.read(folder))
                self._check_identity(identity)
                self._check_layers()
            else:
                others = sorted(
                    path.name for path in folder.iterdir() if not PART_NAME.fullmatch(path.name)
                )
                if others:
                    raise UsageError(
                        f"{folder} holds other files ({others[0]}); give an empty folder or one "
                        "that explore --checkpoint made"
                    )
                self = cls(folder, Manifest(identity=dict(identity)))
                self.manifest.write(folder)
            for path in folder.iterdir():
                if PART_NAME.fullmatch(path.name):
                    path.unlink()
        return self

    def _check_identity(self, identity: Mapping[str, Any]) -> None:
        for name in sorted({*identity, *self.manifest.identity}):
            wanted, found = identity.get(name), self.manifest.identity.get(name)
            if wanted != found:
                raise UsageError(
                    f"{self.folder} holds another exploration: {name} is {found!r:.80} there and "
                    f"{wanted!r:.80} here; give another folder"
                )

    def _check_layers(self) -> None:
        for entry in self.manifest.layers:
            read_layer(self.folder / entry.file, entry.canonical)
            entry.check(self.folder)

    @property
    def depth(self) -> int:
        """How many layers are complete."""
        return len(self.manifest.layers)

    def layer(self, depth: int) -> np.ndarray[Any, Any]:
        """The states of a complete layer."""
        entry = self.manifest.layers[depth]
        return read_layer(self.folder / entry.file, entry.canonical)

    @contextmanager
    def new_layer(self) -> Iterator[LayerFile]:
        """A file for the states of the next layer, which is dropped unless `add` takes it."""
        with self.blaming_disk():
            file = LayerFile(self.folder / f"layer-{self.depth:04}.npy")
            try:
                yield file
            finally:
                file.drop()

    def add(self, file: LayerFile, states: int) -> None:
        """Add the layer in `file`, which stands for so many states."""
        with self.blaming_disk():
            digest = file.complete()
            entry = LayerEntry(
                file=file.path.name, canonical=file.count, states=states, sha256=digest
            )
            self._replace(layers=(*self.manifest.layers, entry))

    def finish(self) -> None:
        """Note that there are no more layers."""
        with self.blaming_disk():
            self._replace(complete=True)

    def _replace(self, **changes: Any) -> None:
        changed = attrs.evolve(self.manifest, **changes)
        changed.write(self.folder)
        self.manifest = changed

    def blaming_disk(self) -> AbstractContextManager[None]:
        """Turns errors of the disk into one line that says what is kept."""
        return _blaming_disk(self.folder)


@contextmanager
def _blaming_disk(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            advice = "make room and give the same command again: complete layers are kept"
        elif error.errno == errno.ENOENT:
            advice = "a file was taken away, by another command that explores into this folder?"
        else:
            advice = "give a folder that can be written to"
        raise SearchkitError(f"{folder}: {error.strerror or error}; {advice}") from error


def _as_read(identity: Mapping[str, Any]) -> dict[str, Any]:
    """`identity` as it will be read from a manifest: tuples are lists there."""
    try:
        return dict(json.loads(json.dumps(dict(identity))))
    except (TypeError, ValueError) as error:
        raise UsageError(f"identity {dict(identity)!r:.80} cannot be written down: {error}") from (
            error
        )
