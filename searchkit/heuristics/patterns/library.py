"""Pattern databases on disk: a folder each, with the values and a manifest.

A file that is written has a name of its own until it is complete. What a process that was killed
leaves is deleted when another one writes into the same folder, once nobody has written to it for
some time.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import attrs
import platformdirs

from searchkit.errors import SearchkitError, UsageError
from searchkit.heuristics.patterns.database import Description, PatternDatabase
from searchkit.heuristics.patterns.identity import NAMING, as_identity
from searchkit.tables.checked import NAME as CHECKED
from searchkit.tables.checked import Checked, checksum_of
from searchkit.tables.signed import UNREADABLE, read_signed, write_signed
from searchkit.texts.files import open_regular, write_whole

ENVIRONMENT_VARIABLE = "SEARCHKIT_DATA_DIR"
LEFT_SECONDS = 86_400.0
"""What nobody has written to for this long was left behind."""
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
MEGA = 1e6


def sweep(folder: Path, used: Collection[str]) -> None:
    """Delete what nobody uses: written by this process, or left behind by others."""
    oldest = time.time() - LEFT_SECONDS
    with suppress(OSError):
        for path in folder.iterdir():
            with suppress(OSError):
                ours = f"-{os.getpid()}-" in path.name
                if path.name not in used and (ours or path.stat().st_mtime < oldest):
                    path.unlink()


@contextmanager
def blaming_disk(folder: Path, what: str, size: int) -> Iterator[None]:
    """Turn errors of the disk into one line: which folder, and how much was to be written."""
    try:
        yield
    except OSError as error:
        start = (
            f"{what} cannot be written to {folder}: {error.strerror or error}; it takes "
            f"{size / MEGA:,.1f} MB; "
        )
        if error.errno in FULL:
            raise SearchkitError(
                f"{start}make room there, or let {ENVIRONMENT_VARIABLE} name another folder"
            ) from error
        raise UsageError(f"{start}{ENVIRONMENT_VARIABLE} may name another folder") from error


def check_room(folder: Path, size: int) -> None:
    """Raise `UsageError` unless `size` bytes may be written to `folder`, and fit there."""
    with blaming_disk(folder, "pattern databases", size):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        free = shutil.disk_usage(folder).free
    if free < size:
        raise UsageError(
            f"{folder} has {free / MEGA:,.1f} MB of room, and the pattern databases take "
            f"{size / MEGA:,.1f} MB; make room there, or let {ENVIRONMENT_VARIABLE} name another "
            "folder"
        )


FORMAT = "searchkit-pattern-database/2"
MANIFEST = "manifest.json"
VALUES = "values.bin"
LONGEST_NAME = 100


def data_directory() -> Path:
    """Where pattern databases are kept: `SEARCHKIT_DATA_DIR`, or the user's data folder."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    return Path(chosen) if chosen else Path(platformdirs.user_data_dir("searchkit"))


@attrs.frozen(kw_only=True)
class Entry(Description):
    """A database on disk, by its manifest."""

    folder: Path
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
        return sorted(each.name for each in folders if _is_file(each / MANIFEST))

    def has(self, identity: Mapping[str, Any], *, halved: bool) -> bool:
        """Whether there is a database of that identity."""
        return _is_file(self.path_of(identity, halved=halved) / MANIFEST)

    def read(self, name: str) -> Entry:
        """The manifest of a database; `UsageError` in one line if it cannot be used."""
        path = self.folder / name / MANIFEST
        try:
            content = read_signed(path)
            form = content.pop("format")
            if form == FORMAT:
                content["counts"] = tuple(content["counts"])
                return _as_written(Entry(folder=path.parent, **content))
        except UNREADABLE as error:
            raise UsageError(
                f"{path} cannot be read as the manifest of a pattern database: {error!r:.200}; "
                f"delete its folder and build it again"
            ) from error
        raise UsageError(
            f"{path} has format {form!r:.60}, and this version reads {FORMAT}; delete its folder "
            "and build it again"
        )

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
        return PatternDatabase(values=values.view(np.ndarray), **entry.described())

    def check(self, entry: Entry, *, again: bool = False) -> None:
        """Raise `UsageError` unless the values are those that were written.

        Reads them all unless they have been compared before and the file is the same since.
        """
        checked = Checked.read(entry.folder)
        try:
            with open_regular(entry.folder / VALUES) as file:
                found = os.fstat(file.fileno())
                if found.st_size != entry.bytes:
                    raise broken(
                        entry.folder, f"{VALUES} has {found.st_size} bytes instead of {entry.bytes}"
                    )
                if checked.has(VALUES, entry.sha256, found) and not again:
                    return
                own = checksum_of(file)
        except OSError as error:
            raise broken(entry.folder, f"{VALUES} cannot be read: {error.strerror}") from error
        if own != entry.sha256:
            raise broken(entry.folder, f"{VALUES} has changed: its checksum is another")
        checked.note(VALUES, own, found)
        checked.save()

    def save(self, database: PatternDatabase) -> Path:
        """Write the database: its folder. One that is the same is left as it is."""
        folder = self.path_of(database.identity, halved=database.halved)
        entry = Entry(
            folder=folder,
            bytes=database.bytes,
            sha256=hashlib.sha256(database.values.data).hexdigest(),
            **database.described() | {"seconds": round(database.seconds, 3)},
        )
        if self._is_there(entry):
            return folder
        with blaming_disk(folder, "the pattern database", database.bytes):
            try:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / MANIFEST).unlink(missing_ok=True)  # no database until it is whole
                sweep(folder, (VALUES, CHECKED))
                write_whole(folder / VALUES, database.values.data)
                content = attrs.asdict(entry, filter=lambda field, _: field.name != "folder")
                write_signed(folder / MANIFEST, {"format": FORMAT, **content})
            except BaseException:
                with suppress(OSError):
                    if not _is_file(folder / MANIFEST):
                        (folder / VALUES).unlink(missing_ok=True)
                    folder.rmdir()  # if nothing is in it
                raise
        return folder

    def _is_there(self, entry: Entry) -> bool:
        """Whether a database, if it is intact, is that one."""
        try:
            found = self.read(entry.name)
            self.check(found, again=True)
        except UsageError:
            return False
        return attrs.evolve(found, seconds=entry.seconds) == entry


def broken(folder: Path, why: str) -> UsageError:
    """The error for a database that is not what was written."""
    return UsageError(f"pattern database {folder}: {why}; delete the folder and build it again")


def _as_written(entry: Entry) -> Entry:
    """The entry; `ValueError` where it says what none can: a checksum can be made to fit."""
    numbers = (entry.entries, entry.bytes, *entry.counts)
    is_one = (
        all(type(each) is int and each >= 0 for each in numbers)
        and type(entry.seconds) in (int, float)
        and type(entry.halved) is bool
        and type(entry.rules) is type(entry.sha256) is str
        and type(entry.identity) is dict
        and all(type(entry.identity.get(name)) is str for name in NAMING)
    )
    if not is_one:
        raise ValueError("it says what no database has")
    return entry


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
