"""Directed graphs as ordinary problems, with their steps from both ends."""

import random
from copy import copy

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

    def with_start(self, state):
        made = copy(self)
        made.initial_states = lambda: [state]
        return made

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


class Wide(Roads):
    """The same, with states of several words."""

    def initial_states(self):
        return [(0, (0,) * 12)]

    def goal_states(self):
        return [(goal, (goal << 33,) * 12) for goal in self.goals]

    def successors(self, state):
        for end in self.after[state[0]]:
            yield Step(end, (end, (end << 33,) * 12))

    def predecessors(self, state):
        for node in self.before[state[0]]:
            yield Step(state[0], (node, (node << 33,) * 12))


class Tower(Problem):
    """Bits are put on a tower and taken off again: states are large only amid a solution."""

    def __init__(self, height=6):
        self.height = height

    def initial_states(self):
        return [(0, ())]

    def is_goal(self, state):
        return state == (1, ())

    def goal_states(self):
        return [(1, ())]

    def successors(self, state):
        is_high, bits = state
        if is_high:
            if bits:
                yield Step("take", (1, bits[:-1]))
        elif len(bits) == self.height:
            yield Step("turn", (1, bits))
        else:
            for bit in range(2):
                yield Step(bit, (0, (*bits, bit)))

    def predecessors(self, state):
        is_high, bits = state
        if not is_high:
            if bits:
                yield Step(bits[-1], (0, bits[:-1]))
        elif len(bits) == self.height:
            yield Step("turn", (0, bits))
        else:
            for bit in range(2):
                yield Step("take", (1, (*bits, bit)))


class Lacking(Roads):
    """Some predecessors are not listed."""

    def predecessors(self, state):
        for node in self.before[state[0]]:
            if (node + state[0]) % 3:
                yield Step(state[0], (node,))


class Inventing(Roads):
    """Predecessors are listed from which no step leads here."""

    def predecessors(self, state):
        for node in self.before[state[0]]:
            yield Step(state[0], (node,))
        if state[0] % 3 == 0:
            yield Step(state[0], ((state[0] * 7 + 1) % len(self.before),))


class Failing(Roads):
    """Predecessors that end in an error."""

    def predecessors(self, state):
        for node in self.before[state[0]]:
            yield Step(state[0], (node,))
            if node % 7 == 3:
                raise ValueError(node)


class Costly(Roads):
    """Steps back that cost more than the problem promises."""

    def predecessors(self, state):
        for node in self.before[state[0]]:
            yield Step(state[0], (node,), 2)


class Unread(Roads):
    """Predecessors that are not translated."""

    def predecessors(self, state):
        try:
            for node in self.before[state[0]]:
                yield Step(state[0], (node,))
        finally:
            self.last = state
