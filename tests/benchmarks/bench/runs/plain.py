"""Ordinary problems by the engines, and the same puzzles by their fields."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from bench.runs import declared_forms, plain_forms
from bench.runs.ours import EngineChoice, figures_of, solved, warmed_up
from bench.runs.timing import Report, Stopwatch, check
from searchkit import Algorithm, AStar, BreadthFirst, Limits, UniformCost, explore

EXAMPLES = Path(__file__).parents[4] / "examples"
TEXT_8, TUPLE_8 = "8-6-7\n2-5-4\n3-e-1", (8, 6, 7, 2, 5, 4, 3, 0, 1)
JUGS = (61, 47, 37, 23, 17)


def _example(name: str, kind: str, *arguments: object) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, kind)(*arguments)


def _jugs() -> Any:
    made = _example("jugs", "Jugs", " ".join(map(str, JUGS)), "0 0 0 0 0")
    (start,) = plain_forms.Jugs(JUGS).initial_states()
    return made.with_start(made.pack(amount=start))


@attrs.frozen
class Work:
    """A search: what makes the plain form, and how much is searched.

    `large` and `fields` make the same larger puzzle, plain and by its fields. Without an algorithm,
    all states are explored.
    """

    plain: Callable[[], Any]
    large: Callable[[], Any] | None = None
    fields: Callable[[], Any] | None = None
    algorithm: Algorithm | None = attrs.field(factory=BreadthFirst)
    cost: int | None = None
    most: Mapping[str, int] = attrs.field(factory=dict)


WORKS = {
    "jugs": Work(plain_forms.Jugs, lambda: plain_forms.Jugs(JUGS), _jugs),
    "missionaries": Work(
        lambda: plain_forms.Missionaries(10_000, 30),
        lambda: plain_forms.Missionaries(100_000, 30),
        lambda: _example("missionaries", "Missionaries", 100_000, 30),
        algorithm=None,
    ),
    "hanoi": Work(
        plain_forms.Hanoi,
        lambda: plain_forms.Hanoi(14),
        lambda: _example("hanoi", "Hanoi", 14, 3),
        most={"plain": 400_000, "large": 2_000_000},
    ),
    "ladder": Work(plain_forms.Ladder),
    "farmer": Work(plain_forms.Farmer, cost=35),
    "first": Work(plain_forms.Pancakes, cost=9),
    "lights": Work(
        plain_forms.Lights, plain_forms.Lights, declared_forms.Lights,
        most={"plain": 60_000, "large": 400_000},
    ),
    "rush": Work(
        lambda: plain_forms.Rush(plain_forms.BOARD),
        lambda: plain_forms.Rush(plain_forms.BOARD),
        lambda: declared_forms.Rush(plain_forms.BOARD),
        algorithm=None,
    ),
    "sokoban": Work(
        plain_forms.Sokoban,
        lambda: plain_forms.Sokoban(plain_forms.LARGE_LEVEL),
        lambda: _example("sokoban", "Sokoban", plain_forms.LARGE_LEVEL),
        algorithm=None,
    ),
    "simpleai": Work(
        lambda: plain_forms.SimpleaiEight(TEXT_8), algorithm=UniformCost(), cost=31
    ),
    "aima": Work(lambda: plain_forms.AimaEight(TUPLE_8), algorithm=AStar(), cost=31),
}  # fmt: skip


def search(work: str, form: str, engine: EngineChoice, repeats: int) -> Report:
    """One of `WORKS` in one of its forms."""
    chosen = WORKS[work]
    puzzle = getattr(chosen, form)()
    limits = Limits(expansions=chosen.most.get("plain" if form == "plain" else "large"))

    def run() -> Any:
        if chosen.algorithm is None:
            return explore(puzzle, engine=engine, limits=limits)
        return solved(puzzle, chosen.algorithm, engine=engine, limits=limits)

    watch = Stopwatch()
    warm_up = warmed_up(run) if engine == "compiled" else {}
    for _ in range(repeats):
        result = watch.time(run)
    if chosen.algorithm is not None:
        check(result.cost == chosen.cost, f"finds {result.cost}, not {chosen.cost}")
    return watch.report(**figures_of([result]), **warm_up)
