"""Proofs by parity that no sum of toggles leads from a start to a goal (see `HasToggles`).

For each goal there is a set of bits, its mask. Every toggle flips an even number of them, and
starts and goal differ in an odd number of them. By linear algebra over two elements there is one
wherever the difference is not a sum of toggles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from searchkit.capabilities import HasToggles
from searchkit.certificates import Certificate, entries

TOGGLES = "toggles"
"""The kind of these certificates; their data are the masks, one for each listed goal."""


def toggle_certificate(
    starts: Sequence[int], goals: Iterable[int], toggles: Sequence[int]
) -> Certificate:
    """The certificate that none of `goals` differs from a start by a sum of toggles.

    O(toggles x bits) operations on words for the basis, and O(bits) for each goal.

    >>> toggle_certificate([0b000], [0b001], [0b011, 0b110]).data
    {'masks': [7]}
    """
    from searchkit.linear_index import reduced_basis  # noqa: PLC0415  (for few)

    basis = reduced_basis([*toggles, *(start ^ starts[0] for start in starts)])
    masks = []
    for goal in goals:
        rest = goal ^ starts[0]
        for pivot, vector in basis.items():
            if rest >> pivot & 1:
                rest ^= vector
        if not rest:
            raise ValueError(f"a sum of toggles leads to {goal}")
        bit = rest.bit_length() - 1
        masks.append(1 << bit | sum(1 << pivot for pivot in basis if basis[pivot] >> bit & 1))
    text = "no sum of the bits that operators flip leads from a start to a goal"
    return Certificate(TOGGLES, text, {"masks": masks})


def objection(problem: Any, certificate: Certificate) -> str | None:
    """Why the certificate proves nothing for `problem`, None if it is a proof.

    Raises `VerificationError` if it has other data.
    """
    (masks,) = entries(certificate.data, {"masks": list[int]})
    base = getattr(problem, "base", problem)  # chains of steps are sums of toggles as well
    goals = getattr(problem, "goal_states", None)
    if not isinstance(base, HasToggles) or goals is None:
        return f"{type(base).__name__} has no toggles, or lists no goals"
    listed, starts = list(dict.fromkeys(goals())), list(problem.initial_states())
    if len(masks) != len(listed):
        return f"it has {len(masks)} masks, but {len(listed)} goals are listed"
    for mask, goal in zip(masks, listed, strict=True):
        if any((mask & toggle).bit_count() & 1 for toggle in base.toggles()):
            return f"mask {mask} has an odd number of bits in common with a toggle"
        if not all((mask & (start ^ goal)).bit_count() & 1 for start in starts):
            return f"mask {mask} does not tell a start from goal {problem.format_state(goal)}"
    return None
