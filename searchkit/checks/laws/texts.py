"""States are written on one line, and read back where there is `parse`."""

from __future__ import annotations

from collections.abc import Iterator

from searchkit.authors.user_code import AuthorError, short
from searchkit.capabilities import HasParse
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.errors import UsageError

NONSENSE = ("", " ", "?", "-1", "no such state", "1 2 x", "\u2603")
FOREIGN = "~Xq9"
"""Signs that replace one of a state's text: what is read is as long as it should be."""


def check(ground: Ground) -> Findings:
    """Write and read each state; then read texts that are none. O(states)."""
    can_parse = isinstance(ground.problem, HasParse)
    last = ""
    for visit in ground.visits():
        text = ground.ask("format_state", visit.state)
        if not isinstance(text, str) or not text.isprintable():
            yield Breach("a text of one line", f"format_state gives {short(text)}", "format_state")
            continue
        last = text
        if can_parse:
            again = ground.ask("parse", text)
            if ground.key(again) != visit.key:
                expected = f"parse({text!r}) is this state, of which that is the text"
                yield Breach(expected, short(again), "parse format_state")
    if not can_parse:
        return f"{ground.scope()}; there is no method parse"
    for bad in (*NONSENSE, last[:-1], f"{last} x", last * 2, *_with_foreign_signs(last)):
        try:
            ground.ask("parse", bad)
        except AuthorError as error:
            if not isinstance(error.__cause__, (ValueError, UsageError)):
                expected = f"parse({bad!r}) gives a state, or raises ParseError or ValueError"
                yield Breach(expected, error.found, "parse", place=error.place)
    return ground.scope()


def _with_foreign_signs(text: str) -> Iterator[str]:
    for place in sorted({0, len(text) // 2, len(text) - 1} & set(range(len(text)))):
        for sign in FOREIGN:
            yield text[:place] + sign + text[place + 1 :]


LAW = Law(__name__, __doc__, check)
