"""The examples that new projects begin with, each under the name of its author's puzzle."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from searchkit.scaffold.names import Names

LIKE = {
    "graph": "knight",
    "grid": "grid-map",
    "permutation": "pyramid",
    "rush": "rush-hour",
}
"""The example for each kind of puzzle: the name of its puzzle, and of its file with `_` for `-`."""

_CALLS = re.compile(r"\n\n(?: {4}searchkit .*\n)+")


def example_for(kind: str, names: Names) -> str:
    """The text of the example for a kind of puzzle, with the names of another puzzle.

    Left out is how it is called where it lies.
    """
    old = Names(LIKE[kind])
    text = _CALLS.sub("\n", _text_of(f"{old.module}.py"), count=1)
    text = text.replace(f'"{old.puzzle}"', f'"{names.puzzle}"')
    return re.sub(rf"\b{old.words}\b", names.class_name, text)


def _text_of(name: str) -> str:
    """An example, which lies beside the package in a clone, and in this one where installed."""
    installed = files("searchkit.scaffold") / "examples" / name
    in_clone = Path(__file__).parents[2] / "examples" / name
    return (installed if installed.is_file() else in_clone).read_text(encoding="utf-8")
