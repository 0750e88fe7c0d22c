"""The text of a state is read back as that state, and other texts are refused."""

from __future__ import annotations

from searchkit.authors.user_code import AuthorError, call, short
from searchkit.capabilities import HasParse
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.errors import UsageError

NONSENSE = ("", " ", "?", "-1", "no such state", "1 2 x", "\u2603")


def check(ground: Ground) -> Findings:
    """Write and read each state; then read texts that are none. O(states)."""
    problem = ground.problem
    last = ""
    for visit in ground.visits():
        text = call("format_state", problem.format_state, visit.state)
        if not isinstance(text, str) or not text.isprintable():
            yield Breach(
                at=visit,
                expected="a text of one line",
                found=f"format_state gives {short(text)}",
                blame=("format_state",),
            )
            continue
        last = text
        if not isinstance(problem, HasParse):
            continue
        again = call("parse", problem.parse, text)
        if ground.key(again) != visit.key:
            yield Breach(
                at=visit,
                expected=f"parse({text!r}) is this state, of which that is the text",
                found=short(again),
                blame=("parse", "format_state"),
            )
    if not isinstance(problem, HasParse):
        return f"{ground.scope()}; there is no method parse"
    looked_at = ground.scope()
    ground.current = None
    for bad in (*NONSENSE, last[:-1], f"{last} x", last * 2):
        try:
            call("parse", problem.parse, bad)
        except AuthorError as error:
            cause = error.__cause__
            if not isinstance(cause, (ValueError, UsageError)):
                yield Breach(
                    expected=f"parse({bad!r}) gives a state, or raises ParseError or ValueError",
                    found=error.found,
                    blame=("parse",),
                    place=error.place,
                )
    return looked_at


LAW = Law("texts", "states are written on one line, and read back where there is parse", check)
