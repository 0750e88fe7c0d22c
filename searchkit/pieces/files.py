"""Definitions and states in files, of whichever format they are."""

from __future__ import annotations

from pathlib import Path

from searchkit.errors import ParseError
from searchkit.pieces.definition import Definition
from searchkit.pieces.kpuzzle import read_kpuzzle, read_pattern
from searchkit.pieces.patterns import Pattern
from searchkit.pieces.tws import read_scrambles, read_tws
from searchkit.texts.text_files import read_text

MOST_BYTES = 4_000_000
"""The most bytes that a file of a definition may have."""


def read(path: str | Path) -> Definition:
    """The puzzle that a file defines: in the text format `.tws`, or in the JSON format kpuzzle.

    Which it is is seen from the text. Raises `ParseError` that names the file, the line, and what
    would be right.
    """
    return read_definition(read_text(path, MOST_BYTES), str(path))


def read_definition(text: str, name: str = "the definition") -> Definition:
    """The puzzle that a text defines, in either format; `name` is what messages call the text."""
    if not text.strip():
        raise ParseError(f"{name} is empty; it must hold a definition of a puzzle")
    if text.lstrip().startswith(("{", "[")):
        return read_kpuzzle(text, name)
    return read_tws(text, name)


def read_states(definition: Definition, path: str | Path) -> list[tuple[str, Pattern]]:
    """The states in a file, with their names: scrambles, move sequences, or one JSON pattern."""
    text, name = read_text(path, MOST_BYTES), str(path)
    if text.lstrip().startswith("{"):
        return [(Path(path).stem, read_pattern(definition, text, name))]
    return read_scrambles(definition, text, name)
