"""How a budget is shared among threads."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from searchkit.compiled.layers.workers import Hands


@pytest.mark.parametrize("idle", [(0,), (1,), (0, 1), (0, 2)])
def test_the_rest_of_a_budget_goes_to_who_has_work(idle, monkeypatch):
    """A search by two threads hung: the last state of a budget was offered to the idle one."""
    left = [0 if i in idle else 5 for i in range(3)]
    info = [np.zeros(5, dtype=np.int64) for _ in left]
    threads = [SimpleNamespace(info=each, number=i, end=0) for i, each in enumerate(info)]
    task = SimpleNamespace(budget=1, threads=3, is_all_expanded=False)
    hands = object.__new__(Hands)
    hands.task, hands.words, hands.threads = task, 1, threads
    hands.module = SimpleNamespace(EXPANDED=0)
    offers = []

    def work(hands, hand, layer, side, share):
        offers.append(share)
        assert len(offers) < 100, "offers a budget again and again to who has no work"
        done = min(share, left[hand.number])
        left[hand.number] -= done
        hand.info[0] += done
        return left[hand.number] > 0

    monkeypatch.setattr(Hands, "_work", work)
    monkeypatch.setattr(Hands, "_merge", lambda hands: iter(()))
    monkeypatch.setattr(Hands, "fresh", None)
    for _ in hands.successors(np.zeros(1), sum(left), 0, lambda: None):
        assert task.budget == 0
        task.budget = 1
    assert left == [0, 0, 0]
