# ruff: noqa: B905, RET503, UP031, UP045  (what people write)
"""Puzzles as courses and forums set them: floors, banks, words, boards."""

import itertools
from collections import namedtuple
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Optional

from searchkit import Costs, Problem, Step

State = namedtuple("State", "missionaries cannibals boat")


class NamedBanks(Problem):
    """named tuple by collections, generator of moves, all() with names"""

    def initial_states(self):
        return [State(3, 3, True)]

    def is_safe(self, m, c):
        return m == 0 or m >= c

    def successors(self, s):
        for dm in range(3):
            for dc in range(3 - dm):
                if dm + dc == 0:
                    continue
                d = -1 if s.boat else 1
                new = State(s.missionaries + d * dm, s.cannibals + d * dc, not s.boat)
                if min(new[:2]) < 0 or max(new[:2]) > 3:
                    continue
                if self.is_safe(*new[:2]) and self.is_safe(3 - new.missionaries, 3 - new.cannibals):
                    yield Step((dm, dc), new)

    def is_goal(self, s):
        return s == (0, 0, False)


class Item(Enum):
    M1 = ("m", 1)
    G1 = ("g", 1)
    M2 = ("m", 2)
    G2 = ("g", 2)

    def __init__(self, kind, number):
        self.kind = kind
        self.number = number

    @property
    def is_generator(self):
        return self.kind == "g"

    def partner(self):
        for other in Item:
            if other.number == self.number and other is not self:
                return other


class Elevator(Problem):
    """Floors, items as enum members"""

    def initial_states(self):
        return [(0, (0, 1, 0, 2))]

    def safe(self, floors):
        for i, item in enumerate(Item):
            if not item.is_generator:
                mine = list(Item).index(item.partner())
                if floors[i] != floors[mine] and any(
                    floors[j] == floors[i] for j, o in enumerate(Item) if o.is_generator
                ):
                    return False
        return True

    def successors(self, state):
        at, floors = state
        here = [i for i, f in enumerate(floors) if f == at]
        for to in (at + 1, at - 1):
            if not 0 <= to <= 3:
                continue
            for load in itertools.chain(
                itertools.combinations(here, 2), itertools.combinations(here, 1)
            ):
                new = tuple(to if i in load else f for i, f in enumerate(floors))
                if self.safe(new):
                    yield Step((to, load), (to, new))

    def is_goal(self, state):
        return state == (3, (3, 3, 3, 3))


class Unlock(Problem):
    """frozenset of enum members, any/all with sets"""

    class Tool(Enum):
        KEY = auto()
        ROPE = auto()
        LAMP = auto()

    needs = {"cave": {Tool.LAMP, Tool.ROPE}, "vault": {Tool.KEY}, "hall": set()}
    found = {"hall": Tool.LAMP, "cave": Tool.KEY, "garden": Tool.ROPE}
    doors = {
        "hall": ["garden", "cave", "vault"],
        "garden": ["hall"],
        "cave": ["hall"],
        "vault": ["hall"],
    }

    def initial_states(self):
        return [("hall", frozenset())]

    def successors(self, state):
        room, have = state
        if room in self.found and self.found[room] not in have:
            yield Step("take", (room, have | {self.found[room]}))
        for door in self.doors[room]:
            if self.needs.get(door, set()) <= have:
                yield Step(door, (door, have))

    def is_goal(self, state):
        return state[0] == "vault"


class Clock(Problem):
    """divmod of times, formatted text states hh:mm"""

    def initial_states(self):
        return ["00:00"]

    def successors(self, state):
        h, m = map(int, state.split(":"))
        yield Step("hour", f"{(h + 1) % 12:02}:{m:02}")
        yield Step("ten", "%02d:%02d" % (h, (m + 10) % 60))

    def is_goal(self, state):
        return state == "03:50"


class FilledClock(Problem):
    """with zfill"""

    def initial_states(self):
        return ["00:00"]

    def successors(self, state):
        h, m = map(int, state.split(":"))
        yield Step("hour", str((h + 1) % 12).zfill(2) + ":" + str(m).zfill(2))
        yield Step("ten", str(h).zfill(2) + ":" + str((m + 10) % 60).rjust(2, "0"))

    def is_goal(self, state):
        return state == "03:50"


