"""What a translator has to keep in order: lists of two names, effects and errors of generators.

Each problem is a few lines. Most translators of one's own make one of them wrong, without a word.
"""

import math

from searchkit import Problem, Step

STATES = [(0, 1, 2), (2, 1, 0), (1, 1, 1), (3, 0, 3), (0, 0, 0), (2, 3, 1)]


class Base(Problem):
    def initial_states(self):
        return STATES

    def is_goal(self, state):
        return False


# Lists of two names


class AppendedThenChanged(Base):
    def successors(self, state):
        rows = []
        row = list(state)
        rows.append(row)
        row[0] = (row[1] + 1) % 4
        yield Step(0, tuple(rows[0]))


class TwoNames(Base):
    def successors(self, state):
        before = list(state)
        now = before
        now[0] = (now[0] + 1) % 5
        yield Step(0, tuple(before))


class NewInEachRound(Base):
    def successors(self, state):
        before = list(state)
        for i in range(3):
            now = [(x + i) % 4 for x in before]
            yield Step(i, tuple(before))
            before = now


class ReplacedWithin(Base):
    def successors(self, state):
        grid = [list(state), list(state)]
        row = grid[0]
        grid[0] = grid[1]
        row[0] = (row[0] + 1) % 4
        yield Step(0, tuple(grid[0]))


class OneRowTwice(Base):
    def successors(self, state):
        row = list(state)
        grid = [row, row]
        grid[0][0] = (grid[0][0] + 1) % 4
        yield Step(0, tuple(grid[1]))


class ChangedByACall(Base):
    def change(self, row):
        row[0] = (row[0] + 1) % 4
        return 0

    def successors(self, state):
        row = list(state)
        self.change(row)
        yield Step(0, tuple(row))


class Returned(Base):
    def same(self, row):
        return row

    def successors(self, state):
        row = list(state)
        again = self.same(row)
        again[0] = (again[0] + 1) % 4
        yield Step(0, tuple(row))


class ChangedWhileGoneThrough(Base):
    def items(self, row):
        for i in range(3):
            yield row[i]

    def successors(self, state):
        row = list(state)
        for x in self.items(row):
            row[2] = (row[2] + x + 1) % 4
        yield Step(0, tuple(row))


class ErrorThatNobodyComesTo(Base):
    def items(self, state):
        yield state[0]
        yield state[state[2] + 5]

    def successors(self, state):
        for x in self.items(state):
            yield Step(0, (state[1], state[2], (x + 1) % 3))
            break


# The order of effects


class EffectsBetweenItems(Base):
    """Of two generators that change one list, each in its turn."""

    def left(self, row):
        for i in range(3):
            row[i] = (row[i] + 1) % 4
            yield row[i]

    def right(self, row):
        for i in range(3):
            row[i] = row[i] * 2 % 4
            yield row[0]

    def successors(self, state):
        row = list(state)
        for x, y in zip(self.left(row), self.right(row), strict=False):
            yield Step(0, (x, y, row[2]))


class EffectsOfTheRest(Base):
    """What stands behind the last item runs only if somebody asks for one more."""

    def items(self, row):
        yield row[0]
        row[0] = (row[0] + 1) % 4
        yield row[1]
        row[1] = (row[1] + 1) % 4

    def successors(self, state):
        row = list(state)
        for x in self.items(row):
            if x == 2:
                break
        yield Step(0, tuple(row))
        again = list(state)
        total = sum(self.items(again))
        yield Step(1, (again[0], again[1], total % 4))


class EffectsOfAny(Base):
    def asked(self, row, i):
        row[i] = (row[i] + 1) % 4
        return row[i] == 3

    def successors(self, state):
        row = list(state)
        found = any(self.asked(row, i) for i in range(3))
        yield Step(0, (row[0], row[1], (row[2] + found) % 4))
        both = (self.asked(row, 0) and self.asked(row, 1)) or self.asked(row, 2)
        yield Step(1, (row[0], row[1], (row[2] + both) % 4))


class NothingAskedFor(Base):
    """A generator that nobody goes through has no effects."""

    def items(self, row):
        row[0] = 3
        yield row[0]

    def successors(self, state):
        row = list(state)
        self.items(row)
        yield Step(0, tuple(row))


class ArgumentsInOrder(Base):
    def taken(self, row):
        row[0] = (row[0] + 1) % 4
        return row[0]

    def put_together(self, one, other, rest=0):
        return (one, other, rest)

    def successors(self, state):
        row = list(state)
        yield Step(0, self.put_together(self.taken(row), row[0], rest=self.taken(row)))
        yield Step(1, (row[0], self.taken(row), row[0]))


# Errors across calls


class IndexErrorBehindAnItem(Base):
    def items(self, state):
        yield state[0]
        yield state[state[2] + 1]

    def successors(self, state):
        for x in self.items(state):
            yield Step(0, (state[1], state[2], (x + 1) % 4))


class DivisionBehindAnItem(Base):
    def part(self, one, other):
        return one // other

    def items(self, state):
        yield state[0]
        yield self.part(state[1], state[2])

    def successors(self, state):
        for x in self.items(state):
            yield Step(0, (state[1], state[2], x % 4))


