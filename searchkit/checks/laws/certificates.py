"""Certificates are given for unsolvable starts alone, and check."""

from __future__ import annotations

from searchkit.authors.user_code import call, short
from searchkit.capabilities import HasCertificate, HasStart
from searchkit.certificates import Certificate
from searchkit.checks.distances import distances
from searchkit.checks.ground import Breach, Ground, Visit, plural
from searchkit.checks.law import Findings, Law
from searchkit.errors import VerificationError
from searchkit.verify import verify_certificate

STATES = 1000
"""How many states are asked for certificates: making one may take long."""
RECHECKED = 20
MOST_EXPANSIONS = 10_000


def needs(ground: Ground) -> str | None:
    """A method `certificate`, or the promise that all certificates are known."""
    if isinstance(ground.problem, HasCertificate) or ground.problem.complete_certificates:
        return None
    return "no method certificate"


def check(ground: Ground) -> Findings:
    """Ask for certificates of states that can be solved, and of others. O(states)."""
    problem = ground.problem
    solved = distances(ground)
    rechecked = unsolvable = 0
    for visit in ground.watched(_chosen(ground)):
        found = None
        if isinstance(problem, HasCertificate):
            found = call("certificate", problem.certificate, visit.state)
        if found is None:
            if problem.complete_certificates and ground.is_whole and visit not in solved:
                yield Breach(
                    at=visit,
                    expected="a certificate, for no goal can be reached, and "
                    "complete_certificates = True promises one",
                    found="none",
                    blame=("certificate", "complete_certificates"),
                )
            continue
        unsolvable += 1
        if not isinstance(found, Certificate):
            yield Breach(
                at=visit,
                expected="a Certificate or None",
                found=f"certificate gives {short(found)}",
                blame=("certificate",),
            )
        elif visit in solved:
            yield Breach(
                at=visit,
                expected=f"no certificate: a goal can be reached at cost {solved[visit]}",
                found=f"{found.kind}: {found.text}",
                blame=("certificate",),
            )
        elif rechecked < RECHECKED and isinstance(problem, HasStart):
            rechecked += 1
            objection = call("check_certificate", _objection, problem, visit.state, found)
            if objection is not None:
                yield Breach(
                    at=visit,
                    expected=f"the certificate of kind {found.kind!r} is accepted",
                    found=objection,
                    blame=("check_certificate", "certificate"),
                )
    if not unsolvable:
        return f"{ground.scope()}, none of them certified unsolvable"
    return f"{ground.scope()}, {plural(unsolvable, 'certificate')}, {rechecked} checked"


def _chosen(ground: Ground) -> list[Visit]:
    visits = [visit for visit in ground.visited if visit.failure is None]
    return visits[:: max(1, -(-len(visits) // STATES))]


def _objection(problem: HasStart, state: object, certificate: Certificate) -> str | None:
    try:
        verify_certificate(problem.with_start(state), certificate, max_expansions=MOST_EXPANSIONS)
    except VerificationError as error:
        return str(error)
    return None


LAW = Law(
    "certificates", "only what cannot be solved has a certificate, and it checks", check, needs
)
