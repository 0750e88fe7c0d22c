# ruff: noqa: B007, B905, C408, PLC0206, RUF007  (what people write)
"""Rules that count and group: counters, dicts with defaults, dicts made of dicts."""

from collections import Counter, defaultdict

from searchkit import Problem, Step


class MissionariesCounter(Problem):
    """A Counter of who is on the left."""

    def initial_states(self):
        return [(3, 3, "left")]

    def successors(self, state):
        m, c, side = state
        here = Counter(m=m, c=c) if side == "left" else Counter(m=3 - m, c=3 - c)
        for dm, dc in [(1, 0), (2, 0), (0, 1), (0, 2), (1, 1)]:
            if here["m"] < dm or here["c"] < dc:
                continue
            sign = -1 if side == "left" else 1
            nm, nc = m + sign * dm, c + sign * dc
            if (nm and nm < nc) or (3 - nm and 3 - nm < 3 - nc):
                continue
            yield Step((dm, dc), (nm, nc, "right" if side == "left" else "left"))

    def is_goal(self, state):
        return state == (0, 0, "right")


class WaterSort(Problem):
    """Water sort: tubes as strings, count colours by Counter for the goal."""

    start = ("RGB", "GBR", "BRG", "", "")
    capacity = 4

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        for i, source in enumerate(state):
            if not source:
                continue
            colour = source[-1]
            n = len(source) - len(source.rstrip(colour))
            for j, target in enumerate(state):
                if i == j or len(target) == self.capacity:
                    continue
                if target and target[-1] != colour:
                    continue
                k = min(n, self.capacity - len(target))
                tubes = list(state)
                tubes[i] = source[:-k]
                tubes[j] = target + colour * k
                yield Step((i, j), tuple(tubes))

    def is_goal(self, state):
        return all(len(Counter(tube)) <= 1 for tube in state)


class CountedHeaps(Problem):
    """Counts by defaultdict."""

    def initial_states(self):
        return [(3, 1, 2, 1)]

    def successors(self, state):
        counts = defaultdict(int)
        for x in state:
            counts[x] += 1
        for i, x in enumerate(state):
            if counts[x] > 1 and x > 0:
                yield Step(f"dec {i}", state[:i] + (x - 1,) + state[i + 1 :])
            elif x < 4:
                yield Step(f"inc {i}", state[:i] + (x + 1,) + state[i + 1 :])

    def is_goal(self, state):
        counts = defaultdict(int)
        for x in state:
            counts[x] += 1
        return counts[4] == 4


class GroupBlocks(Problem):
    """defaultdict(list) of positions by colour."""

    def initial_states(self):
        return [(0, 1, 2, 0, 1, 2)]

    def successors(self, state):
        where = defaultdict(list)
        for i, c in enumerate(state):
            where[c].append(i)
        for colour, places in where.items():
            for a, b in zip(places, places[1:]):
                if b - a > 1:
                    new = list(state)
                    new[a + 1], new[b] = new[b], new[a + 1]
                    yield Step((colour, a, b), tuple(new))

    def is_goal(self, state):
        return list(state) == sorted(state)


class SetDefault(Problem):
    def initial_states(self):
        return [("a", "b", "c", "b")]

    def successors(self, state):
        seen = {}
        for i, x in enumerate(state):
            first = seen.setdefault(x, i)
            if first != i:
                yield Step((first, i), state[:first] + state[first + 1 :] + (x,))
            else:
                yield Step(("swap", i), (x,) + state[:i] + state[i + 1 :])

    def is_goal(self, state):
        return state == ("c", "b", "b", "a")


class FarmerKwargs(Problem):
    def initial_states(self):
        return [(0, 0, 0, 0)]

    def successors(self, state):
        f, w, g, c = state
        pos = dict(farmer=f, wolf=w, goat=g, cabbage=c)
        for who in pos:
            if pos[who] == pos["farmer"]:
                new = {**pos, "farmer": 1 - pos["farmer"]}
                if who != "farmer":
                    new[who] = 1 - pos[who]
                if (new["wolf"] == new["goat"] and new["farmer"] != new["goat"]) or (
                    new["goat"] == new["cabbage"] and new["farmer"] != new["goat"]
                ):
                    continue
                yield Step(who, (new["farmer"], new["wolf"], new["goat"], new["cabbage"]))

    def is_goal(self, state):
        return all(state)


class DictUnion(Problem):
    def initial_states(self):
        return [(("a", 1), ("b", 2), ("c", 3))]

    def successors(self, state):
        d = dict(state)
        for k in d:
            if d[k] > 0:
                new = d | {k: d[k] - 1}
                yield Step(k, tuple(sorted(new.items())))

    def is_goal(self, state):
        return sum(dict(state).values()) == 0


class FromTheLargest(Problem):
    def initial_states(self):
        return [(2, 0, 1)]

    def successors(self, state):
        size = {"a": state[0], "b": state[1], "c": state[2]}
        best = max(size, key=size.get)
        i = "abc".index(best)
        for j in range(3):
            if j != i and state[i]:
                new = list(state)
                new[i] -= 1
                new[j] += 1
                yield Step((i, j), tuple(new))

    def is_goal(self, state):
        return state == (1, 1, 1)


class RowsOfPoints(Problem):
    """defaultdict(set), Counter.most_common, Counter of pairs"""

    def initial_states(self):
        return [((0, 1), (1, 1), (0, 2))]

    def successors(self, state):
        rows = defaultdict(set)
        for x, y in state:
            rows[y].add(x)
        for i, (x, y) in enumerate(state):
            for nx in range(3):
                if nx not in rows[y]:
                    new = list(state)
                    new[i] = (nx, y)
                    yield Step((i, nx), tuple(sorted(new)))

    def is_goal(self, state):
        c = Counter(x for x, _ in state)
        return max(c.values()) == 1


class MostCommon(Problem):
    def initial_states(self):
        return [(1, 2, 2, 3)]

    def successors(self, state):
        c = Counter(state)
        top, n = c.most_common(1)[0]
        for i, x in enumerate(state):
            if x != top:
                yield Step(i, state[:i] + (top,) + state[i + 1 :])
            elif n > 1:
                yield Step(-i, state[:i] + ((x + 1) % 4,) + state[i + 1 :])

    def is_goal(self, state):
        return len(set(state)) == 1 and state[0] == 3


class Anagram(Problem):
    target = Counter("listen")

    def initial_states(self):
        return [""]

    def successors(self, state):
        for c in "einlst":
            if Counter(state + c)[c] <= self.target[c]:
                yield Step(c, state + c)

    def is_goal(self, state):
        return Counter(state) == self.target


class WordsOfLetters(Problem):
    """one Counter of the state; subtract"""

    def initial_states(self):
        return ["aabbc"]

    def successors(self, state):
        have = Counter(state)
        for word in ("ab", "bc", "a", "ca"):
            need = Counter(word)
            if all(have[c] >= n for c, n in need.items()):
                left = have - need
                yield Step(word, "".join(sorted(left.elements())))

    def is_goal(self, state):
        return state == ""
