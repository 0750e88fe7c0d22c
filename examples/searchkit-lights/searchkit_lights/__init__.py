"""Lights Out: press lamps until all of them are dark."""

from searchkit import Heuristic, Parameter, ParseError, Problem, Step, hookimpl


class Lights(Problem[frozenset[int], int]):
    """A square of lamps, numbered row by row. A state is the set of lamps that are lit."""

    undirected = True

    def __init__(self, size, lit):
        self.size = size
        self.lit = frozenset(lit)
        self.crosses = [
            frozenset(
                other
                for other in range(size * size)
                if abs(lamp // size - other // size) + abs(lamp % size - other % size) <= 1
            )
            for lamp in range(size * size)
        ]

    def initial_states(self):
        return [self.lit]

    def successors(self, state):
        for lamp, cross in enumerate(self.crosses):
            yield Step(lamp, state ^ cross)

    def is_goal(self, state):
        return not state

    def goal_states(self):
        return [frozenset()]

    def heuristic(self, state):
        return -(-len(state) // 5)  # a press switches five lamps at most

    def format_action(self, action):
        row, column = divmod(action, self.size)
        return f"{'abcdefghi'[column]}{row + 1}"

    def format_state(self, state):
        marks = ["#" if lamp in state else "." for lamp in range(self.size**2)]
        rows = [marks[i : i + self.size] for i in range(0, self.size**2, self.size)]
        return "/".join(map("".join, rows))

    def render(self, state):
        return self.format_state(state).replace("/", "\n")

    def parse(self, text):
        rows = text.split("/")
        if {len(rows), *map(len, rows)} != {self.size} or set(text) - set("#./"):
            raise ParseError(
                f"{text!r} is not a board; write one like {self.format_state(self.lit)}"
            )
        return frozenset(i for i, mark in enumerate("".join(rows)) if mark == "#")

    def with_start(self, state):
        return Lights(self.size, state)


def lights(size):
    """The board of that size with every lamp lit."""
    if not 2 <= size <= 5:
        raise ValueError("the size must be 2, 3, 4 or 5")
    return Lights(size, range(size**2))


@hookimpl
def searchkit_register_puzzles(register):
    register(
        "lights",
        lights,
        summary="press lamps until all are dark",
        parameters=[Parameter("size", 3, "lamps in a row: 2 to 5")],
    )


class Checkers(Heuristic[frozenset[int], int]):
    """Colour the lamps like a checkerboard: a press switches at most four of either colour."""

    name = "checkers"

    def __init__(self, problem):
        self.dark = frozenset(
            lamp
            for lamp in range(problem.size**2)
            if (lamp // problem.size + lamp % problem.size) % 2
        )

    def __call__(self, state):
        dark = len(state & self.dark)
        return -(-max(dark, len(state) - dark) // 4)


def is_lights(problem):
    return isinstance(problem, Lights)


@hookimpl
def searchkit_register_heuristics(register):
    register("checkers", Checkers, suits=is_lights, summary="the lamps lit of one colour, over 4")


def draw(problem, state):
    """A picture of `state`, a circle for each lamp."""
    text = problem.render(state).replace("#", "●").replace(".", "○")
    return "\n".join(" ".join(row) for row in text.splitlines())


@hookimpl
def searchkit_register_renderers(register):
    register("lamps", draw, suits=is_lights, summary="with round lamps")
