"""JSON whose parts are asked for by their path, so that errors name file, line and part."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from json.decoder import JSONDecoder
from typing import Any, NoReturn, TypeVar

import attrs

from searchkit.errors import ParseError, UsageError
from searchkit.texts.amounts import plural, quoted

T = TypeVar("T")
Path = tuple[str | int, ...]
_BLANKS = " \t\r\n"


class _TwiceError(ValueError):
    """A key stands twice in an object."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _TwiceError(next(key for key in keys if keys.count(key) > 1))
    return found


@attrs.frozen
class Document:
    """A JSON document whose parts are asked for by their path; errors name it, and its line."""

    text: str
    name: str
    root: Any

    @classmethod
    def read(cls, text: str, name: str) -> Document:
        """The document; `ParseError` if `text` is not JSON."""
        try:
            return cls(text, name, json.loads(text, object_pairs_hook=_unique))
        except json.JSONDecodeError as error:
            raise ParseError(
                f"{name}, line {error.lineno}: this is not JSON: {error.msg}"
            ) from error
        except _TwiceError as error:
            raise ParseError(
                f"{name}: {quoted(error)} stands twice in one object; keep one"
            ) from error
        except (RecursionError, ValueError) as error:
            raise ParseError(f"{name} is not JSON that can be read: {error}") from error

    def refuse(self, path: Path, message: object) -> NoReturn:
        """Raise `ParseError` for the part at `path`."""
        line = self.text.count("\n", 0, _position(self.text, path)) + 1
        shown = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path)
        raise ParseError(f"{self.name}, line {line}, {shown.removeprefix('.') or 'all'}: {message}")

    def part(self, path: Path, kind: type[T], example: str, default: T | None = None) -> T:
        """The part at `path`, which must be of a kind; `default` where it is not there."""
        value = self.root
        for depth, key in enumerate(path):
            if isinstance(value, dict) and key not in value:
                if default is not None and depth == len(path) - 1:
                    return default
                self.refuse(path[:depth], f"{quoted(key)} is missing; write {example}")
            value = value[key]
        if type(value) is not kind:
            self.refuse(path, f"this must be {_KINDS[kind]}, like {example}")
        return value

    def numbers(
        self, path: Path, count: int, first: int | None = None, least: int = 0
    ) -> list[int] | None:
        """The list of `count` whole numbers from `least` at `path`; None if it is not there.

        With `first`, it must be there.
        """
        example = f"[{', '.join(map(str, range(min(count, 3))))}{', ...' if count > 3 else ''}]"
        values = self.part(path, list, example, None if first is not None else [])
        if not values and first is None:
            return None
        if len(values) != count:
            self.refuse(path, f"{plural(len(values), 'number')} for {plural(count, 'place')}")
        for place, value in enumerate(values):
            if type(value) is not int or not least <= value < 1 << 30:
                self.refuse((*path, place), f"{quoted(value)} must be a whole number from {least}")
        return values

    def trying(self, path: Path, make: Callable[[], T]) -> T:
        """What `make` returns; what it refuses is an error at `path`."""
        try:
            return make()
        except ParseError as error:
            if str(error).startswith(self.name):
                raise
            self.refuse(path, error)
        except UsageError as error:
            self.refuse(path, error)


_KINDS: Mapping[Any, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
}


def _position(text: str, path: Path) -> int:
    """Where the part at `path` begins, or what is there of it. O(length * depth)."""
    decode = JSONDecoder().raw_decode
    here = _skip(text, 0)
    for key in path:
        opened = text[here]
        inside = _skip(text, here + 1)
        number = 0
        while text[inside] not in "]}":
            name: str | int = number
            begin = inside
            if opened == "{":
                name, inside = decode(text, inside)
                inside = _skip(text, _skip(text, inside) + 1)
                begin = inside
            if name == key:
                here = begin
                break
            inside = _skip(text, decode(text, inside)[1])
            if text[inside] == ",":
                inside = _skip(text, inside + 1)
            number += 1
        else:
            return here
    return here


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in _BLANKS:
        position += 1
    return position
