"""Is a start that is searched for long unsolvable? Looked at once a search lasts.

What is proved then ends the search: by a certificate that takes a while to find, or by toggles.
What was only seen is said in a warning, and where the search gives up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import attrs

from searchkit.authors.blame import warn
from searchkit.capabilities import HasCertificate, HasGoalStates, HasLateCertificate, HasToggles
from searchkit.certificates import Certificate, start_by_start
from searchkit.errors import ProblemError, SearchkitError
from searchkit.limits import Limits, Progress, ProgressListener
from searchkit.problem import Problem
from searchkit.result import SearchResult
from searchkit.running.overdue import in_passing

LASTING, LONG = 1.0, 3.0
"""After so many seconds of search a proof is looked for, and what is only seen."""
PATIENCE, SHARE = 0.2, 10
"""How many seconds go into looking at steps, where there is ten times as much time."""
MOST_GOALS = 1_000


class CertifiedError(SearchkitError):
    """Ends a search of what is proved unsolvable."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__(certificate.text)
        self.certificate = certificate


@attrs.define(eq=False)
class Doubts:
    """Listens to a search, as `progress` does, and looks once for each kind of reason."""

    problem: Problem[Any, Any]
    starts: Sequence[Any]
    limits: Limits
    progress: ProgressListener | None = None
    lasting: float = attrs.field(factory=lambda: LASTING, init=False)
    """After so many seconds of search a proof is looked for."""
    hint: str | None = attrs.field(default=None, init=False)
    _are_certified: bool = attrs.field(default=False, init=False)
    _are_seen: bool = attrs.field(default=False, init=False)

    def __call__(self, progress: Progress) -> None:
        """Look, if the search lasts, and has found nothing; and tell how far it is."""
        if progress.cost is None and progress.seconds >= self.lasting:
            self.certify()
            is_long, most = progress.seconds >= LONG, self.limits.time
            left = math.inf if most is None else most - progress.seconds
            if is_long and left > SHARE * PATIENCE and self.look() is not None:
                warn(str(self.hint))
        if self.progress is not None:
            self.progress(progress)

    def certify(self) -> None:
        """Raise `CertifiedError` if it can be proved that there is no solution."""
        if self._are_certified:
            return
        self._are_certified = True
        found = None
        with suppress(Exception):  # what is wrong with the rules the search will find
            found = _proof(self.problem, self.starts)
        if found is not None:
            self._are_seen = True
            raise CertifiedError(found)

    def look(self) -> str | None:
        """Why there is probably no solution, where that is found now."""
        if self._are_seen:
            return None
        self._are_seen = True
        from searchkit.invariants.seen import hint  # noqa: PLC0415  (for few)

        with suppress(Exception), in_passing(self.problem):
            self.hint = hint(self.problem, self.starts, seconds=PATIENCE)
        return self.hint

    def of(self, found: SearchResult[Any, Any]) -> SearchResult[Any, Any]:
        """The result, with what was seen if it knows no better; that is looked for if it lasted."""
        if found.solution is not None or found.certificate is not None:
            return found
        most = math.inf if self.limits.time is None else self.limits.time
        lasted = found.statistics.seconds >= LASTING and most > SHARE * PATIENCE
        if found.limit is not None and lasted:
            self.look()
        return found if self.hint is None else attrs.evolve(found, hint=self.hint)


def certificate_of(
    problem: Problem[Any, Any], starts: Sequence[Any], *, is_late: bool = False
) -> Certificate | None:
    """Why each of `starts` is unsolvable, or why by what takes longer; None unless all are."""
    if not isinstance(problem, HasLateCertificate if is_late else HasCertificate):
        return None
    method, found = "late_certificate" if is_late else "certificate", dict[str, Certificate]()
    for start in starts:
        certificate = getattr(problem, method)(start)
        if certificate is None:
            return None
        if not isinstance(certificate, Certificate):
            raise ProblemError(
                f"{type(problem).__name__}: {method} returned {certificate!r}; it must be a "
                "Certificate or None"
            )
        found[problem.format_state(start)] = certificate
    return start_by_start(found) if found else None


def _proof(problem: Problem[Any, Any], starts: Sequence[Any]) -> Certificate | None:
    """A certificate for all of the starts."""
    found = certificate_of(problem, starts, is_late=True)
    if found is not None:
        return found
    if isinstance(problem, HasToggles) and isinstance(problem, HasGoalStates):
        from searchkit.premises.toggle_proofs import toggle_certificate  # noqa: PLC0415  (for few)

        goals, toggles = list(islice(problem.goal_states(), MOST_GOALS + 1)), problem.toggles()
        if toggles and 0 < len(goals) <= MOST_GOALS:
            return toggle_certificate(starts, goals, toggles)  # raises where there is a sum
    return None
