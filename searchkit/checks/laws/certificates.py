"""Only what cannot be solved has a certificate, and it checks."""

from __future__ import annotations

from typing import Any

from searchkit.authors.user_code import call, short
from searchkit.capabilities import HasCertificate, HasStart
from searchkit.certificates import Certificate
from searchkit.checks.distances import distances
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.errors import VerificationError
from searchkit.texts.amounts import plural
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
    for visit in ground.watched(ground.sound(STATES)):
        given = None
        if isinstance(problem, HasCertificate):
            given = ground.ask("certificate", visit.state)
        if given is None:
            if problem.complete_certificates and ground.is_whole and visit not in solved:
                yield Breach(
                    "a certificate, for no goal can be reached, and complete_certificates = True "
                    "promises one",
                    "none",
                    "certificate complete_certificates",
                )
            continue
        unsolvable += 1
        if not isinstance(given, Certificate):
            found = f"certificate gives {short(given)}"
            yield Breach("a Certificate or None", found, "certificate")
        elif visit in solved:
            expected = f"no certificate: a goal can be reached at cost {solved[visit]}"
            yield Breach(expected, f"{given.kind}: {given.text}", "certificate")
        elif rechecked < RECHECKED and isinstance(problem, HasStart):
            rechecked += 1
            objection = call("check_certificate", _objection, problem, visit.state, given)
            if objection is not None:
                expected = f"the certificate of kind {given.kind!r} is accepted"
                yield Breach(expected, objection, "check_certificate certificate")
    if not unsolvable:
        return f"{ground.scope()}, none of them certified unsolvable"
    return f"{ground.scope()}, {plural(unsolvable, 'certificate')}, {rechecked} checked"


def _objection(problem: HasStart, state: Any, certificate: Certificate) -> str | None:
    try:
        verify_certificate(problem.with_start(state), certificate, max_expansions=MOST_EXPANSIONS)
    except VerificationError as error:
        return str(error)
    return None


LAW = Law(__name__, __doc__, check, (needs,))
