"""Puzzles as strangers write them, with starts that cannot be solved."""

from __future__ import annotations

from searchkit import Problem, Step
from searchkit.fields import Array, Fields, Int, Set

WAYS = {"U": (0, -1), "D": (0, 1), "L": (-1, 0), "R": (1, 0)}


def neighbours(width, height):
    """For each cell the one in each direction, -1 where there is none."""
    return [
        [
            x + dx + (y + dy) * width if 0 <= x + dx < width and 0 <= y + dy < height else -1
            for dx, dy in WAYS.values()
        ]
        for y in range(height)
        for x in range(width)
    ]


def exchanged(cells):
    """The last two tiles exchanged, as Sam Loyd did it."""
    return [*cells[:-3], cells[-2], cells[-3], cells[-1]]


class TilesAndBlank(Fields):
    """Sliding tiles; where the blank is has a field of its own."""

    undirected = True

    def __init__(self, width=4, height=4, start=None):
        count = width * height
        solved = [*range(1, count), 0]
        start = exchanged(solved) if start is None else start
        self.next = neighbours(width, height)
        self.moves = {name: (i,) for i, name in enumerate(WAYS)}
        self.declare(cells=Array(count, count), blank=Int(count))
        self.goal = self.pack(cells=solved, blank=count - 1)
        self.start = self.pack(cells=start, blank=start.index(0))

    def legal(self, s, way):
        return self.next[s.blank][way] >= 0

    def apply(self, s, way):
        to = self.next[s.blank][way]
        s.cells[s.blank] = s.cells[to]
        s.cells[to] = 0
        s.blank = to


class Tiles(Fields):
    """Sliding tiles; the blank is looked for."""

    undirected = True

    def __init__(self, width=4, height=4, start=None, also=()):
        count = width * height
        solved = [*range(1, count), 0]
        self.solved, self.also = solved, [*also] or solved
        self.next = neighbours(width, height)
        self.moves = {name: (i,) for i, name in enumerate(WAYS)}
        self.declare(cells=Array(count, count))
        self.start = self.pack(cells=exchanged(solved) if start is None else start)

    def legal(self, s, way):
        return self.next[s.cells.index(0)][way] >= 0

    def apply(self, s, way):
        blank = s.cells.index(0)
        to = self.next[blank][way]
        s.cells[blank] = s.cells[to]
        s.cells[to] = 0

    def at_goal(self, s):
        return any(s.cells == each for each in (self.solved, self.also))


class Lights(Fields):
    """Press keys until all lights are out."""

    def __init__(self, size=5, on=(0,)):
        ways = neighbours(size, size)
        self.keys = [{i, *(n for n in ways[i] if n >= 0)} for i in range(size * size)]
        self.moves = [(i,) for i in range(size * size)]
        self.declare(on=Set(size * size))
        self.start, self.goal = self.pack(on=on), self.pack(on=[])

    def apply(self, s, key):
        s.on ^= self.keys[key]


CROSS = [(x, y) for y in range(7) for x in range(7) if 2 <= x <= 4 or 2 <= y <= 4]


def jumps():
    at = {cell: i for i, cell in enumerate(CROSS)}
    return [
        (at[x, y], at[x + dx, y + dy], at[x + 2 * dx, y + 2 * dy])
        for x, y in CROSS
        for dx, dy in WAYS.values()
        if (x + 2 * dx, y + 2 * dy) in at
    ]


class Pegs(Fields):
    """Peg solitaire on the English board."""

    def __init__(self, last=(3, 3)):
        self.moves = jumps()
        self.declare(peg=Set(33))
        self.start = self.pack(peg=[i for i, cell in enumerate(CROSS) if cell != (3, 3)])
        self.goal = self.pack(peg=[CROSS.index(last)])

    def legal(self, s, a, b, c):
        return a in s.peg and b in s.peg and c not in s.peg

    def apply(self, s, a, b, c):
        s.peg.remove(a)
        s.peg.remove(b)
        s.peg.add(c)


class PlainTiles(Problem):
    """Sliding tiles in plain Python."""

    def __init__(self, width=4, height=4, start=None):
        solved = [*range(1, width * height), 0]
        self.start = tuple(exchanged(solved) if start is None else start)
        self.goal, self.next = tuple(solved), neighbours(width, height)

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        blank = state.index(0)
        for way, to in zip(WAYS, self.next[blank], strict=True):
            if to >= 0:
                cells = list(state)
                cells[blank], cells[to] = cells[to], 0
                yield Step(way, tuple(cells))

    def is_goal(self, state):
        return state == self.goal


class PlainPegs(Problem):
    """Peg solitaire in plain Python, with any of some last pegs."""

    def __init__(self, *lasts):
        self.goals = [frozenset([each]) for each in lasts]
        self.moves = [tuple(CROSS[i] for i in jump) for jump in jumps()]

    def initial_states(self):
        return [frozenset(CROSS) - {(3, 3)}]

    def successors(self, state):
        for a, b, c in self.moves:
            if a in state and b in state and c not in state:
                yield Step((a, c), state - {a, b} | {c})

    def goal_states(self):
        return self.goals

    def is_goal(self, state):
        return state in self.goals


class PlainLights(Problem):
    """Lights as the bits of a number."""

    def __init__(self, size=5, start=1):
        ways = neighbours(size, size)
        self.keys = [sum(1 << n for n in (i, *ways[i]) if n >= 0) for i in range(size * size)]
        self.start = start

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        return [Step(i, state ^ key) for i, key in enumerate(self.keys)]

    def is_goal(self, state):
        return state == 0
