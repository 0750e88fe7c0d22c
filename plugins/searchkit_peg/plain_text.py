"""The rules as a file of their own, for those who check a proof without searchkit."""

from __future__ import annotations

from typing import Any

HEAD = '''"""Peg solitaire by itself: a state is the board, row by row, o a peg and . a hole."""

START = {start!r}
GOALS = {goals!r}
CELLS = {cells!r}  # where cells stand in the text, in their order
JUMPS = {jumps!r}  # from, over, to


def starts():
    return [START]


def goal(board):
    return board in GOALS


def after(board, *marks):
    made = list(board)
    for cell, mark in marks:
        made[CELLS[cell]] = mark
    return "".join(made)


def jumps(board, only=None):
    for peg, over, to in JUMPS:
        if only in (None, peg) and [board[CELLS[c]] for c in (peg, over, to)] == ["o", "o", "."]:
            yield peg, to, after(board, (peg, "."), (over, "."), (to, "o"))

'''

SINGLE = """
def successors(board):
    for peg, to, end in jumps(board):
        yield (peg, to), end, 1
"""

CHAINS = '''
def goes_on(board, peg):
    """The jumps of one peg in a row, which are one move; none goes on from a goal."""
    for _, to, end in jumps(board, peg):
        yield (peg, to), end
        if not goal(end):
            for path, last in goes_on(end, to):
                yield (peg, *path), last


def successors(board):
    for peg in range(len(CELLS)):
        for path, end in goes_on(board, peg):
            yield path, end, 1
'''


def plain_text(rules: Any, *, chains: bool) -> str:
    """The file for a game, of single jumps or of moves; `rules` are the slow ones."""
    start = rules.write(rules.start)
    jumps = tuple((peg, *way) for peg, ways in enumerate(rules.ways) for way in ways)
    return (HEAD + (CHAINS if chains else SINGLE)).format(
        start=start,
        goals=tuple(sorted(map(rules.write, rules.goals))),
        cells=tuple(place for place, mark in enumerate(start) if mark in "o."),
        jumps=jumps,
    )
