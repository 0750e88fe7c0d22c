"""Stacks: Hanoi, pancakes, blocks."""

from searchkit import Problem, Step


class Hanoi(Problem):
    """The peg of each disk, the smallest first."""

    def __init__(self, disks=6, pegs=3):
        self.disks = disks
        self.pegs = pegs

    def initial_states(self):
        return [(0,) * self.disks]

    def successors(self, state):
        for disk, peg in enumerate(state):
            if peg in state[:disk]:
                continue
            for to in range(self.pegs):
                if to != peg and to not in state[:disk]:
                    yield Step((disk, to), state[:disk] + (to,) + state[disk + 1 :])

    def is_goal(self, state):
        return all(peg == self.pegs - 1 for peg in state)


class HanoiStacks(Problem):
    """Tuples of the disks on each peg."""

    def initial_states(self):
        return [((5, 4, 3, 2, 1), (), ())]

    def successors(self, state):
        for i in range(3):
            for j in range(3):
                if i != j and state[i] and (not state[j] or state[j][-1] > state[i][-1]):
                    pegs = [list(peg) for peg in state]
                    pegs[j].append(pegs[i].pop())
                    yield Step(f"{i}-{j}", tuple(map(tuple, pegs)))

    def is_goal(self, state):
        return len(state[2]) == 5


class Pancakes(Problem):
    """Turn over the top of a stack, with the gap heuristic."""

    def initial_states(self):
        return [(3, 1, 6, 4, 7, 2, 5)]

    def successors(self, state):
        for size in range(2, len(state) + 1):
            yield Step(size, state[:size][::-1] + state[size:])

    def is_goal(self, state):
        return list(state) == sorted(state)

    def heuristic(self, state):
        plate = len(state) + 1
        return sum(abs(a - b) > 1 for a, b in zip(state, (*state[1:], plate), strict=True))


class Blocks(Problem):
    """What each of five blocks stands on: another one, or nothing."""

    names = "abcde"
    wanted = (None, 0, 1, 2, 3)

    def initial_states(self):
        return [(1, 4, None, 2, None)]

    def successors(self, state):
        clear = [b for b in range(len(state)) if b not in state]
        for block in clear:
            for on in [None, *clear]:
                if on != block and on != state[block]:
                    yield Step((block, on), (*state[:block], on, *state[block + 1 :]))

    def is_goal(self, state):
        return state == self.wanted
