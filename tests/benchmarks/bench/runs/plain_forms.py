"""Puzzles as people write them, without a thought of machine code; each lasts a while."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any, ClassVar

from bench.runs.packed_forms import PlainRush as Rush
from bench.runs.tuples import Position
from searchkit import Problem, Step
from searchkit.interop import aima, simpleai

__all__ = [
    "AimaEight", "Farmer", "Hanoi", "Jugs", "Ladder", "Lights", "Missionaries", "Pancakes", "Pegs",
    "Rush", "SimpleaiEight", "Sokoban",
]  # fmt: skip

Flat = tuple[int, ...]
FARTHEST = (8, 6, 7, 2, 5, 4, 3, 0, 1)
SOLVED = (1, 2, 3, 4, 5, 6, 7, 8, 0)
BOARD = "ooFFoBooJHHBAAJDoooECDooIECGGoIKKooo"
"""122,057 states."""
LEVEL = """\
#########
#   #   #
# $   $ #
#  .@.  #
# $ . # #
#       #
#########"""
LARGE_LEVEL = """\
##########
#   #    #
# $   $  #
#  .@.   #
# $ . #  #
#   . $  #
##########"""


class Jugs(Problem[Flat, str]):
    """As in the README, with five larger jugs, and every state to be found."""

    def __init__(self, capacities: Flat = (43, 37, 29, 19, 13)) -> None:
        self.capacities = capacities

    def initial_states(self) -> list[Flat]:
        first, _, third, *_ = self.capacities
        return [(first, 0, third, 0, 0)]

    def successors(self, state: Flat) -> Iterator[Step[Flat, str]]:
        for i, amount in enumerate(state):
            for j, other in enumerate(state):
                poured = min(amount, self.capacities[j] - other)
                if i != j and poured > 0:
                    after = list(state)
                    after[i] -= poured
                    after[j] += poured
                    yield Step(f"{self.capacities[i]}→{self.capacities[j]}", tuple(after))

    def is_goal(self, state: Flat) -> bool:
        return state == (0, 0, 0, 0, 0)


class Missionaries(Problem[tuple[int, int, int], tuple[int, int]]):
    """Thousands of each, in a boat for thirty."""

    def __init__(self, pairs: int = 5000, boat: int = 30) -> None:
        self.pairs = pairs
        self.loads = [
            (m, c)
            for m in range(boat + 1)
            for c in range(boat + 1 - m)
            if m + c and (m == 0 or m >= c)
        ]

    def initial_states(self) -> list[tuple[int, int, int]]:
        return [(self.pairs, self.pairs, 1)]

    def is_safe(self, m: int, c: int) -> bool:
        return (m == 0 or m >= c) and (self.pairs - m == 0 or self.pairs - m >= self.pairs - c)

    def successors(self, state: tuple[int, int, int]) -> Iterator[Step[Any, Any]]:
        m, c, boat = state
        sign = -1 if boat else 1
        for dm, dc in self.loads:
            left, right = m + sign * dm, c + sign * dc
            if 0 <= left <= self.pairs and 0 <= right <= self.pairs and self.is_safe(left, right):
                yield Step((dm, dc), (left, right, 1 - boat))

    def is_goal(self, state: tuple[int, int, int]) -> bool:
        return state == (0, 0, 0)


class Hanoi(Problem[Flat, tuple[int, int]]):
    """Three pegs: that of each disk, the smallest first."""

    pegs = 3

    def __init__(self, disks: int = 12) -> None:
        self.disks = disks

    def initial_states(self) -> list[Flat]:
        return [(0,) * self.disks]

    def successors(self, state: Flat) -> Iterator[Step[Flat, tuple[int, int]]]:
        for disk, peg in enumerate(state):
            if peg in state[:disk]:
                continue
            for to in range(self.pegs):
                if to != peg and to not in state[:disk]:
                    yield Step((disk, to), (*state[:disk], to, *state[disk + 1 :]))

    def is_goal(self, state: Flat) -> bool:
        return all(peg == self.pegs - 1 for peg in state)


class Ladder(Problem[str, str]):
    """A word ladder; the words have consonants and vowels in turns."""

    def __init__(self, consonants: str = "bdfglmnprst") -> None:
        letters = [consonants, "aeiou", consonants, "aeiou", consonants]
        self.words = {"".join(word) for word in product(*letters)}

    def initial_states(self) -> list[str]:
        return ["badad"]

    def successors(self, state: str) -> Iterator[Step[str, str]]:
        for i, old in enumerate(state):
            for new in "abcdefghijklmnopqrstuvwxyz":
                word = state[:i] + new + state[i + 1 :]
                if new != old and word in self.words:
                    yield Step(word, word)

    def is_goal(self, state: str) -> bool:
        return state == "words"


