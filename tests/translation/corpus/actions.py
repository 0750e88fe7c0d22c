"""Actions of several shapes in one list, and a function that says where each leads."""

from searchkit import Problem, Step


class Acting(Problem):
    """Steps as `aima` and `simpleai` have them."""

    def actions(self, state):
        raise NotImplementedError

    def result(self, state, action):
        raise NotImplementedError

    def successors(self, state):
        for action in self.actions(state):
            yield Step(action, self.result(state, action))


class Rover(Acting):
    """Two parts, of which the second is a place, nothing, or a number."""

    SIZE = 4

    def initial_states(self):
        return [((0, 0), False, (False, False))]

    def is_goal(self, state):
        return all(state[2])

    def actions(self, state):
        (x, y), tool, done = state
        acts = []
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if 0 <= x + dx < self.SIZE and 0 <= y + dy < self.SIZE:
                acts.append(("move", (x + dx, y + dy)))
        if (x, y) == (2, 2) and not tool:
            acts.append(("take", None))
        if tool and (x, y) == (3, 3) and not done[0]:
            acts.append(("dig", 0))
        if tool and (x, y) == (0, 3) and not done[1]:
            acts.append(("dig", 1))
        return acts

    def result(self, state, action):
        place, tool, done = state
        kind, what = action
        if kind == "move":
            return (what, tool, done)
        if kind == "take":
            return (place, True, done)
        return (place, tool, tuple(i == what or each for i, each in enumerate(done)))


class Pouring(Acting):
    """Two parts, or three; the list begins with some, and gets longer by `+=` and `extend`."""

    CAPACITIES = (3, 5, 8)

    def initial_states(self):
        return [(0, 0, 8)]

    def is_goal(self, state):
        return state[2] == 4

    def actions(self, state):
        acts = [("fill", i) for i in range(3) if state[i] < self.CAPACITIES[i]]
        acts += [("dump", i) for i in range(3) if state[i]]
        pours = ((i, j) for i in range(3) if state[i] for j in range(3) if i != j)
        acts.extend(("pour", i, j) for i, j in pours)
        return acts

    def result(self, state, action):
        new = list(state)
        if action[0] == "fill":
            new[action[1]] = self.CAPACITIES[action[1]]
        elif action[0] == "dump":
            new[action[1]] = 0
        else:
            _, i, j = action
            amount = min(state[i], self.CAPACITIES[j] - state[j])
            new[i] -= amount
            new[j] += amount
        return tuple(new)


class Fetching(Acting):
    """One part, or two; the rules give a list of steps."""

    def initial_states(self):
        return [(0, False, 0)]

    def is_goal(self, state):
        return state[2] == 3

    def actions(self, state):
        at, carrying, _ = state
        acts = []
        if at < 4:
            acts.append(("go", at + 1))
        if at > 0:
            acts.append(("go", at - 1))
        if at == 4 and not carrying:
            acts.append(("pick",))
        if at == 0 and carrying:
            acts.append(("drop",))
        return acts

    def result(self, state, action):
        at, carrying, done = state
        if action[0] == "go":
            return (action[1], carrying, done)
        return (at, True, done) if action[0] == "pick" else (at, False, done + 1)

    def successors(self, state):
        steps = []
        for action in self.actions(state):
            after = self.result(state, action)
            steps.append(Step(action, after))
        return steps
