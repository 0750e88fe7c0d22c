"""The 8-puzzle in other Python libraries, and in plain Python."""

from __future__ import annotations

from typing import Any

from bench.runs import tuples
from bench.runs.timing import Report, Stopwatch, check
from bench.runs.tuples import Position
from bench.samples import Unavailable

STATES = 181_440


def simpleai(algorithm: str, start: str, cost: int | None) -> Report:
    """One search by simpleai; no cost means that the goal is out of reach.

    Then the position is one from which half the positions, and not the goal, can be reached.
    """
    try:
        from simpleai import search  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError:
        raise Unavailable("simpleai is not installed") from None

    class Eight(search.SearchProblem):  # type: ignore[misc]
        def actions(self, position: Position) -> tuple[int, ...]:
            return tuples.NEIGHBOURS[position.index(0)]

        def result(self, position: Position, cell: int) -> Position:
            return tuples.slide(position, cell)

        def is_goal(self, position: Position) -> bool:
            return position == tuples.GOAL

        def heuristic(self, position: Position) -> int:
            return tuples.manhattan(position)

    function = {"bfs": search.breadth_first, "astar": search.astar}[algorithm]
    problem = Eight(tuples.read(start))
    watch = Stopwatch()
    node = watch.time(lambda: function(problem, graph_search=True))
    found = None if node is None else node.depth
    check(found == cost, f"simpleai finds {found}, not {cost}")
    return watch.report()


def networkx() -> Report:
    """All distances by networkx, over the graph of the 8-puzzle; building it is not timed."""
    try:
        import networkx as nx  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError:
        raise Unavailable("networkx is not installed") from None
    graph = nx.Graph()
    build = Stopwatch()
    build.time(lambda: _fill(graph))
    watch = Stopwatch()
    for _ in range(3):
        distances = watch.time(lambda: nx.single_source_shortest_path_length(graph, tuples.GOAL))
        _check_distances(distances)
    return watch.report(nodes=STATES, build_seconds=build.cpu_seconds[0])


def plain() -> Report:
    """All distances by a deque and a dict."""
    watch = Stopwatch()
    for _ in range(3):
        _check_distances(watch.time(lambda: tuples.distances_from(tuples.GOAL)))
    return watch.report(nodes=STATES)


def _fill(graph: Any) -> None:
    for position in tuples.distances_from(tuples.GOAL):
        graph.add_edges_from((position, child) for child in tuples.successors(position))


def _check_distances(distances: dict[Position, int]) -> None:
    check(len(distances) == STATES, f"{len(distances)} states, not {STATES}")
    check(max(distances.values()) == 31, "the farthest states are 31 moves away")
