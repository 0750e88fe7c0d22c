"""Has this state been met before? Four ways to know it, and how many comparisons each one takes.

Breadth-first search of all positions of a puzzle, whose states are texts of digits, with a list, a
binary tree, a hash table, or with an array of flags by perfect numbers.

    python examples/duplicate_detection.py
    searchkit explore --plugin examples/duplicate_detection.py digits -p board=wheel
"""

from searchkit import Parameter, Problem, Step, hookimpl

BOARDS = {
    "wheel": ("123", "034", "035", "012456", "136", "236", "345"),
    "3x3": ("13", "042", "15", "046", "1357", "248", "37", "468", "57"),
}
"""The neighbours of each cell, in the order in which they are tried."""


class Digits(Problem):
    undirected = True

    def __init__(self, board, start=""):
        if board not in BOARDS:
            raise ValueError(f"board {board!r} is unknown; known: {', '.join(BOARDS)}")
        self.neighbours = [[*map(int, cells)] for cells in BOARDS[board]]
        self.goal = "".join(map(str, range(1, len(self.neighbours)))) + "0"
        self.start = start or self.goal
        if sorted(self.start) != sorted(self.goal):
            raise ValueError(f"start {start!r} is not an order of the digits of {self.goal}")

    def initial_states(self):
        return [self.start]

    def goal_states(self):
        return [self.goal]

    def is_goal(self, state):
        return state == self.goal

    def successors(self, state):
        blank = state.index("0")
        for cell in self.neighbours[blank]:
            tile = state[cell]
            yield Step(tile, state.replace(tile, "_").replace("0", tile).replace("_", "0"))


class ByList:
    """Compares with one after the other, the oldest first."""

    def __init__(self):
        self.met, self.comparisons = [], 0

    def add(self, key):
        """Whether it is new."""
        try:
            self.comparisons += self.met.index(key) + 1
            return False
        except ValueError:
            self.comparisons += len(self.met)
            self.met.append(key)
            return True


class ByTree:
    """Binary search tree, never balanced: a comparison for each node on the way down."""

    def __init__(self):
        self.root, self.comparisons, self.height = None, 0, 0

    def add(self, key):
        if self.root is None:
            self.root = [key, None, None]
            return True
        node, depth = self.root, 0
        while True:
            self.comparisons += 1
            if key == node[0]:
                return False
            side, depth = 1 + (key > node[0]), depth + 1
            if node[side] is None:
                node[side] = [key, None, None]
                self.height = max(self.height, depth)
                return True
            node = node[side]


class ByHash:
    """Chains of keys with the same remainder, read as decimal numbers, modulo `size`."""

    def __init__(self, size):
        self.chains, self.comparisons = [ByList() for _ in range(size)], 0

    def add(self, key):
        chain = self.chains[int(key) % len(self.chains)]
        before = chain.comparisons
        is_new = chain.add(key)
        self.comparisons += chain.comparisons - before
        return is_new

    @property
    def longest(self):
        return max(len(chain.met) for chain in self.chains)


class ByNumber:
    """No two states have the same number: one flag each, and nothing to compare."""

    def __init__(self, count):
        self.met, self.comparisons = bytearray(count), 0

    def add(self, key):
        number = lehmer_rank(key)
        is_new = not self.met[number]
        self.met[number] = 1
        return is_new


def lehmer_rank(text):
    """How many orders of the same digits come before this one."""
    number = 0
    for place, digit in enumerate(text):
        number = number * (len(text) - place) + sum(other < digit for other in text[place + 1 :])
    return number


def explore(problem, known, *, turns_back=True):
    """Breadth-first search from the start; the states of each layer are counted.

    Unless `turns_back` no tile is moved twice in a row, which would undo its move.
    """
    layer = [(state, None) for state in problem.initial_states() if known.add(problem.key(state))]
    sizes = []
    while layer:
        sizes.append(len(layer))
        layer = [
            (step.state, step.action)
            for state, last in layer
            for step in problem.successors(state)
            if (turns_back or step.action != last) and known.add(problem.key(step.state))
        ]
    return sizes


@hookimpl
def searchkit_register_puzzles(register):
    board = Parameter("board", "wheel", "wheel (six tiles) or 3x3 (eight)")
    start = Parameter("start", "1320564", "the digits of the cells, 0 the blank", text=True)
    register("digits", Digits, summary="sliding tiles as texts", parameters=[board, start])


if __name__ == "__main__":
    for kind in (ByList(), ByTree(), ByHash(1009), ByNumber(5040)):
        layers = explore(Digits("wheel"), kind)
        print(f"{type(kind).__name__:9}{sum(layers):6,} states{kind.comparisons:12,} comparisons")
