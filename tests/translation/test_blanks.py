"""Numbers with a text for the blank, letters that stand for numbers, and lengths as truths."""

import pytest

from searchkit import AStar, Problem, Step, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import UnsuitableError
from tests.translation.test_searches import told


class Tiles(Problem):
    """Tiles in two rows, of which `blank` is none."""

    blank: object = "e"
    start: object = (1, 2, "e", 3, 4, 5)
    goal: object = (1, 3, 2, 5, "e", 4)

    def initial_states(self):
        return [self.start]

    def is_goal(self, state):
        return state == self.goal

    def successors(self, state):
        i = state.index(self.blank)
        for j in (i - 1, i + 1, i - 3, i + 3):
            if 0 <= j < 6 and (abs(i - j) == 3 or i // 3 == j // 3):
                tiles = list(state)
                tiles[i], tiles[j] = tiles[j], tiles[i]
                yield Step(j, tuple(tiles) if isinstance(state, tuple) else "".join(tiles))


class ByEquality(Tiles):
    def heuristic(self, state):
        return sum(tile != self.goal[i] for i, tile in enumerate(state) if tile != "e") // 2


class ByNumbers(Tiles):
    def heuristic(self, state):
        return sum(abs(tile - i) > 3 for i, tile in enumerate(state) if tile != "e") // 2


class BySize(Tiles):
    blank = " "
    start = (1, 2, " ", 3, 4, 5)
    goal = (1, 3, 2, 5, " ", 4)

    def heuristic(self, state):
        least = 0
        for tile in state:
            if tile != " " and tile > 4 and tile == state[-1]:
                least += 1
        return least


class ByTexts(Tiles):
    start, goal = "12e345", "1325e4"

    def heuristic(self, state):
        numbers = [int(c) if c != "e" else None for c in state]
        return sum(n is not None and abs(n - i) > 3 for i, n in enumerate(numbers)) // 2


class Row:
    """Something with a length."""

    def __init__(self, items):
        self.items = items

    def __eq__(self, other):
        return self.items == other.items

    def __hash__(self):
        return hash(self.items)

    def __len__(self):
        return len(self.items) - 1


class Lengths(Problem):
    def initial_states(self):
        return [Row((1, 2, 3, 4))]

    def is_goal(self, state):
        return not state

    def successors(self, state):
        if state:
            yield Step("shorter", Row(state.items[1:]))


@pytest.mark.slow_variants("ByTexts", "ByNumbers")
@pytest.mark.parametrize("kind", [Tiles, ByEquality, ByNumbers, BySize, ByTexts, Lengths])
def test_searches(kind):
    expected = solve(kind(), AStar(), engine="reference", want="count")
    with plainly():
        found = solve(kind(), AStar(), engine="compiled", want="count")
    assert found.engine == "compiled"
    assert told(found) == told(expected)


class Unlike(Tiles):
    start, goal = "12e345", "1325e4"

    def heuristic(self, state):
        numbers = [c if c == "e" else int(c) for c in state]
        return sum(n == 1 for n in numbers) // 9


def test_the_expression_and_a_number_are_named():
    reason = (
        r"Unlike.heuristic, .*: has a character and a number in one place in "
        r"`c if c == 'e' else int\(c\)`; put a number in the place of the text, such as 0 or -1"
    )
    with plainly(), pytest.raises(UnsuitableError, match=reason):
        solve(Unlike(), AStar(), engine="compiled")
