"""Names that are nearly those of the protocol, so that nobody ever calls or reads them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from weakref import WeakSet

from searchkit import capabilities
from searchkit.authors.blame import is_ours_class, warn
from searchkit.authors.user_code import place_of
from searchkit.packed import CarriedHeuristic, PackedHeuristic, PackedProblem
from searchkit.problem import Problem

_LOOKED_AT: WeakSet[type] = WeakSet()
LIKENESS = 0.85
"""Between names, by Ratcliff and Obershelp's measure: one letter of six, or two swapped."""
SHORTEST = 6
"""Names of fewer letters are alike by chance, but for those of packed problems."""
_others: set[type] = set()


def add_capabilities(*protocols: type) -> None:
    """Take the names of capabilities that a plugin has brought for those of the protocol."""
    _others.update(protocols)
    _known.cache_clear()


def near_misses(cls: type) -> Iterator[tuple[str, str]]:
    """Names that a class of problems or heuristics defines, and what they may be meant for.

    Only what an author has written is looked at. O(names squared).

    >>> from searchkit import Problem
    >>> class Walk(Problem):
    ...     __module__ = "my_puzzle"
    ...     def initial_states(self): ...
    ...     def sucessors(self, state): ...
    ...     def successors(self, state): ...
    ...     def is_goal(self, state): ...
    ...     def goal_state(self): ...
    >>> list(near_misses(Walk))
    [('goal_state', 'goal_states'), ('sucessors', 'successors')]
    """
    packed = issubclass(cls, (PackedProblem, PackedHeuristic))
    known = _known(issubclass(cls, Problem), packed)
    written = {
        name
        for base in cls.__mro__
        if not is_ours_class(base)
        for name in vars(base)
        if not name.startswith("_")
    }
    unknown = sorted(written - known.keys())
    if not unknown:
        return
    from difflib import get_close_matches  # noqa: PLC0415  (most have no other names)

    for name in unknown:
        is_method = callable(getattr(cls, name, None))
        meant = [each for each, kind in known.items() if kind is is_method]
        for close in get_close_matches(name, meant, n=1, cutoff=LIKENESS):
            if len(name) >= SHORTEST or (packed and name.rstrip("s") != close.rstrip("s")):
                yield name, close


def point_out(value: object) -> None:
    """Warn of the near misses of a problem or heuristic, once for each class."""
    for text in new_near_misses(value, type(value).__name__):
        warn(text)


def new_near_misses(value: object, name: str) -> list[str]:
    """A line for each near miss, which names `value`; none if its class was asked about before."""
    written = next((cls for cls in type(value).__mro__ if not is_ours_class(cls)), object)
    if written in _LOOKED_AT:
        return []
    _LOOKED_AT.add(written)
    found = [(each, meant, place_of(value, each)) for each, meant in near_misses(type(value))]
    return [
        f"{name}: nothing {'calls' if callable(getattr(value, each)) else 'reads'} {each}"
        f"{f' at {place}' if place else ''}; did you mean {meant}?"
        for each, meant, place in found
    ]


@cache
def _known(of_problem: bool, packed: bool) -> dict[str, bool]:
    """The names of the protocol, and whether each is of a method."""
    if not of_problem:
        return _names(CarriedHeuristic)
    protocols = [value for name, value in vars(capabilities).items() if name.startswith("Has")]
    own = PackedProblem if packed else Problem
    return {
        name: is_method
        for each in (own, *protocols, *_others)
        for name, is_method in _names(each).items()
    }


def _names(cls: type) -> dict[str, bool]:
    return {name: callable(getattr(cls, name)) for name in dir(cls) if not name.startswith("_")}
