"""A plugin with a puzzle that lies about itself, and one whose code fails."""

from searchkit import Parameter, Problem, Step, hookimpl


class Stairs(Problem):
    """Up by one or two; it says that one can go back down."""

    undirected = True

    def initial_states(self):
        return [0]

    def successors(self, state):
        for n in (1, 2):
            if state + n <= 6:
                yield Step(f"up {n}", state + n)
        if state > 0:
            yield Step("down 1", state - 1)
        if state > 1 and state != 5:
            yield Step("down 2", state - 2)

    def is_goal(self, state):
        return state == 6


class Broken(Stairs):
    def successors(self, state):
        return [Step("up", [1, 2, 3][state])]


@hookimpl
def searchkit_register_puzzles(register):
    register("stairs", lambda steps: Stairs(), parameters=[Parameter("steps", 6, "not used")])
    register("broken", Broken)
