"""The 8-puzzle as a beginner writes it for searchkit: `eight.py START ALGORITHM ENGINE`."""

import sys

from searchkit import AStar, BreadthFirst, Problem, Step, solve

GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)


class Eight(Problem):
    undirected = True

    def __init__(self, start):
        self.start = start

    def initial_states(self):
        return [self.start]

    def successors(self, state):
        blank = state.index(0)
        row, column = divmod(blank, 3)
        for name, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            if 0 <= row + down < 3 and 0 <= column + right < 3:
                other = 3 * (row + down) + column + right
                tiles = list(state)
                tiles[blank], tiles[other] = tiles[other], 0
                yield Step(name, tuple(tiles))

    def is_goal(self, state):
        return state == GOAL

    def heuristic(self, state):
        total = 0
        for cell, tile in enumerate(state):
            if tile:
                total += abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3)
        return total


if __name__ == "__main__":
    start, algorithm, engine = sys.argv[1:]
    chosen = BreadthFirst() if algorithm == "bfs" else AStar()
    print(solve(Eight(tuple(map(int, start))), chosen, engine=engine).cost)
