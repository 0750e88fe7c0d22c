"""Random puzzles on fields with nested rules, searched by every engine."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from hunt.group import Group
from hunt.oracle import Wrong
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError, UnsuitableError
from tests.fields.random_rules import random_text
from tests.fields.test_random_rules import compare, searched

STATES = 30
SPACE = 4000


@dataclass(frozen=True)
class Rules:
    """The text of a puzzle, and how many of its states are compared."""

    text: str
    states: int = STATES

    def __str__(self) -> str:
        return self.text


class FieldRules(Group):
    """Rules on fields as kernels, as they are written, and in Python without searchkit."""

    name = "fields"
    summary = "random nested rules on fields: steps, goals, estimates, searches by all engines"
    short = 6
    minutes = 500
    hours = 30_000
    patience = 120.0
    chunk = 5

    def make(self, rng: random.Random) -> Rules:
        """Draw the text of a puzzle."""
        return Rules(random_text(rng.getrandbits(40), jagged=rng.random() < 0.3))

    def run(self, case: Any) -> Counter[str]:
        """Compare what is said of its states, and the costs that searches find."""
        told: Counter[str] = Counter()
        try:
            found = compare(case.text, case.states, ("reference", "compiled", "checked"))
            if found is None:
                told["errors"] += 1
                return told
            told["compared"] += 1
            told["searched"] += searched(*found, SPACE, ("reference", "auto", "checked"))
            with plainly():
                told["compiled"] += searched(*found, SPACE, ("compiled",))
        except UnsuitableError:
            told["refused"] += 1
        except CompilationError as error:
            if "searchkit is at fault" in str(error):
                raise Wrong(str(error)) from error
            told["refused"] += 1
        except (AssertionError, pytest.fail.Exception) as error:
            raise Wrong(str(error)) from error
        return told

    def smaller(self, case: Any) -> Iterator[Rules]:
        """Without one of its lines; with fewer states."""
        if case.states > 1:
            yield replace(case, states=case.states // 2)
        lines = case.text.splitlines()
        for number in range(len(lines) - 1, 20, -1):
            text = "\n".join([*lines[:number], *lines[number + 1 :]]) + "\n"
            try:
                compile(text, "<smaller>", "exec")
            except SyntaxError:
                continue
            yield replace(case, text=text)
