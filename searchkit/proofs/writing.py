"""Writes the proof of what a search has found: that no way to a goal costs less."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from time import monotonic
from typing import Any

import attrs

from searchkit.authors.blame import blaming
from searchkit.capabilities import HasDefaultHeuristic, HasGoalStates
from searchkit.engine import EngineChoice
from searchkit.errors import NoProofError, UnsuitableError, UsageError
from searchkit.heuristic import Heuristic, ProblemHeuristic
from searchkit.limits import LimitKind, Limits, ProgressListener
from searchkit.packed import ZeroHeuristic
from searchkit.problem import Problem, is_default, name_of
from searchkit.proofs import listing
from searchkit.proofs.beliefs import is_zero, rests_on
from searchkit.proofs.closing import Closed, Closing
from searchkit.proofs.listing import AT_ONCE, ProofFile, Worded
from searchkit.proofs.rules import ProofRules
from searchkit.result import SearchResult, Solution, Status
from searchkit.running.driver import Driver
from searchkit.running.reservoir import Reservoir
from searchkit.running.task import Counters, Outcome, Run, Task
from searchkit.solving.series import Series, heuristic_of
from searchkit.texts.amounts import plural

OTHERS = (".xz", ".bz2", ".zst", ".zip")
MOST_GOALS = 100
"""More goals than these are not listed: the test of the rules decides alone."""
LOOK_EVERY = 1000
"""How many states are written at a time. All of the first of these, and one in so many of the
others, are read back from their texts."""
READ_BACK = 32
"""Of a list in bulk, one in so many of the texts that the puzzle has written is read back."""
BYTES_OF_LINE = 300


@attrs.frozen(kw_only=True)
class Proof:
    """A proof that is wanted: where, and by what.

    `heuristic` is what leaves states out of its list, by default that of the search: with
    `ZeroHeuristic()` nothing is left to believe but the rules, and the list is the longest.
    `puzzle` says which puzzle it is, for `searchkit verify`, as JSON.
    """

    path: Path = attrs.field(converter=Path)

    @path.validator
    def _is_gzip(self, _: Any, path: Path) -> None:
        if path.suffix in OTHERS:
            raise UsageError(f"{path}: proofs are compressed by gzip; give a name ending in .gz")

    heuristic: Heuristic[Any, Any] | None = None
    puzzle: Mapping[str, Any] | None = None


@attrs.frozen(kw_only=True)
class Proved:
    """A proof that was written."""

    path: Path
    below: int | None
    states: int
    rests_on: str
    seconds: float

    def __str__(self) -> str:
        """What it proves, in one line."""
        what = f"no solution costs less than {self.below}"
        if self.below is None:
            what = "every distance to a goal"
        return f"{self.path}: {what}; {plural(self.states, 'state')}; {self.rests_on}"


def check_provable(problem: Problem[Any, Any], algorithm: Any, proof: Proof) -> None:
    """Raise `UnsuitableError` where it is clear before the search that there can be no proof."""
    heuristic = heuristic_for(problem, algorithm, proof.heuristic)
    rules = ProofRules(problem, heuristic)
    for state in problem.initial_states():
        text = rules.written(state)
        wrong = rules.misread(text, state)
        if wrong is not None:
            raise UnsuitableError(f"{name_of(problem)}: no proof can have its states: {wrong}")


def heuristic_for(
    problem: Problem[Any, Any], algorithm: Any, wanted: Heuristic[Any, Any] | None
) -> Heuristic[Any, Any]:
    """The heuristic of a proof: what is `wanted`, or else that of the search."""
    found = heuristic_of(problem, algorithm) if wanted is None else wanted
    has_none = is_default(problem, "heuristic")
    if isinstance(problem, HasDefaultHeuristic) or not has_none:
        return found
    return ZeroHeuristic() if isinstance(found, ProblemHeuristic) else found


def prove(
    result: SearchResult[Any, Any],
    proof: Proof,
    *,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    progress: ProgressListener | None = None,
    engine: EngineChoice = "auto",
    threads: int = 1,
    kept: Sequence[Any] = (),
) -> Proved:
    """Write a proof that nothing is cheaper than what the search has found, or below its bound.

    The states below are those that the search has closed, where `keeping_lists` has `kept` them;
    else one more search, within `limits` of its own, closes them. Where all solutions up to a cost
    were counted, their number is proved as well. Time and memory: those of A* with the
    heuristic of the proof; of its lines, some megabytes are in memory.

    Raises:
        NoProofError: A limit was reached, or there is nothing to prove; no file is left.
        UnsuitableError: States have no texts.
        VerificationError: The search was wrong: something costs less.
    """
    began = monotonic()
    problem: Any = result.problem
    below = _bound(result)
    late = _counted_within(result)
    heuristic = heuristic_for(problem, result.algorithm, proof.heuristic)
    rules = ProofRules(problem, heuristic)
    said = rests_on(heuristic, merges=rules.may_merge)
    header = _header(result, rules, below, late)
    header |= {"puzzle": proof.puzzle, "rests on": said}
    with ProofFile(proof.path) as file:
        if below + late + 1 > 0:
            # Whatever cost the search was to look up to.
            within = attrs.evolve(limits, cost=below + late)
            own = heuristic_of(problem, result.algorithm)
            wanted = own if proof.heuristic is None else proof.heuristic
            is_same = wanted == own or (is_zero(wanted) and is_zero(own))
            is_same = is_same and late <= 0
            searched = _of_same_search(result, rules, kept, every=late == 0) if is_same else None
            algorithm = Closing(heuristic, below, _into(file, rules, header), searched)
            if searched is not None:
                limit = _write_kept(result, algorithm, within, progress)
            else:
                kind: EngineChoice = "reference" if engine == "checked" else engine
                series = Series(algorithm=algorithm, limits=within, engine=kind, threads=threads)
                limit = series.solve(problem, progress).limit
            if limit is not LimitKind.COST:
                why = "it was interrupted"
                if limit is not None:
                    why = f"its list is not whole at the {limit.label} limit"
                raise NoProofError(
                    f"no proof was written: {why}", result, limit, is_interrupted=limit is None
                )
        else:
            for _ in file.write(header):
                pass
        file.complete()
        return Proved(
            path=proof.path, below=below, states=file.states, rests_on=said,
            seconds=monotonic() - began,
        )  # fmt: skip


def _counted_within(result: SearchResult[Any, Any]) -> int:
    """How much more than an optimal one the solutions cost that were counted; -1 if none were."""
    cost, near = result.cost, result.near
    if cost is None or not (result.count and result.complete and result.optimal):
        return -1
    late = 0 if near is None else near.most(cost) - cost
    return -1 if late == math.inf else int(late)


def _bound(result: SearchResult[Any, Any]) -> int:
    """What nothing is to be cheaper than; raise `NoProofError` where nothing is known."""
    if result.status is Status.UNSOLVABLE:
        raise NoProofError(
            "no proof was written: there is no solution, which has a certificate (see verify)",
            result,
        )
    if result.overestimate is not None or not 0 < result.lower_bound < math.inf:
        if result.cost == 0 and result.optimal:
            return 0
        raise NoProofError("no proof was written: nothing is proved by the search", result)
    return math.ceil(result.lower_bound)


def _of_same_search(
    result: SearchResult[Any, Any], rules: ProofRules, kept: Sequence[Any], *, every: bool
) -> Any:
    """The engine that has closed all states below, those at the bound with `every`; or None.

    Without, it may have expanded others. They are left out; but where states cannot be read, nobody
    can check one to which these alone have led, as an h that falls by more than the cost lets them.
    """
    is_whole = result.optimal or result.limit is LimitKind.COST
    may_leave_out = rules.reads or is_zero(rules.heuristic)
    for engine in kept if is_whole else ():
        is_every: bool = engine.task.every
        if engine.task.algorithm is result.algorithm and (
            is_every or (may_leave_out and not every)
        ):
            return engine
    return None


def _write_kept(
    result: SearchResult[Any, Any],
    algorithm: Closing,
    limits: Limits,
    progress: ProgressListener | None,
) -> LimitKind | None:
    """Write what an engine has closed before; at which limit it ended, that of cost if none."""
    from searchkit.proofs.closing_compiled import kept  # noqa: PLC0415  (loads numba)

    task = attrs.evolve(
        algorithm.engine.task, algorithm=algorithm, max_cost=limits.cost, counters=Counters(),
        reservoir=Reservoir(due=1 << 62), partial=None, budget=0,
    )  # fmt: skip
    with blaming(result.problem):
        ended = Driver[Outcome](task, limits, progress, sliced=True).run(kept)
    return ended.limit if ended.outcome is None else LimitKind.COST


def _into(file: ProofFile, rules: ProofRules, header: Mapping[str, Any]) -> Any:
    """What writes the states that were closed into a file."""

    def sink(task: Task, closed: Closed) -> Generator[None, None, None]:
        yield
        room, most = task.max_bytes - task.counters.bytes, int(task.max_cost)
        worded = _in_bulk(task, rules, closed, room, most) if hasattr(closed, "slices") else None
        if worded is None:
            at_once = min(AT_ONCE, room / BYTES_OF_LINE)
            put(task, file, rules, closed, int(max(LOOK_EVERY, at_once)))
        for _ in file.write(header, worded):
            task.look()

    return sink


def _in_bulk(task: Task, rules: ProofRules, closed: Any, room: float, most: int) -> Worded | None:
    """All lines, if there are many, and their texts follow a pattern; numbers are up to `most`."""
    from searchkit.proofs.bulk import BYTES_OF_ROW, Pattern  # noqa: PLC0415  (loads numpy)

    def looking(found: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
        for each in found:
            task.look()
            yield each

    number = count()

    def written(rows: Any) -> list[str]:
        states = [*closed.states(rows)]
        texts = [*map(rules.written, states)]
        for text, state in zip(texts, states, strict=True):
            if next(number) % READ_BACK == 0:
                check_read(rules, text, state)
        return texts

    at_once = int(min(1 << 40, max(listing.MANY, room / BYTES_OF_ROW)))
    known = [*looking(closed.slices())] if closed.most_states < at_once else None

    def slices() -> Iterator[tuple[Any, Any]]:
        return looking(closed.slices() if known is None else known)

    pattern = Pattern.of(slices, written)
    return None if pattern is None else pattern.worded(slices, at_once, most)


def put(
    task: Run, file: ProofFile, rules: ProofRules, states: Iterable[tuple[Any, Any]], at_once: int
) -> None:
    """Put states and their numbers into a file, `at_once` of them in memory at most."""
    file.begin(at_once)
    task.counters.containers = (*task.counters.containers, file.lines)
    rows, begun = iter(states), False
    while some := list(islice(rows, LOOK_EVERY)):
        lines = [(rules.written(state), cost) for state, cost in some]
        for (text, _), (state, _) in zip(lines[:1] if begun else lines, some, strict=False):
            check_read(rules, text, state)
        begun = True
        file.add(lines)
        task.look()


def check_read(rules: ProofRules, text: str, state: Any) -> None:
    """Raise where a text is read as another state."""
    wrong = rules.misread(text, state)
    if wrong is not None:
        raise UnsuitableError(f"no proof can be written: {wrong}")


def _header(
    result: SearchResult[Any, Any], rules: ProofRules, below: int, late: int
) -> dict[str, Any]:
    problem: Any = result.problem
    solution = result.solution if result.optimal else None
    return {
        "claim": "cost",
        "starts": sorted({rules.written(start) for start in problem.initial_states()}),
        "goals": goals_of(problem, rules),
        "below": below,
        "heuristic": rules.heuristic.name,
        "solution": None if solution is None else _steps(problem, rules, solution),
        "from": None if solution is None else rules.written(solution.start),
        "count": None if late < 0 else result.count,
        "within": None if late < 0 else late,
    }


def goals_of(problem: Problem[Any, Any], rules: ProofRules) -> list[str] | None:
    """The texts of the goals, where they can be listed and read."""
    if not (isinstance(problem, HasGoalStates) and rules.reads):
        return None
    goals = list(islice(problem.goal_states(), MOST_GOALS + 1))
    texts = sorted({rules.written(goal) for goal in goals})
    is_listed = len(goals) <= MOST_GOALS and all(map(rules.goal, texts))
    return texts if is_listed else None


def _steps(
    problem: Problem[Any, Any], rules: ProofRules, solution: Solution[Any, Any]
) -> list[list[Any]]:
    return [
        [problem.format_action(action), rules.written(state), int(cost)]
        for action, state, cost in map(tuple, solution.steps)
    ]
