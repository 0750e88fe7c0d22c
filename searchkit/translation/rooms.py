"""Which room answers what: of rules on plain states, and on objects.

A function by the name of a form (see `Forms`) is the answer of its room. Where several rooms
answer, the one that is listed last is asked first, and hands on what it has no answer to: `equal`
of two numbers comes from `counters` through `dicts` and `members` to `comparison`. The rows for
syntax, for functions and for methods are at the ends of the rooms.
"""

from __future__ import annotations

from inspect import isfunction
from types import ModuleType
from typing import Any

import attrs

from searchkit.translation import (
    arithmetic,
    builders,
    calls,
    comparison,
    counters,
    dicts,
    entries,
    expressions,
    functions,
    library,
    lookups,
    loops,
    members,
    memory,
    methods,
    objects,
    recursion,
    refusals,
    sequences,
    sets,
    statements,
    strings,
    variables,
)
from searchkit.translation.translator import Forms

UNPACK, PACK = "searchkit_unpack", "searchkit_pack"
"""What these are called in classes of authors, who may have other methods of shorter names."""
ROOMS = (
    refusals, memory, arithmetic, comparison, variables, sequences, loops, builders, sets,
    lookups, expressions, members, strings, methods, functions, recursion,
    calls, library, dicts, counters, statements, entries,
)  # fmt: skip
"""From the ground up."""
_TABLES = ("ENTRIES", "STATEMENTS", "EXPRESSIONS", "CALLS", "ROW_METHODS", "SET_METHODS")


def answers(*rooms: ModuleType) -> dict[str, Any]:
    """What some rooms answer, the last one first, by the names of forms; with their rows."""
    names = {each.name for each in attrs.fields(Forms)}
    rows = {
        table.lower(): {k: v for room in rooms for k, v in getattr(room, table, {}).items()}
        for table in _TABLES
    }
    return rows | {
        name: each
        for room in rooms
        for name, each in vars(room).items()
        if name in names and isfunction(each) and each.__module__ == room.__name__
    }


def above(below: Forms, *rooms: ModuleType, **options: Any) -> Forms:
    """The same with rooms that are asked before, and other options."""
    own = answers(*rooms)
    rows = {table.lower(): getattr(below, table.lower()) | own[table.lower()] for table in _TABLES}
    return attrs.evolve(below, **own | rows, **options)


PLAIN = Forms(
    unpack="unpack", pack="packed", step_form="yield Step(label, state)", plain_steps=True,
    has_words=True, has_open_sets=True, has_outlined=True,
    # What rules on objects alone ask is there as well.
    **answers(objects) | answers(*ROOMS),
)  # fmt: skip
OF_OBJECTS = above(
    PLAIN, objects, unpack=UNPACK, pack=PACK, step_form="yield label, child", plain_steps=False,
    has_words=False, has_open_sets=False, has_outlined=False,
)  # fmt: skip
"""The same for a state with declared fields, and an author's method that yields its steps."""
