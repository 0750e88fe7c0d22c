"""Workers in this process, whose tasks are done in any order, and sent as to other processes."""

from __future__ import annotations

import pickle
import random

import pytest

from searchkit import Limits, solve
from searchkit.engine import Engine
from searchkit.engines import splitting
from searchkit.executors import travelling
from searchkit.executors.inline import Inline
from searchkit.executors.parcels import Parcel
from tests.support.both_engines import HELD, outcome


class Scattered(Inline):
    """Runs tasks in any order; nothing is shared with them but what was sent."""

    def __init__(self, workers, seed=0):
        super().__init__()
        self.workers, self.rng, self.done = workers, random.Random(seed), 0

    def submit(self, function, *arguments):
        function, arguments = travelling.loads(travelling.dumps(function, arguments))
        return super().submit(_answered, function, *arguments)

    def share(self, value):
        return Parcel.of(value)

    def wait(self, jobs, timeout):
        self.done += 1
        return super().wait(self.rng.sample(jobs, len(jobs)), timeout)


def _answered(function, *arguments):
    return pickle.loads(pickle.dumps(function(*arguments)))


def rows(result):
    return [(row.bound, row.expanded, row.generated) for row in result.statistics.iterations]


def agree_with_workers(problem, algorithm, *, engine, workers=3, seed=0, **options):
    """Search alone and with workers: all that is said must be equal. How many tasks there were."""
    alone = solve(problem, algorithm, engine=engine, **options)
    executor = Scattered(workers, seed)
    shared = solve(problem, algorithm, engine=Engine(engine, workers=executor), **options)
    assert shared.engine == alone.engine
    assert outcome(shared) == outcome(alone)
    assert rows(shared) == rows(alone)
    for name in ("expanded", "generated", *HELD):
        assert getattr(shared.statistics, name) == getattr(alone.statistics, name), name
    return executor.done


def share_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share each iteration from its second state on, by tasks that expand one state."""
    monkeypatch.setattr(splitting, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(splitting, "TASK_SECONDS", 0.0)


GIVEN_UP = Limits(expansions=300, cost=15)
