"""Why a search that was worth machine code was made without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from searchkit.cli.support.errors import say
from searchkit.result import SearchResult
from searchkit.solving.plan import IN_TRIAL, TRIAL_NODES

if TYPE_CHECKING:
    from searchkit.explore import Exploration


def missing_code(found: SearchResult[Any, Any] | Exploration[Any]) -> str | None:
    """Why the reference engine did more than a trial, where nobody asked for it; else None."""
    reason = found.engine_reason
    if found.engine != "reference" or reason == IN_TRIAL:
        return None
    return reason if found.statistics.expanded > TRIAL_NODES else None


def note_engine(found: SearchResult[Any, Any] | Exploration[Any]) -> None:
    """Say why the reference engine did more than a trial, where nobody asked for it."""
    reason = missing_code(found)
    if reason is not None:
        say("note", f"the reference engine ran, for there is no machine code: {reason}")
