"""Breadth-first exploration of a whole state space."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import attrs

from searchkit.algorithms.validators import expect
from searchkit.authors.blame import blaming
from searchkit.capabilities import HasGoalStates, Symmetry, single_steps_of, steps_into
from searchkit.checked.problem import checked
from searchkit.compiled.layers.linear_tables import LinearSpace
from searchkit.compiled.plan import CompiledPlan, plan_exploration
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.engine import Engine, EngineChoice
from searchkit.engines.explored import Explorer
from searchkit.errors import UnsuitableError, UsageError
from searchkit.executors.asked import Workers, executing
from searchkit.executors.executor import Executor
from searchkit.explore.exploration import Exploration
from searchkit.limits import LimitKind, Limits, ProgressListener
from searchkit.packed import bare_successors_of, by_kernels, successors_of
from searchkit.premises.asking import goals_of, starts_of
from searchkit.premises.reasons import explaining
from searchkit.problem import Costs, Problem
from searchkit.reference.layers import ReferenceLayers
from searchkit.running.driver import Driver
from searchkit.running.overdue import within_limits
from searchkit.running.task import Run, Steps
from searchkit.solving.plan import Ran, check_choice, choose
from searchkit.solving.prepare import Call, look_at, rooted
from searchkit.symmetry import stabiliser
from searchkit.tables.sources import FILE, SOURCE, blaming_table, name_of_source, source_of

if TYPE_CHECKING:
    from searchkit.tables.store import Store
    from searchkit.tables.writer import TableWriter

SymmetryChoice = Literal["none", "auto"]

S = TypeVar("S")


@attrs.frozen
class Checkpoint:
    """Where an exploration is written to, and what is written down with it.

    Args:
        folder: A folder, or an URL of one that `searchkit.tables` can reach.
        identity: What must be the same when going on.
    """

    folder: Path | str
    identity: Mapping[str, Any] = attrs.field(factory=dict, kw_only=True)


@within_limits
def explore(
    problem: Problem[S, Any],
    *,
    backward: bool | None = None,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    progress: ProgressListener | None = None,
    engine: Engine | EngineChoice = "auto",
    symmetry: SymmetryChoice = "none",
    paths: bool = False,
    checkpoint: Checkpoint | Path | str | None = None,
) -> Exploration[S]:
    """Reaches every state of a problem, layer by layer, from the start or back from the goals.

    Goals are expanded like other states. Costs must be unit costs. O(states) time; memory
    O(states), or two layers where the problem is undirected.

    Args:
        problem: What to explore.
        backward: Whether to begin at the goals, so that the layers are distances to them. This
            needs `goal_states` and, unless the problem is undirected, `predecessors`. By default it
            is chosen where the problem is undirected and lists its goals.
        limits: When to give up.
        progress: Called a few times a second with how far the exploration is.
        engine: As `solve` has it. Machine code explores a `PackedProblem`, `ChainMoves` of one that
            `HasToggles`, or rules in plain Python that can be translated (only toggles for
            `symmetry` and `paths`). Threads share layers where states have numbers (`rank` or
            `toggles`), and workers those in a folder, which they all see; toggles are then followed
            like other operators. How many there were does not matter to those that go on.
        symmetry: `"auto"` keeps one of the states that symmetries of the problem make equal, of
            those symmetries that map what it begins with to itself: all states are counted, a
            fraction is stored.
        paths: Whether to count the shortest paths to states, goals and ends (see `Paths`).
        checkpoint: A folder that every complete layer is written to, or a `Checkpoint`. An
            exploration that was stopped, however rudely, goes on after the last of them, and
            `searchkit.tables.Table` opens what is there. It needs machine code: for rules in plain
            Python it keeps a layout of their states as well, which gets wider as they ask for it.
            Without toggles, layers are then kept in files alone, and a memory limit is what may be
            used, not where to give up.

    Raises:
        UnsuitableError: The problem lacks what is needed.
        LawError: It breaks a law that the answer would have rested on.
    """
    asked = Engine.of(engine)
    kind, workers = asked.kind, asked.workers
    look_at(problem, kind)
    expect(limits, Limits, "limits", "Limits, like Limits(time=10)")
    _check_asked(problem, symmetry, checkpoint, workers)
    check_choice(kind)
    if kind == "checked":
        if checkpoint is not None:
            raise UnsuitableError("no table can be written: the checked engine was asked for")
        with blaming(problem):
            own, _ = checked(problem)
        found = explore(
            own, backward=backward, limits=limits, progress=progress, engine="reference",
            symmetry=symmetry, paths=paths,
        )  # fmt: skip
        return attrs.evolve(found, engine="checked")
    run = _prepared(
        problem, kind, backward, symmetry, paths,
        are_shared=workers is not None, is_kept=checkpoint is not None,
    )  # fmt: skip
    run.progress, run.threads = progress, asked.threads_of_search
    run.call.begin()
    if checkpoint is None:
        return run.result(limits)
    if not isinstance(checkpoint, Checkpoint):
        checkpoint = Checkpoint(checkpoint)
    about = {**checkpoint.identity, "symmetry": symmetry}
    run.open_table(checkpoint.folder, about, limits, workers)
    return run.result_in_table(limits, workers)


def _check_asked(problem: Problem[Any, Any], symmetry: str, checkpoint: Any, workers: Any) -> None:
    """Raise if options make no sense, or the problem lacks what all explorations need."""
    if problem.costs is not Costs.UNIT:
        raise UnsuitableError(
            f"explore needs unit costs but the problem has {problem.costs.value} costs"
            f"{single_steps_of(problem)}"
        )
    if workers is not None and checkpoint is None:
        raise UsageError("workers share the layers in a folder; give one as the checkpoint")
    if symmetry not in ("none", "auto"):
        raise UsageError(f"symmetry is {symmetry!r}; it must be 'none' or 'auto'")


def _prepared(
    problem: Problem[Any, Any], engine: EngineChoice, backward: bool | None, symmetry: str,
    paths: bool, *, are_shared: bool, is_kept: bool,
) -> _Run:  # fmt: skip
    """How to explore a problem: from where, by what steps, and by which engine."""
    if backward is None:
        backward = problem.undirected and isinstance(problem, HasGoalStates)
    with blaming(problem):
        if backward:
            roots, expand = _backward(problem)
        else:
            roots, expand = list(starts_of(problem)), successors_of(problem)
        rooted(problem, roots)
        symmetries = stabiliser(problem, roots) if symmetry == "auto" else []
    purpose = "explore", backward, paths, engine != "reference"
    call = Call(problem=problem, starts=roots, engine=engine, name="explore", purpose=purpose)
    is_directed = backward and not problem.undirected

    def compiled() -> CompiledPlan:
        return plan_exploration(
            problem, roots, symmetries, backward=is_directed, paths=paths, workers=are_shared
        )

    origin: Literal["start", "goal"] = "goal" if backward else "start"
    plan = choose(engine, compiled, trials=call.trials)
    known = call.kin.is_shared and not is_kept  # of what is kept, nothing is known
    call.follow(plan, backward=backward, known=known, explores=True, origin=origin)
    return _Run(call, origin, roots, expand, tuple(symmetries), paths)


@attrs.define
class _Run:
    """How to explore: from where, and by what steps."""

    call: Call
    origin: Literal["start", "goal"]
    roots: list[Any]
    expand: Steps
    symmetries: tuple[Symmetry[Any, Any], ...]
    paths: bool
    progress: ProgressListener | None = None
    threads: int = 1
    table: TableWriter | None = None
    executor: Executor | None = None
    found_there: Store | None = None
    """The place of the table, if it had layers already."""

    def result(self, limits: Limits) -> Exploration[Any]:
        """Explore in memory."""
        call = self.call
        with explaining(call.problem, by_kernels=call.premises.by_kernels):
            ran = call.plan.carry_out(limits, self.ran, call.translation)
            return self._checked(attrs.evolve(ran.found, limit=ran.limit, engine_reason=ran.reason))

    def open_table(
        self, place: Path | str, about: Mapping[str, Any], limits: Limits, workers: Workers
    ) -> None:
        """Open the table that complete layers are written to, or begin it."""
        from searchkit.tables.numbers import most_ranks, numbered  # noqa: PLC0415  (loads numpy)
        from searchkit.tables.writer import TableWriter  # noqa: PLC0415

        problem, plan, translation = self.call.problem, self.call.plan, self.call.translation
        reason = "paths are not kept" if self.paths else plan.reason
        if plan.kind == "reference":
            reason = plan.reason or "the reference engine was asked for"
        elif translation is not None and reason is None:
            reason = translation.making.why_not()
        if reason is not None:
            raise UnsuitableError(f"no table can be written: {reason}")
        count = workers.workers if isinstance(workers, Executor) else workers or 1
        with blaming(problem):
            ranks = numbered(problem, self.roots)
        identity = {
            **about,
            "problem": type(problem).__name__,
            "roots": [problem.format_state(root) for root in self.roots],
            "origin": self.origin,
            SOURCE: source_of(problem),
            FILE: name_of_source(problem),
        }
        self.table = TableWriter.open(
            place, identity,
            words=None if translation is not None else getattr(problem, "words", 1),
            ranks=ranks,
            by_rank=plan.space is None and 0 < ranks <= most_ranks(limits.memory, count),
        )  # fmt: skip

    def result_in_table(self, limits: Limits, workers: Workers) -> Exploration[Any]:
        """Explore where complete layers are written down."""
        from searchkit.tables.rules import check_rules  # noqa: PLC0415  (loads numpy)

        table, call = self.table, self.call
        assert table is not None
        with explaining(call.problem, by_kernels=call.premises.by_kernels):
            with table, executing(None if workers == 1 else workers) as self.executor:
                if call.translation is not None:
                    call.translation.making.keep_in(table)
                check_rules(table, call.problem, self.expand, self.symmetries, self.roots)
                found = self.explored("compiled", limits)
            return self._checked(found)

    def _checked(self, found: Exploration[Any]) -> Exploration[Any]:
        """What was found, unless the problem breaks a law that it rests on."""
        with blaming_table(self.found_there), blaming(self.call.problem):
            self.call.premises.check_explored(
                found.layers, found.statistics.expanded, found.statistics.seconds,
                complete=found.complete, compiled=found.engine == "compiled",
            )  # fmt: skip
        return found

    def ran(
        self, kind: str, limits: Limits, tried: Ran[Exploration[Any]] | None
    ) -> Ran[Exploration[Any]]:
        """Explore by the engine of that kind; what was tried before is kept if it reached more."""
        found = self.explored(kind, limits)
        done = Ran(found=found, limit=found.limit, statistics=found.statistics)
        if tried is not None and not found.complete and found.states < tried.found.states:
            return attrs.evolve(done, found=tried.found)
        return done

    def explored(self, kind: str, limits: Limits) -> Exploration[Any]:
        """Explore by the engine of that kind."""
        task, problem = Run(problem=self.call.problem, threads=self.threads), self.call.problem
        is_compiled = kind == "compiled"
        begun: list[Explorer] = []
        if self.table is not None and self.table.depth:
            self.found_there = self.table.store

        def engine(task: Run) -> Generator[None, None, bool]:
            with blaming_kernels(problem):
                explorer = self._explorer(task, is_compiled=is_compiled)
                if is_compiled:
                    yield
                explorer.begin(self.roots)
                begun.append(explorer)
                deepest = float("inf") if limits.cost is None else limits.cost
                running = explorer.run(deepest)
                if is_compiled and hasattr(problem, "compared"):
                    from searchkit.translation.watch import watched  # noqa: PLC0415  (loads much)

                    running = watched(task, running)
                with blaming_table(self.found_there), blaming_kernels(problem):
                    return (yield from running)

        ended = Driver[bool](task, limits, self.progress, sliced=is_compiled).run(engine)
        if not begun:  # stopped while machine code was loaded
            begun.append(self._explorer(Run(problem=problem), is_compiled=False))
            begun[0].begin(self.roots)
        found = begun[0]
        if is_compiled and ended.outcome is True:
            with blaming_table(self.found_there), blaming(problem):
                self.call.premises.check_reached(found)
        partial = () if ended.outcome is not None or not found.partial else (found.partial,)
        return Exploration(
            origin=self.origin,
            layers=(*found.sizes, *partial),
            canonical_layers=(*found.canonical_sizes, *partial) if self.symmetries else None,
            paths=found.paths() if self.paths else None,
            farthest=found.farthest(),
            complete=ended.outcome is True,
            limit=LimitKind.COST if ended.outcome is False else ended.limit,
            engine="compiled" if is_compiled else "reference",
            statistics=ended.statistics,
        )

    @property
    def _space(self) -> LinearSpace | None:
        """Where bitmaps are; none where the table holds numbers of states."""
        holds_ranks = self.table is not None and self.table.manifest.ranks
        return None if holds_ranks else self.call.plan.space

    def _explorer(self, task: Run, *, is_compiled: bool) -> Explorer:
        """What reaches every state, its machine code loaded."""
        if not is_compiled:
            goes_forward = self.origin == "start" or self.call.problem.undirected
            own = (
                by_kernels(self.call.problem)
                if self.call.premises.by_kernels
                else self.call.problem
            )
            steps = bare_successors_of(own) if goes_forward else self.expand
            return ReferenceLayers(task, steps, self.symmetries, self.paths)
        from searchkit.compiled.layers.explorers import explorer  # noqa: PLC0415

        def made(run: Run, roots: list[Any]) -> Explorer:
            return explorer(
                run, roots, self.symmetries, space=self._space, paths=self.paths, table=self.table,
                executor=self.executor,
            )  # fmt: skip

        if self.call.translation is not None:
            return self.call.translation.making.explorer(task, made)
        return made(task, self.roots)


def _backward(problem: Problem[Any, Any]) -> tuple[list[Any], Steps]:
    if not isinstance(problem, HasGoalStates):
        raise UnsuitableError("exploring backwards needs goal_states(); explore from the start")
    back = steps_into(problem)
    if back is None:
        raise UnsuitableError("exploring backwards needs predecessors(); explore from the start")
    return list(goals_of(problem)), back
