"""States that are texts: digits, tiles, rewriting, tubes."""

import math

from searchkit import Problem, Step


class LockDigits(Problem):
    """Open the lock: int(text) and str(digit)."""

    dead = {"0201", "0101", "0102", "1212", "2002"}

    def initial_states(self):
        return ["0000"]

    def successors(self, state):
        for i in range(4):
            d = int(state[i])
            for delta in (-1, 1):
                new = state[:i] + str((d + delta) % 10) + state[i + 1 :]
                if new not in self.dead:
                    yield Step((i, delta), new)

    def is_goal(self, state):
        return state == "0202"


class SlidingReplace(Problem):
    """swap two characters by three replaces."""

    neighbors = [[1, 3], [0, 2, 4], [1, 5], [0, 4], [1, 3, 5], [2, 4]]

    def initial_states(self):
        return ["412503"]

    def successors(self, state):
        z = state.index("0")
        for n in self.neighbors[z]:
            tile = state[n]
            yield Step(tile, state.replace("0", "x").replace(tile, "0").replace("x", tile))

    def is_goal(self, state):
        return state == "123450"


class StringRewriting(Problem):
    """Replace molecules (multi-character replacement at each place)."""

    rules = [("H", "HO"), ("H", "OH"), ("O", "HH")]

    def initial_states(self):
        return ["HO"]

    def successors(self, state):
        if len(state) > 7:
            return
        for old, new in self.rules:
            i = state.find(old)
            while i >= 0:
                yield Step((old, i), state[:i] + new + state[i + len(old) :])
                i = state.find(old, i + 1)

    def is_goal(self, state):
        return state == "HOHOHO"


class RewritingReplace(Problem):
    """MIU: replace texts of several characters, count 1."""

    def initial_states(self):
        return ["MI"]

    def successors(self, state):
        if len(state) > 12:
            return
        if state.endswith("I"):
            yield Step("1", state + "U")
        yield Step("2", "M" + state[1:] * 2)
        if "III" in state:
            yield Step("3", state.replace("III", "U", 1))
        if "UU" in state:
            yield Step("4", state.replace("UU", ""))

    def is_goal(self, state):
        return state == "MU"


class Partition(Problem):
    """string partition, split, join, find"""

    def initial_states(self):
        return ["ab|cd"]

    def successors(self, state):
        left, _, right = state.partition("|")
        if left:
            yield Step("r", left[:-1] + "|" + left[-1] + right)
        if right:
            yield Step("l", left + right[0] + "|" + right[1:])
        yield Step("s", right + "|" + left)

    def is_goal(self, state):
        return state.startswith("|")


class FindFrom(Problem):
    """replace at each place, by find with a start, and join"""

    def initial_states(self):
        return ["A.B.C"]

    def successors(self, state):
        i = state.find(".")
        while i != -1:
            if i > 0:
                yield Step(i, state[: i - 1] + "." + state[i - 1] + state[i + 1 :])
            if i + 1 < len(state):
                yield Step(i, state[:i] + state[i + 1] + "." + state[i + 2 :])
            i = state.find(".", i + 1)

    def is_goal(self, state):
        return state == "C.B.A"


class RepeatStr(Problem):
    def initial_states(self):
        return ["ab"]

    def successors(self, state):
        if len(state) < 12:
            yield Step("twice", state * 2)
            yield Step("a", state + "a" * (len(state) % 3))
        yield Step("pad", ("xy" * 3 + state)[-6:])

    def is_goal(self, state):
        return state == "xyxyab"


class NumberText(Problem):
    """str(n) of several digits, int(text)"""

    def initial_states(self):
        return [12]

    def successors(self, state):
        s = str(state)
        yield Step("reverse", int(s[::-1]))
        yield Step("digits", sum(int(c) for c in s))
        if state < 500:
            yield Step("double", state * 2)

    def is_goal(self, state):
        return str(state) == str(state)[::-1] and state > 100


class Transform(Problem):
    """Number maze: append digit or multiply, people do int(str(n) + '1')"""

    def initial_states(self):
        return [2]

    def successors(self, state):
        if state < 10000:
            yield Step("x2", state * 2)
            yield Step("1", int(str(state) + "1"))

    def is_goal(self, state):
        return state == 8122 or state == 162


class LightsXor(Problem):
    masks = [
        sum(
            1 << (y * 3 + x)
            for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
            for x, y in [(i % 3 + dx, i // 3 + dy)]
            if 0 <= x < 3 and 0 <= y < 3
        )
        for i in range(9)
    ]

    def initial_states(self):
        return [0b101010101]

    def successors(self, state):
        for i, m in enumerate(self.masks):
            yield Step(i, state ^ m)

    def is_goal(self, state):
        return bin(state).count("1") == 0

    def heuristic(self, state):
        return math.ceil(bin(state).count("1") / 5)
