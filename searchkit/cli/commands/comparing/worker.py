"""One run of a comparison, in a process of its own, and who begins such runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, cast

import attrs
import click

from searchkit.capabilities import own_heuristic
from searchkit.cli.commands.comparing.contestants import run_fields
from searchkit.cli.support.choice import Chosen, choose_described
from searchkit.cli.support.method import choose_algorithm
from searchkit.comparison.peak_memory import PeakMemory
from searchkit.comparison.records import CRASHED
from searchkit.engine import Engine, EngineChoice
from searchkit.errors import (
    ClusterError,
    CompilationError,
    OverdueError,
    SearchkitError,
    UnsuitableError,
    WorkerLostError,
)
from searchkit.executors.executor import Executor, Job
from searchkit.executors.worker import allow, began
from searchkit.limits import Limits
from searchkit.packed import ZeroHeuristic
from searchkit.result import SearchResult
from searchkit.running.making import telling_of_code
from searchkit.running.warned import warnings_passed
from searchkit.solve import solve
from searchkit.solving.engines import engine_kinds, engine_of
from searchkit.solving.plan import plan
from searchkit.solving.solver import LATE, LOADING_SECONDS, MAKING_SECONDS, seconds_allowed
from searchkit.texts.amounts import one_line

NOT_READY = "it was not ready in time"
NOTHING = Limits(expansions=0)
"""A search with this limit loads all that it needs, and ends."""
Message = dict[str, Any]


def run(job: dict[str, Any]) -> dict[str, Any]:
    """The fields of a `Run`, with `notes` of what was warned of, as a task of an executor."""
    notes: list[str] = []
    allow(LOADING_SECONDS, NOT_READY)
    with warnings_passed(lambda text: notes.append(one_line(text))):
        found = _done(job)
    return found | {"notes": notes}


def _done(job: dict[str, Any]) -> dict[str, Any]:
    chosen = choose_described(job["problem"])
    algorithm = _algorithm(chosen, job)
    with chosen.guard():
        engine = _warm_up(chosen, algorithm, job)
    measured = PeakMemory.begin()
    ready = time.perf_counter() - began()
    if job["only_ready"]:
        return {"status": "ready", "setup_seconds": ready}
    allowed: float | None = job["allowed"]
    allow(allowed, LATE)
    more = None if allowed is None else allowed + MAKING_SECONDS  # no limit of time counts that
    with telling_of_code(lambda: allow(more, LATE)):
        found = _search(chosen, algorithm, engine, job, measured)
    return found | {"setup_seconds": ready}


def _algorithm(chosen: Chosen, job: dict[str, Any]) -> Any:
    """The algorithm, which has its heuristic with it, so that it is made before the search."""
    made = choose_algorithm(chosen, job["algorithm"], job["heuristic"])
    if made.uses_heuristic and getattr(made, "heuristic", "none") is None:
        with chosen.guard():
            made = attrs.evolve(made, heuristic=own_heuristic(chosen.problem))
    return made


def _warm_up(chosen: Chosen, algorithm: Any, job: dict[str, Any]) -> str:
    """Load, or make, the machine code, so that neither its time nor its memory is the search's.

    The engine to search with: all boards are searched by the same, without a trial of another.
    """
    engine: str = job["engine"]
    if engine == "auto":
        heuristic = getattr(algorithm, "heuristic", None)
        known = ZeroHeuristic() if heuristic is None else heuristic
        planned = plan(chosen.problem, algorithm, known)
        # Rules of ordinary problems are translated only where a search lasts: after its trial.
        if planned.kind == "compiled" and not planned.translates:
            engine = "compiled"
    if engine != "compiled":
        if "reference" in engine_kinds(type(algorithm)):
            engine_of(type(algorithm), "reference")  # imports it
        return engine  # no state is asked for before the clock runs
    try:
        _solve(chosen, algorithm, engine, job, NOTHING)
    except (CompilationError, UnsuitableError):
        if job["engine"] != "auto":
            raise
        return "auto"
    return engine


def _solve(
    chosen: Chosen, algorithm: Any, engine: str, job: dict[str, Any], limits: Limits
) -> SearchResult[Any, Any]:
    return solve(
        chosen.problem, algorithm, limits=limits,
        engine=Engine(cast(EngineChoice, engine), threads=job["threads"]),
    )  # fmt: skip


def _search(
    chosen: Chosen, algorithm: Any, engine: str, job: dict[str, Any], measured: PeakMemory
) -> dict[str, Any]:
    limits, before = Limits(**job["limits"]), _code_made()
    with chosen.guard():
        began, processor = time.perf_counter(), time.process_time()
        result = _solve(chosen, algorithm, engine, job, limits)
        times = {
            "cpu_seconds": time.process_time() - processor,
            "call_seconds": time.perf_counter() - began,
        }
    peak = measured.above()
    return run_fields(result) | times | {
        "loaded_bytes": measured.loaded,
        "peak_bytes": peak,
        "memory_method": measured.method,
        "code_made": _code_made() - before,
    }  # fmt: skip


def _code_made() -> int:
    """How many functions this process has made into machine code, not loading them from disk."""
    files = sys.modules.get("searchkit.compiled.specialise.code_files")
    return 0 if files is None else int(files.CodeFiles.made)


@attrs.frozen
class Runner:
    """Runs jobs by an executor; `note` is given what searchkit warns of there."""

    executor: Executor
    note: Callable[[str], None]

    def begin(self, job: Message) -> Job[Message]:
        """Begin a run, or have it wait for its turn."""
        return self.executor.submit(run, job | {"allowed": seconds_allowed(job["limits"]["time"])})

    def end(self, job: Message, begun: Job[Message]) -> Message:
        """The fields of the `Run` that was begun; its failure is a status, no exception.

        A run in which machine code had to be made is done once more, now that it is on disk: making
        it takes memory.
        """
        answer = self._outcome(begun)
        if answer.pop("code_made", 0):
            answer = self._outcome(self.begin(job))
            answer.pop("code_made", None)
        return answer

    def _outcome(self, begun: Job[Message]) -> Message:
        try:
            (answer,) = self.executor.gather([begun])
        except ClusterError:
            raise
        except OverdueError as error:
            if str(error) == NOT_READY:
                return _crashed(error)
            return {"status": "limit reached", "limit": "time", "reason": str(error)}
        except MemoryError:
            return _crashed("out of memory before the search began")
        except (SearchkitError, WorkerLostError) as error:
            return _crashed(error)
        except click.ClickException as error:
            return _crashed(error.format_message())
        except Exception as error:
            return _crashed(f"{type(error).__name__}: {error}")
        for text in answer.pop("notes", ()):
            self.note(text)
        return answer


def _crashed(why: object) -> Message:
    return {"status": CRASHED, "reason": one_line(why)}
