"""Proofs that are checked by the slow rules of the puzzle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from searchkit.capabilities import own_heuristic
from searchkit.errors import UsageError, VerificationError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.names import OWN, ZERO, read_heuristic
from searchkit.packed import ZeroHeuristic
from searchkit.problem import Problem
from searchkit.proofs.beliefs import rests_on
from searchkit.proofs.checker import Entries, Refused, Unusable, Verdict, check, read
from searchkit.proofs.rules import ProofRules

MEMORY = 1 << 30
RECORD = 150
"""Bytes that a state in memory takes beside its text."""

Named = Callable[[str], Heuristic[Any, Any]]
"""Gives the heuristic that is registered by a name."""


@contextmanager
def as_errors() -> Iterator[None]:
    """What the checker refuses is a `VerificationError`, and what it cannot use a `UsageError`."""
    try:
        yield
    except Refused as refused:
        raise VerificationError(str(refused)) from refused
    except Unusable as unusable:
        raise UsageError(str(unusable)) from unusable


def header_of(path: str | Path) -> dict[str, Any]:
    """What a proof says of itself; `VerificationError` where it cannot be read."""
    with as_errors():
        return read(path)[0]


def verify_proof(
    path: str | Path,
    problem: Problem[Any, Any],
    *,
    named: Named | None = None,
    memory: int | None = None,
) -> Verdict:
    """Check a proof by the rules of `problem`, the slow ones where it has them.

    `named` gives a heuristic that is registered by a name. What is left to believe is in
    `rests_on` of the verdict, and in its `text` what is proved. Memory: `memory` or so, by default
    1 GiB, and for a problem without `parse` that of the states that its texts stand for.

    Raises `VerificationError` with the reason where the proof is refused.
    """
    memory = MEMORY if memory is None else memory
    with as_errors():
        header, entries, rules = asked(path, problem, named, memory)
        verdict = check(header, entries, rules, memory)
    return verdict._replace(rests_on=rests_on(rules.heuristic, merges=rules.merges))


def asked(
    path: str | Path, problem: Problem[Any, Any], named: Named | None, memory: int = MEMORY
) -> tuple[dict[str, Any], Iterable[tuple[str, Any]], ProofRules]:
    """The header and the list of a proof, and the rules that it is to be checked by.

    Raises `Refused` where it cannot be read, and `Unusable` where its states must be known and take
    more than `memory`.
    """
    header, entries = read(path)
    rules = ProofRules(problem, _heuristic(problem, header["heuristic"], named))
    if not rules.reads:
        rules.listed = {text for text, _ in bounded(entries, memory)}
        _, entries = read(path)
    return header, entries, rules


def bounded(entries: Entries, memory: float) -> Entries:
    """The list, as long as its states fit into `memory`: a line may repeat megabytes of another."""
    for text, g in entries:
        memory -= len(text) + RECORD
        if memory < 0:
            raise Unusable("the states of the list take more memory than is allowed (--max-memory)")
        yield text, g


def _heuristic(problem: Problem[Any, Any], name: str, named: Named | None) -> Heuristic[Any, Any]:
    """The heuristic of that name for the problem."""
    if name == ZERO:
        return ZeroHeuristic()
    own = own_heuristic(problem)
    if name in (OWN, own.name):
        return own

    def unknown(text: str) -> Heuristic[Any, Any]:
        raise UsageError(f"no heuristic {text!r} is known for this puzzle")

    return read_heuristic(problem, name, named or unknown)
