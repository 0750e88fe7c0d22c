"""Heuristics as text: `manhattan`, `pdb:6-6-3`, `cosets:3`, `max(pdb:6-6-3,manhattan)`, `auto`."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from searchkit.capabilities import (
    HasBestHeuristics,
    HasDefaultHeuristic,
    HasPatterns,
    own_heuristic,
)
from searchkit.errors import SearchkitWarning, UsageError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.kinds import MOST_LOOKED_UP, PATTERNS, TableToBuild, row_of
from searchkit.heuristics.maximum import maximum
from searchkit.packed import PackedHeuristic, PackedProblem, ZeroHeuristic
from searchkit.problem import is_default, name_of
from searchkit.texts.amounts import memory, memory_named

AUTO, OWN, ZERO = "auto", "problem", "zero"
MOST_PARTS = 8
CHOSEN_SIZES = (3_000_000, 32_000_000, 256_000_000, 2_000_000_000)
"""The bytes of ever larger databases that are chosen by memory."""
CHOOSING = 3.0
"""About how many seconds it takes to choose patterns, and to begin."""
SMALL_TABLES = 64_000_000
"""The bytes of databases that are built for any search that lasts, if the problem names them."""
BUILT_A_SECOND = 3_000_000
"""About how many bytes of databases one thread builds in a second."""
Named = Callable[[str], Heuristic[Any, Any]]


def read_heuristic(problem: Any, text: str, named: Named) -> Heuristic[Any, Any]:
    """The heuristic that `text` describes; `named` gives those that have a name of their own.

    `UsageError` in one line if there is none.
    """
    text = text.strip()
    if text.startswith("max(") and text.endswith(")"):
        parts = _split(text[4:-1])
        if "" in parts:
            raise UsageError(f"{text!r} leaves a heuristic out; write max(a,b)")
        if len(parts) < 2:
            raise UsageError(f"{text!r} is the largest of one; write max(a,b)")
        if len(parts) > MOST_PARTS or text.count("(") > MOST_PARTS:
            raise UsageError(f"max() of more than {MOST_PARTS} heuristics; take fewer")
        return maximum(*(read_heuristic(problem, part, named) for part in parts))
    if not text:
        raise UsageError("a heuristic has no name; write one like manhattan, or max(a,b)")
    row = row_of(text)
    if row is not None:
        return row[0].kind.read(problem, row[1])
    if text == OWN:
        return own_heuristic(problem)
    if text == ZERO:
        return ZeroHeuristic()
    if "(" in text or ")" in text or "," in text:
        raise UsageError(f"heuristic {text!r} cannot be read; write a name, pdb:6-6-3 or max(a,b)")
    if text == AUTO:
        return read_heuristic(problem, best_heuristic(problem) or OWN, named)
    return named(text)


def best_heuristic(problem: Any) -> str | None:
    """What `auto` stands for; None where the problem says nothing."""
    if not isinstance(problem, HasBestHeuristics):
        return None
    return next((text for text in problem.best_heuristics() if is_ready(problem, text)), None)


def is_ready(problem: Any, text: str) -> bool:
    """Whether the tables of a heuristic are built; if they cannot be used, a warning says why."""
    row = row_of(text)
    if row is None:
        return True
    try:
        return row[0].kind.is_ready(problem, row[1])
    except UsageError as error:
        warnings.warn(f"{text} is not used: {error}", SearchkitWarning, stacklevel=3)
        return False


def heuristic_to_build(problem: Any) -> str | None:
    """Names what a problem without a heuristic of its own recommends: what is ready, or built."""
    if not _lacks_heuristic(problem):
        return None
    return best_heuristic(problem) or _to_build(problem, None, for_long=False)


def heuristic_for_long(problem: Any, most: int | None) -> str | None:
    """Names the table, of no more than `most` bytes, that is built for a search that lasts.

    None where there is none, or another heuristic is ready.
    """
    if not _lacks_heuristic(problem) or best_heuristic(problem) is not None:
        return None
    return _to_build(problem, most, for_long=True)


def _lacks_heuristic(problem: Any) -> bool:
    """Whether a problem recommends heuristics and has none of its own."""
    if not isinstance(problem, HasBestHeuristics) or isinstance(problem, HasDefaultHeuristic):
        return False
    return is_default(problem, "heuristic")


def _to_build(problem: HasBestHeuristics, most: int | None, *, for_long: bool) -> str | None:
    for row, name in filter(None, map(row_of, problem.best_heuristics())):
        text = row.kind.to_build(problem, name, most) if row.for_long == for_long else None
        if text is not None:
            return text
    return None


def may_have_tables(problem: Any) -> bool:
    """Whether a search by default may have databases built: named ones, or such as are chosen.

    Named ones beside a heuristic of its own to begin with, the others while it has no solution.
    """
    if not isinstance(problem, HasBestHeuristics):
        return has_chosen_tables(problem)
    return not _lacks_heuristic(problem) and bool(_recommended_patterns(problem))


def has_chosen_tables(problem: Any) -> bool:
    """Whether databases are chosen by memory for a problem that recommends nothing."""
    return not isinstance(problem, HasBestHeuristics) and isinstance(problem, HasPatterns)


def can_be_followed(problem: Any) -> bool:
    """Whether databases may be made of plain rules, with which it says nothing of any."""
    is_plain = not isinstance(problem, (PackedProblem, HasPatterns, HasBestHeuristics))
    return is_plain and PATTERNS.suits(problem)


def tables_within(problem: Any, most: int) -> list[tuple[str, int]]:
    """Names pattern databases of up to `most` bytes, with about how many, the smallest first.

    Those that the problem recommends by names, or else such as are chosen by memory.
    """
    named = _named_patterns(problem)
    sizes = {f"{PATTERNS.prefix}:{name}": _size(problem, name) for name in named}
    if named or not _are_by_memory(problem):
        fitting = [(text, size) for text, size in sizes.items() if size <= most]
        return sorted(fitting, key=lambda each: each[1])
    if not isinstance(problem, PackedProblem):
        most = min(most, MOST_LOOKED_UP)
    amounts = [*(size for size in CHOSEN_SIZES if size < most), most]
    return [(f"{PATTERNS.prefix}:{AUTO}={size}", size) for size in amounts]


def _named_patterns(problem: Any) -> list[str]:
    """The names of the pattern databases that a problem recommends."""
    return [name for name in _recommended_patterns(problem) if memory_named(name, 1) is None]


def _are_by_memory(problem: Any) -> bool:
    """Whether pattern databases can be chosen by memory: a puzzle with advice advises that, too."""
    recommended = _recommended_patterns(problem)
    has_none = isinstance(problem, HasBestHeuristics) and not recommended
    return PATTERNS.suits(problem) and not has_none


def _recommended_patterns(problem: Any) -> list[str]:
    """The same, with what stands for those that are chosen by memory."""
    texts = problem.best_heuristics() if isinstance(problem, HasBestHeuristics) else ()
    return [found[1] for found in map(row_of, texts) if found and found[0] is PATTERNS]


def estimate_beside_tables(problem: Any) -> Heuristic[Any, Any] | None:
    """A problem's own heuristic, if it is looked at beside databases that nobody recommends."""
    has_none = not isinstance(problem, HasDefaultHeuristic) and is_default(problem, "heuristic")
    if isinstance(problem, HasBestHeuristics) or has_none:
        return None
    own = own_heuristic(problem)
    suits = isinstance(own, PackedHeuristic) or not isinstance(problem, PackedProblem)
    return own if suits and not isinstance(own, ZeroHeuristic) else None