class Farmer(Problem[tuple[bool, ...], str]):
    """Wolf, goat and cabbage, and sacks that nobody eats."""

    def __init__(self, sacks: int = 14) -> None:
        self.sacks = sacks

    def initial_states(self) -> list[tuple[bool, ...]]:
        return [(False,) * (4 + self.sacks)]

    def successors(self, state: tuple[bool, ...]) -> Iterator[Step[tuple[bool, ...], str]]:
        for i, side in enumerate(state):
            if side != state[0]:
                continue
            after = tuple(not s if j in (0, i) else s for j, s in enumerate(state))
            farmer, wolf, goat, cabbage = after[:4]
            if farmer == goat or goat not in (wolf, cabbage):
                yield Step(f"with {i}" if i else "alone", after)

    def is_goal(self, state: tuple[bool, ...]) -> bool:
        return all(state)


class Pancakes(Problem[Flat, int]):
    """The first puzzle of the tutorial."""

    def __init__(self, stack: str = "3 9 6 1 8 2 7 5 4") -> None:
        self.stack = tuple(int(size) for size in stack.split())

    def initial_states(self) -> list[Flat]:
        return [self.stack]

    def successors(self, state: Flat) -> Iterator[Step[Flat, int]]:
        for n in range(2, len(state) + 1):
            yield Step(n, state[:n][::-1] + state[n:])

    def is_goal(self, state: Flat) -> bool:
        return list(state) == sorted(state)

    def heuristic(self, state: Flat) -> int:
        return sum(abs(a - b) > 1 for a, b in pairwise((*state, len(state) + 1)))


class Lights(Problem[Flat, tuple[int, int]]):
    """A press changes a lamp and its neighbours."""

    def __init__(self, size: int = 5) -> None:
        self.size = size

    def initial_states(self) -> list[Flat]:
        return [(1,) * (self.size * self.size)]

    def pressed(self, state: Flat, r: int, c: int) -> Flat:
        after = list(state)
        for dr, dc in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            if 0 <= r + dr < self.size and 0 <= c + dc < self.size:
                cell = (r + dr) * self.size + c + dc
                after[cell] = 1 - after[cell]
        return tuple(after)

    def successors(self, state: Flat) -> Iterator[Step[Flat, tuple[int, int]]]:
        for r in range(self.size):
            for c in range(self.size):
                yield Step((r, c), self.pressed(state, r, c))

    def is_goal(self, state: Flat) -> bool:
        return sum(state) == 0


Cell = tuple[int, int]


class Pegs(Problem[tuple[bool, ...], str]):
    """Peg solitaire on the English board, whose jumps can be undone by nobody."""

    def __init__(self) -> None:
        self.holes = [
            at for at in product(range(7), repeat=2) if 2 <= at[0] <= 4 or 2 <= at[1] <= 4
        ]
        place = {at: i for i, at in enumerate(self.holes)}
        self.jumps = [
            (place[row, column], place[row + down, column + right], place[end])
            for row, column in self.holes
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (end := (row + 2 * down, column + 2 * right)) in place
        ]
        self.centre = place[3, 3]

    def initial_states(self) -> list[tuple[bool, ...]]:
        return [tuple(i != self.centre for i in range(33))]

    def goal_states(self) -> list[tuple[bool, ...]]:
        return [tuple(i == self.centre for i in range(33))]

    def is_goal(self, state: tuple[bool, ...]) -> bool:
        return state[self.centre] and sum(state) == 1

    def successors(self, state: tuple[bool, ...]) -> Iterator[Step[tuple[bool, ...], str]]:
        for begin, over, end in self.jumps:
            if state[begin] and state[over] and not state[end]:
                pegs = list(state)
                pegs[begin], pegs[over], pegs[end] = False, False, True
                yield Step(f"{begin}-{end}", tuple(pegs))

    def predecessors(self, state: tuple[bool, ...]) -> Iterator[Step[tuple[bool, ...], str]]:
        for begin, over, end in self.jumps:
            if state[end] and not state[over] and not state[begin]:
                pegs = list(state)
                pegs[begin], pegs[over], pegs[end] = True, True, False
                yield Step(f"{begin}-{end}", tuple(pegs))


