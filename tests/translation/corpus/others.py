"""Graphs, counters, words, records, and games against nobody."""

import attrs

from searchkit import Costs, Problem, Step


class Roads(Problem):
    """A road map as a dict of dicts: states are names of towns, steps cost miles."""

    costs = Costs.INTEGER
    roads = {
        "Arad": {"Zerind": 75, "Sibiu": 140, "Timisoara": 118},
        "Zerind": {"Arad": 75, "Oradea": 71},
        "Oradea": {"Zerind": 71, "Sibiu": 151},
        "Sibiu": {"Arad": 140, "Oradea": 151, "Fagaras": 99, "Rimnicu": 80},
        "Timisoara": {"Arad": 118, "Lugoj": 111},
        "Lugoj": {"Timisoara": 111, "Mehadia": 70},
        "Mehadia": {"Lugoj": 70, "Drobeta": 75},
        "Drobeta": {"Mehadia": 75, "Craiova": 120},
        "Craiova": {"Drobeta": 120, "Rimnicu": 146, "Pitesti": 138},
        "Rimnicu": {"Sibiu": 80, "Craiova": 146, "Pitesti": 97},
        "Fagaras": {"Sibiu": 99, "Bucharest": 211},
        "Pitesti": {"Rimnicu": 97, "Craiova": 138, "Bucharest": 101},
        "Bucharest": {"Fagaras": 211, "Pitesti": 101},
    }

    def initial_states(self):
        return ["Arad"]

    def successors(self, state):
        for town, miles in self.roads[state].items():
            yield Step(town, town, miles)

    def is_goal(self, state):
        return state == "Bucharest"


class Numbers(Problem):
    """Double or add one: states that are numbers and grow."""

    def initial_states(self):
        return [1]

    def successors(self, state):
        if state < 5000:
            yield Step("double", 2 * state)
            yield Step("increment", state + 1)

    def is_goal(self, state):
        return state == 4321


@attrs.frozen
class Lift:
    """A floor, who is inside, and where those who wait are."""

    floor: int
    inside: tuple[bool, ...]
    waiting: tuple[int, ...]


class Lifts(Problem):
    """States that are records made with attrs."""

    wanted = (3, 0, 2)

    def initial_states(self):
        return [Lift(0, (False, False, False), (1, 3, 0))]

    def successors(self, state):
        for floor in (state.floor - 1, state.floor + 1):
            if 0 <= floor < 4:
                places = tuple(
                    floor if inside else place
                    for inside, place in zip(state.inside, state.waiting, strict=True)
                )
                yield Step(f"to {floor}", Lift(floor, state.inside, places))
        for i, (inside, place) in enumerate(zip(state.inside, state.waiting, strict=True)):
            if place == state.floor and (inside or sum(state.inside) < 2):
                changed = list(state.inside)
                changed[i] = not inside
                yield Step(i, attrs.evolve(state, inside=tuple(changed)))

    def is_goal(self, state):
        return state.waiting == self.wanted and not any(state.inside)


class Coins(Problem):
    """Heads and tails: turn over three neighbours, in a ring."""

    def initial_states(self):
        return ["HTHTTHHT"]

    def successors(self, state):
        n = len(state)
        for i in range(n):
            flipped = {i, (i + 1) % n, i - 1}
            yield Step(
                i,
                "".join(
                    ("T" if c == "H" else "H") if j in flipped or j - n in flipped else c
                    for j, c in enumerate(state)
                ),
            )

    def is_goal(self, state):
        return set(state) == {"H"}


class Frogs(Problem):
    """Frogs and toads: negative numbers face left."""

    def initial_states(self):
        return [(1, 1, 1, 0, -1, -1, -1)]

    def successors(self, state):
        hole = state.index(0)
        for distance in (-2, -1, 1, 2):
            place = hole + distance
            if 0 <= place < len(state) and state[place] * distance < 0:
                after = list(state)
                after[hole], after[place] = state[place], 0
                yield Step(place, tuple(after))

    def is_goal(self, state):
        return state == (-1, -1, -1, 0, 1, 1, 1)


class Lock(Problem):
    """A lock of four wheels with forbidden numbers, as a string of digits."""

    dead = frozenset({"0001", "0010", "0100", "1000", "8888", "9009"})

    def initial_states(self):
        return ["0000"]

    def successors(self, state):
        for i in range(4):
            digit = int(state[i])
            for by in (-1, 1):
                after = state[:i] + str((digit + by) % 10) + state[i + 1 :]
                if after not in self.dead:
                    yield Step((i, by), after)

    def is_goal(self, state):
        return state == "4729"


class Ladder(Problem):
    """Words that differ in one letter."""

    words = ("cold", "cord", "card", "ward", "warm", "word", "worm", "wore", "core", "corm", "care")

    def initial_states(self):
        return ["cold"]

    def successors(self, state):
        for word in self.words:
            if sum(a != b for a, b in zip(word, state, strict=True)) == 1:
                yield Step(word, word)

    def is_goal(self, state):
        return state == "warm"


class Heaps(Problem):
    """Heaps that are sorted, so that their order does not matter: take away or halve."""

    def initial_states(self):
        return [(3, 7, 9)]

    def successors(self, state):
        for i, heap in enumerate(state):
            rest = state[:i] + state[i + 1 :]
            if heap > 1 and heap % 2 == 0:
                yield Step((i, "halve"), tuple(sorted((*rest, heap // 2, heap // 2))))
            if heap:
                yield Step((i, "take"), tuple(sorted((*rest, heap - 1))))
            else:
                yield Step((i, "drop"), rest)

    def is_goal(self, state):
        return not state


class Doors(Problem):
    """Keys and doors: a position, and the keys that are held as a sorted tuple."""

    rows = ("@.a#", "##.A", "b.#.", ".B.E")

    def initial_states(self):
        return [((0, 0), ())]

    def successors(self, state):
        (r, c), keys = state
        for name, dr, dc in (("n", -1, 0), ("e", 0, 1), ("s", 1, 0), ("w", 0, -1)):
            nr, nc = r + dr, c + dc
            if not (0 <= nr < len(self.rows) and 0 <= nc < len(self.rows[nr])):
                continue
            cell = self.rows[nr][nc]
            if cell == "#" or (cell in "AB" and cell.lower() not in keys):
                continue
            held = keys
            if cell in "ab" and cell not in keys:
                held = tuple(sorted((*keys, cell)))
            yield Step(name, ((nr, nc), held))

    def is_goal(self, state):
        r, c = state[0]
        return self.rows[r][c] == "E"
