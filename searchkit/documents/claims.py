"""What a document claims, in words: what is checked without a search, and what cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from searchkit.certificates import CLOSED_SET
from searchkit.result import Status

if TYPE_CHECKING:
    from searchkit.documents.document import Document


def _names(fields: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(fields.split()) if isinstance(fields, str) else fields


@attrs.frozen
class Claim:
    """Something that fields of a document say together; names are like `certificate.text`."""

    fields: tuple[str, ...] = attrs.field(converter=_names)
    text: str


Checked = tuple[tuple[Claim, ...], tuple[Claim, ...]]
"""What is checked of a document, and what is not."""


def claims_of_solutions(document: Document) -> Checked:
    """What is checked, and what is not, of a document whose solutions were replayed."""
    bound, done = document.lower_bound, "start, goal, every step and state, the costs"
    counted = "complete count symmetry"
    if document.near is not None:
        counted += " near"
        done += ", which rise from the cheapest to what may be paid, that no state is met twice"
    checked = [
        Claim("puzzle start goal solutions cost", f"{done}, and that no two solutions are the same")
    ]
    if bound:
        done = "that no way between the states of the solutions costs less than the lower bound"
        checked.append(Claim("lower_bound", done))
    if document.complete:
        none = "none" if document.near is None else "no optimal one"
        done = f"that {none} is missing which the listed ones are made of"
        checked.append(Claim("complete", done))
    least = "that no solution costs less than the lower bound" if bound else "any lower bound"
    more = "that there are no other solutions" if document.complete else "how many there are"
    unchecked = (
        Claim("optimal lower_bound within", least),
        Claim(counted, more),
        *_of_the_search(document),
    )
    return tuple(checked), unchecked


def claims_of_certificate(document: Document, *, finished: bool, told: bool) -> Checked:
    """What is checked, and what is not, of a document that says that there is no solution.

    `told` says that the text of its certificate is what the problem says of the same data.
    """
    assert document.certificate is not None
    names = "puzzle start goal certificate.kind certificate.data"
    proof = Claim(names, "that no goal can be reached from the start")
    text = Claim("certificate.text", "the text of the certificate")
    rest = [] if told else [text]
    if document.certificate.kind == CLOSED_SET:
        how_many = "how many states a search had to expand for it"
        rest.append(Claim("certificate.data symmetry", how_many))
    else:
        rest.append(Claim("symmetry", "whether symmetry was used"))
    rest += _of_the_search(document)
    done = (proof, text) if told else (proof,)
    return (done, tuple(rest)) if finished else ((), (proof, *rest))


def _of_the_search(document: Document) -> list[Claim]:
    ended = "" if document.status is Status.SOLVED else ", and how the search ended"
    names = "algorithm heuristic overestimate engine engine_reason status limit"
    claims = [
        Claim(names, f"which algorithm, heuristic and engine ran{ended}"),
        Claim("statistics", "how much work that was"),
    ]
    if document.improvements:
        claims.append(Claim("improvements", "which solutions were found before, and when"))
    if document.line is not None:
        claims.append(Claim("line", "from which line the board was read"))
    return claims
