"""Pattern databases on disk: a folder each, with the values and a manifest."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import platformdirs

from searchkit.errors import UsageError
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.identity import as_identity
from searchkit.heuristics.patterns.parts import (
    ENVIRONMENT_VARIABLE,
    LOCK,
    PART,
    blaming_disk,
    part_of,
    sync_folder,
    write_safely,
)
from searchkit.tables.layer_files import checksum

FORMAT = "searchkit-pattern-database/2"
MANIFEST = "manifest.json"
VALUES = "values.bin"
CHECKED = "checked.json"
LONGEST_NAME = 100
ATTEMPTS = 10
WRONG_CONTENT = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What reading a file that somebody else wrote may raise."""


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
    rules: str
    """The fingerprint of the rules that made it."""
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
        identity = as_identity(identity)
        text = json.dumps(identity, sort_keys=True, ensure_ascii=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        form = "-4bit" if halved else ""
        name = re.sub(r"[^\w.+-]", "_", f"{identity['puzzle']}-{identity['pattern']}")
        return self.folder / f"{name[:LONGEST_NAME]}-{digest}{form}"

    def names(self) -> list[str]:
        """The names of all databases, in their order."""
        try:
            folders = list(self.folder.iterdir())
        except OSError:
            return []
        return sorted(
            each.name
            for each in folders
            if not each.name.endswith(PART) and _is_file(each / MANIFEST)
        )

    def has(self, identity: Mapping[str, Any], *, halved: bool) -> bool:
        """Whether there is a database of that identity."""
        return _is_file(self.path_of(identity, halved=halved) / MANIFEST)

    def read(self, name: str) -> Entry:
        """The manifest of a database; `UsageError` in one line if it cannot be used."""
        path = self.folder / name / MANIFEST
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if content["format"] != FORMAT:
                raise UsageError(
                    f"{path} has format {content['format']!r:.60}, and this version reads "
                    f"{FORMAT}; delete its folder and build it again"
                )
            if content.pop("check") != _digest(content):
                raise ValueError("its checksum is another")
            return Entry(
                folder=path.parent,
                identity=dict(content["identity"]),
                entries=int(content["entries"]),
                counts=tuple(map(int, content["counts"])),
                seconds=float(content["seconds"]),
                halved=bool(content["halved"]),
                rules=str(content["rules"]),
                bytes=int(content["bytes"]),
                sha256=str(content["sha256"]),
            )
        except (OSError, *WRONG_CONTENT) as error:
            raise UsageError(
                f"{path} cannot be read as the manifest of a pattern database: {error!r:.200}; "
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
        if dict(entry.identity) != as_identity(identity) or entry.halved != halved:
            raise UsageError(
                f"{folder / MANIFEST} is of another database; delete its folder and build it again"
            )
        if entry.bytes != sizes:
            raise broken(folder, f"{sizes} bytes are needed for {entry.entries} entries")
        try:
            values = np.memmap(folder / VALUES, dtype=np.uint8, mode="r", shape=(entry.bytes,))
        except (OSError, ValueError) as error:
            raise broken(folder, f"{VALUES} cannot be mapped into memory: {error}") from error
        return PatternDatabase(
            identity=dict(entry.identity),
            entries=entry.entries,
            values=values.view(np.ndarray),
            counts=entry.counts,
            seconds=entry.seconds,
            halved=halved,
            rules=entry.rules,
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
        try:
            own = checksum(path)
        except OSError as error:
            raise broken(entry.folder, f"{VALUES} cannot be read: {error.strerror}") from error
        if own != entry.sha256:
            with suppress(OSError):
                checked.unlink(missing_ok=True)
            raise broken(entry.folder, f"{VALUES} has changed: its checksum is another")
        with suppress(OSError):  # a folder that cannot be written: compared again next time
            checked.write_text(json.dumps(mark), encoding="utf-8")

    def save(self, database: PatternDatabase) -> Path:
        """Write the database, all at once: its folder. One that is the same is left as it is."""
        folder = self.path_of(database.identity, halved=database.halved)
        writing = blaming_disk(folder, "the pattern database", database.bytes)
        with writing, part_of(folder) as part:
            write_safely(part / VALUES, database.values.data)
            manifest = {
                "format": FORMAT,
                "identity": database.identity,
                "entries": database.entries,
                "counts": database.counts,
                "seconds": round(database.seconds, 3),
                "halved": database.halved,
                "rules": database.rules,
                "bytes": database.bytes,
                "sha256": checksum(part / VALUES),
            }
            manifest["check"] = _digest(manifest)
            text = json.dumps(manifest, indent=1, ensure_ascii=False)
            write_safely(part / MANIFEST, f"{text}\n".encode())
            (part / LOCK).unlink()
            sync_folder(part)
            self._put(part, folder)
            sync_folder(self.folder)
        return folder

    def _put(self, part: Path, folder: Path) -> None:
        """Rename the folder that was written, though others may do so at the same time."""
        for _ in range(ATTEMPTS):
            try:
                part.replace(folder)
            except OSError as error:
                if error.errno not in (errno.ENOTEMPTY, errno.EEXIST) and not folder.is_dir():
                    raise
            else:
                return
            if self._are_equal(folder, part):
                return
            aside = part.with_name(f"{part.name}.old{PART}")
            with suppress(FileNotFoundError):
                folder.replace(aside)
            shutil.rmtree(aside, ignore_errors=True)
        raise OSError(f"{folder} is changed by others all the time")

    def _are_equal(self, folder: Path, part: Path) -> bool:
        """Whether a database, if it is intact, is the one in `part`."""
        try:
            entry, ours = self.read(folder.name), self.read(part.name)
            self.check(entry, again=True)
        except UsageError:
            return False
        return attrs.evolve(entry, folder=part, seconds=ours.seconds) == ours

    def remove(self, name: str) -> None:
        """Delete a database."""
        folder = self.read(name).folder
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise UsageError(f"{folder} cannot be removed: {error.strerror or error}") from error


def broken(folder: Path, why: str) -> UsageError:
    """The error for a database that is not what was written."""
    return UsageError(f"pattern database {folder}: {why}; delete the folder and build it again")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _digest(manifest: Mapping[str, Any]) -> str:
    """The checksum of what a manifest says."""
    text = json.dumps(manifest, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
