"""The puzzles that come with searchkit keep the laws."""

from __future__ import annotations

import pytest

from searchkit.checks import LAWS, check_puzzle
from searchkit.registry import Registry

REGISTRY = Registry.load()
FAST = [law.name for law in LAWS if law.name != "engines"]
"""Engines on these puzzles are tested elsewhere, and take the most time."""
NAMES = [entry.name for entry in REGISTRY.puzzles.entries]


def report_on(name, states, laws=None, engine="reference", **parameters):
    entry = REGISTRY.puzzles.get(name)
    problem = entry.create(**parameters)
    return check_puzzle(REGISTRY, entry, problem, states=states, engine=engine, laws=laws)


@pytest.mark.slow_variants("cube3", "burnt-pancakes", "24-puzzle", "15-puzzle", "peg", "pancakes")
@pytest.mark.parametrize("name", NAMES)
def test_on_a_few_states(name, monkeypatch):
    # Each is 6,000 steps of the cube, and looked at as those before were.
    monkeypatch.setattr("searchkit.checks.heuristic.GONE_ON", 3)
    report = report_on(name, 30, FAST)
    assert report.ok, str(report)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_on_many_states_and_as_machine_code(name):
    report = report_on(name, 2500, engine="auto")
    assert report.ok, str(report)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("sliding", {"size": "2x3"}),
        ("pancakes", {"size": "5"}),
        ("burnt-pancakes", {"size": "3"}),
        ("topspin", {"size": "6", "turnstile": "4"}),
        ("hoppers", {}),
        ("hoppers", {"model": "jumps"}),
    ],
)
def test_on_whole_spaces(name, parameters):
    report = report_on(name, 10_000, **parameters)
    assert report.ok, str(report)
    assert report.whole
