"""Source files as trees, read once by all tests of a process."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """The tree of a source file, which nobody changes."""
    return ast.parse(path.read_text())
