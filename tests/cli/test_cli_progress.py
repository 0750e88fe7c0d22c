"""What is told while an exploration goes on."""

import pytest

from searchkit import driver
from searchkit.cli.progress import ProgressLine
from searchkit.explore import explore
from searchkit_sliding import eight_puzzle


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_how_far_a_layer_is(monkeypatch, engine):
    monkeypatch.setattr(driver, "PROGRESS_SECONDS", 0)
    told = []
    found = explore(eight_puzzle(), engine=engine, progress=told.append)
    seen = [each.layer for each in told if each.layer is not None]
    assert seen
    for depth, states, done in seen:
        assert states == found.layers[depth]
        assert 0 <= done <= states
    assert seen == sorted(seen, key=lambda each: (each[0], each[2]))
    lines = []
    monkeypatch.setattr(ProgressLine, "show", lambda self, text: lines.append(text))
    ProgressLine("explore")(told[-1])
    depth, states, done = seen[-1]
    assert lines[0].startswith(f"layer {depth}, {done:,} of {states:,} states expanded, about ")
