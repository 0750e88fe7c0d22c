"""Texts that a goal test compares with numbers alone, which are never equal."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from numbers import Number
from typing import Any

from searchkit.authors.blame import is_ours
from searchkit.authors.user_code import short
from searchkit.premises.kinds import broken
from searchkit.problem import Problem

MOST_STATES = 100


class _Text(str):
    """A text that notes what it is compared with."""

    __slots__ = ("numbers", "place", "texts")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Number):
            self.numbers = other
            frame = sys._getframe(1)
            if not is_ours(frame.f_code.co_filename):
                code = frame.f_code
                self.place = f"{code.co_filename}:{frame.f_lineno} in {code.co_name}"
        else:
            self.texts = True
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def check_alike(problem: Problem[Any, Any], states: Iterable[Any]) -> None:
    """Raise if `is_goal` compares a text, which is an attribute, with numbers and nothing else.

    It is asked of some states, on a copy of the problem.
    """
    noted = {
        name: _Text(value) for name, value in getattr(problem, "__dict__", {}).items()
        if value.__class__ is str
    }  # fmt: skip
    if not noted:
        return
    with suppress(Exception):  # the author's code may not take it
        other = copy.copy(problem)
        for name, text in noted.items():
            object.__setattr__(other, name, text)
        for state in islice(states, MOST_STATES):
            other.is_goal(state)
    for name, text in noted.items():
        number = getattr(text, "numbers", None)
        if number is not None and not hasattr(text, "texts"):
            found = (
                f"is_goal compares {name} = {short(str(text))}, a text, with {short(number)}, a "
                "number: they are never equal; make it a number (a parameter: by its default)"
            )
            raise broken(problem, "goals", found, "is_goal", place=getattr(text, "place", None))
