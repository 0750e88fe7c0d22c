"""Points, headings and states as authors' own classes, with operators, methods and properties."""

from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum, StrEnum
from typing import NamedTuple

from searchkit import Costs, Problem, Step


class Point(NamedTuple):
    x: int
    y: int

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def manhattan(self, other):
        return abs(self.x - other.x) + abs(self.y - other.y)


class NTPoint(Problem):
    moves = {"N": Point(0, -1), "S": Point(0, 1), "E": Point(1, 0), "W": Point(-1, 0)}
    goal = Point(4, 4)

    def initial_states(self):
        return [Point(0, 0)]

    def successors(self, state):
        for name, d in self.moves.items():
            p = state + d
            if 0 <= p.x < 5 and 0 <= p.y < 5:
                yield Step(name, p)

    def is_goal(self, state):
        return state == self.goal

    def heuristic(self, state):
        return state.manhattan(self.goal)


@dataclass(frozen=True)
class Vec:
    x: int
    y: int

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __abs__(self):
        return abs(self.x) + abs(self.y)

    def rotated(self):
        return Vec(-self.y, self.x)


class DataVec(Problem):
    """Knight's moves by a vector class."""

    def initial_states(self):
        return [Vec(0, 0)]

    def successors(self, state):
        d = Vec(1, 2)
        for _ in range(4):
            for step in (d, Vec(-d.x, d.y)):
                new = state + step
                if 0 <= new.x < 6 and 0 <= new.y < 6:
                    yield Step(step, new)
            d = d.rotated()

    def is_goal(self, state):
        return abs(state - Vec(5, 5)) == 0

    def heuristic(self, state):
        return -(-abs(Vec(5, 5) - state) // 3)


@dataclass(frozen=True, order=True)
class Pos:
    row: int
    col: int

    def neighbors(self):
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            yield Pos(self.row + dr, self.col + dc)


@dataclass(frozen=True)
class Maze2:
    pos: Pos
    keys: frozenset

    def has(self, key):
        return key in self.keys


class KeysMaze(Problem):
    """Keys and doors."""

    rows = ["#######", "#a.#.b#", "#..A..#", "#..#B.#", "#.....#", "#######"]

    def initial_states(self):
        return [Maze2(Pos(4, 1), frozenset())]

    def successors(self, state):
        for p in state.pos.neighbors():
            c = self.rows[p.row][p.col]
            if c == "#" or (c.isupper() and not state.has(c.lower())):
                continue
            keys = state.keys | {c} if c.islower() else state.keys
            yield Step(c, replace(state, pos=p, keys=keys))

    def is_goal(self, state):
        return len(state.keys) == 2


class Dir(Enum):
    N = (0, -1)
    E = (1, 0)
    S = (0, 1)
    W = (-1, 0)

    def left(self):
        order = list(Dir)
        return order[(order.index(self) - 1) % 4]

    def right(self):
        order = list(Dir)
        return order[(order.index(self) + 1) % 4]

    @property
    def dx(self):
        return self.value[0]

    @property
    def dy(self):
        return self.value[1]


class EnumMethods(Problem):
    """Turn left, right, or go forward."""

    costs = Costs.INTEGER

    def initial_states(self):
        return [(0, 0, Dir.E)]

    def successors(self, state):
        x, y, d = state
        if 0 <= x + d.dx < 6 and 0 <= y + d.dy < 6:
            yield Step("forward", (x + d.dx, y + d.dy, d), 1)
        yield Step("left", (x, y, d.left()), 10)
        yield Step("right", (x, y, d.right()), 10)

    def is_goal(self, state):
        return state[:2] == (5, 5)


class Heading(IntEnum):
    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3

    def turn(self, by):
        return Heading((self + by) % 4)

    @property
    def delta(self):
        return {
            Heading.UP: (0, -1),
            Heading.RIGHT: (1, 0),
            Heading.DOWN: (0, 1),
            Heading.LEFT: (-1, 0),
        }[self]


class Robot(NamedTuple):
    x: int
    y: int
    heading: Heading


class IntEnumRobot(Problem):
    def initial_states(self):
        return [Robot(0, 0, Heading.UP)]

    def successors(self, state):
        dx, dy = state.heading.delta
        x, y = state.x + dx, state.y + dy
        if 0 <= x < 5 and 0 <= y < 5:
            yield Step("go", state._replace(x=x, y=y))
        for by in (1, 3):
            yield Step(by, state._replace(heading=state.heading.turn(by)))

    def is_goal(self, state):
        return (state.x, state.y) == (4, 4)


class Color(Enum):
    RED = "R"
    GREEN = "G"
    BLUE = "B"

    def next(self):
        members = list(Color)
        return members[(members.index(self) + 1) % len(members)]

    @classmethod
    def parse(cls, text):
        return cls(text)

    def __str__(self):
        return self.value


class ColorCycle(Problem):
    def initial_states(self):
        return [(Color.RED, Color.GREEN, Color.BLUE)]

    def successors(self, state):
        for i, c in enumerate(state):
            new = list(state)
            new[i] = c.next()
            yield Step(f"{i}:{c}", tuple(new))

    def is_goal(self, state):
        return all(c is Color.RED for c in state)


class EnumOpposite(Enum):
    LEFT = 0
    RIGHT = 1

    @property
    def other(self):
        return EnumOpposite.RIGHT if self is EnumOpposite.LEFT else EnumOpposite.LEFT

    def __invert__(self):
        return EnumOpposite(1 - self.value)


class Bridge(Problem):
    """Bridge and torch with bits, bit_count and bit_length."""

    costs = Costs.INTEGER
    times = (1, 2, 5, 10)

    def initial_states(self):
        return [(0b1111, EnumOpposite.LEFT)]

    def successors(self, state):
        left, side = state
        here = left if side is EnumOpposite.LEFT else 0b1111 & ~left
        sub = here
        while sub:
            if sub.bit_count() <= 2:
                t = max(self.times[i] for i in range(4) if sub >> i & 1)
                yield Step(bin(sub), (left ^ sub, side.other), t)
            sub = (sub - 1) & here

    def is_goal(self, state):
        return state[0] == 0


class InvertEnum(Problem):
    def initial_states(self):
        return [(7, EnumOpposite.LEFT)]

    def successors(self, state):
        mask, side = state
        if mask:
            low = mask & -mask
            top = 1 << (mask.bit_length() - 1)
            yield Step("low", (mask ^ low, ~side))
            yield Step("top", (mask ^ top, ~side))

    def is_goal(self, state):
        return state == (0, EnumOpposite.RIGHT)


class IsInstance(Problem):
    def initial_states(self):
        return [(0, ("a", 1))]

    def successors(self, state):
        for i, x in enumerate(state):
            if isinstance(x, tuple):
                yield Step(i, (state[0], (x[0], (x[1] + 1) % 4)))
            elif isinstance(x, int):
                yield Step(i, ((x + 1) % 4, state[1]))

    def is_goal(self, state):
        return state == (3, ("a", 0))


@dataclass(frozen=True)
class Place:
    row: int
    col: int


class PlacesCompared(Problem):
    """Records compared with those that rules make: bare, within tuples, and by `in`."""

    target = Place(3, 3)

    def initial_states(self):
        return [(Place(0, 0), Place(2, 1))]

    def successors(self, state):
        here, stone = state
        for row, col in ((0, 1), (1, 0), (-1, 0), (0, -1)):
            new = Place(here.row + row, here.col + col)
            if new == stone or new in (Place(1, 1), Place(0, 3)) or not 0 <= new.row < 4 > new.col:
                continue
            if new != Place(-1, 0) and new.col >= 0 and (new, 1) != (Place(3, stone.col - 1), 1):
                yield Step((row, col), (new, stone))

    def is_goal(self, state):
        return state == (self.target, Place(2, 1)) and state[0] == Place(3, 3)


class Side(StrEnum):
    LEFT = "left"
    RIGHT = "right"

    def other(self):
        return Side.RIGHT if self == Side.LEFT else Side.LEFT


class SidesByText(Problem):
    def initial_states(self):
        return [(Side.LEFT, 3)]

    def successors(self, s):
        side, n = s
        if n:
            yield Step("go", (side.other(), n - 1))
        if side == "left" and n < 5:
            yield Step("more", (side, n + 1))

    def is_goal(self, s):
        return s == (Side.RIGHT, 0)


class InSets(Problem):
    walls = {Place(1, 1), Place(2, 0), Place(0, 3)}
    costs_of = {Place(3, 3): 1, Place(1, 2): 2}
    pairs = {(Place(0, 1), 1), (Place(1, 0), 0)}

    def initial_states(self):
        return [(Place(0, 0), frozenset({Place(2, 2)}))]

    def successors(self, s):
        here, boxes = s
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            new = Place(here.row + dx, here.col + dy)
            if new in self.walls or not (0 <= new.row < 4 and 0 <= new.col < 4):
                continue
            if (new, len(boxes)) in self.pairs and here.row == 9:
                continue
            if new in boxes:
                yield Step("take", (new, boxes - {new}))
            elif new in self.costs_of and self.costs_of[new] > len(boxes):
                yield Step("put", (new, boxes | {here}))
            yield Step((dx, dy), (new, boxes))

    def is_goal(self, s):
        return s == (Place(3, 3), frozenset()) or Place(3, 3) in s[1]

    def heuristic(self, s):
        return self.costs_of.get(s[0], 0) if s[0] != Place(3, 3) else 0


class HeldPlace(Problem):
    def initial_states(self):
        return [(None, Place(0, 0))]

    def successors(self, s):
        held, at = s
        if held == at:
            yield Step("drop", (None, at))
        if held is None:
            yield Step("take", (at, at))
        if at.row < 3:
            yield Step("r", (held, Place(at.row + 1, at.col)))

    def is_goal(self, s):
        return s == (Place(3, 0), Place(3, 0)) or (s[0] == Place(2, 0) and s[1] != s[0])


@dataclass(frozen=True)
class Lamp:
    """Its first field is given by name alone."""

    hue: int = field(default=0, kw_only=True)
    x: int = 0
    y: int = 0


class LampsByName(Problem):
    """Records as keys and values of dicts, and fields that are given by name alone."""

    def initial_states(self):
        return [Lamp(1, 2, hue=3)]

    def successors(self, lamp):
        yield Step("turned", Lamp(lamp.y, lamp.x, hue=lamp.hue))
        yield Step("dark", Lamp(lamp.x % 3, hue=(lamp.hue + 1) % 4))
        yield Step("next", {0: Lamp(1, 1), 1: Lamp(2, hue=2)}.get(lamp.x, lamp))
        near = {Lamp(1, 1): 1, Lamp(2, hue=2): 2}.get(lamp, 0)
        yield Step("near", Lamp(near, lamp.hue, hue=near))

    def is_goal(self, lamp):
        return lamp == Lamp(2, 2, hue=2)
