"""The folder of machine code as a whole: how much it holds, and what of it is of no use."""

from __future__ import annotations

import os

import attrs

from searchkit.compiled.specialise.code_files import NOTES, OWN, PREFIX, WRITABLE, CodeFiles
from searchkit.compiled.specialise.own_folder import NotOursError, OwnFolder, cache_directory

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
