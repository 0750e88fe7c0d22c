"""The 8-puzzle in five forms: as tuples, strings, tuples of tuples, and as two libraries have it."""

from searchkit import Problem, Step

START = (1, 8, 2, 0, 4, 3, 7, 6, 5)
GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)


class Flat(Problem):
    """A tuple of nine numbers, with Manhattan distance."""

    def initial_states(self):
        return [START]

    def successors(self, state):
        blank = state.index(0)
        row, column = divmod(blank, 3)
        for name, dr, dc in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            r, c = row + dr, column + dc
            if 0 <= r < 3 and 0 <= c < 3:
                other = 3 * r + c
                after = list(state)
                after[blank], after[other] = after[other], after[blank]
                yield Step(name, tuple(after))

    def is_goal(self, state):
        return state == GOAL

    def heuristic(self, state):
        total = 0
        for cell, tile in enumerate(state):
            if tile:
                home = GOAL.index(tile)
                total += abs(cell // 3 - home // 3) + abs(cell % 3 - home % 3)
        return total


class Text(Problem):
    """A string of nine characters."""

    near = (
        (1, 3),
        (0, 2, 4),
        (1, 5),
        (0, 4, 6),
        (1, 3, 5, 7),
        (2, 4, 8),
        (3, 7),
        (4, 6, 8),
        (5, 7),
    )

    def initial_states(self):
        return ["18204376 5".replace(" ", "")]

    def successors(self, state):
        blank = state.index("0")
        for cell in self.near[blank]:
            low, high = min(blank, cell), max(blank, cell)
            after = (
                state[:low] + state[high] + state[low + 1 : high] + state[low] + state[high + 1 :]
            )
            yield Step(state[cell], after)

    def is_goal(self, state):
        return state == "123456780"


class Rows(Problem):
    """A tuple of rows."""

    def initial_states(self):
        return [((1, 8, 2), (0, 4, 3), (7, 6, 5))]

    def find(self, state):
        for r, row in enumerate(state):
            for c, tile in enumerate(row):
                if tile == 0:
                    return r, c
        raise ValueError

    def successors(self, state):
        r, c = self.find(state)
        for dr, dc in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
            if 0 <= r + dr < len(state) and 0 <= c + dc < len(state[0]):
                grid = [list(row) for row in state]
                grid[r][c], grid[r + dr][c + dc] = grid[r + dr][c + dc], grid[r][c]
                yield Step((dr, dc), tuple(tuple(row) for row in grid))

    def is_goal(self, state):
        return state == ((1, 2, 3), (4, 5, 6), (7, 8, 0))


class Actions(Problem):
    """In the style of aima-python: a list of actions, and what each leads to."""

    goal = GOAL

    def initial_states(self):
        return [START]

    def find_blank_square(self, state):
        return state.index(0)

    def actions(self, state):
        possible = ["UP", "DOWN", "LEFT", "RIGHT"]
        blank = self.find_blank_square(state)
        if blank % 3 == 0:
            possible.remove("LEFT")
        if blank < 3:
            possible.remove("UP")
        if blank % 3 == 2:
            possible.remove("RIGHT")
        if blank > 5:
            possible.remove("DOWN")
        return possible

    def result(self, state, action):
        blank = self.find_blank_square(state)
        after = list(state)
        delta = {"UP": -3, "DOWN": 3, "LEFT": -1, "RIGHT": 1}
        neighbour = blank + delta[action]
        after[blank], after[neighbour] = after[neighbour], after[blank]
        return tuple(after)

    def successors(self, state):
        for action in self.actions(state):
            yield Step(action, self.result(state, action))

    def is_goal(self, state):
        return state == self.goal

    def heuristic(self, state):
        return sum(tile != goal for tile, goal in zip(state, self.goal, strict=True) if tile)


def to_rows(text):
    """The rows of a text with hyphens."""
    return [row.split("-") for row in text.split("\n")]


class TextRows(Problem):
    """In the style of simpleai's example: a text of rows that is split and joined."""

    def initial_states(self):
        return ["1-8-2\n0-4-3\n7-6-5"]

    def successors(self, state):
        rows = to_rows(state)
        r, c = next((i, j) for i in range(3) for j in range(3) if rows[i][j] == "0")
        for r2, c2 in (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1):
            if 0 <= r2 < 3 and 0 <= c2 < 3:
                moved = to_rows(state)
                moved[r][c], moved[r2][c2] = moved[r2][c2], moved[r][c]
                yield Step(rows[r2][c2], "\n".join("-".join(row) for row in moved))

    def is_goal(self, state):
        return state == "1-2-3\n4-5-6\n7-8-0"
