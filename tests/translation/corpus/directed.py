"""Directed graphs as ordinary problems, with their steps from both ends."""

import random

from searchkit import Problem, Step


class Roads(Problem):
    """Nodes with roads of one way: by lists of where they lead to, and of where they come from."""

    def __init__(self, nodes, seed, roads=2, goals=1):
        draw = random.Random(seed)
        self.after = tuple(
            tuple(draw.randrange(nodes) for _ in range(draw.randint(0, roads)))
            for _ in range(nodes)
        )
        self.before = tuple(
            tuple(node for node in range(nodes) for each in self.after[node] if each == end)
            for end in range(nodes)
        )
        self.goals = tuple(draw.sample(range(nodes), goals))

    def initial_states(self):
        return [(0,)]

    def is_goal(self, state):
        return state[0] in self.goals

    def goal_states(self):
        return [(goal,) for goal in self.goals]

    def successors(self, state):
        for end in self.after[state[0]]:
            yield Step(end, (end,))

    def predecessors(self, state):
        for node in self.before[state[0]]:
            yield Step(state[0], (node,))
