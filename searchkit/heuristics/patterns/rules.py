"""A fingerprint of the rules that the values of a pattern database depend on.

An identity is what the author of a pattern space says; this is what the space does. It is made of
the text of the kernels by which a database is built, of the numbers beside them, and, as tables may
hold what belongs to other groups, of what the kernels make of the tables in a sample of entries.
"""

from __future__ import annotations

import ast
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from searchkit.errors import UsageError
from searchkit.heuristics.patterns.laws import all_places, ones
from searchkit.kernel_language.collector import Collector, verified
from searchkit.kernel_language.program import Program
from searchkit.pattern_space import PatternSpace

BUILDING = ("unrank", "rank", "spread", "choices", "landing", "previous", "floor")
"""The kernels by which databases are built, and values read."""
SAMPLED = 128
"""How many entries have their moves in a fingerprint; all, if there are no more."""
DIGITS = 32

_texts: dict[Any, tuple[Collector, str]] = {}
"""The texts of this process by the classes that they are of, with what they were made from."""


def rules_of(space: PatternSpace, group: int) -> str:
    """The fingerprint of what the values of a group depend on. O(operators * places).

    Equal where the kernels have the same text, but for comments, annotations and the form of the
    lines, and give the same where they are asked. It does not depend on numba, the processor, or
    which other groups there are.
    """
    content = {
        "kernels": _text(space),
        "numbers": [space.places, space.step, space.entries(group)],
        "goals": sorted((int(space.rank(word, group)), mask) for word, mask in space.goals(group)),
        "moves": list(_moves(space, group)),
    }
    text = json.dumps(content, sort_keys=True, default=int)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def other_rules(what: Path, space: PatternSpace, group: int) -> UsageError:
    """The error for a database of the right identity that other rules have made."""
    name = space.name_of(group)
    return UsageError(
        f"pattern database {what} was made by other rules than those of {type(space).__name__}, "
        f"pattern {name}, whose kernels or tables have changed since; build it again: searchkit "
        f"pdb build PUZZLE {name}"
    )


def _text(space: PatternSpace) -> str:
    """The kernels and all that they call, constants by value."""
    program = Program.of(space)
    known = _texts.get(program.key)
    if known is not None and known[0].is_current():
        return known[1]
    collector = verified(program, "space", BUILDING)
    functions = [ast.unparse(each) for each in collector.made.values()]
    text = "\n".join([*functions, json.dumps(collector.tuples, sort_keys=True, default=int)])
    _texts[program.key] = collector, text
    return text


def _moves(space: PatternSpace, group: int) -> Iterator[Any]:
    """What the kernels make of a sample of entries: by rank alone, in whatever order moves are.

    So that groups that share a database may have different words and operators. An entry to which
    no pattern state belongs may be beyond the tables: that is then what is noted.
    """
    entries = space.entries(group)
    rng = random.Random(entries)
    few = entries <= SAMPLED
    for entry in range(entries) if few else sorted(rng.sample(range(entries), SAMPLED)):
        place = 1 << rng.randrange(space.places)
        try:
            yield _moves_of(space, group, entry, place)
        except Exception as error:  # of the author's code
            yield [entry, type(error).__name__]


def _moves_of(space: PatternSpace, group: int, entry: int, place: int) -> Any:
    word = space.unrank(entry, group)
    found: list[Any] = [entry, int(space.rank(word, group)), int(space.floor(word, group))]
    for mask in {place: None, all_places(space): None}:
        spread = space.spread(word, group, mask)
        moves = []
        for operator in range(space.operators):
            for choice in ones(space.choices(word, group, spread, operator)):
                before = space.previous(word, group, operator, choice)
                landing = space.landing(word, group, spread, operator, choice)
                moves.append((int(space.rank(before, group)), int(landing)))
        found += [int(spread), sorted(set(moves))]
    return found
