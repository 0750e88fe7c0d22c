r"""Text from plugins, documents and files that cannot command a terminal.

Control characters and the marks that turn the direction of writing are shown as `\x1b` or
`\u202e`: an escape sequence in a name could set the title of the window, or make the line look
like another one (CWE-150, and CVE-2021-42574 for the direction).
"""

from __future__ import annotations

import re
from typing import Any

_UNSAFE = re.compile(
    "[\0-\x08\x0b-\x1f"  # C0, but for tab and line feed
    "\x7f-\x9f"  # DEL and C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # the direction of writing
    "\u2028\u2029"  # ends of lines that are none elsewhere
    "\ud800-\udfff]"  # halves of pairs, which no encoding has
)
_COLOURS = "(\x1b\\[[0-9;]*m)"
_OWN = "(\x1b\\[[0-9;?]*[A-HJKfhlm]|\r)"
"""What colours text and moves the cursor. No title is set by it, nothing sent or stored."""


def harmless(text: str) -> str:
    r"""`text` with every character that a terminal might obey as an escape sequence of Python.

    Tabs and line feeds stay.

    >>> print(harmless("\x1b]0;title\x07"))
    \x1b]0;title\x07
    """
    return _UNSAFE.sub(_escaped, text)


def harmless_but_coloured(text: str) -> str:
    """A picture of which colours and styles stay, but nothing else that a terminal might obey."""
    return _but(_COLOURS, text)


def harmless_but_drawn(text: str) -> str:
    """What searchkit has drawn itself: colours and moves of the cursor stay."""
    return _but(_OWN, text)


def _but(kept: str, text: str) -> str:
    parts = re.split(kept, text)
    return "".join(part if at % 2 else harmless(part) for at, part in enumerate(parts))


def to_json(value: Any, *, indent: int | None = None) -> str:
    r"""`value` as JSON that a terminal can show; numbers must be finite.

    >>> print(to_json({"name": "é\x9b"}))
    {"name": "é\u009b"}
    """
    import json  # noqa: PLC0415  (most commands write none)

    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
