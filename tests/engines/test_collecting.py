"""The garbage collector looks for circles seldom while a search runs, and then as before."""

from __future__ import annotations

import gc
import subprocess
import sys
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


YOUNG = """
import gc, sys, weakref
from types import ModuleType
from searchkit.running.collecting import IMPORTED, collecting_seldom
gc.disable()

class Circle:
    def __init__(self):
        self.itself = self

def imported(modules):
    with collecting_seldom():
        gone = weakref.ref(Circle())
        for number in range(modules):
            sys.modules[f"imported_{number}"] = ModuleType(f"imported_{number}")
    return gone

for modules, is_old in [(0, False), (IMPORTED, True)]:
    gone = imported(modules)
    gc.collect(0)
    assert (gone() is not None) is is_old, modules
    gc.collect()
    assert gone() is None, modules
    for name in [name for name in sys.modules if name.startswith("imported_")]:
        del sys.modules[name]

gc.freeze()
count = gc.get_freeze_count()
imported(IMPORTED)
assert count - 100 < gc.get_freeze_count() <= count
"""


def test_what_imports_have_made_is_not_looked_through_and_what_is_frozen_stays_so():
    """In a process of its own: if what this one has imported thaws, all later tests are slow."""
    subprocess.run([sys.executable, "-c", YOUNG], check=True, timeout=300)
