"""Regions that keep their pegs until one of them moves: bounds on the number of moves.

While a region is full, no peg can land in it, and each jump over one of its pegs begins in it: so
the first peg to leave it, does so in a move that begins there. As a move begins in one cell, full
regions without common cells need a move each. A corner is the smallest of them. (Merson's regions:
J. D. Beasley, The Ins and Outs of Peg Solitaire, 1985.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LARGEST = 6


Triple = tuple[int, int, int]
"""A jump: start, over, land."""


def disjoint_regions(jumps: Sequence[Triple], cells: int) -> tuple[int, ...]:
    """Disjoint regions, as sets of cells, smallest first; as many as a greedy choice finds.

    Every minimal region of up to six cells is tried.
    """
    minimal = sorted(_minimal(jumps, cells), key=lambda region: (region.bit_count(), region))
    best: list[int] = []
    for first in minimal:
        chosen = _disjoint([first, *minimal])
        if len(chosen) > len(best):
            best = chosen
    return tuple(sorted(best, key=lambda region: (region.bit_count(), region)))


def _disjoint(candidates: Iterable[int]) -> list[int]:
    chosen: list[int] = []
    taken = 0
    for region in candidates:
        if not region & taken:
            chosen.append(region)
            taken |= region
    return chosen


def _minimal(jumps: Sequence[Triple], cells: int) -> list[int]:
    """All regions of few cells that hold no smaller one."""
    over: dict[int, list[Triple]] = {}
    for jump in jumps:
        over.setdefault(jump[1], []).append(jump)
    seen = {1 << cell for cell in range(cells)}
    pending, found = list(seen), []
    while pending:
        region = pending.pop()
        open_jump = next(
            (
                jump
                for cell in over
                if region >> cell & 1
                for jump in over[cell]
                if not (region >> jump[0] | region >> jump[2]) & 1
            ),
            None,
        )
        if open_jump is None:
            found.append(region)
            continue
        if region.bit_count() == LARGEST:
            continue
        for cell in (open_jump[0], open_jump[2]):
            if region | 1 << cell not in seen:
                seen.add(region | 1 << cell)
                pending.append(region | 1 << cell)
    return [region for region in found if not any(o != region and o & region == o for o in found)]
