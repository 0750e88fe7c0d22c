"""Whether a table is of the rules at hand: by their file, or by what goes wrong with them."""

from __future__ import annotations

import hashlib
import io
import sys
import tokenize
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from searchkit.authors.plugin_files import text_of
from searchkit.errors import CompilationError, LawError, ProblemError, UsageError
from searchkit.problem import Problem

SOURCE = "source"
"""What the digest is called in the identity of a table."""
FILE = "file"
"""What the name of the file is called there, which may change."""
IGNORED = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING)


def source_of(problem: Problem[Any, Any]) -> str | None:
    """A digest of the plugin file, or script, that defines a problem; comments are no part of it.

    None for what is imported: packages have versions, and a new one may leave rules as they are.
    """
    found = _file_of(problem)
    if found is None:
        return None
    text = found[1]
    try:
        tokens = list(tokenize.tokenize(io.BytesIO(text).readline))
    except (SyntaxError, tokenize.TokenError):  # it has changed since it was loaded
        return hashlib.sha256(text).hexdigest()
    kept = [each.string for each in tokens if each.type not in IGNORED]
    return hashlib.sha256("\0".join(kept).encode()).hexdigest()


def name_of_source(problem: Problem[Any, Any]) -> str | None:
    """The name of the plugin file, or script, without its folder; None for what is imported."""
    found = _file_of(problem)
    return None if found is None else Path(found[0]).name


def _file_of(problem: Problem[Any, Any]) -> tuple[str, bytes] | None:
    """The path of a plugin file, or script, and its text."""
    module = type(problem).__module__
    if module != "__main__":
        return text_of(module)
    file = getattr(sys.modules[module], "__file__", None)
    try:
        return None if file is None else (file, Path(file).read_bytes())
    except OSError:  # it is no file, or gone
        return None


def check_source(place: object, identity: Mapping[str, Any], source: Any) -> None:
    """Refuse a table whose file of rules has changed; one that is not known is not compared."""
    found = identity.get(SOURCE)
    if None not in (found, source) and found != source:
        raise UsageError(
            f"{place} was made by other rules: the file that defines {identity.get('problem')} "
            "has changed since; take the change back, or explore into an empty folder"
        )


@contextmanager
def blaming_table(place: object | None) -> Iterator[None]:
    """Name the place of a table whose layers are gone on from, where they may be what is wrong.

    Machine code meets a control state or a number out of range, or a trap; or the layers are not
    those that the rules in Python make. Nobody can tell whether the layers or the rules are to
    blame; but an empty place does.
    """
    try:
        yield
    except ProblemError as error:
        is_of_words = isinstance(error, CompilationError) or isinstance(error.__cause__, IndexError)
        is_of_layers = isinstance(error, LawError) and error.law == "machine-code"
        if place is None or not (is_of_words or is_of_layers):
            raise
        raise UsageError(
            f"{place} was made by other rules, or forged, unless the rules are wrong: "
            f"{error}; explore into an empty folder, which tells"
        ) from error
