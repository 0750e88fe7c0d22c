"""Parameters of puzzles: what they are called, and what type their values have."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from searchkit.errors import UsageError

Value = str | int | float | bool
WHOLE = r"-?[0-9]{1,30}"
NUMBER = r"-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,3})?"
TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


@attrs.frozen
class Parameter:
    """A parameter of a puzzle: `searchkit run PUZZLE --param name=value`.

    The factory is handed values of the type of `default`: text, int, float or bool. With `text`,
    a default that reads as a number is text all the same. With `path`, a value may name a file:
    the factory is given the text of it, never the name; it may have `most_bytes`. One that is
    `required` has to be given: its default only says what type it has.

    >>> Parameter("size", 8).value("12")
    12
    """

    name: str
    default: Value
    help: str = ""
    path: bool = attrs.field(default=False, kw_only=True)
    text: bool = attrs.field(default=False, kw_only=True)
    most_bytes: int = attrs.field(default=64 * 1024, kw_only=True)
    required: bool = attrs.field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.isidentifier():
            raise UsageError(
                f"parameter {self.name!r} cannot be the name of an argument; use letters, digits "
                "and '_', like 'size'"
            )
        if type(self.default) not in KINDS:
            raise UsageError(
                f"the default of parameter {self.name} is {self.default!r}; give a text, an int, "
                "a float or a bool"
            )
        if not isinstance(self.default, str):
            if self.text or self.path:
                raise UsageError(
                    f"parameter {self.name} is a text, but its default {self.default!r} is not"
                )
        elif re.fullmatch(NUMBER, self.default) and not self.text and not self.path:
            raise UsageError(
                f"the default {self.default!r} of parameter {self.name} is a text that reads as a "
                f"number; write {self.default} if the puzzle counts with it, or "
                f"Parameter({self.name!r}, {self.default!r}, text=True) if it is a text"
            )

    @property
    def default_text(self) -> str:
        """The default as a user would write it; nothing where a value has to be given."""
        return "" if self.required else _text(self.default)

    def value(self, given: Value) -> Value:
        """What the factory is handed for `given`; `UsageError` if that is of another kind."""
        kind = type(self.default)
        if type(given) is kind:
            return given
        text = _text(given).strip()
        if kind is str:
            return text
        if kind is int and re.fullmatch(WHOLE, text):
            return int(text)
        if kind is float and re.fullmatch(NUMBER, text) and math.isfinite(float(text)):
            return float(text)
        if kind is bool and text.lower() in TRUTH:
            return TRUTH[text.lower()]
        shown = text if len(text) <= 40 else f"{text[:40]}..."
        raise UsageError(
            f"parameter {self.name}={shown} must be {KINDS[kind]}, like {_text(self.default)}"
        )


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def check_parameters(puzzle: str, parameters: Sequence[Parameter]) -> None:
    """Raise `UsageError` unless all are parameters, each with a name of its own."""
    if not isinstance(parameters, (list, tuple)):
        raise UsageError(f"the parameters of puzzle {puzzle} are not a list; put them into one")
    for each in parameters:
        if not isinstance(each, Parameter):
            raise UsageError(
                f"the parameters of puzzle {puzzle} hold {each!r}; each must be a Parameter"
            )
    names = [each.name for each in parameters]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"puzzle {puzzle} has two parameters named {twice}")


def values_of(
    puzzle: str, parameters: Iterable[Parameter], given: Mapping[str, Value]
) -> dict[str, Any]:
    """What a factory is handed: the `given` values in the types of the defaults, and those.

    `UsageError` if one is not known, of another kind, or required and not given.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            choice = ", ".join(known) or "it has none"
            raise UsageError(f"puzzle {puzzle} has no parameter {name!r}; known: {choice}")
    values: dict[str, Any] = {}
    for name, parameter in known.items():
        if parameter.required and name not in given:
            kind = KINDS[type(parameter.default)]
            raise UsageError(f"puzzle {puzzle} needs {name}, {kind}; give -p {name}=...")
        try:
            values[name] = parameter.value(given.get(name, parameter.default))
        except UsageError as error:
            raise UsageError(f"puzzle {puzzle}: {error}") from None
    return values
