"""JSON files with a checksum of what they say, written whole and read with suspicion."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from searchkit.texts.files import open_regular, write_whole

MOST_BYTES = 1 << 26
"""A longer file was not written by us: a layer of a table takes some 150 bytes."""
MOST_DIGITS = 1000
WRONG_CONTENT = (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)
"""What content that somebody else wrote may raise."""
UNREADABLE = (OSError, *WRONG_CONTENT)
"""What reading it may raise."""


def canonical(content: Any) -> str:
    """The text of JSON that a checksum is of: there is one for each content."""
    return json.dumps(content, sort_keys=True, ensure_ascii=True)


def digest(content: Mapping[str, Any]) -> str:
    """The checksum of what a file says, but for the checksum itself."""
    return hashlib.sha256(canonical(content).encode()).hexdigest()


def with_digest_of(text: str) -> bytes:
    """The canonical text of an object with its checksum, as a file says it."""
    check = hashlib.sha256(text.encode()).hexdigest()
    return f'{text[:-1]}, "check": "{check}"}}\n'.encode()


def write_signed(path: Path, content: Mapping[str, Any]) -> None:
    """Write `content` with its checksum, all at once."""
    write_whole(path, with_digest_of(canonical(content)))


def read_json(path: Path) -> Any:
    """What a file says, of a length that is ours; `OSError`, or one of `WRONG_CONTENT`."""
    with open_regular(path) as file:
        return as_json(file.read(MOST_BYTES))


def as_json(data: bytes) -> Any:
    """What the bytes of a file say; one of `WRONG_CONTENT`."""
    return json.loads(data, parse_int=_whole, parse_constant=_refused)


def signed(content: Any) -> dict[str, Any]:
    """The content of a file that has its own checksum; one of `WRONG_CONTENT` if it has not."""
    if content.pop("check") != digest(content):
        raise ValueError("its checksum is another")
    found: dict[str, Any] = content
    return found


def read_signed(path: Path) -> dict[str, Any]:
    """What `write_signed` wrote; one of `UNREADABLE` if it is something else."""
    return signed(read_json(path))


def _whole(digits: str) -> int:
    """The number; to read one of a million digits would take minutes."""
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"it holds a number of {len(digits)} digits")
    return int(digits)


def _refused(name: str) -> float:
    raise ValueError(f"{name} is not a number")
