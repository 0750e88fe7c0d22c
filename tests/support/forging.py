"""Tables as somebody forges them: what files hold is changed, and every checksum made to fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from searchkit.tables import keys
from searchkit.tables.keys import KeyFile, KeyWriter, row_of
from searchkit.tables.manifest import NAME
from searchkit.tables.signed import digest


def forge_manifest(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change what the manifest says."""
    content = json.loads((folder / NAME).read_text())
    del content["check"]
    change(content)
    (folder / NAME).write_text(json.dumps(content | {"check": digest(content)}))


def forge_layer(folder: Path, change: Callable[[list[Any]], list[Any]], layer: int = -1) -> str:
    """Change the rows of the first file of a layer, which need not rise; the name of the file."""
    forged: list[str] = []

    def rewrite(content: dict[str, Any]) -> None:
        entry, words = content["layers"][layer], content["words"]
        part = entry["parts"][0]
        path = folder / part["file"]
        rows = change(list(KeyFile.open(path, part["canonical"], words)))
        part["sha256"] = write_rows(path, words, rows)
        more = len(rows) - part["canonical"]
        part["canonical"] = len(rows)
        part["first"] = list(rows[0]) if words > 1 else [rows[0]]
        entry["canonical"] += more
        entry["states"] += more
        forged.append(part["file"])

    forge_manifest(folder, rewrite)
    return forged[0]


def write_rows(path: Path, words: int, rows: list[Any]) -> str:
    """A file of rows in any order, each number in 64 bits; its checksum."""
    writer = KeyWriter(path, words, keep=True)
    with writer:
        for begin in range(0, len(rows), keys.BLOCK):
            block = [row if words > 1 else (row,) for row in rows[begin : begin + keys.BLOCK]]
            coded = [word for w in range(words) for word in _stream(block, w)]
            ends = np.array([len(coded)])
            writer.add(row_of(tuple(coded)).reshape(-1), ends, row_of(block[0]), len(block))
        digest_of_file = writer.complete()
    writer.part.replace(path)
    return digest_of_file


def _stream(block: list[tuple[int, ...]], w: int) -> list[int]:
    """Word `w` of the rows of a block but the first, all of one class, whose numbers are whole."""
    numbers, last = [], w + 1 == len(block[0])
    for above, row in pairwise(block):
        goes_on = row[:w] == above[:w]
        numbers.append((row[w] - (above[w] + last if goes_on else 0)) % (1 << 64))
    head = 0x40404040 | len(numbers) << 32
    return [head, *[0] * -(-len(numbers) // 32), *numbers]
