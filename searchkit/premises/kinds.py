"""What kind of thing each part of a problem must be, asked before anything is called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from searchkit.authors.user_code import place_of, short
from searchkit.errors import LawError
from searchkit.problem import Costs, Problem

MOST_STATES = 4_000_000
"""More starts, or goals, nobody lists: the list does not end."""

LAW_OF = {
    "initial_states": "starts",
    "successors": "successors",
    "is_goal": "goals",
    "key": "keys",
    "heuristic": "heuristics",
    "format_state": "texts",
    "format_action": "actions",
    "render": "pictures",
}
"""What is called of every problem, and the law that is about it."""


def check_kinds(problem: Problem[Any, Any]) -> None:
    """Raise `LawError` if a method cannot be called, or an attribute is of another kind. O(1)."""
    for name, law in LAW_OF.items():
        if not callable(getattr(problem, name)):
            found = f"{name} is {short(getattr(problem, name))}; it must be a method"
            raise broken(problem, law, found, name)
    if callable(problem.undirected):
        found = "undirected is a method, which counts as true; write undirected = True or False"
        raise broken(problem, "undirected", found, "undirected")
    if not isinstance(problem.costs, Costs):
        known = ", ".join(f"Costs.{each.name}" for each in Costs)
        found = f"costs is {short(problem.costs)}; write costs = one of {known}"
        raise broken(problem, "costs", found, "costs")


def bounded(problem: Any, states: Iterable[Any], method: str, law: str) -> Iterator[Any]:
    """The states that a method lists; `LawError` if there are more than anybody lists."""
    items = iter(states)
    yield from islice(items, MOST_STATES)
    if next(items, items) is not items:
        raise broken(
            problem, law, f"{method} lists more than {MOST_STATES:,} states; does it end?", method
        )


def broken(problem: Any, law: str, found: str, *names: str, place: str | None = None) -> LawError:
    """The error to raise where a problem breaks a law; `names` are the methods to blame."""
    place = place or place_of(problem, *names)
    where = f" ({place})" if place else ""
    message = f"{type(problem).__name__} breaks the law {law}: {found}{where}"
    return LawError(message, law, found, place)
