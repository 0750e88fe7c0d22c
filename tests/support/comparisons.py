"""Comparisons that were not measured."""

from __future__ import annotations

from typing import Any

from searchkit.comparison import Board, Comparison, Contestant, Run

BFS = Contestant(label="bfs", algorithm="bfs", heuristic=None, optimal=True)
ASTAR = Contestant(label="astar (m)", algorithm="astar", heuristic="m", optimal=True)


def run(board: int, who: Contestant = BFS, cost: int | None = 5, **more: Any) -> Run:
    known = {"status": "solved", "cost": cost, "moves": cost, "optimal": True, "repeat": 1}
    figures = {"seconds": 1.0, "expanded": 10, "peak_bytes": 100, "engine": "reference"}
    return Run(board=board, contestant=who.label, **(known | figures | more))


def limited(board: int, who: Contestant = BFS, limit: str = "time", **more: Any) -> Run:
    return run(board, who, None, status="limit reached", limit=limit, optimal=False, **more)


def boards(*known: int | None) -> tuple[Board, ...]:
    return tuple(
        Board(number=number, name=f"b{number}", text=f"s{number}", known_cost=cost)
        for number, cost in enumerate(known, start=1)
    )


def comparison(runs: list[Run], count: int = 2, **more: Any) -> Comparison:
    made: dict[str, Any] = {
        "command": "searchkit compare line", "puzzle": "line", "parameters": {}, "goal": "0",
        "settings": {"seed": None}, "boards": boards(*[None] * count),
        "contestants": (BFS, ASTAR), "unsuitable": {}, "repeats": 1,
    }  # fmt: skip
    return Comparison(**(made | more), runs=runs)
