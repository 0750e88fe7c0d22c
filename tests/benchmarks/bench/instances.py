"""Korf's hundred 15-puzzles (R. E. Korf, Depth-First Iterative-Deepening, 1985), and stacks."""

from __future__ import annotations

import random

from bench.paths import KORF

MOST_NODES = 40_000_000
"""The instances up to this many nodes of IDA* are run: 45, with 485,479,660 nodes in all."""

EASIEST = 540_860
"""The nodes of number 79, the easiest."""

KORF_GOAL = " ".join(map(str, range(16)))
"""The goal of all of them."""

HARDEST = 6_320_047_980
"""The nodes of number 88, the hardest."""


def korf_rows(most_nodes: int, least_nodes: int = 0) -> list[str]:
    """The rows `id,start,length,nodes` of the instances that take so many nodes."""
    rows = KORF.read_text().splitlines()[1:]
    return [row for row in rows if least_nodes <= int(row.rpartition(",")[2]) <= most_nodes]


def random_boards(count: int, seed: int) -> tuple[str, ...]:
    """Solvable 15-puzzles, drawn uniformly, as rows like those of `korf_rows`."""
    rng = random.Random(seed)
    boards = []
    while len(boards) < count:
        board = rng.sample(range(16), 16)
        # A move exchanges two entries and turns the parity of the blank's place.
        exchanged = sum(one > two for i, one in enumerate(board) for two in board[i + 1 :])
        row, column = divmod(board.index(0), 4)
        if (exchanged + row + column) % 2 == 0:
            boards.append(board)
    return tuple(f"{i},{' '.join(map(str, board))},0,0" for i, board in enumerate(boards, 1))


def random_stacks(count: int, size: int, seed: int) -> tuple[str, ...]:
    """Stacks of pancakes, drawn uniformly."""
    rng = random.Random(seed)
    return tuple(" ".join(map(str, rng.sample(range(1, size + 1), size))) for _ in range(count))
