"""Why a search that was worth machine code was made without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from searchkit.cli.support.errors import say
from searchkit.result import SearchResult
from searchkit.solving.plan import IN_TRIAL, TRIAL_NODES

if TYPE_CHECKING:
    from searchkit.explore import Exploration


def note_engine(found: SearchResult[Any, Any] | Exploration) -> None:
    """Say it, where the reference engine did more than a trial, and nobody asked for it."""
    reason = found.engine_reason
    if found.engine != "reference" or reason in (None, IN_TRIAL):
        return
    if found.statistics.expanded > TRIAL_NODES:
        say("note", f"the reference engine ran, for there is no machine code: {reason}")
