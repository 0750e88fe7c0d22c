"""Steps in rules: labels are left out unless they change something."""

import random

import pytest

from searchkit import Problem, Step
from searchkit.errors import Trapped
from searchkit.translation.refusals import Untranslatable
from searchkit.translation.rules import translate
from searchkit.translation.types import Atoms, Int, Seq
from tests.translation.test_rules import Cells

STATES = [tuple(random.Random(seed).choices(range(-1, 5), k=3)) for seed in range(12)]
LOG = []


def zeroed(values, i):
    values[i] = 0
    return "x"


class Three(Problem):
    """States of three numbers, and helpers."""

    seen = 0

    def initial_states(self):
        return STATES

    def is_goal(self, state):
        return any(step.state[2] == 0 for step in self.some(state))

    def some(self, state):
        for i in range(3):
            yield Step(i, (state[1], state[2], (state[0] * i + 1) % 4), i + 1)

    def last_of(self, values):
        return values.pop()

    def sorts(self, values):
        values.sort()
        return "sorted"

    def counts(self):
        self.seen += 1
        return self.seen

    @property
    def logs(self):
        LOG.append(1)
        return "logged"

    def name(self, i):
        parts = []
        for j in range(i):
            parts.append(str(j))  # noqa: PERF401
        return "" if i < 0 else ",".join(parts) + self.name(i - 1) + self.letter(i)

    @staticmethod
    def letter(i):
        return "abc"[i % 3].upper()


class Named(Three):
    def successors(self, s):
        yield Step(("to", self.name(s[0]), f"{s[1]:>3}", max(s)), (s[1], s[2], s[0]))


class Turned(Three):
    def successors(self, s):
        steps = []
        for i in range(3):
            steps.append(Step(i, (s[1], s[2], (s[0] + i) % 4)))  # noqa: PERF401
        steps.reverse()
        return steps


class Sorted(Three):
    def successors(self, s):
        steps = [Step(i, (s[1], (s[0] - i) % 3, (s[0] + i) % 4), i) for i in range(1, 5)]
        steps.sort(key=lambda step: (step.state[1], step.cost, step[1]), reverse=True)
        return steps[:2] + steps[-1:]


class Chosen(Three):
    def successors(self, s):
        yield from sorted(self.some(s), key=lambda step: -step.state[2])
        for step in self.some(s):
            if step.cost != 2:
                yield step


class ReturnsInVain(Three):
    def successors(self, s):
        if s[0] > 2:
            return [Step(0, (1, 1, 1))]
        yield Step(0, (s[1], s[2], s[0]))


class ReturnsNone(Three):
    def successors(self, s):
        return None if s[0] > 2 else [Step(0, (s[1], s[2], s[0]))]


class FallsOffTheEnd(Three):
    def successors(self, s):  # noqa: RET503
        if s[0] < 2:
            return reversed([Step(i, (s[1], s[2], i)) for i in range(2)])


def outcome(make):
    try:
        return make()
    except Exception:
        return "error"


@pytest.mark.parametrize(
    "kind", [Named, Turned, Sorted, Chosen, ReturnsInVain, ReturnsNone, FallsOffTheEnd]
)
def test_steps_in_rules(kind):
    problem, atoms, of_states = kind(), Atoms(), Seq(Int(), 3, 3)
    rules = translate(problem, of_states, atoms)
    own = Cells(of_states, atoms, rules)
    for state in STATES:
        expected = outcome(lambda: [step[1:] for step in problem.successors(state)])  # noqa: B023
        try:
            found = [(*each[1:], 1)[:2] for each in rules.expand["successors"](own, state)]
        except Trapped:
            found = "error"
        assert found == expected
        assert rules.at_goal(own, state) == problem.is_goal(state)


class Takes(Three):
    def successors(self, s):
        a = list(s)
        yield Step(self.last_of(a), (*a, 0))


class Sorts(Three):
    def successors(self, s):
        a = list(s)
        yield Step(self.sorts(a), tuple(a))


class Hands(Three):
    def successors(self, s):
        a = list(s)
        yield Step(list(map(self.sorts, [a])), tuple(a))


class Zeroes(Three):
    def successors(self, s):
        a = list(s)
        yield Step(zeroed(a, 0), tuple(a))


class Turns(Three):
    def successors(self, s):
        a = list(s)
        turn = lambda: a.reverse()  # noqa: E731, PLW0108
        yield Step(turn(), tuple(a))


class Logs(Three):
    def successors(self, s):
        yield Step(LOG.append(s), s)


class Counts(Three):
    def successors(self, s):
        yield Step(self.counts(), s)


class Asks(Three):
    def successors(self, s):
        yield Step(self.logs, s)


class Pops(Three):
    def successors(self, s):
        a = list(s)
        yield Step([a.pop() for _ in range(1)], (*a, 0))


@pytest.mark.parametrize("kind", [Takes, Sorts, Hands, Zeroes, Turns, Logs, Counts, Asks, Pops])
def test_labels_that_change_something_are_refused(kind):
    with pytest.raises(Untranslatable, match="within a label"):
        translate(kind(), Seq(Int(), 3, 3), Atoms())


class UsesNothing(Three):
    def successors(self, s):
        if s[2] < 9:  # always
            yield Step([(i, name) for i in s for name in map(lambda a: a, "xy")], s)  # noqa: C417
        else:
            yield Step(nowhere, s)  # noqa: F821


def test_labels_that_use_what_is_not_defined_are_refused():
    with pytest.raises(Untranslatable, match="uses nowhere, which is not defined"):
        translate(UsesNothing(), Seq(Int(), 3, 3), Atoms())


class Unpacks(Three):
    def successors(self, s):
        for _, state, cost in self.some(s):
            yield Step(0, state, cost)


class Compares(Three):
    def successors(self, s):
        return sorted(self.some(s))


class ByLabel(Three):
    def successors(self, s):
        return [step for step in self.some(s) if step[0] != 1]


@pytest.mark.parametrize("kind", [Unpacks, Compares, ByLabel])
def test_labels_that_decide_something_are_refused(kind):
    with pytest.raises(Untranslatable, match=r"takes a Step apart|compares steps"):
        translate(kind(), Seq(Int(), 3, 3), Atoms())


class Spread(Problem):
    """Sets of which the members are far apart."""

    def initial_states(self):
        return [frozenset({(0, 0), (50, 900)})]

    def successors(self, state):
        for x, y in sorted(state):
            for step in (1, -1, 37):
                yield Step(step, (state - {(x, y)}) | {((x + step * 31) % 1000, y)})

    def is_goal(self, state):
        return (31, 0) in state


def test_members_of_sets_are_in_the_order_of_their_cells():
    problem, atoms = Spread(), Atoms()
    kind = Seq(Seq(Int(), 2, 2), 2, 2, frozenset)
    rules = translate(problem, kind, atoms)
    own = Cells(kind, atoms, rules)  # which compares the cells
    for state in [*problem.initial_states(), frozenset({(1, 5), (0, 7)})]:
        found = [each[1] for each in rules.expand["successors"](own, state)]
        assert found == [step.state for step in problem.successors(state)]
