"""Limits and listeners while a table is built that a search needs."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from functools import partial
from types import SimpleNamespace

import pytest

from searchkit import AStar, Heuristic, Limits, solve
from searchkit.heuristics.patterns.choose import pattern_heuristic
from searchkit.heuristics.patterns.library import Library
from searchkit.heuristics.patterns.unfinished import finished
from searchkit.limits import LimitKind
from searchkit.result import Status
from searchkit.running.building import (
    KEPT_A_SECOND,
    NO_TIME,
    Building,
    BuildStoppedError,
    _here,
    building,
    building_within,
    telling_of_building,
)
from searchkit.running.driver import Driver
from searchkit_sliding import SlidingPuzzle, eight_puzzle


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))


class OfDatabases(SlidingPuzzle):
    """Its heuristic is built when it is asked for, before the search."""

    def default_heuristic(self):
        return pattern_heuristic(self, "4")


class Lazy(Heuristic):
    """It is built for the first estimate, in the search."""

    databases = None

    def __init__(self, puzzle):
        self.puzzle = puzzle

    def __call__(self, state):
        if self.databases is None:
            self.databases = pattern_heuristic(self.puzzle, "4")
        return self.databases(state)


def searches():
    puzzle = eight_puzzle()
    yield OfDatabases(puzzle.board, puzzle.start, puzzle.goal), AStar()
    yield puzzle, AStar(heuristic=Lazy(puzzle))


@pytest.mark.parametrize(
    ("limits", "limit", "why"),
    [
        (Limits(time=0), LimitKind.TIME, "went into building pdb:4 ("),
        (Limits(memory=100), LimitKind.MEMORY, "building pdb:4 takes "),
    ],
)
def test_a_search_keeps_its_limits_while_it_builds(limits, limit, why):
    for puzzle, algorithm in searches():
        found = solve(puzzle, algorithm, limits=limits, engine="reference")
        assert (found.status, found.limit, found.solution) == (Status.LIMIT, limit, None)
        assert why in found.unfinished
        assert found.unfinished.endswith("; `searchkit pdb build PUZZLE 4` builds it beforehand")
        assert found.unfinished in found.advice


def test_what_is_built_counts_against_the_time(monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr("searchkit.running.building.search_clock", lambda: next(clock))
    with building_within(Limits(time=10, expansions=7)) as left:
        with building("a table") as tell:
            tell("")
        spent = 10 - left().time
        assert 0 < spent < 5
        assert left().expansions == 7
        with pytest.raises(BuildStoppedError, match="went into building another"):
            _built("another", slices=10)
        assert left().time == 0
    with building_within(Limits(time=10)) as left:
        assert left().time == 10


def test_what_takes_too_long_is_given_up_soon():
    with building_within(Limits(time=100), hopeful=False):
        _built()
        _built(left=90)
        with pytest.raises(BuildStoppedError) as stopped:
            _built(left=101)
    assert stopped.value.building.left == 101


TAKES_TEN = int(10 * KEPT_A_SECOND)


@pytest.mark.parametrize(
    ("time", "at", "is_kept"),
    [(60, 50, True), (21, 11, True), (19, 19, False), (19.2, 20, False), (5, 5, False)],
)
def test_a_build_is_stopped_so_early_that_it_is_kept_in_time(monkeypatch, time, at, is_kept):
    """It is not kept where it would have less than half of the time."""
    now = 0.0
    monkeypatch.setattr("searchkit.running.building.search_clock", lambda: now)

    def build():
        nonlocal now
        with building_within(Limits(time=time)), building("a table") as tell:
            for second in range(100):
                now = float(second)
                tell("", kept=TAKES_TEN)

    with pytest.raises(BuildStoppedError) as stopped:
        build()
    assert (now, stopped.value.is_kept) == (at, is_kept)


def test_what_is_written_in_no_time_is_kept_and_stops_nothing_before_its_time():
    little = Building(what="a table", kept_bytes=int(NO_TIME * KEPT_A_SECOND))
    assert (little.ahead_of(0.01), little.is_kept(-3.0)) == (0.0, True)


@pytest.mark.parametrize(("at", "is_stopped"), [(49, False), (51, True)])
def test_a_search_stops_a_table_so_early_that_it_is_kept(at, is_stopped):
    """The driver looks at the same, for a table that is built amid a search."""
    limits = Limits(time=60)
    driver = SimpleNamespace(
        limits=limits,
        _time=limits.time,
        _seconds=lambda: at,
        _reached=lambda now: LimitKind.TIME if now >= limits.time else None,
    )
    table = Building(what="a table", kept_bytes=TAKES_TEN, seconds=20)
    with pytest.raises(BuildStoppedError) if is_stopped else nullcontext():
        Driver._look_at_building(driver, table)


def test_an_error_in_a_build_is_not_replaced_by_a_limit_that_was_reached_meanwhile(monkeypatch):
    driver = SimpleNamespace(
        limits=Limits(time=60), _time=60, _seconds=lambda: 99, _reached=lambda now: LimitKind.TIME
    )

    def build():
        with building("a table") as tell:
            tell("")
            monkeypatch.setattr(_here, "listener", partial(Driver._look_at_building, driver))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build()


@pytest.mark.parametrize("is_large", [False, True])
def test_what_takes_too_long_to_write_is_not_kept(tmp_path, monkeypatch, is_large):
    kept = []

    class Table:
        kept_bytes = TAKES_TEN if is_large else 1

        def run(self):
            yield

        def resume(self, folder):
            return False

        def keep(self, folder):
            kept.append(folder)

    def watch(build):
        what = Building(what="a table", kept_bytes=build.kept_bytes)
        raise BuildStoppedError(what, LimitKind.TIME)

    identity = dict.fromkeys(("puzzle", "pattern"), "one")
    with pytest.raises(BuildStoppedError):
        finished(Table(), identity, Library(tmp_path), watch)
    assert bool(kept) is not is_large


def test_listeners_of_other_threads_hear_nothing():
    with telling_of_building(pytest.fail):
        thread = threading.Thread(target=_built)
        thread.start()
        thread.join()
    told = []
    with telling_of_building(told.append), telling_of_building(told.append):
        _built()
    assert [each.is_over for each in told] == [False, False, True, True]


def _built(what="a table", *, slices=1, left=None):
    with building(what) as tell:
        for _ in range(slices):
            tell("", left=left)
