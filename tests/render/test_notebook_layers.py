"""Explorations show their layers in notebooks."""

from __future__ import annotations

import re

from searchkit import Limits
from searchkit.explore import explore
from searchkit_sliding import six_puzzle

LAYERS = (1, 3, 9, 22, 42, 86, 183, 327, 516, 676, 783, 902, 834, 480, 152, 24)


def test_layers_are_a_table() -> None:
    page = explore(six_puzzle(), engine="reference")._repr_html_()
    assert "all states reached: 5,040, by distance from the goal" in page
    assert tuple(map(int, re.findall(r'value="(\d+)"', page))) == LAYERS
    assert set(re.findall(r'max="(\d+)"', page)) == {"902"}


def test_what_was_stopped_says_so() -> None:
    page = explore(six_puzzle(), limits=Limits(cost=2), engine="reference")._repr_html_()
    assert page.startswith("<p>not all states reached: 13,")
