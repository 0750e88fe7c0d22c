"""Writes the proof of exact distances: how far every state is from the nearest goal."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from searchkit.authors.blame import blaming
from searchkit.capabilities import HasGoalStates
from searchkit.engines.distances import nearest_first
from searchkit.errors import NoProofError, UnsuitableError
from searchkit.limits import Limits, ProgressListener
from searchkit.problem import Problem, name_of
from searchkit.proofs.beliefs import rests_on
from searchkit.proofs.listing import AT_ONCE, ProofFile
from searchkit.proofs.rules import ProofRules
from searchkit.proofs.writing import LOOK_EVERY, MOST_GOALS, Proof, Proved, goals_of, put
from searchkit.running.driver import Driver
from searchkit.running.task import Run


def prove_distances(
    problem: Problem[Any, Any],
    proof: Proof,
    *,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    progress: ProgressListener | None = None,
) -> Proved:
    """Write how far each state is that can be reached, from the starts and from listed goals on.

    In plain Python; O(states + steps) of time and memory. The heuristic of the proof is not used.

    Raises:
        NoProofError: A limit was reached; no file is left.
        UnsuitableError: States have no texts, or a step costs nothing.
    """
    with blaming(problem):
        rules = ProofRules(problem)
        said = rests_on(rules.heuristic, merges=rules.may_merge)
        header: dict[str, Any] = {
            "puzzle": proof.puzzle, "claim": "distances", "starts": [],
            "goals": goals_of(problem, rules), "below": None, "heuristic": "zero",
            "rests on": said, "solution": None, "from": None, "count": None, "within": None,
        }  # fmt: skip
        goals: Any = problem.goal_states() if isinstance(problem, HasGoalStates) else ()
        roots = [*problem.initial_states(), *islice(goals, MOST_GOALS)]
    with ProofFile(proof.path) as file:

        def engine(run: Run) -> Generator[None, None, bool]:
            yield from _charted(run, roots, file, rules, header)
            return True

        ended = Driver[bool](Run(problem=problem), limits, progress).run(engine)
        if ended.outcome is None:
            limit = ended.limit
            why = "it was interrupted" if limit is None else f"the {limit.label} limit was reached"
            raise NoProofError(
                f"no proof was written: {why}", None, limit, is_interrupted=limit is None
            )
        file.complete()
        return Proved(
            path=proof.path, below=None, states=file.states, rests_on=said,
            seconds=ended.statistics.seconds,
        )  # fmt: skip


def _charted(
    task: Run, roots: Sequence[Any], file: ProofFile, rules: ProofRules, header: Mapping[str, Any]
) -> Generator[None, None, None]:
    """Follow all steps, then Dijkstra's algorithm (1959) along them, from the goals back."""
    problem, counters, key_of = task.problem, task.counters, task.problem.key
    states: dict[Any, Any] = {}
    into: dict[Any, list[tuple[Any, int]]] = {}
    goals: list[Any] = []
    waiting: deque[Any] = deque()
    counters.containers = (states, into, waiting)

    def reach(state: Any) -> Any:
        key = key_of(state)
        if key not in states:
            states[key] = state
            waiting.append(key)
        return key

    for root in roots:
        reach(root)
    listed = task.lister()
    while waiting:
        here = waiting.popleft()
        if counters.expanded >= task.pause_at:
            yield
        counters.expanded += 1
        is_goal = problem.is_goal(states[here])
        if is_goal:
            goals.append(here)
        for action, child, cost in map(tuple, listed(task.successors(states[here]))):
            there, price = reach(child), task.legal_cost(action, cost)
            counters.generated += 1
            if not is_goal:
                if price == 0:
                    raise UnsuitableError(
                        f"{name_of(problem)}: a step costs nothing; distances are proved where "
                        "every step costs something"
                    )
                into.setdefault(there, []).append((here, price))
        counters.note(len(waiting), len(states))
    task.is_all_expanded = True
    distance: dict[Any, int] = {}
    nearest = nearest_first(goals, lambda here: into.get(here, ()), lambda here: here)
    for number, (far, here) in enumerate(nearest, 1):
        distance[here] = far
        if number % LOOK_EVERY == 0:
            task.look()

    def lines() -> Iterator[tuple[Any, int | None]]:
        for key, state in states.items():
            yield state, distance.get(key)

    put(task, file, rules, lines(), AT_ONCE)
    for _ in file.write(header):
        task.look()
