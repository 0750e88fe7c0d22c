"""Helpers that give a state, or None, or False, where a move is not possible."""

from typing import NamedTuple

from searchkit import Problem, Step

SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Walk(Problem):
    """A walk on a board, whose helper gives a place or None; a place that is not there is filtered."""

    def initial_states(self):
        return [(0, 0)]

    def is_goal(self, state):
        return state == (4, 4)

    def move(self, state, side):
        row, column = state[0] + side[0], state[1] + side[1]
        if row < 0 or column < 0 or row > 4 or column > 4:
            return None
        return (row, column)

    def successors(self, state):
        for side in SIDES:
            there = self.move(state, side)
            if there is not None:
                yield Step(side, there)


class WalkByTruth(Walk):
    def successors(self, state):
        for side in SIDES:
            there = self.move(state, side)
            if not there:
                continue
            yield Step(side, there)


class WalkByFilter(Walk):
    def successors(self, state):
        found = [self.move(state, side) for side in SIDES]
        yield from (Step(0, there) for there in found if there)
        for there in [t for t in (self.move(state, side) for side in SIDES) if t is not None]:
            yield Step(1, there)
        a, b = state
        for there in [t for t in ((a + 1, b) if a < 4 else None, (a, b + 1)) if t is not None]:
            yield Step(2, (there[0], there[1] % 5))
        for there in filter(None, (self.move(state, (0, 1)), self.move(state, (1, 0)))):
            yield Step(3, there)


class WalkByNames(Walk):
    def successors(self, state):
        left, right = self.move(state, (0, -1)), self.move(state, (0, 1))
        if left:
            yield Step(0, left)
        if right is not None and right[0] != 3:
            yield Step(1, right)
        if (up := self.move(state, (-1, 0))) is not None:
            yield Step(2, up)
        best = None
        for side in SIDES:
            there = self.move(state, side)
            if there is not None and (best is None or there > best):
                best = there
        if best is not None:
            row, column = best
            yield Step(3, (row, column))
        yield Step(4, self.move(state, (1, 0)) or state)

    def nearest(self, state):
        best = None
        for row, column in ((4, 4), (3, 3)):
            away = abs(row - state[0]) + abs(column - state[1])
            if best is None or away < best:
                best = away
        return best

    def heuristic(self, state):
        return self.nearest(state) // 2


class WalkOrFalse(Walk):
    """The same with False, which is equal to 0, and to nothing else that stands there."""

    def move(self, state, side):
        row, column = state[0] + side[0], state[1] + side[1]
        if row < 0 or column < 0 or row > 4 or column > 4:
            return False
        return (row, column)

    def by_and(self, state, side):
        row, column = state[0] + side[0], state[1] + side[1]
        return 0 <= row < 5 and 0 <= column < 5 and (row, column)

    def successors(self, state):
        for side in SIDES:
            there = self.move(state, side)
            if there:
                yield Step(side, there)
            if there is False:
                yield Step(side, (0, 1))
            if there == 0:
                yield Step(side, (0, 2))
            if there is None or there == 1 or there == (3, 3) or there in (None, (2, 2)):
                yield Step(side, (0, 3))
            also = self.by_and(state, side)
            if also is not False and also == there:
                yield Step(side, also)
            if isinstance(also, bool):
                yield Step(side, (1, 3))


class Fifteen(Problem):
    """A tuple of 16, or None."""

    def initial_states(self):
        return [(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0, 15)]

    def is_goal(self, state):
        return state == (*range(1, 16), 0)

    def move(self, state, side):
        blank = state.index(0)
        row, column = divmod(blank, 4)
        row, column = row + side[0], column + side[1]
        if not (0 <= row < 4 and 0 <= column < 4):
            return None
        other = row * 4 + column
        after = list(state)
        after[blank], after[other] = after[other], after[blank]
        return tuple(after)

    def successors(self, state):
        children = [self.move(state, side) for side in SIDES]
        return [Step(i, child) for i, child in enumerate(children) if child is not None]


class Row(NamedTuple):
    cells: tuple[int, ...]
    blank: int


class RowOfFour(Problem):
    """A record, or None."""

    def initial_states(self):
        return [Row((1, 0, 3, 2), 1)]

    def is_goal(self, state):
        return state == Row((1, 2, 3, 0), 3)

    def move(self, state, step):
        other = state.blank + step
        if not 0 <= other < 4:
            return None
        cells = list(state.cells)
        cells[state.blank], cells[other] = cells[other], cells[state.blank]
        return Row(tuple(cells), other)

    def successors(self, state):
        for step in (1, -1, 2, -2):
            there = self.move(state, step)
            if there is not None and there.blank >= 0:
                yield Step(step, there._replace(blank=there.blank))


