"""Shows the examples of docstrings as code."""

from __future__ import annotations

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*(?:\n(?=>>> ))?)+", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts doctests, up to the blank line after them, into fenced blocks."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of whatever has one."""
        if obj.docstring is not None:
            text = obj.docstring.value + "\n"
            obj.docstring.value = EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}```\n", text)
