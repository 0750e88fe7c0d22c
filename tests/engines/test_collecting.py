"""The garbage collector looks for circles seldom while a search runs, and then as before."""

from __future__ import annotations

import gc
import threading

import pytest

from searchkit import BreadthFirst, Problem, Step, explore, solve
from searchkit.running.collecting import SELDOM, collecting_seldom
from searchkit.running.making import making_code


@pytest.fixture
def thresholds():
    """Sets when the garbage collector looks for circles, for the time of a test."""
    before = gc.get_threshold()
    yield gc.set_threshold
    gc.set_threshold(*before)


def test_the_garbage_collector_looks_seldom_while_a_search_runs(thresholds):
    thresholds(700, 10, 10)
    with collecting_seldom():
        assert gc.get_threshold() == (SELDOM, 10, 10)
        with collecting_seldom():
            pass
        assert gc.get_threshold() == (SELDOM, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("threshold", [0, 2 * SELDOM])
def test_it_looks_no_oftener_than_before(thresholds, threshold):
    thresholds(threshold, 10, 10)
    with collecting_seldom():
        assert gc.get_threshold() == (threshold, 10, 10)


def test_the_last_thread_that_searches_sets_it_back(thresholds):
    thresholds(700, 10, 10)
    inside, done = threading.Event(), threading.Event()

    def search() -> None:
        with collecting_seldom():
            inside.set()
            done.wait(60)

    other = threading.Thread(target=search)
    with collecting_seldom():
        other.start()
        inside.wait(60)
    assert gc.get_threshold()[0] == SELDOM
    done.set()
    other.join()
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("search", [explore, lambda problem: solve(problem, BreadthFirst())])
def test_searches_do_so(thresholds, search):
    seen = set()

    class Walk(Problem):
        def initial_states(self):
            return [0]

        def successors(self, state):
            seen.add(gc.get_threshold()[0])
            return [Step("on", state + 1)] if state < 9 else []

        def is_goal(self, state):
            return state == 9

    thresholds(700, 10, 10)
    search(Walk())
    assert SELDOM in seen
    assert gc.get_threshold() == (700, 10, 10)


def test_making_machine_code_does_so(thresholds):
    thresholds(700, 10, 10)
    with making_code():
        assert gc.get_threshold() == (SELDOM, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)
