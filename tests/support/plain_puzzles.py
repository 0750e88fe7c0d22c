"""The puzzles of `examples/` that are made of declared fields, as plainly as they can be written.

Nothing here is shared with them. Actions come in the same order and have the same names, so that
searches expand the same numbers of states.
"""

from __future__ import annotations

from collections.abc import Iterator

from searchkit import INFINITY, Costs, Problem, Step

Texts = Iterator[Step[str, str]]


class RushHour(Problem[str, str]):
    """A state is the board as a text of 36 marks: `o` is empty, `x` a wall, letters are cars."""

    undirected = True

    def __init__(self, board: str) -> None:
        self.board = board

    def initial_states(self) -> list[str]:
        return [self.board]

    def is_goal(self, state: str) -> bool:
        return max(cells(state, "A")) % 6 == 5

    def successors(self, state: str) -> Texts:
        for car in sorted(set(state) - {"o", "x"}):
            here = cells(state, car)
            along = here[1] - here[0]
            for slide in (-4, -3, -2, -1, 1, 2, 3, 4):
                way = along if slide > 0 else -along
                front = max(here) if slide > 0 else min(here)
                if all(
                    free(state, front + way * k, front, along) for k in range(1, abs(slide) + 1)
                ):
                    marks = [mark if mark != car else "o" for mark in state]
                    for cell in here:
                        marks[cell + along * slide] = car
                    yield Step(f"{car}{slide:+d}", "".join(marks))

    def heuristic(self, state: str) -> int:
        """Cars between the red one and the exit, and that one itself, must move."""
        front = max(cells(state, "A"))
        ahead = set(state[front + 1 : front - front % 6 + 6]) - {"o"}
        return 0 if self.is_goal(state) else 1 + len(ahead)


def cells(board: str, car: str) -> list[int]:
    """Where a car is."""
    return [cell for cell, mark in enumerate(board) if mark == car]


