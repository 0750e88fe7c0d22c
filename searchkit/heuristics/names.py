"""Heuristics as text: `manhattan`, `pdb:6-6-3`, `cosets:3`, `max(pdb:6-6-3,manhattan)`, `auto`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from searchkit.capabilities import HasBestHeuristics, HasDefaultHeuristic, own_heuristic
from searchkit.errors import SearchkitWarning, UnsuitableError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.maximum import maximum
from searchkit.packed import ZeroHeuristic
from searchkit.pattern_space import NoGoalError
from searchkit.problem import Problem

PATTERNS = "pdb:"
COSETS = "cosets"
AUTO, OWN, ZERO = "auto", "problem", "zero"
MOST_PARTS = 8
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
    if text == PATTERNS.removesuffix(":"):
        raise UsageError(f"heuristic {text!r} lacks its patterns; write one like pdb:6-6-3")
    if text.startswith(PATTERNS):
        from searchkit.heuristics.patterns.choose import (  # noqa: PLC0415  (slow to import)
            pattern_heuristic,
        )

        try:
            return pattern_heuristic(problem, text.removeprefix(PATTERNS))
        except NoGoalError as error:  # which a search is to prove
            warnings.warn(f"{text} is not used: {error}", SearchkitWarning, stacklevel=2)
            return ZeroHeuristic()
    if text.partition(":")[0] == COSETS:
        from searchkit.heuristics.cosets.choose import (  # noqa: PLC0415  (slow to import)
            coset_heuristic,
        )

        return coset_heuristic(problem, text.partition(":")[2])
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
    for text in problem.best_heuristics():
        if text == COSETS:
            ready = _has_table(problem)
        else:
            ready = not text.startswith(PATTERNS) or _is_ready(problem, text.removeprefix(PATTERNS))
        if ready:
            return text
    return None


def _has_table(problem: Any) -> bool:
    """Whether a table of cosets is built; if it cannot be used, a warning says why."""
    try:
        from searchkit.heuristics.cosets.choose import (  # noqa: PLC0415  (slow to import)
            best_built,
        )

        return best_built(problem) is not None
    except UnsuitableError:
        return False
    except UsageError as error:
        warnings.warn(f"{COSETS} is not used: {error}", SearchkitWarning, stacklevel=3)
        return False


def heuristic_to_build(
    problem: Any, *, carried: bool = False, most: int | None = None
) -> str | None:
    """What a problem without a heuristic of its own recommends: what is ready, or databases.

    A table of cosets comes before databases where estimates are `carried` along a path; it takes
    no more than `most` bytes.
    """
    if not isinstance(problem, HasBestHeuristics) or isinstance(problem, HasDefaultHeuristic):
        return None
    if getattr(type(problem), "heuristic", None) is not Problem.heuristic:
        return None
    databases = (text for text in problem.best_heuristics() if text.startswith(PATTERNS))
    ready = best_heuristic(problem)
    table = None
    if ready is None and carried and COSETS in problem.best_heuristics():
        table = _table_to_build(problem, most)
    return ready or table or next(databases, None)


def _table_to_build(problem: Any, most: int | None) -> str | None:
    """The table of cosets that would be built if it were asked for; None if none can be."""
    from searchkit.heuristics.cosets.build import check_room  # noqa: PLC0415  (slow to import)
    from searchkit.heuristics.cosets.choose import (  # noqa: PLC0415
        BUILT_AT_ONCE,
        cosets_for,
        flips_named,
    )
    from searchkit.heuristics.patterns.library import Library  # noqa: PLC0415

    try:
        cosets = cosets_for(problem)
        flips = flips_named(cosets, "", BUILT_AT_ONCE if most is None else min(most, BUILT_AT_ONCE))
        check_room(cosets, flips, Library())
    except (UnsuitableError, UsageError):
        return None
    return f"{COSETS}:{flips}"


def _is_ready(problem: Any, patterns: str) -> bool:
    """Whether databases are built; if they cannot be used, a warning says why."""
    try:
        from searchkit.heuristics.patterns.choose import (  # noqa: PLC0415  (slow to import)
            is_built,
        )

        return is_built(problem, patterns)
    except UsageError as error:
        warnings.warn(f"pdb:{patterns} is not used: {error}", SearchkitWarning, stacklevel=3)
        return False


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
