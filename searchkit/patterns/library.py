"""Pattern databases on disk: a folder each, with the values and a manifest."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import platformdirs

from searchkit.errors import UsageError
from searchkit.patterns.database import PatternDatabase

ENVIRONMENT_VARIABLE = "SEARCHKIT_DATA_DIR"
FORMAT = "searchkit-pattern-database/1"
MANIFEST = "manifest.json"
VALUES = "values.bin"
CHECKED = "checked.json"
PIECE_BYTES = 1 << 22


def data_directory() -> Path:
    """Where pattern databases are kept: `SEARCHKIT_DATA_DIR`, or the user's data folder."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("searchkit"))


@attrs.frozen(kw_only=True)
class Entry:
    """A database on disk, by its manifest."""

    folder: Path
    identity: Mapping[str, Any]
    entries: int
    counts: tuple[int, ...]
    seconds: float
    halved: bool
    bytes: int
    sha256: str

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name


@attrs.frozen
class Library:
    """The databases below a folder."""

    folder: Path = attrs.field(factory=lambda: data_directory() / "patterns")

    def path_of(self, identity: Mapping[str, Any], *, halved: bool) -> Path:
        """Where the database of that identity is, or would be."""
        text = json.dumps(identity, sort_keys=True, ensure_ascii=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        form = "-4bit" if halved else ""
        return self.folder / f"{identity['puzzle']}-{identity['pattern']}-{digest}{form}"

    def names(self) -> list[str]:
        """The names of all databases, in their order."""
        if not self.folder.is_dir():
            return []
        return sorted(path.parent.name for path in self.folder.glob(f"*/{MANIFEST}"))

    def has(self, identity: Mapping[str, Any], *, halved: bool) -> bool:
        """Whether there is a database of that identity."""
        return (self.path_of(identity, halved=halved) / MANIFEST).is_file()

    def read(self, name: str) -> Entry:
        """The manifest of a database; `UsageError` in one line if it cannot be used."""
        path = self.folder / name / MANIFEST
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if content["format"] != FORMAT:
                raise UsageError(
                    f"{path} has format {content['format']!r}; this version reads {FORMAT}"
                )
            return Entry(
                folder=path.parent,
                identity=dict(content["identity"]),
                entries=int(content["entries"]),
                counts=tuple(map(int, content["counts"])),
                seconds=float(content["seconds"]),
                halved=bool(content["halved"]),
                bytes=int(content["bytes"]),
                sha256=str(content["sha256"]),
            )
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise UsageError(
                f"{path} cannot be read as the manifest of a pattern database: {error!r}; "
                f"delete its folder and build it again"
            ) from error

    def load(self, identity: Mapping[str, Any], *, halved: bool) -> PatternDatabase:
        """The database, mapped into memory. O(1), once its checksum has been compared.

        The checksum is compared when the file is first seen, and when it has changed since.
        `UsageError` if it is not what was written, or belongs to something else.
        """
        import numpy as np  # noqa: PLC0415  (takes long to import)

        folder = self.path_of(identity, halved=halved)
        entry = self.read(folder.name)
        self.check(entry)
        sizes = (entry.entries + 1) // 2 if halved else entry.entries
        if dict(entry.identity) != _plain(identity) or entry.halved != halved:
            raise UsageError(
                f"{folder / MANIFEST} is of another database; delete its folder and build it again"
            )
        if entry.bytes != sizes:
            raise broken(folder, f"{sizes} bytes are needed for {entry.entries} entries")
        values = np.memmap(folder / VALUES, dtype=np.uint8, mode="r", shape=(entry.bytes,))
        return PatternDatabase(
            identity=dict(entry.identity),
            entries=entry.entries,
            values=values.view(np.ndarray),
            counts=entry.counts,
            seconds=entry.seconds,
            halved=halved,
        )

    def check(self, entry: Entry, *, again: bool = False) -> None:
        """Raise `UsageError` unless the values are those that were written.

        Reads them all unless they have been compared before and the file is the same since.
        """
        path = entry.folder / VALUES
        try:
            found = path.stat()
        except OSError as error:
            raise broken(entry.folder, f"{VALUES} cannot be read: {error.strerror}") from error
        if found.st_size != entry.bytes:
            raise broken(
                entry.folder, f"{VALUES} has {found.st_size} bytes instead of {entry.bytes}"
            )
        mark = {
            "sha256": entry.sha256,
            "size": found.st_size,
            "modified": found.st_mtime_ns,
            "changed": found.st_ctime_ns,
        }
        checked = entry.folder / CHECKED
        if not again and _read_json(checked) == mark:
            return
        if _checksum(path) != entry.sha256:
            checked.unlink(missing_ok=True)
            raise broken(entry.folder, f"{VALUES} has changed: its checksum is another")
        with suppress(OSError):  # a folder that cannot be written: compared again next time
            checked.write_text(json.dumps(mark), encoding="utf-8")

    def save(self, database: PatternDatabase) -> Path:
        """Write the database, all at once: its folder."""
        folder = self.path_of(database.identity, halved=database.halved)
        part = folder.with_name(f"{folder.name}.{os.getpid()}.part")
        try:
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            with (part / VALUES).open("wb") as file:
                file.write(database.values.data)
                file.flush()
                os.fsync(file.fileno())
            manifest = {
                "format": FORMAT,
                "identity": database.identity,
                "entries": database.entries,
                "counts": database.counts,
                "seconds": round(database.seconds, 3),
                "halved": database.halved,
                "bytes": database.bytes,
                "sha256": _checksum(part / VALUES),
            }
            text = json.dumps(manifest, indent=1, ensure_ascii=False)
            (part / MANIFEST).write_text(text + "\n", encoding="utf-8")
            shutil.rmtree(folder, ignore_errors=True)
            part.replace(folder)
        except OSError as error:
            raise UsageError(
                f"the pattern database cannot be written to {folder}: {error.strerror or error}; "
                f"{ENVIRONMENT_VARIABLE} may name another folder"
            ) from error
        finally:
            shutil.rmtree(part, ignore_errors=True)
        return folder

    def remove(self, name: str) -> None:
        """Delete a database."""
        shutil.rmtree(self.read(name).folder)


def broken(folder: Path, why: str) -> UsageError:
    """The error for a database that is not what was written."""
    return UsageError(f"pattern database {folder}: {why}; delete the folder and build it again")


def _plain(identity: Mapping[str, Any]) -> Any:
    """The identity as it comes back from a file."""
    return json.loads(json.dumps(identity))


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


def _checksum(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()
