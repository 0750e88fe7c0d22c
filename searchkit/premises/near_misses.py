"""Methods whose names are nearly those of the protocol, so that nobody ever calls them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from weakref import WeakSet

from searchkit import capabilities
from searchkit.authors.user_code import is_ours_class, place_of
from searchkit.errors import SearchkitWarning
from searchkit.packed import CarriedHeuristic, PackedHeuristic, PackedProblem
from searchkit.problem import Problem

_LOOKED_AT: WeakSet[type] = WeakSet()
LIKENESS = 0.85
"""Between names, by Ratcliff and Obershelp's measure: one letter of six, or two swapped."""
SHORTEST = 6
"""Names of fewer letters are alike by chance."""
_others: set[type] = set()


def add_capabilities(*protocols: type) -> None:
    """Take the names of capabilities that a plugin has brought for those of the protocol."""
    _others.update(protocols)
    _known.cache_clear()


def near_misses(value: object) -> Iterator[tuple[str, str]]:
    """Names that the classes of a problem or heuristic define, and what they may be meant for.

    Only what an author has written is looked at. O(names squared).

    >>> from searchkit import Problem
    >>> class Walk(Problem):
    ...     __module__ = "my_puzzle"
    ...     def initial_states(self): ...
    ...     def sucessors(self, state): ...
    ...     def successors(self, state): ...
    ...     def is_goal(self, state): ...
    ...     def goal_state(self): ...
    >>> list(near_misses(Walk()))
    [('goal_state', 'goal_states'), ('sucessors', 'successors')]
    """
    known = _known(isinstance(value, Problem), isinstance(value, (PackedProblem, PackedHeuristic)))
    written = {
        name
        for cls in type(value).__mro__
        if not is_ours_class(cls)
        for name in vars(cls)
        if not name.startswith("_")
    }
    for name in sorted(written - known):
        if len(name) >= SHORTEST and callable(getattr(type(value), name, None)):
            close = get_close_matches(name, known, n=1, cutoff=LIKENESS)
            if close:
                yield name, close[0]


def point_out(value: object) -> None:
    """Warn of the near misses of a problem or heuristic, once for each class."""
    for text in new_near_misses(value, type(value).__name__):
        warnings.warn(text, SearchkitWarning, stacklevel=3)


def new_near_misses(value: object, name: str) -> list[str]:
    """A line for each near miss, which names `value`; none if its class was asked about before."""
    if type(value) in _LOOKED_AT:
        return []
    _LOOKED_AT.add(type(value))
    found = [(method, meant, place_of(value, method)) for method, meant in near_misses(value)]
    return [
        f"{name}: nothing calls {method}{f' at {place}' if place else ''}; did you mean {meant}?"
        for method, meant, place in found
    ]


@cache
def _known(of_problem: bool, packed: bool) -> frozenset[str]:
    """The names of the protocol."""
    if not of_problem:
        return _names(CarriedHeuristic)
    protocols = [value for name, value in vars(capabilities).items() if name.startswith("Has")]
    names = _names(PackedProblem if packed else Problem)
    return names.union(*(_names(each) for each in (*protocols, *_others)))


def _names(cls: type) -> frozenset[str]:
    return frozenset(name for name in dir(cls) if not name.startswith("_"))
