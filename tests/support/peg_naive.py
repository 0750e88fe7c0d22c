"""Textbook search by layers, for the tests only: no engine of the library is used."""

from collections import deque

from searchkit_peg import HOPPERS, PegBoard, PegSolitaire

ORTHOGONAL = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
DIAGONAL = {"NE": (-1, 1), "SE": (1, 1), "SW": (1, -1), "NW": (-1, -1)}

ENGLISH = PegBoard.draw(
    "english",
    "\n".join(["  ooo", "  ooo", "ooooooo", "ooooooo", "ooooooo", "  ooo", "  ooo"]),
    ORTHOGONAL,
)
FRENCH = PegBoard.draw(
    "french",
    "\n".join(["  ooo", " ooooo", "ooooooo", "ooooooo", "ooooooo", " ooooo", "  ooo"]),
    ORTHOGONAL,
)
DIAMOND = PegBoard.draw(
    "diamond",
    "\n".join(" " * abs(4 - row) + "o" * (9 - 2 * abs(4 - row)) for row in range(9)),
    ORTHOGONAL,
)
# On skew axes: the third direction runs along the falling diagonal.
TRIANGLE = PegBoard.draw(
    "triangle",
    "\n".join("o" * (row + 1) for row in range(5)),
    ORTHOGONAL | {"SE": (1, 1), "NW": (-1, -1)},
)


def position_class(board, pegs):
    """The parities that no jump changes, of which a certificate names one that differs."""
    return tuple((pegs & cells).bit_count() & 1 for cells in board.invariants)


def jumps_problem():
    return PegSolitaire.single_vacancy(HOPPERS, 6)


def zero_one_distances(problem):
    """Every reachable state and its distance; states beyond goals too. Costs are 0 or 1."""
    distance = dict.fromkeys(problem.initial_states(), 0)
    queue = deque(distance)
    done = set()
    while queue:
        state = queue.popleft()
        if state in done:
            continue
        done.add(state)
        for _, after, cost in problem.successors(state):
            found = distance[state] + cost
            if found < distance.get(after, found + 1):
                distance[after] = found
                if cost:
                    queue.append(after)
                else:
                    queue.appendleft(after)
    return distance


def layers(problem, count=None):
    """The sizes of the layers of a breadth-first search that goes on beyond goals."""
    layer = list(problem.initial_states())
    seen = set(layer)
    sizes = []
    while layer and (count is None or len(sizes) < count):
        sizes.append(len(layer))
        following = []
        for state in layer:
            for step in problem.successors(state):
                if step.state not in seen:
                    seen.add(step.state)
                    following.append(step.state)
        layer = following
    return sizes


def to_goal(problem, states):
    """The least cost to a goal from each of `states` (closed under successors)."""
    back = {state: [] for state in states}
    for state in states:
        for _, after, cost in problem.successors(state):
            back[after].append((state, cost))
    left = {state: 0 for state in states if problem.is_goal(state)}
    queue = deque(left)
    done = set()
    while queue:
        state = queue.popleft()
        if state in done:
            continue
        done.add(state)
        for before, cost in back[state]:
            found = left[state] + cost
            if found < left.get(before, found + 1):
                left[before] = found
                if cost:
                    queue.append(before)
                else:
                    queue.appendleft(before)
    return left


def optimal_solutions(problem):
    """Every optimal solution as a tuple of actions, depth first in successor order."""
    left = to_goal(problem, zero_one_distances(problem))

    def go_on(state):
        if problem.is_goal(state):
            yield ()
            return
        for action, after, cost in problem.successors(state):
            if after in left and left[after] + cost == left[state]:
                for rest in go_on(after):
                    yield (action, *rest)

    (start,) = problem.initial_states()
    return list(go_on(start))
