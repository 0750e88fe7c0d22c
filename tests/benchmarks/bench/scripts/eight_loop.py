"""The same without a library: `eight_loop.py START ALGORITHM`."""

import sys
from collections import deque
from heapq import heappop, heappush

GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)


def successors(state):
    blank = state.index(0)
    row, column = divmod(blank, 3)
    for name, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
        if 0 <= row + down < 3 and 0 <= column + right < 3:
            other = 3 * (row + down) + column + right
            tiles = list(state)
            tiles[blank], tiles[other] = tiles[other], 0
            yield name, tuple(tiles)


def heuristic(state):
    total = 0
    for cell, tile in enumerate(state):
        if tile:
            total += abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3)
    return total


def moves_to(parents, state):
    moves = []
    while parents[state] is not None:
        state, name = parents[state]
        moves.append(name)
    return moves[::-1]


def breadth_first(start):
    parents = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for name, child in successors(state):
            if child not in parents:
                parents[child] = state, name
                if child == GOAL:
                    return moves_to(parents, child)
                queue.append(child)
    raise ValueError("no solution")


def a_star(start):
    best, parents, closed = {start: 0}, {start: None}, set()
    queue = [(heuristic(start), 0, start)]
    while queue:
        _, _, state = heappop(queue)
        if state in closed:
            continue
        if state == GOAL:
            return moves_to(parents, state)
        closed.add(state)
        cost = best[state] + 1
        for name, child in successors(state):
            if child not in best or cost < best[child]:
                best[child] = cost
                parents[child] = state, name
                heappush(queue, (cost + heuristic(child), -cost, child))
    raise ValueError("no solution")


if __name__ == "__main__":
    search = breadth_first if sys.argv[2] == "bfs" else a_star
    print(len(search(tuple(map(int, sys.argv[1])))))
