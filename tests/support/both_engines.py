"""One search by both engines, and all that must be equal."""

from __future__ import annotations

from itertools import islice

from searchkit import Limits, solve
from searchkit.compiled.depth_first import batch_plan, batched, crews, deepening
from searchkit.engine import Engine


def counts(statistics):
    return (
        statistics.expanded,
        statistics.generated,
        statistics.max_frontier,
        statistics.stored,
    )


def answer(result):
    return (
        result.status,
        result.limit,
        result.cost,
        result.lower_bound,
        result.optimal,
        result.complete,
        result.count,
        result.reason,
        [(each.start, each.actions, each.states) for each in islice(result.solutions or (), 500)],
        counts(result.statistics),
    )


def assert_equal_answers(problem, algorithm, **options):
    """Search by both engines; the compiled one's result."""
    expected = solve(problem, algorithm, engine="reference", **options)
    result = solve(problem, algorithm, engine="compiled", **options)
    assert result.engine == "compiled"
    assert answer(result) == answer(expected)
    return result


def check_all_ways(problem, algorithm, depth, nodes):
    """One solution, all, counts, and limits that cut the search at any place."""
    for want in ("one", "all", "count"):
        assert_equal_answers(problem, algorithm, want=want)
        assert_equal_answers(problem, algorithm, want=want, limits=Limits(cost=depth))
        assert_equal_answers(problem, algorithm, want=want, limits=Limits(expansions=nodes))


def outcome(result):
    """All of a result that does not depend on the engine."""
    return {
        **{
            name: getattr(result, name)
            for name in ("status", "cost", "limit", "lower_bound", "count", "complete", "optimal")
        },
        "solution": result.solution,
        "solutions": result.solutions and list(result.solutions),
    }


HELD = ("max_frontier", "stored")
"""What depends on how many states are searched at once."""


def agree(
    problem, algorithm, *, engines=("reference", "compiled"), threads=1, held=HELD, **options
):
    """Solve with both engines; every count must be equal."""
    results = [
        solve(problem, algorithm, engine=Engine(engine, threads=threads), **options)
        for engine in engines
    ]
    theirs, ours = results
    assert outcome(ours) == outcome(theirs)
    for name in ("expanded", "generated", *held):
        assert getattr(ours.statistics, name) == getattr(theirs.statistics, name), name
    rows = [
        [(row.bound, row.expanded, row.generated) for row in result.statistics.iterations]
        for result in results
    ]
    assert rows[0] == rows[1]
    return ours


def in_small_runs(monkeypatch):
    """Share among threads, in runs of a few states; the iterations that were."""
    monkeypatch.setattr(deepening, "BATCHES_FROM", 40)
    monkeypatch.setattr(crews, "STATES_PER_THREAD", 10)
    monkeypatch.setattr(batched, "SEARCHED_DEPTH_FIRST", 20)
    monkeypatch.setattr(batch_plan, "RUN_OVERHEAD", 320)
    done = []
    run = batched.BatchIteration.run
    monkeypatch.setattr(
        batched.BatchIteration, "run", lambda self: done.append(1) or (yield from run(self))
    )
    return done
