"""What a pattern database belongs to, and how a pattern space is named in messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from searchkit.authors.user_code import place_of
from searchkit.errors import ProblemError
from searchkit.pattern_space import WORD_BITS_USED, PatternSpace

NAMING = ("puzzle", "pattern")
"""The keys of which the name of a folder is made."""


def identity_of(space: PatternSpace, group: int) -> dict[str, Any]:
    """The identity of a group as it comes back from a file; `ProblemError` if it is none."""
    return as_identity(space.identity(group), at_method(space, "identity"))


def as_identity(given: Any, where: str = "") -> dict[str, Any]:
    """`given` as JSON gives it back; `where` says whose it is."""
    if not isinstance(given, Mapping):
        raise ProblemError(f"an identity must be a mapping, but it is {given!r:.80}{where}")
    missing = [name for name in NAMING if not isinstance(given.get(name), str)]
    if missing:
        raise ProblemError(
            f"identity {dict(given)!r:.80} needs a text under the key {missing[0]!r}; the database "
            f"is called by its 'puzzle' and 'pattern', and all other keys are free{where}"
        )
    try:
        plain = json.loads(json.dumps(dict(given), sort_keys=True, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ProblemError(
            f"identity {dict(given)!r:.80} cannot be written as JSON: {error}{where}"
        ) from error
    return dict(plain)


def named(space: PatternSpace, group: int) -> str:
    """A group in words: the class of its space, and its pieces."""
    return f"{type(space).__name__}, pattern {space.name_of(group)}"


def at_method(space: PatternSpace, method: str) -> str:
    """Where the author wrote a method, to end a message with."""
    place = place_of(space, method)
    return "" if place is None else f"; see {place}"


def no_entry(space: PatternSpace, group: int, word: int) -> str:
    """The message for a pattern state without an entry."""
    whose = named(space, group)
    if word >> WORD_BITS_USED:
        return (
            f"{whose}: the pattern state {word:#x} has more than {WORD_BITS_USED} bits, which must "
            f"hold it{at_method(space, 'locate')}"
        )
    return (
        f"{whose}: the pattern state {word:#x} has the rank {space.rank(word, group):,}, but "
        f"entries is {space.entries(group):,}; ranks are from 0 to entries - 1"
        f"{at_method(space, 'rank')}"
    )


def no_entry_after(space: PatternSpace, group: int, entry: int) -> str:
    """The message for an entry that a step leads to and that there is not."""
    return (
        f"{named(space, group)}: entry_after gives {entry:,}, but entries is "
        f"{space.entries(group):,}{at_method(space, 'entry_after')}"
    )


def equal_tables(one: Any, other: Any) -> bool:
    """Whether tables are the same: nested tuples of numbers and arrays."""
    if one is other:
        return True
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(equal_tables, one, other))
    if hasattr(one, "shape") and hasattr(other, "shape"):
        return bool(one.shape == other.shape and (one == other).all())
    return bool(one == other)
