"""A breadth-first search of its own, and boards and positions to test with."""

from collections import Counter

from hypothesis import strategies as st

from searchkit.packed import successors_of
from searchkit_sliding import WHEEL, Board, SlidingPuzzle, packing_of

CYCLE = Board("cycle", tuple(((cell - 1) % 5, (cell + 1) % 5) for cell in range(5)))
PATH = Board("path", ((1,), (0, 2), (1, 3), (2,)))
EVEN_CYCLE = Board("even cycle", tuple(((cell - 1) % 6, (cell + 1) % 6) for cell in range(6)))
LOLLIPOP = Board("lollipop", ((1, 2), (0, 2), (0, 1, 3), (2, 4), (3,)))
# The exception to Wilson's theorem: a hexagon with one more cell between opposite corners.
THETA = Board("theta", ((1, 5, 6), (0, 2), (1, 3), (2, 4, 6), (3, 5), (4, 0), (0, 3)))
# The other boards of seven cells and eight edges are no exceptions.
SQUARE_AND_PENTAGON = Board(
    "square and pentagon", ((1, 6, 3), (0, 2), (1, 3), (2, 0, 4), (3, 5), (4, 6), (5, 0))
)
ODD_BOARDS = [CYCLE, PATH, EVEN_CYCLE, LOLLIPOP, THETA, SQUARE_AND_PENTAGON]
RECTANGLES = [Board.rectangle(rows, columns) for rows in range(2, 6) for columns in range(2, 6)]


def distances(problem, goal):
    found = {goal: 0}
    queue = [goal]
    successors = successors_of(problem)
    for state in queue:
        depth = found[state] + 1
        for step in successors(state):
            if step[1] not in found:
                found[step[1]] = depth
                queue.append(step[1])
    return found


def layers(found):
    counts = Counter(found.values())
    return [counts[depth] for depth in range(max(counts) + 1)]


def in_order(board, blank):
    """The goal with the tiles in order and the blank on that cell."""
    tiles = list(range(1, board.cells))
    tiles.insert(blank, 0)
    return packing_of(board).pack(tiles)


def solved(board, blank):
    goal = in_order(board, blank)
    return SlidingPuzzle.of(board, goal, goal)


@st.composite
def puzzles(draw, boards=(WHEEL, *RECTANGLES)):
    """A puzzle with any start and any goal, solvable or not."""
    board = draw(st.sampled_from(list(boards)))
    tiles = st.permutations(range(board.cells)).map(packing_of(board).pack)
    return SlidingPuzzle.of(board, draw(tiles), draw(tiles))


def walk(puzzle):
    state, before = puzzle.start, None
    for turn in range(1000):
        steps = [step for step in puzzle.successors(state) if step.state != before]
        before, state = state, steps[turn % len(steps)].state
        yield state
