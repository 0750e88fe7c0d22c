"""Every state has a picture, by the problem itself and by all renderers that suit it."""

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
    problem = ground.problem
    drawers: list[tuple[str, Callable[[Any], Any], str | None]] = [
        ("render", problem.render, None),
        *(
            (f"renderer {each.name}", partial(each.render, problem), place_of_callable(each.render))
            for each in ground.renderers
        ),
    ]
    for visit in ground.watched([v for v in ground.visited if v.failure is None][:PICTURES]):
        for name, draw, place in drawers:
            picture = call(name, draw, visit.state)
            if not isinstance(picture, str):
                yield Breach(
                    at=visit,
                    expected=f"{name} gives a text",
                    found=short(picture),
                    blame=("render",),
                    place=place,
                )
            elif call(name, draw, visit.state) != picture:
                yield Breach(
                    at=visit,
                    expected=f"{name} draws the same picture again",
                    found="it draws another one",
                    blame=("render",),
                    place=place,
                )
    return None


LAW = Law("pictures", "every state has a picture, always the same", check)
