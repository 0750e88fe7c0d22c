"""Top-Spin for searchkit: a ring of tokens and a turnstile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from searchkit import Parameter, hookimpl
from searchkit.hookspecs import RegisterHeuristic, RegisterPuzzle
from searchkit.later import Later, exports, instances

if TYPE_CHECKING:
    from searchkit_topspin.puzzle import RingGap, TopSpin, ring, topspin
else:
    __getattr__ = exports(__name__, {"puzzle": "RingGap TopSpin ring topspin"})

__all__ = ["RingGap", "TopSpin", "ring", "topspin"]


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register the puzzle."""
    register(
        "topspin",
        Later("searchkit_topspin.puzzle:topspin"),
        summary="sort a ring of tokens by turning over some in a row",
        parameters=[
            Parameter("size", 10, "how many tokens there are, from 4 to 16"),
            Parameter("turnstile", 4, "how many are turned over, an even number"),
        ],
    )


@hookimpl
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register the lower bound."""
    register(
        "ring-gap",
        Later("searchkit_topspin.puzzle:RingGap"),
        suits=instances("searchkit_topspin.puzzle:TopSpin"),
        summary="half the neighbours that are not neighbours in the goal",
    )
