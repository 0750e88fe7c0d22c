"""The bound of a packed base on its chains, as heuristics with kernels."""

from __future__ import annotations

from typing import Any

import attrs

from searchkit.packed import PackedHeuristic


@attrs.frozen
class ChainBound(PackedHeuristic):
    """At least how many chains are needed: for `ChainMoves` of a base with `fewest_chains`."""

    base: Any
    name: str = "problem"
    parts = ("base",)

    def estimate(self, state: Any) -> int:
        """Kernel: the bound where no piece is moving."""
        return int(self.base.fewest_chains(state, -1))


@attrs.frozen
class MoverBound(ChainBound):
    """The same for `MoverState`, where the piece that moved last goes on at no cost."""

    def estimate(self, state: Any) -> int:
        """Kernel: the bound where the piece of the second word, less 1, may go on."""
        return int(self.base.fewest_chains(state[0], state[1] - 1))