class ValueErrorBehindAnItem(Base):
    def where(self, state):
        if state[0] == state[1]:
            raise ValueError("of equal numbers")
        return state.index(2)

    def items(self, state):
        yield state[0]
        yield self.where(state)

    def successors(self, state):
        for x in self.items(state):
            yield Step(0, (state[1], state[2], x))


class CaughtByTheCaller(Base):
    def where(self, state, number):
        if number == state[0]:
            raise ValueError("of the first")
        return state[state[1] + number] // state[2]

    def successors(self, state):
        for i in range(3):
            try:
                found = self.where(state, i)
            except IndexError:
                found = 1
            except (ZeroDivisionError, ValueError):
                found = 2
            else:
                found = (found + 1) % 4
            yield Step(i, (state[1], state[2], found))


class CaughtAroundAGenerator(Base):
    """The items in front of an error were given, and effects stay."""

    def items(self, row):
        for i in range(3):
            row[i] = (row[i] + 1) % 4
            yield 6 // row[i]

    def successors(self, state):
        row, total = list(state), 0
        try:
            for x in self.items(row):
                total += x
        except ZeroDivisionError:
            total += 1
        yield Step(0, (row[0], row[1], total % 4))
        yield Step(1, tuple(row))


class CaughtWithinAGenerator(Base):
    """An error of whoever uses an item does not come into the generator."""

    def items(self, state):
        for i in range(3):
            try:
                yield state[i]
            except ZeroDivisionError:
                yield 3

    def successors(self, state):
        for x in self.items(state):
            yield Step(0, (6 // x % 4, state[0], state[1]))


class CaughtHalfWay(Base):
    """Of an expression whose first half had an effect."""

    def taken(self, row):
        row[0] = (row[0] + 1) % 4
        return row[0]

    def successors(self, state):
        row = list(state)
        try:
            row[1] = self.taken(row) // row[2]
        except ZeroDivisionError:
            row[2] = 1
        yield Step(0, tuple(row))


class CaughtKeyError(Base):
    table = {0: 1, 1: 3, 3: 0}  # noqa: RUF012

    def looked_up(self, key):
        return self.table[key]

    def successors(self, state):
        for i in range(3):
            try:
                x = self.looked_up(state[i])
            except LookupError:
                continue
            yield Step(i, (x, state[1], state[2]))
        yield Step(3, (self.looked_up(state[0]), 0, 0))


class ErrorsOfEstimates(Base):
    def part(self, state):
        return state[0] // state[1]

    def successors(self, state):
        yield Step(0, state)

    def is_goal(self, state):
        return self.part(state) == 2

    def heuristic(self, state):
        total = 0
        for i in range(3):
            total += state[state[i]]
        return total + self.part(state)


class CaughtInEstimates(Base):
    def parts(self, state):
        for x in state:
            yield 6 // x

    def successors(self, state):
        yield Step(0, state)

    def is_goal(self, state):
        try:
            return state[state[0]] == 1
        except IndexError:
            return True

    def heuristic(self, state):
        try:
            return sum(self.parts(state))
        except ZeroDivisionError:
            return math.inf if state[0] else 0


# Names that may have no value


class FoundInALoop(Base):
    """What a loop has found, or an error where it has found nothing."""

    def successors(self, state):
        for i, x in enumerate(state):
            if x == 1:
                where, others = i, state[i:]
        for row in (state[:2], state[1:]):
            if 0 in row:
                break
        yield Step(0, (where, row.index(0) if 0 in row else 3, len(others)))


class GivenInBranches(Base):
    def moved(self, state, way):
        if way == "up" and state[0] < 3:
            after = (state[0] + 1, state[1], state[2])
        elif way == "down":
            after = (state[0], state[1], state[2] - 1)
        return after

    def successors(self, state):
        for way in ("down", "up"):
            yield Step(way, self.moved(state, way))


class GivenInEachRound(Base):
    """What an earlier round has given stays given, and is not given by another call."""

    def last(self, number):
        for i in range(number):
            if i % 2:
                found = i
        return found

    def successors(self, state):
        for x in state:
            try:
                found = self.last(x)
            except NameError:
                found = 0
            yield Step(x, (found, x, state[0]))
        for x in state:
            if x == 1:
                kept = x
            if x != 3:
                continue
            yield Step(x, (kept, 0, 0))


class GivenWithinTry(Base):
    def successors(self, state):
        try:
            found = state[state[0] + 1]
            other = 6 // found
        except (IndexError, ZeroDivisionError):
            pass
        try:
            yield Step(0, (other % 4, found, 0))
        except UnboundLocalError:
            yield Step(0, (found, 0, 0))


class GivenWithinAnExpression(Base):
    def successors(self, state):
        first = (found := state[1]) if state[0] else 2
        yield Step(0, (first, found, 0))


class GivenWithinAnInnerFunction(Base):
    def successors(self, state):
        def last(number):
            if number > 1:
                found = number
            return found

        for x in state:
            yield Step(x, (last(x), 0, 0))


class InALabelAlone(Base):
    def successors(self, state):
        if state[0]:
            name = "first"
        yield Step(name, state)