def free(board: str, cell: int, front: int, along: int) -> bool:
    """Whether a cell is on the board, on the line of the car, and empty."""
    inside = 0 <= cell < 36 and (along == 6 or cell // 6 == front // 6)
    return inside and board[cell] == "o"


Boxes = tuple[int, frozenset[int]]


class Sokoban(Problem[Boxes, str]):
    """A state is the cell of the keeper and those of the boxes; a step of the keeper costs 1."""

    def __init__(self, level: str) -> None:
        rows = level.replace("/", "\n").splitlines()
        self.width = max(map(len, rows)) + 1
        marks = dict(enumerate("".join(row.ljust(self.width) for row in rows)))
        self.walls = {cell for cell, mark in marks.items() if mark == "#"}
        self.goals = frozenset(cell for cell, mark in marks.items() if mark in ".*+")
        boxes = frozenset(cell for cell, mark in marks.items() if mark in "$*")
        self.start = (next(cell for cell, mark in marks.items() if mark in "@+"), boxes)
        self.ways = {"u": -self.width, "d": self.width, "l": -1, "r": 1}

    def initial_states(self) -> list[Boxes]:
        return [self.start]

    def is_goal(self, state: Boxes) -> bool:
        return state[1] == self.goals

    def successors(self, state: Boxes) -> Iterator[Step[Boxes, str]]:
        keeper, boxes = state
        for name, way in self.ways.items():
            cell = keeper + way
            if cell in self.walls:
                continue
            if cell not in boxes:
                yield Step(name, (cell, boxes))
            elif cell + way not in boxes | self.walls:
                yield Step(name, (cell, boxes - {cell} | {cell + way}))

    def heuristic(self, state: Boxes) -> float:
        return sum(map(self.pushes, state[1]))

    def pushes(self, box: int) -> float:
        """The fewest pushes from a cell to a goal on the board without other boxes."""
        found, layer, pushes = {box}, {box}, 0
        while layer and not layer & self.goals:
            layer = {
                cell + way
                for cell in layer
                for way in self.ways.values()
                if self.walls.isdisjoint((cell + way, cell - way))
            } - found
            found |= layer
            pushes += 1
        return pushes if layer else INFINITY


Numbers = tuple[int, ...]


class LightsOut(Problem[Numbers, str]):
    """A state has a 1 for each lamp that is lit."""

    undirected = True

    def __init__(self, lit: Numbers) -> None:
        self.lit = lit
        self.size = round(len(lit) ** 0.5)

    def initial_states(self) -> list[Numbers]:
        return [self.lit]

    def goal_states(self) -> list[Numbers]:
        return [(0,) * len(self.lit)]

    def is_goal(self, state: Numbers) -> bool:
        return not any(state)

    def successors(self, state: Numbers) -> Iterator[Step[Numbers, str]]:
        for press in range(len(state)):
            row, column = divmod(press, self.size)
            after = [
                lit ^ (abs(row - i // self.size) + abs(column - i % self.size) <= 1)
                for i, lit in enumerate(state)
            ]
            yield Step(f"{'abcdefgh'[column]}{row + 1}", tuple(after))


class Hanoi(Problem[Numbers, str]):
    """A state is the peg of each disk, the smallest disk first."""

    undirected = True

    def __init__(self, pegs: int, disks: int) -> None:
        self.pegs, self.disks = pegs, disks

    def initial_states(self) -> list[Numbers]:
        return [(0,) * self.disks]

    def goal_states(self) -> list[Numbers]:
        return [(self.pegs - 1,) * self.disks]

    def is_goal(self, state: Numbers) -> bool:
        return state in self.goal_states()

    def successors(self, state: Numbers) -> Iterator[Step[Numbers, str]]:
        for disk, peg in enumerate(state):
            for other in range(self.pegs):
                if other != peg and not {peg, other} & set(state[:disk]):
                    yield Step(
                        f"{disk + 1}→{other + 1}", (*state[:disk], other, *state[disk + 1 :])
                    )

    def heuristic(self, state: Numbers) -> int:
        """A disk elsewhere must move; one on the goal peg must make way for a larger one."""
        away = [peg != self.pegs - 1 for peg in state]
        return sum(1 if here else 2 * any(away[disk:]) for disk, here in enumerate(away))


class Jugs(Problem[Numbers, str]):
    """A state is the amount in each jug; the first one is full at the start."""

    def __init__(self, capacities: Numbers, goal: Numbers) -> None:
        self.capacities, self.goal = capacities, goal

    def initial_states(self) -> list[Numbers]:
        return [(self.capacities[0], *(0 for _ in self.capacities[1:]))]

    def is_goal(self, state: Numbers) -> bool:
        return state == self.goal

    def successors(self, state: Numbers) -> Iterator[Step[Numbers, str]]:
        for i, amount in enumerate(state):
            for j, other in enumerate(state):
                poured = min(amount, self.capacities[j] - other)
                if i != j and poured:
                    after = list(state)
                    after[i] -= poured
                    after[j] += poured
                    yield Step(f"{self.capacities[i]}→{self.capacities[j]}", tuple(after))


class Missionaries(Problem[Numbers, str]):
    """A state has the missionaries on the left, the cannibals there, and whether the boat is."""

    undirected = True

    def __init__(self, pairs: int, boat: int) -> None:
        self.pairs, self.boat = pairs, boat

    def initial_states(self) -> list[Numbers]:
        return [(self.pairs, self.pairs, 1)]

    def goal_states(self) -> list[Numbers]:
        return [(0, 0, 0)]

    def is_goal(self, state: Numbers) -> bool:
        return state == (0, 0, 0)

    def successors(self, state: Numbers) -> Iterator[Step[Numbers, str]]:
        for m in range(self.boat + 1):
            for c in range(self.boat + 1 - m):
                sign = -1 if state[2] else 1
                left = (state[0] + sign * m, state[1] + sign * c)
                right = (self.pairs - left[0], self.pairs - left[1])
                groups = ((m, c), left, right)
                if m + c and min(*left, *right) >= 0 and all(a == 0 or a >= b for a, b in groups):
                    yield Step("M" * m + "C" * c, (*left, 1 - state[2]))


class Blocks(Problem[Numbers, str]):
    """A state is what each block stands on: another block, or the table, which comes last."""

    undirected = True

    def __init__(self, start: Numbers, goal: Numbers) -> None:
        self.start, self.goal = start, goal

    def initial_states(self) -> list[Numbers]:
        return [self.start]

    def goal_states(self) -> list[Numbers]:
        return [self.goal]

    def is_goal(self, state: Numbers) -> bool:
        return state == self.goal

    def successors(self, state: Numbers) -> Iterator[Step[Numbers, str]]:
        table = len(state)
        for block in range(table):
            for onto in range(table + 1):
                clear = block not in state and (onto == table or onto not in state)
                if clear and onto not in (block, state[block]):
                    there = "abcdefghij"[onto] if onto < table else "table"
                    after = (*state[:block], onto, *state[block + 1 :])
                    yield Step(f"{'abcdefghij'[block]} on {there}", after)

    def heuristic(self, state: Numbers) -> int:
        """Each block that is not where it belongs, down to the table, must move."""
        return sum(not self.is_placed(state, block) for block in range(len(state)))

    def is_placed(self, state: Numbers, block: int) -> bool:
        below = state[block]
        return below == self.goal[block] and (below == len(state) or self.is_placed(state, below))


Place = tuple[int, int]


class GridMap(Problem[Place, str]):
    """A state is a row and a column. A straight step costs 5, a diagonal one 7."""

    costs = Costs.INTEGER
    undirected = True

    def __init__(self, rows: list[str]) -> None:
        self.marks = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
        self.start, self.goal = (
            next(place for place, each in self.marks.items() if each == mark) for mark in "SG"
        )

    def initial_states(self) -> list[Place]:
        return [self.start]

    def goal_states(self) -> list[Place]:
        return [self.goal]

    def is_goal(self, state: Place) -> bool:
        return state == self.goal

    def is_free(self, row: int, column: int) -> bool:
        return self.marks.get((row, column), "#") != "#"

    def successors(self, state: Place) -> Iterator[Step[Place, str]]:
        """Corners are not cut."""
        row, column = state
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                squares = (
                    (row + down, column + right),
                    (row + down, column),
                    (row, column + right),
                )
                if (down or right) and all(self.is_free(*square) for square in squares):
                    yield Step(f"{down:+d}{right:+d}", squares[0], 7 if down and right else 5)

    def heuristic(self, state: Place) -> int:
        away = sorted(abs(a - b) for a, b in zip(state, self.goal, strict=True))
        return 7 * away[0] + 5 * (away[1] - away[0])
