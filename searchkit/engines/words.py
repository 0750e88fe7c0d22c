"""Some solution of a puzzle of pieces, soon, while another search goes on."""

from __future__ import annotations

from collections.abc import Generator

from searchkit.engines.anytime import note_solution
from searchkit.engines.incumbents import Share
from searchkit.pieces import Pieces
from searchkit.pieces.factors import words_between
from searchkit.running.task import Outcome, Task
from searchkit.solutions.from_parents import along, without_loops

SHARES = {
    "reference": Share(start=2_000, burst=1, rate=1 << 60),
    "compiled": Share(start=100_000, burst=1, rate=1 << 60),
}
"""When it begins beside an engine of a kind; it expands nothing."""


def by_words(task: Task) -> Generator[None, None, Outcome]:
    """Note solutions as words of moves, which are no optimal ones; see `searchkit.pieces.factors`.

    Each is replayed by the rules: those of a class derived from `Pieces` may allow less.
    """
    problem = task.problem
    assert isinstance(problem, Pieces)
    goal = problem.unpack(problem.goal)
    for start in task.starts:
        for word in words_between(problem.layout, problem.unpack(start), goal):
            states = [start]
            for operator in word or ():
                if not problem.legal(states[-1], 0, operator):
                    break
                states.append(problem.apply(states[-1], 0, operator))
            if word is not None and problem.is_goal(states[-1]):
                found = along(task, [states[i] for i in without_loops(states)])
                if found.cost is not None and found.cost <= task.max_cost:
                    note_solution(task, found)
            yield
    return Outcome()
