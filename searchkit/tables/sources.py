"""Whether the file with the rules of a problem is what it was when its table was begun."""

from __future__ import annotations

import hashlib
import io
import sys
import tokenize
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from searchkit.authors.plugin_files import text_of
from searchkit.errors import UsageError
from searchkit.problem import Problem

SOURCE = "source"
"""What the digest is called in the identity of a table."""
IGNORED = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING)


def source_of(problem: Problem[Any, Any]) -> str | None:
    """A digest of the plugin file, or script, that defines a problem; comments are no part of it.

    None for what is imported: packages have versions, and a new one may leave rules as they are.
    """
    module = type(problem).__module__
    found = text_of(module)
    text = None if found is None else found[1]
    file = getattr(sys.modules.get(module), "__file__", None) if module == "__main__" else None
    if file is not None:
        try:
            text = Path(file).read_bytes()
        except OSError:  # it is no file, or gone
            return None
    if text is None:
        return None
    try:
        tokens = list(tokenize.tokenize(io.BytesIO(text).readline))
    except (SyntaxError, tokenize.TokenError):  # it has changed since it was loaded
        return hashlib.sha256(text).hexdigest()
    kept = [each.string for each in tokens if each.type not in IGNORED]
    return hashlib.sha256("\0".join(kept).encode()).hexdigest()


def check_source(place: object, identity: Mapping[str, Any], source: Any) -> None:
    """Refuse a table whose file of rules has changed; one that is not known is not compared."""
    found = identity.get(SOURCE)
    if None not in (found, source) and found != source:
        raise UsageError(
            f"{place} was made by other rules: the file that defines {identity.get('problem')} "
            "has changed since; take the change back, or explore into an empty folder"
        )
