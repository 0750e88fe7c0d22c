"""The manifest of a table: what was explored, and the layers that are complete."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from json import JSONDecodeError
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import attrs

from searchkit.errors import UsageError, VerificationError
from searchkit.tables.checked import Checked
from searchkit.tables.layer_files import checksum_of, read_words
from searchkit.tables.signed import WRONG_CONTENT, read_json, signed, write_signed

if TYPE_CHECKING:
    from searchkit.tables.layer_files import Words

FORMAT = "searchkit-table/2"
NAME = "manifest.json"
MOST_NESTED = 32
"""How deep the texts of an identity may lie in lists and dicts."""
DIGEST = re.compile("[0-9a-f]{64}")


@attrs.frozen(kw_only=True)
class LayerEntry:
    """One layer: its file, how many states it holds, how many they stand for, and a checksum."""

    file: str
    canonical: int
    states: int
    sha256: str

    @classmethod
    def of(cls, depth: int, found: Mapping[str, Any]) -> LayerEntry:
        """The entry of the layer at that depth in a manifest; `ValueError` if it is none."""
        entry = cls(**found)
        if entry.file != layer_name(depth):
            raise ValueError(f"{entry.file!r:.80} is not a name of layer {depth}")
        counts = entry.canonical, entry.states
        if not (all(type(each) is int for each in counts) and 1 <= counts[0] <= counts[1]):
            raise ValueError(f"layer {depth} holds {counts!r:.80} states")
        if not isinstance(entry.sha256, str) or not DIGEST.fullmatch(entry.sha256):
            raise ValueError(f"{entry.sha256!r:.80} is not a checksum of layer {depth}")
        return entry

    def read(self, folder: Path, checked: Checked, *, again: bool = False) -> Words:
        """The states, whose checksum is compared unless the file is known to have it.

        `again` compares it in any case. Raises `UsageError` for a file with another number of
        states, and `VerificationError` for one that is not what was written.
        """
        path = folder / self.file

        def check(file: BinaryIO, content: bytes | None) -> None:
            before = os.fstat(file.fileno())
            if content is not None:
                own = hashlib.sha256(content).hexdigest()
            elif checked.has(self.file, self.sha256, before) and not again:
                return
            else:
                own = checksum_of(file)
            if own != self.sha256:
                raise VerificationError(
                    f"{path} has changed since it was written: its checksum is another than in the "
                    "manifest; explore again into an empty folder"
                )
            checked.note(self.file, self.sha256, before)

        return read_words(path, self.canonical, check)

    def check(self, folder: Path) -> None:
        """Raise `VerificationError` unless the file in `folder` is the one that was written."""
        self.read(folder, Checked(folder), again=True)


@attrs.frozen(kw_only=True)
class Manifest:
    """What was explored (`identity`, texts only), in what order, and whether that is all of it."""

    identity: dict[str, Any]
    layers: tuple[LayerEntry, ...] = ()
    complete: bool = False

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The manifest in `folder`; `UsageError` in one line if it cannot be used."""
        path = folder / NAME
        try:
            content = read_json(path)
        except (OSError, ValueError, RecursionError) as error:
            is_syntax = isinstance(error, (JSONDecodeError, UnicodeDecodeError))
            why = "it is not JSON" if is_syntax else getattr(error, "strerror", None) or error
            raise UsageError(
                f"{path} cannot be read as the manifest of a table: {why}; give the folder "
                "that explore --checkpoint made"
            ) from error
        try:
            if not isinstance(content, dict):
                raise TypeError("it holds no names with values")
            if content["format"] != FORMAT:
                raise UsageError(
                    f"{path} has format {content['format']!r:.80}; this version reads {FORMAT}"
                )
            content = signed(content)
            if type(content["complete"]) is not bool:
                raise ValueError(f"complete is {content['complete']!r:.80}")
            return cls(
                identity=_identity(content["identity"]),
                layers=tuple(
                    LayerEntry.of(depth, each) for depth, each in enumerate(content["layers"])
                ),
                complete=content["complete"],
            )
        except WRONG_CONTENT as error:
            why = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            raise UsageError(
                f"{path} is not a manifest of a table, or was damaged: {why:.200}; explore again "
                "into an empty folder"
            ) from error

    def write(self, folder: Path) -> None:
        """Replace the manifest in `folder`, all at once."""
        content = {
            "format": FORMAT,
            "identity": self.identity,
            "complete": self.complete,
            "layers": [attrs.asdict(each) for each in self.layers],
        }
        write_signed(folder / NAME, content)


def layer_name(depth: int) -> str:
    """The name of the file of the layer at that depth."""
    return f"layer-{depth:04}.npy"


def _identity(content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise TypeError(f"the identity is {content!r:.80}")
    plain(content)
    return content


def plain(content: Any, most: int = MOST_NESTED) -> None:
    """Raise `ValueError` for JSON that is nested too deeply to be shown and compared."""
    if isinstance(content, (list, dict)):
        if not most:
            raise ValueError(f"it is nested more than {MOST_NESTED} times")
        for each in content.values() if isinstance(content, dict) else content:
            plain(each, most - 1)
