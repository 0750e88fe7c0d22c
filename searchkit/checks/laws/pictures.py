"""Every state has a picture, always the same.

By the problem itself and by all renderers that suit it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from searchkit.authors.user_code import call, place_of_callable, short
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law

PICTURES = 500
"""How many states are drawn: those nearest to a start."""


def check(ground: Ground) -> Findings:
    """Draw states twice. O(states)."""
    drawers: list[tuple[str, Callable[[Any], Any], str | None]] = [
        ("render", ground.problem.render, None)
    ]
    for each in ground.registered.renderers:
        rendering = partial(each.render, ground.problem)
        drawers.append((f"renderer {each.name}", rendering, place_of_callable(each.render)))
    for visit in ground.watched(ground.sound()[:PICTURES]):
        for name, draw, place in drawers:
            picture = call(name, draw, visit.state)
            if not isinstance(picture, str):
                yield Breach(f"{name} gives a text", short(picture), "render", place=place)
            elif call(name, draw, visit.state) != picture:
                expected = f"{name} draws the same picture again"
                yield Breach(expected, "it draws another one", "render", place=place)
    return None


LAW = Law(__name__, __doc__, check)
