"""A knight goes from one corner of a board to the opposite one, in as few moves as it can.

Of the methods, `initial_states`, `successors` and `is_goal` are all that must be there. Each of the
others gives searchkit something more to work with.

    searchkit run --plugin examples/knight.py knight
    searchkit run --plugin examples/knight.py knight -p size=5 --start b2 --count
"""

from __future__ import annotations

from collections.abc import Iterator

from searchkit import Parameter, ParseError, Problem, Step, hookimpl
from searchkit.hookspecs import RegisterPuzzle

Square = tuple[int, int]
"""A state: column and row of the knight, from 0."""

JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
LARGEST = 26


class Knight(Problem[Square, str]):
    """A knight on a square board. Actions are names of squares, like b3."""

    undirected = True  # each move can be taken back

    def __init__(
        self, size: int = 8, start: Square | None = None, goal: Square | None = None
    ) -> None:
        self.size = size
        self.start = (0, 0) if start is None else start
        self.goal = (size - 1, size - 1) if goal is None else goal

    def initial_states(self) -> list[Square]:
        return [self.start]

    def successors(self, state: Square) -> Iterator[Step[Square, str]]:
        column, row = state
        for right, up in JUMPS:
            square = column + right, row + up
            if 0 <= square[0] < self.size and 0 <= square[1] < self.size:
                yield Step(self.format_state(square), square)

    def is_goal(self, state: Square) -> bool:
        return state == self.goal

    # With the goals, and steps that can be taken back, it is searched from both ends.

    def goal_states(self) -> list[Square]:
        return [self.goal]

    # A lower bound on the number of moves: a move changes column and row by 3 in all.

    def heuristic(self, state: Square) -> int:
        away = abs(state[0] - self.goal[0]) + abs(state[1] - self.goal[1])
        return -(-away // 3)

    # Texts of states, and what reads them: for --start and --goal.

    def format_state(self, state: Square) -> str:
        return f"{chr(ord('a') + state[0])}{state[1] + 1}"

    def parse(self, text: str) -> Square:
        rows = [str(row + 1) for row in range(self.size)]
        columns = [chr(ord("a") + column) for column in range(self.size)]
        if text[:1] not in columns or text[1:] not in rows:
            raise ParseError(f"{text!r} is not a square of the board; write one like a1")
        return columns.index(text[:1]), rows.index(text[1:])

    def with_start(self, state: Square) -> Knight:
        return Knight(self.size, state, self.goal)

    def with_goal(self, state: Square) -> Knight:
        return Knight(self.size, self.start, state)

    # A picture, printed before and after a solution.

    def render(self, state: Square) -> str:
        marks = {self.goal: "x", state: "N"}
        rows = reversed(range(self.size))
        return "\n".join(
            " ".join(marks.get((column, row), ".") for column in range(self.size)) for row in rows
        )


def make(size: int) -> Knight:
    """The puzzle with the given parameters."""
    if not 1 <= size <= LARGEST:
        raise ValueError(f"the size must be a number from 1 to {LARGEST}")
    return Knight(size)


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """What searchkit calls to learn of the puzzle."""
    register(
        "knight",
        make,
        summary="a knight goes to the opposite corner",
        parameters=[Parameter("size", 8, f"squares in a row: 1 to {LARGEST}")],
    )
