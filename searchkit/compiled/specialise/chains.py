"""Chains of steps of one piece: which operators go on with it, and room for the states after them.

The problems are those with `HasChains` whose base is packed and knows its pieces by kernels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from searchkit.authors.packed_rules import operators_of
from searchkit.capabilities import HasPieceKernels, base_of_chains, kept_states
from searchkit.compiled.specialise.module import state_array
from searchkit.errors import ProblemError
from searchkit.packed import PackedProblem
from searchkit.problem import Problem

MOST_PIECES = 256


class ChainLists(NamedTuple):
    """Operators by control state and piece; a record for kernels.

    Row `control x pieces + piece` has those that move the piece, in the order of the problem, and
    the last row of a control state all of them: `operators[first[row]:first[row + 1]]`. `after`
    is the piece as it is then. `has_controls` says whether there are several control states. If
    only some chains out of the start are kept, `kept` has that and, behind it, where they lead.
    """

    first: np.ndarray[Any, Any]
    operators: np.ndarray[Any, Any]
    after: np.ndarray[Any, Any]
    pieces: np.int64
    has_controls: np.int64
    kept: np.ndarray[Any, Any]


def chain_lists(problem: Problem[Any, Any]) -> ChainLists:
    """The lists of a problem of chains. O(control states x (operators + pieces))."""
    base: Any = base_of_chains(problem)
    assert isinstance(base, PackedProblem)
    assert isinstance(base, HasPieceKernels)
    moves = [
        [
            (operator, _piece(base, "moved_from", control, operator),
             _piece(base, "moved_to", control, operator))
            for operator in operators_of(base, control)
        ]
        for control in range(base.controls)
    ]  # fmt: skip
    pieces = 2 + max((max(before, after) for row in moves for _, before, after in row), default=-1)
    first, chosen = [0], []
    for row in moves:
        for piece in range(pieces - 1):
            chosen += [move for move in row if move[1] == piece]
            first.append(len(chosen))
        chosen += row
        first.append(len(chosen))
    operators, _, after = np.array(chosen, dtype=np.int64).reshape(-1, 3).T.copy()
    return ChainLists(
        np.array(first, dtype=np.int64), operators, after,
        np.int64(pieces), np.int64(base.controls > 1),
        state_array(kept_states(problem), base.words),
    )  # fmt: skip


def _piece(base: Any, kernel: str, control: int, operator: int) -> int:
    piece = getattr(base, kernel)(control, operator)
    whole = piece.__index__() if hasattr(piece, "__index__") else -1
    if not 0 <= whole < MOST_PIECES:
        raise ProblemError(
            f"{type(base).__name__}: {kernel}({control}, {operator}) is {piece!r:.40}; pieces are "
            f"numbered from 0 to {MOST_PIECES - 1}"
        )
    return whole
