"""How a budget is shared among threads."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from searchkit.compiled.layers.kernels.bitmaps import Info
from searchkit.compiled.layers.workers import Workers


@pytest.mark.parametrize("idle", [(0,), (1,), (0, 1), (0, 2)])
def test_the_rest_of_a_budget_goes_to_who_has_work(idle, monkeypatch):
    """A search by two threads hung: the last state of a budget was offered to the idle one."""
    left = [0 if i in idle else 5 for i in range(3)]
    info = [np.zeros(5, dtype=np.int64) for _ in left]
    threads = [SimpleNamespace(info=each, number=i, end=0) for i, each in enumerate(info)]
    counters = SimpleNamespace(expanded=0, generated=0)
    task = SimpleNamespace(budget=1, threads=3, is_all_expanded=False, counters=counters)
    workers = object.__new__(Workers)
    workers.task, workers.space, workers.threads = task, SimpleNamespace(words=1), threads
    offers = []

    def work(workers, worker, layer, share):
        offers.append(share)
        assert len(offers) < 100, "offers a budget again and again to who has no work"
        done = min(share, left[worker.number])
        left[worker.number] -= done
        worker.info[Info.EXPANDED] += done
        return left[worker.number] > 0

    monkeypatch.setattr(Workers, "_work", work)
    monkeypatch.setattr(Workers, "merge", lambda workers: None)
    for _ in workers.expand(None, sum(left)):
        assert task.budget == 0
        task.budget = 1
    assert left == [0, 0, 0]
