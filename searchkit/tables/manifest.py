"""The manifest of a table: what was explored, and the layers that are complete."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from searchkit.errors import UsageError, VerificationError
from searchkit.tables.layer_files import LAYER_NAME, checksum, part_of

FORMAT = "searchkit-table/1"
NAME = "manifest.json"


@attrs.frozen(kw_only=True)
class LayerEntry:
    """One layer: its file, how many states it holds, how many they stand for, and a checksum."""

    file: str
    canonical: int
    states: int
    sha256: str

    def check(self, folder: Path) -> None:
        """Raise `VerificationError` unless the file in `folder` is the one that was written."""
        if checksum(folder / self.file) != self.sha256:
            raise VerificationError(
                f"{folder / self.file} has changed since it was written: its checksum is another "
                "than in the manifest; explore again into an empty folder"
            )


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
            content = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise UsageError(
                f"{path} cannot be read as the manifest of a table: {error}; give the folder "
                "that explore --checkpoint made"
            ) from error
        try:
            if content["format"] != FORMAT:
                raise UsageError(
                    f"{path} has format {content['format']!r}; this version reads {FORMAT}"
                )
            return cls(
                identity=dict(content["identity"]),
                layers=tuple(LayerEntry(**_checked(each)) for each in content["layers"]),
                complete=bool(content["complete"]),
            )
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise UsageError(f"{path} is no manifest of a table: {error!r}") from error

    def write(self, folder: Path) -> None:
        """Replace the manifest in `folder`, all at once."""
        text = json.dumps(
            {
                "format": FORMAT,
                "identity": self.identity,
                "complete": self.complete,
                "layers": [attrs.asdict(each) for each in self.layers],
            },
            indent=1,
            ensure_ascii=False,
        )
        part = part_of(folder / NAME)
        with part.open("w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(folder / NAME)


def _checked(entry: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(entry)
    if not LAYER_NAME.fullmatch(found["file"]):
        raise ValueError(f"{found['file']!r} is no name of a layer")
    return found | {name: int(found[name]) for name in ("canonical", "states")}