class TextOfFour(Problem):
    """A text, or None."""

    def initial_states(self):
        return ["cb a"]

    def is_goal(self, state):
        return state == "abc "

    def move(self, state, step):
        blank = state.index(" ")
        if not 0 <= blank + step < 4:
            return None
        cells = list(state)
        cells[blank], cells[blank + step] = cells[blank + step], cells[blank]
        return "".join(cells)

    def successors(self, state):
        for step in (1, -1, 2, -2):
            there = self.move(state, step)
            if there:
                yield Step(step, there)


class OneLetter(Problem):
    """A character, or None."""

    def initial_states(self):
        return ["a"]

    def is_goal(self, state):
        return state == "z"

    def move(self, state, step):
        code = ord(state) + step
        return chr(code) if 97 <= code <= 122 else None

    def successors(self, state):
        for step in (1, -1, 2):
            there = self.move(state, step)
            if there:
                yield Step(step, there)


class OneNumber(Problem):
    """A number, or None: 0 is no None."""

    def initial_states(self):
        return [3]

    def is_goal(self, state):
        return state == 99

    def move(self, state, step):
        return None if not 0 <= state + step <= 100 else state + step

    def successors(self, state):
        for step in (1, -1, 7):
            there = self.move(state, step)
            if there:
                yield Step(step, there)
            if there is not None:
                yield Step(step, there)


class OneSet(Problem):
    """A frozenset, or None."""

    def initial_states(self):
        return [frozenset({1})]

    def is_goal(self, state):
        return state == frozenset({1, 2, 3})

    def move(self, state, member):
        if member in state:
            return None if len(state) == 1 else state - {member}
        return state | {member}

    def successors(self, state):
        for member in range(5):
            there = self.move(state, member)
            if there is not None:
                yield Step(member, there)


class WalkByFlag(Walk):
    """A pair of which either half may be None, or an answer and a place."""

    def move(self, state, side):
        row, column = state[0] + side[0], state[1] + side[1]
        if not (0 <= row < 5 and 0 <= column < 5):
            return False, None
        return True, (row, column)

    def priced(self, state, side):
        may, there = self.move(state, side)
        return (there, 1 + there[0]) if may else (None, None)

    def successors(self, state):
        for side in SIDES:
            may, there = self.move(state, side)
            if may:
                yield Step(side, there)
            there, cost = self.priced(state, side)
            if there is not None:
                yield Step(side, there, cost)
        pair = (None, state[0])[state[1] % 2]
        if pair is not None:
            yield Step(0, (pair, 0))
        pair = (None, 3)[state[0] % 2]
        yield Step(0, (pair or 0, 1))


def up(state):
    return (state[0] - 1, state[1]) if state[0] else None


def right(state):
    return (state[0], state[1] + 1) if state[1] < 4 else None


MOVES = (up, right)
BY_NAME = {"up": up, "right": right}


class WalkByFunctions(Walk):
    """Functions in tuples, lists and dicts, of a module, a class, and of the rule itself."""

    def __init__(self):
        self.own = {"down": self.down, "left": self.left}

    def down(self, state):
        return self.move(state, (1, 0))

    def left(self, state):
        return self.move(state, (0, -1))

    def successors(self, state):
        for move in MOVES:
            there = move(state)
            if there is not None:
                yield Step(move.__name__, there)
        for name, move in BY_NAME.items():
            there = move(state)
            if there:
                yield Step(name, there)
        for name in sorted(BY_NAME):
            there = BY_NAME[name](state)
            if there:
                yield Step(name, there)
        for move in (self.down, self.left):
            there = move(state)
            if there:
                yield Step("own", there)
        for name, move in [("up", up), ("left", self.left), ("far", lambda s: (s[1], s[0]))]:
            there = move(state)
            if there:
                yield Step(name, there)
        moves = [up, self.down]
        for move in moves:
            there = move(state)
            if there:
                yield Step("named", there)
        for move in self.own.values():
            there = move(state)
            if there:
                yield Step("stored", there)
        there = MOVES[state[0] % 2](state)
        if there:
            yield Step("chosen", there)