class Robots(Problem):
    """slide to the wall; dict of directions; while with walrus"""

    walls = {(2, 0), (0, 3), (3, 2)}

    def initial_states(self):
        return [((0, 0), (3, 3))]

    def successors(self, state):
        for i, (x, y) in enumerate(state):
            for name, (dx, dy) in {"n": (0, -1), "s": (0, 1), "e": (1, 0), "w": (-1, 0)}.items():
                nx, ny = x, y
                while (
                    (p := (nx + dx, ny + dy)) not in self.walls
                    and p not in state
                    and all(0 <= c < 4 for c in p)
                ):
                    nx, ny = p
                if (nx, ny) != (x, y):
                    yield Step((i, name), state[:i] + ((nx, ny),) + state[i + 1 :])

    def is_goal(self, state):
        return state[0] == (1, 2)


class WolfSets(Problem):
    """state = (frozenset left, frozenset right, side)"""

    def initial_states(self):
        return [(frozenset("FWGC"), frozenset(), "L")]

    def ok(self, bank):
        return "F" in bank or not ({"W", "G"} <= bank or {"G", "C"}.issubset(bank))

    def successors(self, state):
        left, right, side = state
        here, there = (left, right) if side == "L" else (right, left)
        for cargo in [set()] + [{x} for x in sorted(here) if x != "F"]:
            moved = cargo | {"F"}
            a, b = here - moved, there | moved
            if self.ok(a) and self.ok(b):
                yield Step(tuple(sorted(moved)), (a, b, "R") if side == "L" else (b, a, "L"))

    def is_goal(self, state):
        return not state[0]


class Vault(Problem):
    """Doors by a checksum of the path text"""

    def initial_states(self):
        return [(0, 0, "")]

    def open(self, path):
        h = sum((i + 1) * ord(c) for i, c in enumerate(path)) * 31 % 97
        return [bool(h >> i & 1) for i in range(4)]

    def successors(self, state):
        x, y, path = state
        if len(path) > 6:
            return
        for (d, dx, dy), is_open in zip(
            (("U", 0, -1), ("D", 0, 1), ("L", -1, 0), ("R", 1, 0)), self.open(path)
        ):
            if is_open and 0 <= x + dx < 4 and 0 <= y + dy < 4:
                yield Step(d, (x + dx, y + dy, path + d))

    def is_goal(self, state):
        return state[:2] == (3, 3)


class Nonogram(Problem):
    """rows filled one by one; runs of each column by groupby / split"""

    rows = (1, 3, 1)
    cols = (1, 3, 1)

    def initial_states(self):
        return [()]

    def successors(self, state):
        if len(state) == 3:
            return
        n = self.rows[len(state)]
        for start in range(3 - n + 1):
            yield Step(start, state + ("." * start + "#" * n + "." * (3 - n - start),))

    def is_goal(self, state):
        return len(state) == 3 and all(
            [len(run) for run in "".join(col).split(".") if run] == [want]
            for col, want in zip(zip(*state), self.cols)
        )


class MergeGame(Problem):
    """2048-like row merge by stack list"""

    def initial_states(self):
        return [(2, 2, 4, 0)]

    def slide(self, row):
        tiles = [x for x in row if x]
        out = []
        i = 0
        while i < len(tiles):
            if i + 1 < len(tiles) and tiles[i] == tiles[i + 1]:
                out.append(tiles[i] * 2)
                i += 2
            else:
                out.append(tiles[i])
                i += 1
        return tuple(out + [0] * (len(row) - len(out)))

    def successors(self, state):
        yield Step("left", self.slide(state))
        yield Step("right", self.slide(state[::-1])[::-1])
        if 0 in state:
            i = state.index(0)
            yield Step("new", state[:i] + (2,) + state[i + 1 :])

    def is_goal(self, state):
        return 16 in state


@dataclass(frozen=True)
class Jugs:
    amounts: tuple
    sizes: tuple = (8, 5, 3)

    def pour(self, i, j):
        k = min(self.amounts[i], self.sizes[j] - self.amounts[j])
        new = list(self.amounts)
        new[i] -= k
        new[j] += k
        return replace(self, amounts=tuple(new))

    def __iter__(self):
        return iter(self.amounts)

    def __len__(self):
        return len(self.amounts)

    def __getitem__(self, i):
        return self.amounts[i]


