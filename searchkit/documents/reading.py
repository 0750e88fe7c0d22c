"""Reads the JSON document of a search: every field is checked, and that they agree."""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import attrs

from searchkit.documents.document import (
    FORMAT,
    OPTIONAL,
    SELDOM,
    CertificateTexts,
    Document,
    ImprovementTexts,
    SolutionTexts,
)
from searchkit.documents.rules import contradiction
from searchkit.errors import ParseError
from searchkit.limits import Iteration
from searchkit.result import Statistics
from searchkit.texts.amounts import MOST_SHOWN, cut, quoted
from searchkit.texts.harmless import to_json
from searchkit.texts.text_files import MOST_BYTES

MOST_DIGITS = 10_000
"""No number has more: neither a cost nor a number of solutions."""
MOST_WORK = 10**30
"""No search has expanded more states, taken more seconds or stored more bytes."""
INFINITE = {"bound", "lower_bound"}
"""Fields that are null where they are infinite."""


@attrs.frozen(kw_only=True)
class _Written(Document):
    """All that stands in a document."""

    format: str
    solutions: tuple[SolutionTexts, ...]


@attrs.frozen(kw_only=True)
class _OneOfMany(_Written):
    """The same with the fields of a document that is one of many."""

    line: int
    board: str


_FORMS: dict[Any, tuple[str, set[type]]] = {
    str: ("a text", {str}),
    int: ("a whole number", {int}),  # a bool is not an int here
    float: ("a number", {int, float}),
    bool: ("true or false", {bool}),
    dict: ("an object", {dict}),
    tuple: ("a list", {list}),
}
"""What stands in a document for values of a type: in words, and as what JSON is read as."""
_ONE: dict[Any, str] = {Statistics: "statistics", CertificateTexts: "the certificate"}
_ONE_OF_A_LIST: dict[Any, str] = {
    SolutionTexts: "solution", Iteration: "iteration", ImprovementTexts: "improvement",
}  # fmt: skip
"""What the records are called in messages; others by the name of the field."""


def read_document(text: str | bytes) -> tuple[Document, tuple[SolutionTexts, ...]]:
    """Read a document and its solutions.

    Raises `ParseError` with one line that says where the text is not such a document.
    """
    try:
        content = json.loads(
            text,
            parse_constant=_no_constant,
            parse_float=_finite_number,
            parse_int=_whole_number,
            object_pairs_hook=_without_twins,
        )
    except json.JSONDecodeError as error:
        raise ParseError(
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from error
    except UnicodeDecodeError as error:
        raise ParseError(f"not JSON: byte {error.start} is not UTF-8") from error
    except RecursionError as error:
        raise ParseError("not JSON that searchkit writes: nested too deeply") from error
    except ValueError as error:  # a number with thousands of digits
        raise ParseError(f"not JSON that searchkit writes: {error}") from error
    content = _value(content, dict, "the document")
    if content.get("format") != FORMAT:
        given = quoted(content.get("format"))
        raise ParseError(f"its format is {given}; only {FORMAT!r} can be read")
    is_one_of_many = any(name in content for name in OPTIONAL)
    written = _record(content, _OneOfMany if is_one_of_many else _Written, "the document")
    wrong = contradiction(written, written.solutions)
    if wrong is not None:
        raise ParseError(wrong)
    return written, written.solutions


def _no_constant(name: str) -> None:
    raise ParseError(f"not JSON: {name} is not a number")


def _finite_number(text: str) -> float:
    number = float(text) if len(text) <= MOST_DIGITS else math.inf
    if not math.isfinite(number):
        raise ParseError(f"not JSON that searchkit writes: {quoted(text)} is too large")
    return number


def _whole_number(text: str) -> int:
    if len(text) > MOST_DIGITS:  # reading it would take time that grows with its square
        raise ParseError(
            f"not JSON that searchkit writes: a number of {len(text):,} digits; "
            f"{MOST_DIGITS:,} is the most there may be"
        )
    return int(text)


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for name, value in pairs:
        if name in content:
            raise ParseError(f"field {quoted(name)} is there twice")
        content[name] = value
    return content


@cache
def _fields(cls: type) -> dict[str, Any]:
    types = get_type_hints(cls)
    names = [each.name for each in attrs.fields(cls)]
    if cls is _Written:
        names = [name for name in names if name not in OPTIONAL]
    return {name: types[name] | None if name in INFINITE else types[name] for name in names}


def _record(content: Mapping[str, Any], cls: type, where: str) -> Any:
    """The record that an object describes; `ParseError`, which calls it `where`, if it is none."""
    known = _fields(cls)
    for name in content:
        if name not in known:
            raise ParseError(
                f"{where} has a field {quoted(name)}; it must have {', '.join(known)}, and nothing "
                "else"
            )
    values: dict[str, Any] = {}
    for name, wanted in known.items():
        if name not in content:
            if name in SELDOM:
                continue
            raise ParseError(f"{where} has no field {name!r}")
        if content[name] is None and name in (*OPTIONAL, *SELDOM):
            raise ParseError(f"field {name!r} is null; leave it out")
        what = f"field {name!r}" + ("" if issubclass(cls, Document) else f" of {where}")
        value = _value(content[name], wanted, what)
        if cls is CertificateTexts and isinstance(value, str) and not value.strip():
            raise ParseError(f"{what} is empty")
        if (
            cls in (Statistics, Iteration, ImprovementTexts)
            and isinstance(value, (int, float))
            and value > MOST_WORK
        ):
            raise ParseError(f"{what} is more than {MOST_WORK:.0e}")
        values[name] = math.inf if value is None and name in INFINITE else value
    return cls(**values)


def _value(value: Any, wanted: Any, what: str) -> Any:
    """`value` as one of the type `wanted`; `ParseError`, which calls it `what`, if it is none."""
    if wanted is str is type(value) and len(value) <= MOST_BYTES:  # as nearly all of them are
        return value
    kind, *others = get_args(wanted) if isinstance(wanted, UnionType) else (wanted,)
    if value is None and others:  # of which null is the only one
        return None
    is_record, is_choice = attrs.has(kind), isinstance(kind, enum.EnumMeta)
    form = dict if is_record else str if is_choice else get_origin(kind) or kind
    noun, types = _FORMS[form]
    if type(value) not in types:
        more = " or null" if others else ""
        raise ParseError(f"{what} must be {noun}{more}, not {_shown(value)}")
    if form is str and len(value) > MOST_BYTES:
        raise ParseError(
            f"{what} is {len(value):,} characters long; {MOST_BYTES:,} is the most there may be"
        )
    if form in (int, float) and value < 0:
        raise ParseError(f"{what} is {value}; it must be 0 or more")
    if is_record:
        return _record(value, kind, _ONE.get(kind, what))
    if is_choice:
        members = {each.value: each for each in kind}
        if value not in members:
            raise ParseError(f"{what} is {quoted(value)}; it must be one of {', '.join(members)}")
        return members[value]
    if kind == dict[str, str]:
        for name, each in value.items():
            _value(each, str, f"item {quoted(name)} of {what}")
    if form is tuple:
        item = get_args(kind)[0]
        called = _ONE_OF_A_LIST.get(item)
        return tuple(
            _value(each, item, f"{called} {number}" if called else f"item {number} of {what}")
            for number, each in enumerate(value, start=1)
        )
    return value


def _shown(value: Any) -> str:
    """The beginning of `value` as JSON, or what it is where that may be long."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = to_json(value[:MOST_SHOWN] if isinstance(value, str) else value)
    return cut(text)
