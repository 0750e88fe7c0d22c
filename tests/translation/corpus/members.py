"""Sets made from those of states, with members that no state has; lists that slices make longer."""

from searchkit import Problem, Step


class Numbers(Problem):
    never = 10**6

    def initial_states(self):
        return [(0, 0, frozenset({1}))]

    def is_goal(self, state):
        return state[0] == state[1] == 6

    def successors(self, state):
        x, y, members = state
        other = x - y if x == self.never else 2
        made = members | {other}
        if x < 6:
            yield Step("x", (x + 1, y, members))
        if y < 6:
            yield Step(("y", len(made)), (x, y + len(made) - 1, members))


class NumbersBelowZero(Numbers):
    def successors(self, state):
        x, y, members = state
        made = members | {x - y}
        both = made & frozenset({-2, 1, 3}) | (made - members)
        if x < 6:
            yield Step("x", (x + 1, y, members))
        if y < 6:
            yield Step("y", (x, (y + len(made) + min(both, default=0)) % 7, members))
        if made == {1, -3} or both <= {3, -4, -5}:
            yield Step("equal", (0, len(both), members))
        turned = made ^ {x, 50, -y}
        total = sum(each for each in turned)
        yield Step("turned", (total % 7, len(turned ^ made) % 7, members))


class NumbersAdded(Numbers):
    """A set of its own, changed in all ways, of which some come into the state again."""

    def successors(self, state):
        x, y, members = state
        own = set(members)
        own.add(x * 20 - y)
        own.update((x + 100, y - 100))
        own |= {x, 77}
        own.discard(x + 100)
        if 77 in own and y - 100 in own:
            own.remove(77)
        kept = frozenset(own)
        most = max(own)
        found = sorted(kept)
        yield Step("x", ((x + len(own)) % 7, found[0] % 7, members))
        if most < 7 or x + 1 in kept:
            yield Step("y", (x, (y + most) % 7, members))
        within = {each for each in own if 0 <= each < 5}
        small = set(members)
        for each in range(x):
            small.add(each)
        small.discard(y)
        yield Step("z", (x, len(within), frozenset(small)))


class Pairs(Problem):
    def initial_states(self):
        return [(0, 0, frozenset({(1, 2)}))]

    def is_goal(self, state):
        return state[0] == state[1] == 6

    def successors(self, state):
        x, y, members = state
        made = members | {(x - y, y)}
        if x < 6:
            yield Step("x", (x + 1, y, members))
        yield Step("y", (x, (y + len(made)) % 7, members))
        yield Step("turned", (x, y, members ^ {(1, 1)}))
        if (3, -2) in made.union([(x, -2)]):
            yield Step("found", (0, x, members))


class Sliced(Problem):
    def initial_states(self):
        return [(1, 2, 3), (0, 0, 1)]

    def is_goal(self, state):
        return state == (3, 3, 3)

    def successors(self, state):
        row = list(range(state[0] % 3, state[2] % 5 + 2))
        row[1:2] = row
        row[0:0] = [7]
        yield Step(0, (len(row) % 4, state[1], sum(row) % 5))
        row = list(state)
        row[1:] = [x for x in state if x]
        yield Step(1, (len(row) % 4, state[1], sum(row) % 5))
        row = list(state)
        row[: state[0] % 3] = reversed(row[: state[0] % 3])
        yield Step(2, tuple(row))
