"""Lists of unlike actions: what may be gone through as it is made, and what may not."""

import pytest

from searchkit import BreadthFirst, Problem, ProblemError, Step, UnsuitableError, solve
from searchkit.compiled.specialise.plain import plainly
from tests.translation.corpus.actions import Fetching, Pouring, Rover
from tests.translation.test_searches import told


def outcome(problem, engine):
    """What a search tells, or why it tells nothing."""
    try:
        return told(solve(problem, BreadthFirst(), engine=engine, want="count"))
    except UnsuitableError:
        return "refused"
    except ProblemError as error:
        return "ZeroDivisionError" in str(error)


@pytest.mark.parametrize("kind", [Rover, Pouring, Fetching])
def test_actions_of_several_shapes(kind):
    with plainly():
        assert outcome(kind(), "compiled") == outcome(kind(), "reference")


class Small(Problem):
    """Two small numbers."""

    def initial_states(self):
        return [(0, 0)]

    def is_goal(self, state):
        return state == (3, 3)

    def actions(self, state):
        acts = []
        if state[0] < 3:
            acts.append(("right",))
        if state[1] < 3:
            acts.append(("up", 1))
        return acts

    def successors(self, state):
        for action in self.actions(state):
            if len(action) == 1:
                yield Step(action, (state[0] + 1, state[1]))
            else:
                yield Step(action, (state[0], state[1] + action[1]))


class Late(Small):
    """The list is never done: an error comes up before the first step."""

    def actions(self, state):
        acts = []
        acts.append(("right",))
        acts.append(("up", 1))
        acts.append(("never", 1 // (2 - state[0])))
        return acts


class LateAndCaught(Late):
    def successors(self, state):
        try:
            for action in self.actions(state):
                yield Step(action, (state[0] + len(action) % 2, min(3, state[1] + len(action))))
        except ZeroDivisionError:
            yield Step("caught", (3, 3))


class LateAndLeft(Late):
    def successors(self, state):
        for action in self.actions(state):
            yield Step(action, (state[0] + 1, min(3, state[1] + len(action))))
            break


class LateAndPartOfIt(Late):
    """Whoever wants the first item alone needs the whole list."""

    def items(self, state):
        for action in self.actions(state):
            yield len(action)

    def successors(self, state):
        yield Step("any", (state[0] + any(self.items(state)), (state[1] + 1) % 4))


class Counting(Small):
    """The list is asked on the way."""

    def actions(self, state):
        acts = []
        if state[0] < 3:
            acts.append(("right",))
        if state[1] < 3 and not acts:
            acts.append(("up", 1))
        return acts


class Changed(Small):
    """What is in the list changes once it is there."""

    def actions(self, state):
        acts = []
        row = [1]
        acts.append(("up", row))
        row.append(5)
        acts.append((row,))
        return acts

    def successors(self, state):
        for action in self.actions(state):
            yield Step("x", ((state[0] + len(action[-1])) % 4, (state[1] + 1) % 4))


class Shared(Small):
    """The loop changes what the list is made of."""

    def actions(self, row):
        acts = []
        acts.append((row[0],))
        acts.append((row[0], row[1]))
        return acts

    def successors(self, state):
        row = list(state)
        for action in self.actions(row):
            row[0] = (row[0] + 1) % 4
            yield Step("x", (action[0], (row[0] + action[-1] + 1) % 4))


class Again(Small):
    """The list has two names, or is begun twice."""

    def actions(self, state):
        acts = []
        if state[0] < 3:
            acts.append(("right",))
        if state[1] == 2:
            acts = []
        acts.append(("up", 1))
        return acts


@pytest.mark.parametrize(
    "kind",
    [Small, Late, LateAndCaught, LateAndLeft, LateAndPartOfIt, Counting, Changed, Shared, Again],
)
def test_what_may_be_seen_of_the_list_is_not_changed(kind):
    """Equal answers and errors, or a refusal."""
    with plainly():
        found = outcome(kind(), "compiled")
    assert found == outcome(kind(), "reference") or (found == "refused" and kind is not Small)
