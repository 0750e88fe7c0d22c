"""Rush Hour: cars slide along their lines until the red one, A, is at the right edge.

This board needs 51 moves; `-p board=...` takes any other.

    searchkit run --plugin examples/rush_hour.py rush-hour
"""

from searchkit import Parameter, hookimpl
from searchkit.fields import Array, Fields, Set


class RushHour(Fields):
    undirected = True  # a car slides back

    def __init__(self, board):
        letters = sorted(set(board) - {"o", "x"})
        cars = [[i for i, mark in enumerate(board) if mark == letter] for letter in letters]
        if len(board) != 36 or "A" not in board or min(map(len, cars)) < 2:
            raise ValueError("give 36 letters: cars A (red), B, ..., o for empty, x for a wall")
        lines = [range(i, i + 6) for i in range(0, 36, 6)] + [range(i, 36, 6) for i in range(6)]
        self.lines = [next(line for line in lines if {*car} <= {*line}) for car in cars]
        self.length = [len(car) for car in cars]
        pairs = list(zip(self.lines, cars, strict=True))
        self.covers = [[line[i : i + len(car)] for i in range(7 - len(car))] for line, car in pairs]
        slides = [(car, slide) for car in range(len(cars)) for slide in range(-4, 5) if slide]
        self.moves = {f"{letters[car]}{slide:+d}": (car, slide) for car, slide in slides}
        self.declare(offset=Array(len(cars), 5), full=Set(36))
        offsets = [line.index(car[0]) for line, car in pairs]
        self.start = self.pack(offset=offsets, full=[i for i in range(36) if board[i] != "o"])

    def legal(self, s, car, slide):
        if not 0 <= s.offset[car] + slide <= 6 - self.length[car]:
            return False
        first = s.offset[car] + (self.length[car] if slide > 0 else slide)
        return not any(self.lines[car][first + k] in s.full for k in range(abs(slide)))

    def apply(self, s, car, slide):
        s.full -= self.covers[car][s.offset[car]]
        s.offset[car] += slide
        s.full |= self.covers[car][s.offset[car]]

    def at_goal(self, s):
        return s.offset[0] == 6 - self.length[0]

    def estimate(self, s):
        """Whatever is ahead of the red car must move, and so must the red car."""
        ahead = sum(self.lines[0][i] in s.full for i in range(s.offset[0] + self.length[0], 6))
        return ahead + (not self.at_goal(s))


@hookimpl
def searchkit_register_puzzles(register):
    hard = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"
    board = Parameter("board", hard, "36 letters: cars A (red), B, ..., o for empty, x for a wall")
    register(
        "rush-hour",
        RushHour,
        summary="slide cars until A is out",
        parameters=[board],
    )
