"""Boards: pegs, lamps, cars, boxes, knights, robots."""

from searchkit import INFINITY, Problem, Step


class Lights(Problem):
    """Press a lamp: it and its neighbours change."""

    def __init__(self, size=3):
        self.size = size

    def initial_states(self):
        return [(1,) * (self.size * self.size)]

    def pressed(self, state, r, c):
        after = list(state)
        for dr, dc in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            if 0 <= r + dr < self.size and 0 <= c + dc < self.size:
                cell = (r + dr) * self.size + c + dc
                after[cell] = 1 - after[cell]
        return tuple(after)

    def successors(self, state):
        for r in range(self.size):
            for c in range(self.size):
                yield Step((r, c), self.pressed(state, r, c))

    def is_goal(self, state):
        return sum(state) == 0


class LitCells(Problem):
    """The same as the set of cells that are lit."""

    size = 3

    def initial_states(self):
        return [frozenset((r, c) for r in range(self.size) for c in range(self.size))]

    def successors(self, state):
        for r in range(self.size):
            for c in range(self.size):
                cross = {(r, c), (r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}
                inside = {(y, x) for y, x in cross if 0 <= y < self.size and 0 <= x < self.size}
                yield Step((r, c), state ^ inside)

    def is_goal(self, state):
        return len(state) == 0


class Pegs(Problem):
    """Peg solitaire on a triangle of 15 holes, as a string."""

    lines = (
        (0, 1, 3), (0, 2, 5), (1, 3, 6), (1, 4, 8), (2, 4, 7), (2, 5, 9), (3, 4, 5), (3, 6, 10),
        (3, 7, 12), (4, 7, 11), (4, 8, 13), (5, 8, 12), (5, 9, 14), (6, 7, 8), (7, 8, 9),
        (10, 11, 12), (11, 12, 13), (12, 13, 14),
    )  # fmt: skip

    def initial_states(self):
        return ["." + "x" * 14]

    def successors(self, state):
        for a, over, b in self.lines:
            for start, end in ((a, b), (b, a)):
                if state[start] == "x" and state[over] == "x" and state[end] == ".":
                    holes = list(state)
                    holes[start] = holes[over] = "."
                    holes[end] = "x"
                    yield Step((start, end), "".join(holes))

    def is_goal(self, state):
        return state.count("x") == 1


class Cars(Problem):
    """Rush Hour on a small board: the offset of each car, which moves a cell at a time."""

    size = 5
    cars = (("h", 2, 2), ("v", 3, 2), ("v", 0, 3), ("h", 0, 2), ("v", 4, 2), ("h", 4, 3))
    """The direction, the line and the length."""

    def initial_states(self):
        return [(0, 2, 0, 2, 1, 1)]

    def cells(self, state):
        taken = set()
        for (way, line, length), offset in zip(self.cars, state, strict=True):
            for i in range(offset, offset + length):
                taken.add((line, i) if way == "h" else (i, line))
        return taken

    def successors(self, state):
        taken = self.cells(state)
        for i, (way, line, length) in enumerate(self.cars):
            for by, ahead in ((-1, state[i] - 1), (1, state[i] + length)):
                if not 0 <= ahead < self.size:
                    continue
                cell = (line, ahead) if way == "h" else (ahead, line)
                if cell not in taken:
                    yield Step((i, by), (*state[:i], state[i] + by, *state[i + 1 :]))

    def is_goal(self, state):
        return state[0] == self.size - 2


LEVEL = """\
#######
# @ # #
# $$  #
#   ..#
#     #
#######"""


class Sokoban(Problem):
    """The keeper and a set of boxes; walls are a set of positions."""

    ways = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}

    def __init__(self, level=LEVEL):
        self.walls, self.goals, boxes = set(), set(), set()
        for r, row in enumerate(level.split("\n")):
            for c, char in enumerate(row):
                if char == "#":
                    self.walls.add((r, c))
                if char in ".*+":
                    self.goals.add((r, c))
                if char in "$*":
                    boxes.add((r, c))
                if char in "@+":
                    keeper = (r, c)
        self.start = (keeper, frozenset(boxes))

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        (r, c), boxes = state
        for name, (dr, dc) in self.ways.items():
            to = (r + dr, c + dc)
            if to in self.walls:
                continue
            if to in boxes:
                beyond = (to[0] + dr, to[1] + dc)
                if beyond in self.walls or beyond in boxes:
                    continue
                yield Step(name.upper(), (to, (boxes - {to}) | {beyond}))
            else:
                yield Step(name, (to, boxes))

    def is_goal(self, state):
        return state[1] == self.goals

    def is_stuck(self, box):
        r, c = box
        walls = self.walls
        return ((r - 1, c) in walls or (r + 1, c) in walls) and (
            (r, c - 1) in walls or (r, c + 1) in walls
        )

    def heuristic(self, state):
        astray = state[1] - self.goals
        return INFINITY if any(self.is_stuck(box) for box in astray) else len(astray)


