"""States as texts: `offset=0,3,1 full={2,5}`."""

from __future__ import annotations

import re
from typing import Any

from searchkit.errors import ParseError, UsageError
from searchkit.fields.declared import Array, Set
from searchkit.fields.layout import Layout

_NUMBERS = re.compile(r"-?[0-9]{1,20}(?:,-?[0-9]{1,20})*")


def format_fields(layout: Layout, state: Any) -> str:
    """The fields of a state, on one line."""
    fields = layout.unpack(state)
    return " ".join(f"{name}={_text(getattr(fields, name))}" for name in layout.slots)


def _text(value: Any) -> str:
    if isinstance(value, int):
        return str(value)
    items = ",".join(map(str, value))
    return f"{{{items}}}" if isinstance(value, set) else items


def parse_fields(layout: Layout, text: str) -> Any:
    """The state that a text gives the fields of; `ParseError` if there is none."""
    found: dict[str, Any] = {}
    for part in text.split():
        name, sign, value = part.partition("=")
        slot = layout.slots.get(name)
        if not sign or slot is None:
            example = " ".join(f"{name}=..." for name in layout.slots)
            raise ParseError(f"{part!r:.40} gives no field; write {example}, without other spaces")
        if name in found:
            raise ParseError(f"{name} is given twice")
        if isinstance(slot.field, Set):
            if value[:1] + value[-1:] != "{}":
                raise ParseError(f"{part!r:.40} is not a set; write its members as {name}={{1,2}}")
            value = value[1:-1]
        if value and not _NUMBERS.fullmatch(value):
            raise ParseError(f"{part!r:.40} has no numbers, separated by commas")
        numbers = [int(each) for each in value.split(",") if each]
        if not isinstance(slot.field, (Array, Set)):
            if len(numbers) != 1:
                raise ParseError(f"{part!r:.40} must be one number")
            found[name] = numbers[0]
        else:
            found[name] = numbers
    try:
        return layout.pack(found)
    except UsageError as error:
        raise ParseError(str(error)) from None
