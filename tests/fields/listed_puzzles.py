"""Puzzles on fields whose steps `expand` lists: small ones, each of another kind."""

import enum

from searchkit import Costs
from searchkit.fields import Array, Fields, Int, Set


class Ice(Fields):
    """Slide to the next wall; `#` are walls."""

    rows = ("#..#....", "........", "..#....#", "....#...", ".#......", "......#.")

    def __init__(self):
        cells = [(y, x) for y, row in enumerate(self.rows) for x, c in enumerate(row) if c == "."]
        number = {cell: i for i, cell in enumerate(cells)}
        ways = ((-1, 0), (1, 0), (0, -1), (0, 1))
        self.next = [[number.get((y + a, x + b), -1) for a, b in ways] for y, x in cells]
        self.declare(at=Int(len(cells)))
        self.start = self.pack(at=0)
        self.goal = self.pack(at=number[2, 3])

    def expand(self, s):
        for way in range(4):
            to = s.at
            while self.next[to][way] >= 0:
                to = self.next[to][way]
            if to != s.at:
                t = s.copy()
                t.at = to
                yield "udlr"[way], t


class Robots(Fields):
    """Three robots slide until something stops them; the first must come to a cell."""

    def __init__(self, side=5):
        self.side = side
        self.declare(at=Array(3, side * side))
        self.start = self.pack(at=[0, side - 1, side * side - 1])

    def stop(self, s, robot, way):
        at = s.at[robot]
        while True:
            y, x = divmod(at, self.side)
            if way == 0:
                to = at - self.side if y > 0 else at
            elif way == 1:
                to = at + self.side if y < self.side - 1 else at
            elif way == 2:
                to = at - 1 if x > 0 else at
            else:
                to = at + 1 if x < self.side - 1 else at
            if to == at or to in s.at:
                return at
            at = to

    def expand(self, s):
        for robot in range(3):
            for way in range(4):
                to = self.stop(s, robot, way)
                if to != s.at[robot]:
                    t = s.copy()
                    t.at[robot] = to
                    yield f"{robot}{way}", t

    def at_goal(self, s):
        return s.at[0] == 2 * self.side + 1

    def estimate(self, s):
        return 0 if s.at[0] == 2 * self.side + 1 else 1


class Jumps(Fields):
    """Coins on a line move over any number of empty places, and back: two words, undirected."""

    undirected = True

    def __init__(self, places=14):
        self.places = places
        self.declare(coin=Array(places, -1, 30), held=Set(40), free=Int(places))
        row = [-1] * places
        row[0], row[2], row[3], row[-1] = 7, 29, 3, 0
        held = [0, 3, 39]
        self.start = self.pack(coin=row, held=held, free=1)
        row = [-1] * places
        row[5], row[6], row[7], row[8] = 7, 29, 3, 0
        self.goal = self.pack(coin=row, held=held, free=0)

    def expand(self, s):
        for i, coin in enumerate(s.coin):
            if coin < 0:
                continue
            for way in (-1, 1):
                to = i + way
                while 0 <= to < self.places and s.coin[to] < 0:
                    t = s.copy()
                    t.coin[i], t.coin[to] = -1, coin
                    t.free = t.coin.index(-1)
                    yield (i, to), t
                    to += way


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Fill(Fields):
    """Colour the region of a corner, until all cells are alike; large regions cost more."""

    def __init__(self, side=4, seed=(1, 2, 2, 1, 2, 1, 1, 2, 1, 1, 2, 2, 2, 1, 2, 1)):
        self.side = side
        self.near = [
            [c for c in (i - side, i + side) if 0 <= c < side * side]
            + [i - 1] * (i % side > 0) + [i + 1] * (i % side < side - 1)
            for i in range(side * side)
        ]  # fmt: skip
        self.declare(colour=Array(side * side, 1, 3), last=Int(Colour))
        self.start = self.pack(colour=seed, last=Colour.BLUE)

    def region(self, s, begin):
        cells = [begin]
        for cell in cells:
            for other in self.near[cell]:
                if s.colour[other] == s.colour[begin] and other not in cells:
                    cells.append(other)
        return cells

    def filled(self, s, begin):
        """The state after the region is of the other colour, or nothing in a single cell."""
        cells = self.region(s, begin)
        if len(cells) < 2:
            return None
        t = s.copy()
        for cell in cells:
            t.colour[cell] = 3 - t.colour[cell]
        t.last = Colour.RED if s.colour[begin] == Colour.BLUE else Colour.BLUE
        return t

    def expand(self, s):
        for begin in (0, self.side * self.side - 1):
            t = self.filled(s, begin)
            if t is not None:
                yield begin, t, 1 + len(self.region(s, begin)) // 4
        yield from self.free(s)

    def free(self, s):
        for cell in (5, 6):
            t = s.copy()
            t.colour[cell] = 3 - t.colour[cell]
            t.last = t.colour[cell]
            yield f"cell {cell}", t, 3

    def at_goal(self, s):
        return all(each == s.colour[0] for each in s.colour)


class Far(Fields):
    """A set of 70 members, of which steps move one to a place that others decide."""

    costs = Costs.INTEGER

    def __init__(self):
        self.declare(full=Set(70))
        self.start = self.pack(full=[0, 31, 32, 69])
        self.goal = self.pack(full=[3, 35, 64, 68])

    def expand(self, s):
        for member in s.full:
            for step in (1, 3, 33):
                to = (member + step) % 70
                if to not in s.full:
                    t = s.copy()
                    t.full.remove(member)
                    t.full |= {to}
                    yield (member, to), t, 1 + (step > 9)


ALL = (Ice, Robots, Jumps, Fill, Far)
