"""Dicts and graphs whose keys are words, some of one letter; members of enumerations beside them."""

from enum import Enum

from searchkit import Costs, Problem, Step


class Bank(Enum):
    LEFT = "left"
    RIGHT = "right"


class FarmerByName(Problem):
    """A dict made of a state with words and enum members."""

    def initial_states(self):
        return [
            (
                ("wolf", Bank.LEFT),
                ("goat", Bank.LEFT),
                ("cabbage", Bank.LEFT),
                ("farmer", Bank.LEFT),
            )
        ]

    def successors(self, state):
        where = dict(state)
        here = where["farmer"]
        there = Bank.RIGHT if here is Bank.LEFT else Bank.LEFT
        for name, bank in where.items():
            if bank is here:
                new = dict(where)
                new["farmer"] = there
                new[name] = there
                if new["goat"] is not there and (
                    new["wolf"] is new["goat"] or new["cabbage"] is new["goat"]
                ):
                    continue
                yield Step(name, tuple(sorted(new.items(), key=lambda kv: kv[0])))

    def is_goal(self, state):
        return all(b is Bank.RIGHT for _, b in state)


class FarmerSorted(Problem):
    """sorted items of words and enum members: Python compares words only as they differ."""

    def initial_states(self):
        return [(("cabbage", Bank.LEFT), ("farmer", Bank.LEFT), ("goat", Bank.LEFT))]

    def successors(self, state):
        where = dict(state)
        here = where["farmer"]
        there = Bank.RIGHT if here is Bank.LEFT else Bank.LEFT
        for name, bank in state:
            if bank is here:
                new = dict(where)
                new["farmer"] = there
                new[name] = there
                yield Step(name, tuple(sorted(new.items())))

    def is_goal(self, state):
        return all(b is Bank.RIGHT for _, b in state)


class NamesAndBanks(Problem):
    """Words and enum members in the same row."""

    def initial_states(self):
        return [("wolf", Bank.LEFT, "goat", Bank.LEFT)]

    def successors(self, state):
        d = {state[0]: state[1], state[2]: state[3]}
        for name in ("wolf", "goat"):
            new = dict(d)
            new[name] = Bank.RIGHT if d[name] is Bank.LEFT else Bank.LEFT
            yield Step(name, ("wolf", new["wolf"], "goat", new["goat"]))

    def is_goal(self, state):
        return state[1] is Bank.RIGHT and state[3] is Bank.RIGHT


class ListsByBank(Problem):
    """lists of words by bank."""

    def initial_states(self):
        return [(Bank.LEFT, ("cabbage", "goat", "wolf"), ())]

    def successors(self, state):
        side, left, right = state
        banks = {Bank.LEFT: list(left), Bank.RIGHT: list(right)}
        other = Bank.RIGHT if side is Bank.LEFT else Bank.LEFT
        yield Step("alone", (other, left, right))
        for thing in banks[side]:
            new = {b: list(t) for b, t in banks.items()}
            new[side].remove(thing)
            new[other].append(thing)
            yield Step(
                thing, (other, tuple(sorted(new[Bank.LEFT])), tuple(sorted(new[Bank.RIGHT])))
            )

    def is_goal(self, state):
        return not state[1]


class Rooms(Problem):
    """a state of words; dict from word to (word, enum)"""

    def initial_states(self):
        return [("kitchen", Bank.LEFT, "none")]

    rooms = {
        "kitchen": {"north": "hall", "east": "garden"},
        "hall": {"south": "kitchen"},
        "garden": {"west": "kitchen"},
    }

    def successors(self, state):
        d = dict(zip(("room", "lamp", "item"), state, strict=True))
        for way, other in self.rooms[d["room"]].items():
            new = dict(d)
            new["room"] = other
            yield Step(way, (new["room"], new["lamp"], new["item"]))
        if d["room"] == "hall":
            d["lamp"] = Bank.RIGHT
            yield Step("lamp", tuple(d.values()))

    def is_goal(self, state):
        return state[1] is Bank.RIGHT and state[0] == "garden"


class ShortLadder(Problem):
    """Words of one letter among longer ones."""

    ladder = ["a", "at", "cat", "cot", "cog", "dog", "do", "d"]

    def initial_states(self):
        return ["a"]

    def successors(self, state):
        for w in self.ladder:
            if w != state and abs(len(w) - len(state)) <= 1:
                yield Step(w, w)

    def is_goal(self, state):
        return state == "dog"


class HomeGraph(Problem):
    """places A, B, Home in a graph"""

    graph = {"A": {"B": 1, "Home": 5}, "B": {"A": 1, "Home": 1}, "Home": {}}
    costs = Costs.INTEGER

    def initial_states(self):
        return ["A"]

    def successors(self, state):
        for other, cost in self.graph[state].items():
            yield Step(other, other, cost)

    def is_goal(self, state):
        return state == "Home"


class GraphWithEstimates(Problem):
    """romania with one-letter names, heuristics by dict and lists"""

    graph = {
        "S": [("A", 1), ("B", 4)],
        "A": [("B", 2), ("C1", 5), ("G", 12)],
        "B": [("C1", 2)],
        "C1": [("G", 3)],
        "G": [],
    }
    h = {"S": 7, "A": 6, "B": 4, "C1": 2, "G": 0}
    costs = Costs.INTEGER

    def initial_states(self):
        return ["S"]

    def successors(self, state):
        for n, c in self.graph[state]:
            yield Step(n, n, c)

    def is_goal(self, state):
        return state == "G"

    def heuristic(self, state):
        return self.h[state]


class Inventory(Problem):
    """Inventory of words, 'x' among them"""

    items = ["x", "key", "lamp"]

    def initial_states(self):
        return [("hall", ())]

    def successors(self, state):
        room, have = state
        for it in ["x", "key", "lamp"]:
            if it not in have:
                yield Step(it, (room, tuple(sorted(have + (it,)))))
        yield Step("go", ("o" if room == "hall" else "hall", have))

    def is_goal(self, state):
        return len(state[1]) == 3


class Compass(Problem):
    """a list in a method with one-letter and longer words"""

    def initial_states(self):
        return [("N", 0)]

    def successors(self, state):
        d, n = state
        order = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
        i = order.index(d)
        yield Step("r", (order[(i + 1) % 8], n))
        if n < 5:
            yield Step("f", (d, n + 1))

    def is_goal(self, state):
        return state == ("SW", 5)
