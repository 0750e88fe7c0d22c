"""Explorations as bitmaps and by the reference engine, and all that must be equal."""

from __future__ import annotations

from searchkit import LimitKind, Limits
from searchkit.compiled.breadth_first.expansion import HashedLayers
from searchkit.compiled.layers.bitmaps import BitmapLayers
from searchkit.compiled.layers.ranked import RankedLayers
from searchkit.engine import Engine
from searchkit.explore import explore


def only_bitmaps(monkeypatch):
    """No other compiled engine may run; the bitmaps that were made."""
    made = []
    begin = BitmapLayers.begin

    def noted(self, roots):
        made.append(self)
        begin(self, roots)

    def refused(*arguments, **options):
        raise AssertionError("this is not the engine to be tested")

    monkeypatch.setattr(BitmapLayers, "begin", noted)
    monkeypatch.setattr(HashedLayers, "prepare", refused)
    monkeypatch.setattr(RankedLayers, "prepare", refused)
    return made


def take_short_ranges(monkeypatch):
    """Threads take turns even where there are few states."""
    monkeypatch.setattr("searchkit.compiled.layers.workers.CHUNK_WORDS", 1)
    monkeypatch.setattr("searchkit.compiled.layers.workers.PASSED_WORDS", 2)


def answer(found):
    return found.origin, found.layers, found.canonical_layers, found.complete, found.limit


def work(found):
    return found.statistics.expanded, found.statistics.generated


def columns(paths):
    return paths.to_states, paths.to_goals, paths.to_ends, paths.ends


def both(problem, threads=1, **options):
    """The answers of both engines, which must be the same."""
    expected = explore(problem, engine="reference", **options)
    found = explore(problem, engine=Engine("compiled", threads=threads), **options)
    assert (expected.engine, found.engine) == ("reference", "compiled")
    assert answer(found) == answer(expected)
    assert len(found.farthest) == found.canonical_layers[-1] if found.canonical_layers else True
    if found.limit is not LimitKind.COST:  # to see a deeper layer, bitmaps expand a whole one
        assert work(found) == work(expected)
    assert found.paths == expected.paths
    return expected, found


def check_all(problem, threads, **options):
    """Without limits; farthest states one by one."""
    expected, found = both(problem, threads, **options)
    assert set(found.farthest) == set(expected.farthest)
    assert len(found.farthest) == len(expected.farthest)
    return found


def check_limits(problem, threads, depth, nodes, **options):
    """Limits against the whole space."""
    whole = explore(problem, engine="reference", **options)
    compiled = {"engine": Engine("compiled", threads=threads), **options}
    expected = explore(problem, engine="reference", limits=Limits(cost=depth), **options)
    found = explore(problem, limits=Limits(cost=depth), **compiled)
    assert answer(found) == answer(expected)
    assert set(found.farthest) == set(expected.farthest)
    assert_begin_of(found.paths, whole.paths)
    found = explore(problem, limits=Limits(expansions=nodes), **compiled)
    assert found.statistics.expanded == min(nodes, whole.statistics.expanded)
    last = len(found.layers) - 1
    assert found.layers[:last] == whole.layers[:last]
    assert 0 < found.layers[last] <= whole.layers[last]
    assert_begin_of(found.paths, whole.paths)
    if nodes > whole.statistics.expanded:
        assert answer(found) == answer(whole)
        assert found.paths == whole.paths
    elif nodes < whole.statistics.expanded:
        assert (found.limit, found.complete) == (LimitKind.EXPANSIONS, False)


def assert_begin_of(some, whole):
    if whole is not None:
        for part, column in zip(columns(some), columns(whole), strict=True):
            assert part == column[: len(part)]