def has_tables(problem: Any) -> bool:
    """Whether pattern databases may be built, as far as can be seen at a glance."""
    return _are_by_memory(problem) or bool(_named_patterns(problem))


def check_has_tables(problem: Any) -> None:
    """Raise `UsageError` if no pattern databases can be built, which is known at a glance."""
    if not has_tables(problem):
        why = (
            "can be built for {name}: it declares neither fields nor patterns, and its states are "
            "no tuples of whole numbers; leave"
        )
        if PATTERNS.suits(problem):
            why = "are chosen by memory for {name}; name patterns, by --heuristic pdb:, and leave"
        name = name_of(problem)
        raise UsageError(f"no pattern databases {why.format(name=name)} --table-memory out")


def heuristics_within(problem: Any, most: int) -> list[str]:
    """Names databases of up to `most` bytes beside the problem's own estimate, the largest first.

    `UsageError` if there are none.
    """
    check_has_tables(problem)
    tables = tables_within(problem, most)
    if not tables:
        least = min(size for _, size in tables_within(problem, sys.maxsize))
        raise UsageError(
            f"the smallest pattern databases for {name_of(problem)} take {memory(least)}; give "
            "--table-memory as much"
        )
    form = "{text}" if estimate_beside_tables(problem) is None else "max({own},{text})"
    return [form.format(own=OWN, text=text) for text, _ in reversed(tables)]


def seconds_to_build(size: int) -> float:
    """About how many seconds it takes to choose databases of so many bytes, and to build them."""
    return CHOOSING + size / BUILT_A_SECOND


def _size(problem: Any, name: str) -> int:
    """The bytes of the pattern databases `name`, of which some may be the same."""
    tables = PATTERNS.kind.tables(problem, name, compressed=False, most=None)
    return sum({repr(sorted(each.identity.items())): each.kept_bytes for each in tables}.values())


def tables_of(
    problem: Any, text: str, *, compressed: bool = False, most: int | None = None
) -> Sequence[TableToBuild]:
    """Lists the tables of `cosets:3`, or of `6-6-3`, which are patterns; see `Kind.tables`."""
    row, name = row_of(text) or (PATTERNS, text)
    return row.kind.tables(problem, name, compressed=compressed, most=most)


def _split(text: str) -> list[str]:
    """The parts between commas that are in no inner parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
