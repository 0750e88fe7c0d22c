"""Measuring with jugs: tuples of small numbers, items changed in a list."""

from searchkit import Problem, Step


class Jugs(Problem):
    """As in the README."""

    capacities = (8, 5, 3)

    def initial_states(self):
        return [(8, 0, 0)]

    def successors(self, state):
        for i, amount in enumerate(state):
            for j, other in enumerate(state):
                poured = min(amount, self.capacities[j] - other)
                if i != j and poured > 0:
                    after = list(state)
                    after[i] -= poured
                    after[j] += poured
                    yield Step(f"{self.capacities[i]}→{self.capacities[j]}", tuple(after))

    def is_goal(self, state):
        return state == (4, 4, 0)


class TapAndSink(Problem):
    """Two jugs, a tap and a sink, written out move by move."""

    def __init__(self, first=4, second=3, wanted=2):
        self.first = first
        self.second = second
        self.wanted = wanted

    def initial_states(self):
        yield (0, 0)

    def successors(self, state):
        a, b = state
        steps = []
        if a < self.first:
            steps.append(Step("fill first", (self.first, b)))
        if b < self.second:
            steps.append(Step("fill second", (a, self.second)))
        if a > 0:
            steps.append(Step("empty first", (0, b)))
        if b > 0:
            steps.append(Step("empty second", (a, 0)))
        if a > 0 and b < self.second:
            amount = min(a, self.second - b)
            steps.append(Step("first into second", (a - amount, b + amount)))
        if b > 0 and a < self.first:
            amount = min(b, self.first - a)
            steps.append(Step("second into first", (a + amount, b - amount)))
        return steps

    def is_goal(self, state):
        return self.wanted in state


class WaterSort(Problem):
    """Pour colours from tube to tube: tuples of tuples that grow and shrink."""

    height = 3

    def initial_states(self):
        return [(("r", "g", "b"), ("g", "b", "r"), ("b", "r", "g"), (), ())]

    def successors(self, state):
        for i, source in enumerate(state):
            if not source:
                continue
            colour = source[-1]
            for j, target in enumerate(state):
                if i == j or len(target) == self.height:
                    continue
                if target and target[-1] != colour:
                    continue
                tubes = list(state)
                tubes[i] = source[:-1]
                tubes[j] = target + (colour,)
                yield Step((i, j), tuple(tubes))

    def is_goal(self, state):
        return all(not tube or (len(tube) == self.height and len(set(tube)) == 1) for tube in state)
