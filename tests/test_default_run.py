"""The default run leaves out some variants and examples; `pytest -m slow` runs them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.default_run import FEWEST, SHARE, UNKNOWN, fewer_examples

pytest_plugins = ["pytester"]

CONFTEST = """
import pytest
from tests.default_run import FEWEST, apportion

pytest_collection_modifyitems = pytest.hookimpl(tryfirst=True)(apportion)

def pytest_configure(config):
    for name in ("slow", "spread", "slow_variants"):
        config.addinivalue_line("markers", name)
"""
TESTS = """
import pytest
from hypothesis import given, strategies

@pytest.mark.spread
@pytest.mark.parametrize("engine", ["a", "b", "c"])
@pytest.mark.parametrize(
    ("puzzle", "size"), [("p", 1), ("q", 1), pytest.param("r", 2, marks=pytest.mark.slow)]
)
def test_all(engine, puzzle, size): pass

@pytest.mark.spread("x")
@pytest.mark.parametrize("each", ["x", "y"])
def test_one(each): pass

@pytest.mark.slow_variants("y")
@pytest.mark.parametrize("each", ["x", "y", "z"])
def test_but_one(each): pass

@given(strategies.integers())
def test_property(number): pass

def test_plain(): pass
"""


@pytest.fixture
def collected(pytester: pytest.Pytester):
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)

    def names(*args: str) -> set[str]:
        run = pytester.inline_run("--collect-only", "-q", "-p", "no:xdist", *args)
        return {
            item.nodeid.partition("::")[2]
            for call in run.getcalls("pytest_collection_finish")
            for item in call.session.items
        }

    return names


def test_each_value_is_tried_and_nothing_is_lost(collected):
    default, slow = collected("-m", "not slow"), collected("-m", "slow")
    kept = {name for name in default if name.startswith("test_all")}
    assert len(kept) == 3
    assert {name[9:-1].split("-")[2] for name in kept} == {"a", "b", "c"}
    assert {name[9:-1].split("-")[0] for name in kept} == {"p", "q"}
    assert default - kept == {
        "test_one[x]", "test_but_one[x]", "test_but_one[z]", "test_property", "test_plain"
    }  # fmt: skip
    assert default & slow == {"test_property"}
    assert default | slow == collected("-m", "")


def test_markers_name_variants_that_are_there(pytestconfig: pytest.Config):
    assert pytestconfig.stash[UNKNOWN] == []


def test_a_variant_that_is_not_there_is_noticed(pytester: pytest.Pytester):
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS.replace('slow_variants("y")', 'slow_variants("w")'))
    run = pytester.inline_run("--collect-only", "-q", "-p", "no:xdist")
    (finished,) = run.getcalls("pytest_collection_finish")
    (unknown,) = finished.session.config.stash[UNKNOWN]
    assert unknown.endswith("::test_but_one[w]")


def test_properties_are_tried_on_some_of_their_examples():
    tried = []

    @settings(max_examples=20 * SHARE, database=None)
    @given(st.integers())
    def holds(number):
        tried.append(number)

    plain = SimpleNamespace(obj=holds, get_closest_marker=lambda name: None)
    fewer_examples([plain] * 2)
    holds()
    assert len(tried) == 20
    fewer_examples([SimpleNamespace(obj=holds, get_closest_marker=lambda name: name == "few")])
    holds()
    assert len(tried) == 20 + FEWEST