class Sokoban(Problem[tuple[Cell, frozenset[Cell]], str]):
    """The keeper and a set of boxes; walls are a set of positions."""

    ways: ClassVar = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}

    def __init__(self, level: str = LEVEL) -> None:
        found: dict[str, set[Cell]] = {mark: set() for mark in "# .$@"}
        for r, row in enumerate(level.split("\n")):
            for c, mark in enumerate(row):
                found[mark].add((r, c))
        self.walls, self.goals = found["#"], found["."]
        (keeper,) = found["@"]
        self.start = (keeper, frozenset(found["$"]))

    def initial_states(self) -> list[tuple[Cell, frozenset[Cell]]]:
        return [self.start]

    def successors(self, state: tuple[Cell, frozenset[Cell]]) -> Iterator[Step[Any, str]]:
        (r, c), boxes = state
        for name, (dr, dc) in self.ways.items():
            to = (r + dr, c + dc)
            if to in self.walls:
                continue
            if to in boxes:
                beyond = (to[0] + dr, to[1] + dc)
                if beyond in self.walls or beyond in boxes:
                    continue
                yield Step(name.upper(), (to, (boxes - {to}) | {beyond}))
            else:
                yield Step(name, (to, boxes))

    def is_goal(self, state: tuple[Cell, frozenset[Cell]]) -> bool:
        return state[1] == self.goals


def to_rows(text: str) -> list[list[str]]:
    """The rows of a board that is a text."""
    return [row.split("-") for row in text.split("\n")]


def to_text(rows: list[list[str]]) -> str:
    """The text of a board."""
    return "\n".join("-".join(row) for row in rows)


def locate(rows: list[list[str]], wanted: str) -> Cell:
    """Where a piece is."""
    for r, row in enumerate(rows):
        for c, piece in enumerate(row):
            if piece == wanted:
                return r, c
    raise ValueError(wanted)


GOAL_TEXT = "1-2-3\n4-5-6\n7-8-e"
HOMES = {piece: locate(to_rows(GOAL_TEXT), piece) for piece in "12345678e"}


class SimpleaiEight(simpleai.SearchProblem):
    """As simpleai's users write it: boards are texts, actions are the pieces that slide."""

    def actions(self, state: str) -> list[str]:
        rows = to_rows(state)
        r, c = locate(rows, "e")
        found = []
        if r > 0:
            found.append(rows[r - 1][c])
        if r < 2:
            found.append(rows[r + 1][c])
        if c > 0:
            found.append(rows[r][c - 1])
        if c < 2:
            found.append(rows[r][c + 1])
        return found

    def result(self, state: str, action: str) -> str:
        rows = to_rows(state)
        empty_r, empty_c = locate(rows, "e")
        r, c = locate(rows, action)
        rows[empty_r][empty_c], rows[r][c] = rows[r][c], rows[empty_r][empty_c]
        return to_text(rows)

    def is_goal(self, state: str) -> bool:
        return state == GOAL_TEXT

    def cost(self, state: str, action: str, state2: str) -> int:
        return 1

    def heuristic(self, state: str) -> int:
        rows = to_rows(state)
        distance = 0
        for piece in "12345678":
            r, c = locate(rows, piece)
            home_r, home_c = HOMES[piece]
            distance += abs(r - home_r) + abs(c - home_c)
        return distance


class AimaEight(aima.Problem):
    """As aima-python's users write it: boards are tuples, actions are the blank's directions."""

    def __init__(self, initial: Position, goal: Position = SOLVED) -> None:
        super().__init__(initial, goal)

    def find_blank(self, state: Position) -> int:
        return state.index(0)

    def actions(self, state: Position) -> list[str]:
        possible = ["UP", "DOWN", "LEFT", "RIGHT"]
        blank = self.find_blank(state)
        if blank % 3 == 0:
            possible.remove("LEFT")
        if blank < 3:
            possible.remove("UP")
        if blank % 3 == 2:
            possible.remove("RIGHT")
        if blank > 5:
            possible.remove("DOWN")
        return possible

    def result(self, state: Position, action: str) -> Position:
        blank = self.find_blank(state)
        after = list(state)
        delta = {"UP": -3, "DOWN": 3, "LEFT": -1, "RIGHT": 1}
        neighbour = blank + delta[action]
        after[blank], after[neighbour] = after[neighbour], after[blank]
        return tuple(after)

    def goal_test(self, state: Position) -> bool:
        return bool(state == self.goal)

    def h(self, node: Any) -> int:
        return sum(tile != goal for tile, goal in zip(node.state, self.goal, strict=True) if tile)