class Knights(Problem):
    """Four knights on a board of three by three change places: squares of each, sorted by colour."""

    jumps = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))

    def initial_states(self):
        return [(((0, 0), (0, 2)), ((2, 0), (2, 2)))]

    def successors(self, state):
        white, black = state
        for side, knights in enumerate(state):
            for x, y in knights:
                for dx, dy in self.jumps:
                    to = (x + dx, y + dy)
                    if not (0 <= to[0] < 3 and 0 <= to[1] < 3) or to in white or to in black:
                        continue
                    moved = tuple(sorted([*(k for k in knights if k != (x, y)), to]))
                    yield Step(((x, y), to), (moved, black) if side == 0 else (white, moved))

    def is_goal(self, state):
        return state == (((2, 0), (2, 2)), ((0, 0), (0, 2)))


class Robots(Problem):
    """Robots slide until they meet a wall or another robot."""

    size = 6
    walls = frozenset({(1, 2), (4, 4), (2, 5), (5, 1)})
    target = (3, 3)

    def initial_states(self):
        return [((0, 0), (5, 5), (0, 5))]

    def slide(self, state, i, dx, dy):
        x, y = state[i]
        while True:
            nx, ny = x + dx, y + dy
            if not (0 <= nx < self.size and 0 <= ny < self.size):
                break
            if (nx, ny) in self.walls or (nx, ny) in state:
                break
            x, y = nx, ny
        return x, y

    def successors(self, state):
        for i in range(len(state)):
            for dx, dy in (0, 1), (1, 0), (0, -1), (-1, 0):
                place = self.slide(state, i, dx, dy)
                if place != state[i]:
                    robots = list(state)
                    robots[i] = place
                    yield Step((i, dx, dy), tuple(robots))

    def is_goal(self, state):
        return state[0] == self.target


class Queens(Problem):
    """Put queens row by row: states that grow."""

    size = 6

    def initial_states(self):
        return [()]

    def successors(self, state):
        row = len(state)
        if row == self.size:
            return
        for column in range(self.size):
            if all(column != c and abs(column - c) != row - r for r, c in enumerate(state)):
                yield Step(column, (*state, column))

    def is_goal(self, state):
        return len(state) == self.size


class Flood(Problem):
    """Flood-it: the corner's area takes a colour, found by a search of its own."""

    size = 4

    def initial_states(self):
        return [(0, 1, 2, 0, 1, 1, 0, 2, 2, 0, 1, 2, 0, 2, 1, 0)]

    def area(self, state):
        todo, seen = [0], {0}
        while todo:
            cell = todo.pop()
            r, c = divmod(cell, self.size)
            for nr, nc in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                other = nr * self.size + nc
                if not (0 <= nr < self.size and 0 <= nc < self.size) or other in seen:
                    continue
                if state[other] == state[0]:
                    seen.add(other)
                    todo.append(other)
        return seen

    def successors(self, state):
        area = self.area(state)
        for colour in range(3):
            if colour != state[0]:
                yield Step(colour, tuple(colour if i in area else s for i, s in enumerate(state)))

    def is_goal(self, state):
        return len(set(state)) == 1

    def heuristic(self, state):
        return len(set(state)) - 1


class Walk(Problem):
    """One piece on a map with dead ends, walls as a list of strings."""

    rows = ["S.#....", ".##.##.", "....#..", ".##.#.#", "....#.G"]

    def initial_states(self):
        return [(0, 0)]

    def successors(self, state):
        x, y = state
        if x > 0 and self.rows[y][x - 1] != "#":
            yield Step("left", (x - 1, y))
        if x + 1 < len(self.rows[0]) and self.rows[y][x + 1] != "#":
            yield Step("right", (x + 1, y))
        if y > 0 and self.rows[y - 1][x] != "#":
            yield Step("up", (x, y - 1))
        if y + 1 < len(self.rows) and self.rows[y + 1][x] != "#":
            yield Step("down", (x, y + 1))

    def is_goal(self, state):
        return self.rows[state[1]][state[0]] == "G"

    def heuristic(self, state):
        x, y = state
        return abs(x - 6) + abs(y - 4)
