"""Certificates: why there is no solution, in a form that other code can check.

A certificate has a `kind`, one line of text for people, and data for a checker. A problem gives
one without search (`HasCertificate`) and says how it is checked (`HasCertificateChecks`); a search
that tried everything gives a closed set, which is checked by exploring again. The checks are made
by `searchkit.verify`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args, get_origin

import attrs

from searchkit.errors import ProblemError, VerificationError

CLOSED_SET = "closed set"
"""Every state that can be reached was met, and no goal is among them; see `closed_set`."""

START_BY_START = "start by start"
"""Each of several starts has a certificate of its own; see `start_by_start`."""


def _one_line(text: object) -> str:
    return " ".join(str(text).split())


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data as JSON gives it back: lists for tuples, and a copy of its own."""
    import json  # noqa: PLC0415  (few searches need it)

    try:
        plain: dict[str, Any] = json.loads(json.dumps(dict(data), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ProblemError(f"a certificate has data that JSON cannot hold: {error}") from error
    return plain


def _not_empty(certificate: Certificate, attribute: attrs.Attribute[str], text: str) -> None:
    if not text:
        raise ProblemError(f"a certificate has no {attribute.name}; give it one line")


@attrs.frozen
class Certificate:
    """Why no goal can be reached: of what kind, in one line, and all that a checker needs.

    `data` is made of what JSON can hold. The text is for people and proves nothing.

    >>> from searchkit.certificates import Certificate
    >>> certificate = Certificate("common divisor", "only multiples of 2", {"amounts": (4, 6)})
    >>> certificate.data
    {'amounts': [4, 6]}
    """

    kind: str = attrs.field(converter=_one_line, validator=_not_empty)
    text: str = attrs.field(converter=_one_line, validator=_not_empty)
    data: Mapping[str, Any] = attrs.field(factory=dict, converter=_plain, hash=False)


def read_certificate(fields: Mapping[str, Any]) -> Certificate:
    """The certificate whose kind, text and data someone has written; believe nothing of it.

    Raises `VerificationError` if it is none.
    """
    kind, text, data = entries(fields, {"kind": str, "text": str, "data": dict}, "it")
    try:
        certificate = Certificate(kind, text, data)
    except ProblemError as error:
        raise VerificationError(str(error)) from error
    if certificate.kind != kind:
        raise VerificationError(f"its kind is {kind!r}; did you mean {certificate.kind!r}?")
    return certificate


def closed_set(
    text: str, *, expanded: int, algorithm: str, origin: str = "start", symmetry: str = "none"
) -> Certificate:
    """The certificate of a search that tried everything.

    `origin` is where it began: at the "start" and met no goal, or, where every step can be taken
    back, at the "goal" and did not meet the start. `symmetry` is "none" unless the algorithm
    expanded but one of the states that symmetries make equal.
    """
    data = {"from": origin, "expanded": expanded, "algorithm": algorithm, "symmetry": symmetry}
    return Certificate(CLOSED_SET, text, data)


def start_by_start(certificates: Mapping[str, Certificate]) -> Certificate:
    """One certificate of several, that of each start by its text; of a single one, that itself."""
    first = next(iter(certificates.values()))
    if len(certificates) == 1:
        return first
    parts = [{"start": start, **attrs.asdict(each)} for start, each in certificates.items()]
    return Certificate(START_BY_START, first.text, {"parts": parts})


def entries(data: Any, types: Mapping[str, Any], what: str = "its data") -> list[Any]:
    """The entries of `data` that `types` names, in that order, for a checker to rely on.

    `what` is what the message calls `data`. A type is `int`, `str`, `dict`, or a `list[...]` of
    one. Raises `VerificationError` if an entry is missing or of another type, or if there is one
    more.

    >>> from searchkit.certificates import entries
    >>> entries({"weights": [1, 0, 1], "start": 2}, {"start": int, "weights": list[int]})
    [2, [1, 0, 1]]
    >>> entries({"start": "2"}, {"start": int})
    Traceback (most recent call last):
        ...
    searchkit.errors.VerificationError: entry 'start' of its data must be a whole number
    """
    if type(data) is not dict or data.keys() != types.keys():
        raise VerificationError(
            f"{what} must have the entries {', '.join(map(repr, types))}, and no other"
        )
    for name, wanted in types.items():
        if not _is(data[name], wanted):
            raise VerificationError(f"entry {name!r} of {what} must be {_name(wanted)}")
    return [data[name] for name in types]


def _is(value: Any, wanted: Any) -> bool:
    if get_origin(wanted) is list:
        return type(value) is list and all(_is(each, get_args(wanted)[0]) for each in value)
    return type(value) is (get_origin(wanted) or wanted)  # a bool is not an int here


_NAMES = {
    int: ("a whole number", "whole numbers"),
    str: ("a text", "texts"),
    dict: ("an object", "objects"),
}


def _name(wanted: Any, *, several: bool = False) -> str:
    if get_origin(wanted) is list:
        return f"{'lists' if several else 'a list'} of {_name(get_args(wanted)[0], several=True)}"
    return _NAMES[get_origin(wanted) or wanted][several]
