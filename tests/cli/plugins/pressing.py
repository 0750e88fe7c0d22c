"""A puzzle with better and better solutions, whose rules press Ctrl-C when they are told to."""

import os
import signal

from searchkit import Problem, Step, hookimpl

CALLS = {"successors": 0, "format_action": 0}


def press(name):
    """Press Ctrl-C at the call of the rule that `PRESSED` names, like successors:5000."""
    CALLS[name] += 1
    if os.environ.get("PRESSED") == f"{name}:{CALLS[name]}":
        os.kill(os.getpid(), signal.SIGINT)


class Ring(Problem):
    """Numbers on a ring: step by step it is far to the goal, and there are short cuts."""

    size = 3001

    def initial_states(self):
        return [0]

    def successors(self, state):
        press("successors")
        yield Step("on", (state + 1) % self.size)
        yield Step("across", (7 * state + 3) % self.size)

    def is_goal(self, state):
        return state == self.size - 1

    def format_action(self, action):
        press("format_action")
        return action


@hookimpl
def searchkit_register_puzzles(register):
    register("ring", Ring, summary="Numbers on a ring.")
