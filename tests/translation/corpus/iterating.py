# ruff: noqa: B905, RUF007  (what people write)
"""Rules with iterators, groups and queues; banks as frozensets."""

import itertools
import math
import operator
from collections import deque
from functools import reduce
from itertools import accumulate, chain, combinations, groupby, permutations

from searchkit import Problem, Step


class EightInRows(Problem):
    """any with two fors and a walrus"""

    def initial_states(self):
        return [((1, 2, 3), (4, 0, 5), (6, 7, 8))]

    def successors(self, state):
        r, c = next((i, j) for i, row in enumerate(state) for j, x in enumerate(row) if x == 0)
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if 0 <= (nr := r + dr) < 3 and 0 <= (nc := c + dc) < 3:
                g = [list(row) for row in state]
                g[r][c], g[nr][nc] = g[nr][nc], g[r][c]
                yield Step(g[r][c], tuple(map(tuple, g)))

    def is_goal(self, state):
        return not any(state[i][j] != 3 * i + j for i in range(3) for j in range(3))

    def heuristic(self, state):
        return sum(
            abs(i - x // 3) + abs(j - x % 3)
            for i, row in enumerate(state)
            for j, x in enumerate(row)
            if x
        )


class AllOrders(Problem):
    """permutations of the state itself"""

    def initial_states(self):
        return [(5, 2, 9)]

    def successors(self, state):
        for a, b, c in permutations(state):
            if a + b < 40:
                yield Step((a, b, c), (a + b, b, c) if a > c else (a, b, c))

    def is_goal(self, state):
        return state[0] == 33


class BoatOfLetters(Problem):
    """boat: combinations of a frozenset, sorted"""

    def initial_states(self):
        return [(frozenset({"a", "b", "c", "d"}), True)]

    def successors(self, state):
        left, here = state
        bank = left if here else frozenset("abcd") - left
        for n in (1, 2):
            for group in combinations(sorted(bank), n):
                new = left - set(group) if here else left.union(group)
                yield Step(group, (new, not here))

    def is_goal(self, state):
        return not state[0]


class FarmerInWords(Problem):
    """frozensets of words: who is on the left bank"""

    everyone = frozenset({"man", "wolf", "goat", "cabbage"})
    bad = [{"wolf", "goat"}, {"goat", "cabbage"}]

    def initial_states(self):
        return [self.everyone]

    def successors(self, state):
        side = state if "man" in state else self.everyone - state
        for who in sorted(side):
            moved = {"man", who}
            new = state - moved if "man" in state else state | moved
            alone = self.everyone - new if "man" in new else new
            if not any(pair <= alone for pair in self.bad):
                yield Step(who, frozenset(new))

    def is_goal(self, state):
        return not state


class LookAndSay(Problem):
    """look-and-say with groupby"""

    def initial_states(self):
        return ["1"]

    def successors(self, state):
        if len(state) < 12:
            yield Step("say", "".join(str(len(list(g))) + k for k, g in groupby(state)))
        yield Step("turn", state[::-1])

    def is_goal(self, state):
        return state == "312211"


class ChainMoves(Problem):
    def initial_states(self):
        return [(3, 5, 0)]

    def successors(self, state):
        x, y, k = state
        ups = ((x + i, y) for i in range(1, 3))
        downs = ((x, y - i) for i in range(1, 3))
        for nx, ny in chain(ups, downs):
            if nx < 9 and ny >= 0:
                yield Step("m", (nx, ny, (k + 1) % 3))

    def is_goal(self, state):
        return state[:2] == (8, 0)


class StacksInTuples(Problem):
    def initial_states(self):
        return [((1, 2), (3,), ())]

    def successors(self, state):
        flat = sum(state, ())
        for i, s in enumerate(state):
            if s:
                for j in range(3):
                    if i != j:
                        new = list(state)
                        new[i] = s[:-1]
                        new[j] = new[j] + s[-1:]
                        yield Step((i, j), tuple(new))
        if len(flat) != 3:
            yield Step("no", ((), (), ()))

    def is_goal(self, state):
        return state == ((), (), (1, 2, 3))


class SortedCards(Problem):
    def initial_states(self):
        return [((1, "b"), (2, "a"), (1, "a"))]

    def successors(self, state):
        for i, (n, c) in enumerate(state):
            if n < 3:
                new = [*state[:i], (n + 1, c), *state[i + 1 :]]
                yield Step(i, tuple(sorted(new, key=lambda p: (p[1], -p[0]))))
                yield Step(-i, tuple(sorted(new, key=operator.itemgetter(1), reverse=True)))

    def is_goal(self, state):
        return all(n == 3 for n, _ in state)


class RunningSums(Problem):
    def initial_states(self):
        return [(1, 2, 3)]

    def successors(self, state):
        if state[-1] < 30:
            yield Step("acc", tuple(accumulate(state)))
        yield Step("rot", state[1:] + state[:1])

    def is_goal(self, state):
        return state == (1, 3, 6)


class Nim(Problem):
    def initial_states(self):
        return [(3, 4, 5)]

    def successors(self, state):
        for i, heap in enumerate(state):
            for take in range(1, heap + 1):
                yield Step((i, take), state[:i] + (heap - take,) + state[i + 1 :])

    def is_goal(self, state):
        return reduce(operator.xor, state) == 0

    def heuristic(self, state):
        return int(reduce(lambda a, b: a ^ b, state, 0) != 0)


class StarArguments(Problem):
    """star args helper, *args"""

    def initial_states(self):
        return [(0, 0)]

    def move(self, *deltas):
        return tuple(max(0, min(5, s + d)) for s, d in zip(self.now, deltas))

    def shift(self, state, *by):
        return tuple(s + b for s, b in zip(state, by))

    def successors(self, state):
        for d in ((0, 1), (1, 0)):
            new = self.shift(state, *d)
            if max(new) < 6:
                yield Step(d, new)

    def is_goal(self, state):
        return state == (5, 5)


class Blueprint(Problem):
    """Tuples of robots and resources with zip and map"""

    bots = {"ore": (4, 0), "clay": (2, 0), "obsidian": (3, 2)}

    def initial_states(self):
        return [((1, 0, 0), (0, 0, 0), 0)]

    def successors(self, state):
        robots, have, t = state
        if t >= 9:
            return
        for i, (kind, (ore, clay)) in enumerate(self.bots.items()):
            if have[0] >= ore and have[1] >= clay:
                spent = (have[0] - ore, have[1] - clay, have[2])
                res = tuple(map(sum, zip(spent, robots)))
                more = tuple(r + (j == i) for j, r in enumerate(robots))
                yield Step(kind, (more, res, t + 1))
        yield Step("wait", (robots, tuple(map(operator.add, have, robots)), t + 1))

    def is_goal(self, state):
        return state[0][2] >= 1


class Rotate(Problem):
    """Transposing by zip(*rows), turned by [::-1]"""

    def initial_states(self):
        return [((1, 2, 3), (4, 5, 6), (7, 8, 9))]

    def successors(self, state):
        yield Step("turn", tuple(zip(*state[::-1])))
        yield Step("flip", tuple(row[::-1] for row in state))
        yield Step("transpose", tuple(map(tuple, zip(*state))))

    def is_goal(self, state):
        return state[0][0] == 9 and state[0][1] == 6


class RotateBy(Problem):
    def initial_states(self):
        return [(1, 2, 3, 4)]

    def successors(self, state):
        for k in (1, -1, 2):
            d = deque(state)
            d.rotate(k)
            yield Step(k, tuple(d))
        yield Step("s", (state[1], state[0]) + state[2:])

    def is_goal(self, state):
        return state == (4, 3, 2, 1)


class NamedIter(Problem):
    """iterators with names"""

    def initial_states(self):
        return [(1, 3, 2, 0)]

    def successors(self, state):
        pairs = zip(state, state[1:])
        for i, (a, b) in enumerate(pairs):
            if a > b:
                yield Step(i, state[:i] + (b, a) + state[i + 2 :])
        moves = ((i, j) for i in range(4) for j in range(i))
        for i, j in moves:
            s = list(state)
            s[i], s[j] = s[j], s[i]
            yield Step((i, j), tuple(s))

    def is_goal(self, state):
        inversions = (a > b for a, b in itertools.combinations(state, 2))
        return not any(inversions)


class NumberTheory(Problem):
    def initial_states(self):
        return [(12, 18)]

    def successors(self, state):
        a, b = state
        g = math.gcd(a, b)
        if g > 1:
            yield Step("divide", (a // g, b // g))
        if math.isqrt(a) ** 2 != a and a < 60:
            yield Step("inc", (a + 1, b))
        if b > 1 and math.comb(4, b % 4) > 1:
            yield Step("dec", (a, b - 1))
        if a * b < 300:
            yield Step("lcm", (math.lcm(a, b), b))

    def is_goal(self, state):
        return state == (1, 1)
