"""Exact numbers of the ways through a space."""

from __future__ import annotations

import attrs


@attrs.frozen(kw_only=True)
class Paths:
    """How many shortest paths there are, by their length: sequences of labelled actions.

    A path from the start to a state is counted if no shorter one leads there. Where every way
    to a state is equally long (each step takes a piece, say), that is every path. All numbers
    are exact.
    """

    to_states: tuple[int, ...]
    """The shortest paths to the states of each layer."""
    to_goals: tuple[int, ...]
    """The shortest paths to goals, in each layer."""
    to_ends: tuple[int, ...]
    """The shortest paths to dead ends: states without successors that are not goals."""
    ends: tuple[int, ...]
    """How many such states each layer has."""

    @property
    def shortest_solution(self) -> int | None:
        """The length of the optimal solutions; None if there is none."""
        return next((length for length, count in enumerate(self.to_goals) if count), None)

    @property
    def optimal_solutions(self) -> int:
        """How many optimal solutions there are."""
        return next((count for count in self.to_goals if count), 0)
