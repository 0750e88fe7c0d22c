"""Reads the JSON document of a search: every field is checked, and that they agree."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any

import attrs

from searchkit.documents.document import (
    FORMAT,
    MOST_DIGITS,
    MOST_WORK,
    OPTIONAL,
    Document,
    SolutionTexts,
)
from searchkit.documents.rules import contradiction
from searchkit.errors import ParseError
from searchkit.limits import Iteration
from searchkit.result import Statistics, Status
from searchkit.texts.harmless import to_json
from searchkit.texts.text_files import MOST_BYTES, MOST_SHOWN, short


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
    content = _object("the document", content)
    if content.get("format") != FORMAT:
        given = short(content.get("format"))
        raise ParseError(f"its format is {given}; only {FORMAT!r} can be read")
    _no_others(content, {"format", "solutions", *_DOCUMENT}, "the document", OPTIONAL)
    values = {name: _field(content, name, check) for name, check in _DOCUMENT.items()}
    if any(name in content for name in OPTIONAL):
        values |= {
            "line": _field(content, "line", _whole),
            "board": _field(content, "board", _text),
        }
        if values["line"] < 1:
            raise ParseError(f"field 'line' is {values['line']}; it must be 1 or more")
    for name, value in values["parameters"].items():
        _text(f"parameter {short(name)}", value)
    if values["status"] not in {status.value for status in Status}:
        raise ParseError(f"field 'status' is {short(values['status'])}, which is none")
    solutions = []
    for number, entry in enumerate(_field(content, "solutions", _list), start=1):
        where = f"solution {number}"
        fields = _object(where, entry)
        _no_others(fields, _SOLUTION.keys(), where)
        texts = {name: _field(fields, name, check, where) for name, check in _SOLUTION.items()}
        solutions.append(SolutionTexts(**texts))
    _statistics(values["statistics"])
    if values["certificate"] is not None:
        for name, check in _CERTIFICATE.items():
            _field(values["certificate"], name, check, "the certificate")
    document = Document(**values)
    wrong = contradiction(document, solutions)
    if wrong is not None:
        raise ParseError(wrong)
    return document, tuple(solutions)


Check = Callable[[str, Any], Any]


def _no_constant(name: str) -> None:
    raise ParseError(f"not JSON: {name} is not a number")


def _finite_number(text: str) -> float:
    number = float(text) if len(text) <= MOST_DIGITS else math.inf
    if not math.isfinite(number):
        raise ParseError(f"not JSON that searchkit writes: {short(text)} is too large")
    return number


def _whole_number(text: str) -> int:
    if len(text) > MOST_DIGITS:  # reading it would take time that grows with its square
        raise ParseError(
            f"not JSON that searchkit writes: a number of {len(text):,} digits; "
            f"{MOST_DIGITS:,} is the most there may be"
        )
    return int(text)


def _no_others(
    content: Mapping[str, Any], known: Collection[str], where: str, optional: Collection[str] = ()
) -> None:
    for name in content:
        if name not in known and name not in optional:
            raise ParseError(f"{where} has a field {short(name)}, which is none of this format")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for name, value in pairs:
        if name in content:
            raise ParseError(f"field {short(name)} is there twice")
        content[name] = value
    return content


def _statistics(content: dict[str, Any]) -> None:
    """Check the types and signs of all statistics."""
    _numbers(content, Statistics, "statistics")
    _no_others(content, {field.name for field in attrs.fields(Statistics)}, "statistics")
    rows = _field(content, "iterations", _list, "statistics")
    for number, row in enumerate(rows, start=1):
        where = f"iteration {number}"
        _numbers(_object(where, row), Iteration, where)
        _no_others(row, {field.name for field in attrs.fields(Iteration)}, where)


def _numbers(content: dict[str, Any], cls: type, where: str) -> None:
    for field in attrs.fields(cls):
        if field.name == "iterations":
            continue
        check = _bound if field.name == "bound" else _whole if field.type == "int" else _number
        value = _field(content, field.name, check, where)
        if value is not None and value < 0:
            raise ParseError(f"field {field.name!r} of {where} is {value}; it must be 0 or more")
        if value is not None and value > MOST_WORK:
            raise ParseError(f"field {field.name!r} of {where} is more than {MOST_WORK:.0e}")


def _field(content: Mapping[str, Any], name: str, check: Check, where: str = "") -> Any:
    if name not in content:
        raise ParseError(f"{where or 'the document'} has no field {name!r}")
    return check(f"field {name!r}" + (f" of {where}" if where else ""), content[name])


def _of(kind: str, *types: type) -> Check:
    def check(what: str, value: Any) -> Any:
        if type(value) not in types:  # a bool is not an int here
            raise ParseError(f"{what} must be {kind}, not {_shown(value)}")
        if type(value) is str and len(value) > MOST_BYTES:
            raise ParseError(
                f"{what} is {len(value):,} characters long; {MOST_BYTES:,} is the most there may be"
            )
        return value

    return check


def _shown(value: Any) -> str:
    """The beginning of `value` as JSON, or what it is where that may be long."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = to_json(value[:MOST_SHOWN] if isinstance(value, str) else value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


_NONE = type(None)
_text = _of("a text", str)
_text_or_null = _of("a text or null", str, _NONE)
_whole = _of("a whole number", int)
_whole_or_null = _of("a whole number or null", int, _NONE)
_number = _of("a number", int, float)
_number_or_null = _bound = _of("a number or null", int, float, _NONE)
_truth = _of("true or false", bool)
_object = _of("an object", dict)
_object_or_null = _of("an object or null", dict, _NONE)
_list = _of("a list", list)


def _texts(what: str, value: Any) -> tuple[str, ...]:
    items = enumerate(_list(what, value), start=1)
    return tuple(_text(f"item {number} of {what}", item) for number, item in items)


def _name(what: str, value: Any) -> str:
    if not _text(what, value).strip():
        raise ParseError(f"{what} is empty")
    return str(value)


_DOCUMENT: dict[str, Check] = {
    "puzzle": _text,
    "parameters": _object,
    "start": _text_or_null,
    "goal": _text_or_null,
    "symmetry": _object_or_null,
    "algorithm": _text,
    "heuristic": _text_or_null,
    "engine": _text,
    "status": _text,
    "cost": _whole_or_null,
    "optimal": _truth,
    "lower_bound": _number_or_null,
    "within": _number_or_null,
    "count": _whole_or_null,
    "complete": _truth,
    "overestimate": _text_or_null,
    "certificate": _object_or_null,
    "limit": _text_or_null,
    "statistics": _object,
}
_CERTIFICATE: dict[str, Check] = {
    "kind": _name,
    "text": _name,
    "data": _object,
}
_SOLUTION: dict[str, Check] = {
    "start": _text,
    "actions": _texts,
    "states": _texts,
    "cost": _whole,
}
