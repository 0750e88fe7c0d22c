"""Whole searches of random ordinary problems: by kernels made of their rules, and by the rules."""

from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from hunt.oracle import Wrong
from hunt.programs import KINDS, Writer, random_state
from hunt.translations import Program, Rules, TookTooLong, bounded, problem_of
from searchkit import (
    IDDFS,
    AStar,
    BeamSearch,
    BreadthFirst,
    GreedyBestFirst,
    IDAStar,
    Limits,
    UniformCost,
    WeightedAStar,
    explore,
    solve,
)
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError, ProblemError, SearchkitError, UnsuitableError

STATES = 12
DRAWS = 25
TRUTH = """

class Program(Made):
    costs = Costs.{costs}

    def is_goal(self, s):
        return bool(super().is_goal(s))


Made = Program
"""
EXPANSIONS = 150
BY_MACHINE_CODE = 40
"""One search of so many."""
ALGORITHMS: dict[str, Any] = {
    "bfs": BreadthFirst(),
    "ucs": UniformCost(),
    "astar": AStar(),
    "wastar": WeightedAStar(weight="3/2"),
    "greedy": GreedyBestFirst(),
    "idastar": IDAStar(),
    "iddfs": IDDFS(),
    "beam": BeamSearch(width=5),
    "explore": None,
}
WANTS = ("one", "all", "count")
_OWN_FAULT = ("machine code gives", "by a fault of searchkit", "comes to a limit of the translator")
"""What messages say where machine code was found to be wrong."""


@dataclass(frozen=True)
class Search:
    """A program, and how its problem is searched."""

    program: Program
    algorithm: str
    want: str
    expansions: int
    by_machine_code: bool

    def __str__(self) -> str:
        how = f"{self.algorithm}, {self.want}, {self.expansions} expansions"
        return f"{self.program}\n# {how}, machine code: {self.by_machine_code}"


def found_by(problem: Any, case: Search, engine: str) -> Any:
    """What a search finds and counts."""
    limits = Limits(expansions=case.expansions)
    if case.algorithm == "explore":
        space = explore(problem, engine=engine, limits=limits)  # type: ignore[arg-type]
        return list(space.layers), space.statistics.expanded, space.statistics.generated
    algorithm = ALGORITHMS[case.algorithm]
    want: Any = case.want if case.algorithm in ("bfs", "astar", "idastar", "iddfs") else "one"
    chosen: Any = engine
    found: Any = solve(problem, algorithm, want=want, engine=chosen, limits=limits)
    work = found.statistics
    solution = found.solution and [step.state for step in found.solution.steps]
    rounds = [(each.bound, each.expanded, each.generated) for each in work.iterations]
    return (
        found.status, found.cost, found.lower_bound, solution, found.count,
        work.expanded, work.generated, work.reopened, work.max_frontier, rounds,
    )  # fmt: skip


class Searches(Rules):
    """Searches of programs by two engines: equal answers and counts, or a refusal."""

    name = "translated"
    summary = "whole searches of random ordinary problems, by kernels made of their rules"
    short = 6
    minutes = 600
    hours = 20_000
    patience = 300.0
    chunk = 5

    def make(self, rng: random.Random) -> Any:
        """A search by whose rules no error is raised, if one comes up soon."""
        for _ in range(DRAWS):
            case = self._drawn(rng)
            if self._expected(case) is not None:
                break
        return case

    def _drawn(self, rng: random.Random) -> Search:
        kind = rng.choice(list(KINDS))
        states = tuple(dict.fromkeys(random_state(rng, kind) for _ in range(STATES)))
        algorithm = rng.choice(list(ALGORITHMS))
        costs = "UNIT" if algorithm in ("bfs", "iddfs", "explore") else "INTEGER"
        text = f"{Writer(rng, kind).program()}{TRUTH.format(costs=costs)}"
        return Search(
            Program(kind, text, states[: rng.choice((1, 3, STATES))]),
            algorithm,
            rng.choice(WANTS),
            rng.choice((7, 40, EXPANSIONS, EXPANSIONS)),
            rng.randrange(BY_MACHINE_CODE) == 0,
        )

    def run(self, case: Any) -> Counter[str]:
        told: Counter[str] = Counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = self._expected(case)
            if expected is None:
                # Errors of labels, which machine code leaves out, are no errors there.
                told["errors"] += 1
                return told
            problem = problem_of(case.program)
            is_real = case.by_machine_code and not self.brief
            with nullcontext() if is_real else plainly():
                self._compare(problem, case, expected, told)
            told["by machine code"] += is_real
        return told

    @staticmethod
    def _expected(case: Search) -> Any:
        """What the reference engine finds; None if there is an error, or it takes long."""
        problem = problem_of(case.program)
        if problem is None:
            return None
        try:
            with bounded():
                return found_by(problem, case, "reference")
        except (SearchkitError, TookTooLong):
            return None

    def _compare(self, problem: Any, case: Search, expected: Any, told: Counter[str]) -> None:
        try:
            found = found_by(problem, case, "compiled")
        except (CompilationError, UnsuitableError) as error:
            if any(each in str(error) for each in _OWN_FAULT):
                raise Wrong(f"machine code is wrong: {error}") from error
            told["refused"] += 1
        except SearchkitError as error:
            # Engines look at states in an order of their own, where rules may raise an error;
            # unless machine code is asked for, the reference engine has the last word.
            is_of_rules = isinstance(error, ProblemError)
            if is_of_rules and found_by(problem, case, "auto") == expected:
                told["errors"] += 1
                return
            if "engine='reference'" not in str(error):
                raise Wrong(f"only machine code has an error: {error}") from error
            told["refused"] += 1
        else:
            if found != expected:
                raise Wrong(f"found {found!r:.600}, and not {expected!r:.600}")
            told["equal"] += 1

    def smaller(self, case: Any) -> Iterator[Any]:
        """With a smaller program; without machine code; with fewer expansions."""
        if case.by_machine_code:
            yield replace(case, by_machine_code=False)
        for each in super().smaller(case.program):
            yield replace(case, program=each)
        if case.expansions > 1:
            yield replace(case, expansions=case.expansions // 2)
