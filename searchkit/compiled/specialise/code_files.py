"""Files in the folder of machine code: read if they are ours and whole, else made again."""

from __future__ import annotations

import hashlib
import os
import warnings
from typing import ClassVar

import attrs

from searchkit.compiled.specialise.own_folder import (
    ENVIRONMENT_VARIABLE,
    NotOursError,
    OwnFolder,
    cache_directory,
)
from searchkit.errors import SearchkitWarning

PREFIX = "searchkit_kernel_"
"""How the names of generated modules begin, and those of all files."""
NOTES = f"{PREFIX}rules_"
"""How the names of files begin that are empty, and say by their names what was made."""
CHECKED_BYTES = 32
OWN = f"unless {ENVIRONMENT_VARIABLE} names a folder that is yours and closed to others (chmod 700)"
WRITABLE = f"unless {ENVIRONMENT_VARIABLE} names a folder that can be written to"
KEPT_SECONDS = 90 * 24 * 3600
"""Files that were not used for so long are deleted when another is written."""


class CodeFiles:
    """All such files, each found by its name.

    A file begins with a hash of the rest, so that a damaged one is noticed; it is then made
    again, as it is when the folder cannot be read, or when somebody else could have written it:
    see `OwnFolder`. If it cannot be written, that costs time only. What costs time in every run
    is shown by a `SearchkitWarning`, once a process. Processes that write a file at once write
    to files of their own, which they rename. `made` counts the functions that this process did
    not find on disk.
    """

    made: ClassVar[int] = 0
    has_warned: ClassVar[bool] = False

    @staticmethod
    def read(name: str) -> bytes | None:
        """What `write` was given under that name; None if it must be made again."""
        try:
            with OwnFolder.opened(cache_directory()) as folder:
                data = folder.read(name)
        except OSError:
            return None
        except NotOursError as error:
            made_again(f"{error}, so that its machine code is not used", OWN)
            return None
        return CodeFiles.content_of(data)

    @staticmethod
    def content_of(data: bytes) -> bytes | None:
        """What a file keeps behind its checksum; None if it is damaged."""
        content = data[CHECKED_BYTES:]
        return content if hashlib.sha256(content).digest() == data[:CHECKED_BYTES] else None

    @staticmethod
    def write(name: str, content: bytes) -> None:
        """Keep `content` under a name that begins with `PREFIX`."""
        try:
            with OwnFolder.opened(cache_directory(), make=True) as folder:
                folder.write(name, hashlib.sha256(content).digest() + content)
                folder.sweep(PREFIX, KEPT_SECONDS)
        except OSError as error:
            reason = error.strerror or error
            made_again(f"machine code cannot be kept in {cache_directory()}: {reason}", WRITABLE)
        except NotOursError as error:
            made_again(f"{error}, so that no machine code is kept there", OWN)


def made_again(what: str, advice: str = "") -> None:
    """Say once a process why machine code is made again in every run."""
    if not CodeFiles.has_warned:
        CodeFiles.has_warned = True
        message = ", ".join(filter(None, (f"{what}; it is made again", advice)))
        warnings.warn(message, SearchkitWarning, stacklevel=2)


PROBE = f"{PREFIX}probe."
PROBE_BYTES = 1 << 16
"""What a small function takes; an empty file can be written to a full disk."""


@attrs.define
class Inventory:
    """What is in the folder, and how much was taken out of it as nobody would use it.

    `refusal` says in one line why the folder is not used, or not written to; None if it is.
    """

    files: int = 0
    bytes: int = 0
    removed: int = 0
    refusal: str | None = None


def take_inventory() -> Inventory:
    """Look at each file, remove those that are damaged or others can write to, and try to write.

    What is removed is made again when it is needed, as it would be anyway.
    """
    found = Inventory()
    try:
        with OwnFolder.opened(cache_directory(), make=True) as folder:
            for name in folder.names(PREFIX):
                _look_at(folder, name, found)
            probe = f"{PROBE}{os.getpid()}"
            folder.write(probe, bytes(PROBE_BYTES))
            folder.remove(probe)
    except OSError as error:
        reason = error.strerror or error
        found.refusal = f"it cannot be written to: {reason}; {_advice(WRITABLE)}"
    except NotOursError as error:
        found.refusal = f"{error}; {_advice(OWN)}"
    return found


def _look_at(folder: OwnFolder, name: str, found: Inventory) -> None:
    try:
        data = folder.read(name, is_used=False)
    except FileNotFoundError:  # another process has deleted it
        return
    except (NotOursError, OSError):
        is_whole, data = False, b""
    else:
        is_whole = not data if name.startswith(NOTES) else CodeFiles.content_of(data) is not None
    if not is_whole and folder.remove(name):
        found.removed += 1
    else:
        found.files += 1
        found.bytes += len(data)


def _advice(condition: str) -> str:
    return f"machine code is made again in every run, {condition}"