class JugsClass(Problem):
    def initial_states(self):
        return [Jugs((8, 0, 0))]

    def successors(self, state):
        for i, j in itertools.permutations(range(len(state)), 2):
            if state[i] and state[j] < state.sizes[j]:
                yield Step((i, j), state.pour(i, j))

    def is_goal(self, state):
        return 4 in state.amounts


class MayHold(Problem):
    """Optional values, None checks, ternaries, early return None helper"""

    def initial_states(self):
        return [(0, None)]

    def pick(self, x) -> Optional[int]:
        if x % 3 == 0:
            return x // 3
        return None

    def successors(self, state):
        x, held = state
        p = self.pick(x)
        if p is not None and held is None:
            yield Step("pick", (x, p))
        if held:
            yield Step("drop", (x + held, None))
        if x < 20:
            yield Step("inc", (x + 1, held))

    def is_goal(self, state):
        return state == (15, None)


class Bracket(Problem):
    """valid brackets by stack and dict"""

    pairs = {")": "(", "]": "["}

    def initial_states(self):
        return [""]

    def ok(self, text):
        stack = []
        for c in text:
            if c in self.pairs:
                if not stack or stack.pop() != self.pairs[c]:
                    return False
            else:
                stack.append(c)
        return True

    def successors(self, state):
        if len(state) < 6:
            for c in "()[]":
                if self.ok(state + c):
                    yield Step(c, state + c)

    def is_goal(self, state):
        return state == "([()])"


class Tasks(Problem):
    """scheduling: dict of prerequisites as sets of words, frozenset done"""

    before = {"a": set(), "b": {"a"}, "c": {"a"}, "d": {"b", "c"}}
    time = {"a": 3, "b": 2, "c": 4, "d": 1}
    costs = Costs.INTEGER

    def initial_states(self):
        return [frozenset()]

    def successors(self, state):
        ready = [t for t, pre in self.before.items() if t not in state and pre.issubset(state)]
        for t in ready:
            yield Step(t, state | {t}, self.time[t])

    def is_goal(self, state):
        return state >= self.before.keys()

    def heuristic(self, state):
        return sum(self.time[t] for t in self.before if t not in state)


class MinMoves(Problem):
    """heuristic with nested min over generator with sorted and key lambda, default"""

    goals = ((0, 0), (3, 3))

    def initial_states(self):
        return [((1, 2), (2, 1))]

    def successors(self, state):
        for i, (x, y) in enumerate(state):
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                p = (x + dx, y + dy)
                if p not in state and all(0 <= v <= 3 for v in p):
                    new = list(state)
                    new[i] = p
                    yield Step((i, p), tuple(sorted(new)))

    def is_goal(self, state):
        return set(state) == set(self.goals)

    def heuristic(self, state):
        nearest = [min(self.goals, key=lambda g: abs(g[0] - x) + abs(g[1] - y)) for x, y in state]
        return max(
            (abs(gx - x) + abs(gy - y) for (x, y), (gx, gy) in zip(state, nearest)), default=0
        )


class BitsOfText(Problem):
    """bits as string, int(text, 2), format(n, 'b')"""

    def initial_states(self):
        return ["1011"]

    def successors(self, state):
        n = int(state, 2)
        yield Step("inc", format((n + 1) % 16, "04b"))
        yield Step("rot", state[1:] + state[0])
        yield Step("flip", "".join("10"[int(b)] for b in state))

    def is_goal(self, state):
        return state == "0000"


class Translate(Problem):
    """str.translate / maketrans"""

    table = str.maketrans("RGB", "GBR")

    def initial_states(self):
        return ["RGB"]

    def successors(self, state):
        yield Step("t", state.translate(self.table))
        yield Step("s", state[1] + state[0] + state[2])

    def is_goal(self, state):
        return state == "BGR"


class NextIter(Problem):
    """next(iter(...)) of a frozenset of one"""

    def initial_states(self):
        return [(frozenset({1}), frozenset({2, 3}))]

    def successors(self, state):
        a, b = state
        if len(a) == 1:
            x = next(iter(a))
            for y in sorted(b):
                yield Step((x, y), (frozenset({y}), (b - {y}) | {x}))

    def is_goal(self, state):
        return state[0] == {3}
