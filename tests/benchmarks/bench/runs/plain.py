"""Ordinary problems by the engines, and the same puzzles by their fields."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from bench.runs import declared_forms, plain_forms
from bench.runs.ours import EngineChoice, figures_of, solved, warmed_up
from bench.runs.timing import Report, Stopwatch, check
from searchkit import (
    IDDFS,
    Algorithm,
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    Limits,
    UniformCost,
    explore,
)

EXAMPLES = Path(__file__).parents[4] / "examples"
TEXT_8, TUPLE_8 = "8-6-7\n2-5-4\n3-e-1", (8, 6, 7, 2, 5, 4, 3, 0, 1)
CLOSER_TEXT_8 = "1-7-6\n2-3-5\n4-8-e"
JUGS = (73, 59, 43, 29, 19)
PAIRS, DISKS = 25_000, 14
TEN_PANCAKES = "3 9 6 1 8 10 2 7 5 4"
MORE_CONSONANTS = "bcdfghklmnprstvw"
FREER_BOARD = plain_forms.BOARD.replace("C", "o")
"""271,925 states."""


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
class Search:
    """A puzzle, and how much of it is searched: all states are explored without an algorithm."""

    make: Callable[[], Any]
    algorithm: Algorithm | None = attrs.field(factory=BreadthFirst)
    cost: int | None = None
    most: int | None = None
    """How many states are expanded."""

    def run(self, engine: EngineChoice) -> Callable[[], Any]:
        """What searches, of a puzzle that is made once."""
        puzzle, limits = self.make(), Limits(expansions=self.most)
        if self.algorithm is None:
            return lambda: explore(puzzle, engine=engine, limits=limits)
        return lambda: solved(puzzle, self.algorithm, engine=engine, limits=limits)


@attrs.frozen
class Work:
    """A puzzle in the same plain form twice: what lasts in Python, and what is soon done there.

    `fields` makes the puzzle of the search that lasts by its fields.
    """

    lasting: Search
    small: Search
    fields: Callable[[], Any] | None = None

    def form(self, name: str) -> Search:
        """The search that is called `lasting`, `small` or `fields`."""
        if name == "fields":
            assert self.fields is not None
            return attrs.evolve(self.lasting, make=self.fields)
        found: Search = getattr(self, name)
        return found


WORKS = {
    "jugs": Work(Search(lambda: plain_forms.Jugs(JUGS)), Search(plain_forms.Jugs), _jugs),
    "missionaries": Work(
        Search(lambda: plain_forms.Missionaries(PAIRS, 30), None),
        Search(lambda: plain_forms.Missionaries(10_000, 30), None),
        lambda: _example("missionaries", "Missionaries", PAIRS, 30),
    ),
    "hanoi": Work(
        Search(lambda: plain_forms.Hanoi(DISKS), most=1_000_000),
        Search(plain_forms.Hanoi, most=400_000),
        lambda: _example("hanoi", "Hanoi", DISKS, 3),
    ),
    "ladder": Work(Search(lambda: plain_forms.Ladder(MORE_CONSONANTS)), Search(plain_forms.Ladder)),
    "farmer": Work(
        Search(lambda: plain_forms.Farmer(15), cost=37), Search(plain_forms.Farmer, cost=35)
    ),
    "first": Work(
        Search(lambda: plain_forms.Pancakes(TEN_PANCAKES), most=700_000),
        Search(plain_forms.Pancakes, cost=9),
    ),
    "lights": Work(
        Search(plain_forms.Lights, most=160_000),
        Search(plain_forms.Lights, most=60_000),
        declared_forms.Lights,
    ),
    "pegs": Work(
        Search(plain_forms.Pegs, Bidirectional(), most=400_000),
        Search(plain_forms.Pegs, Bidirectional(), most=100_000),
    ),
    "rush": Work(
        Search(lambda: plain_forms.Rush(FREER_BOARD), None),
        Search(lambda: plain_forms.Rush(plain_forms.BOARD), None),
        lambda: declared_forms.Rush(FREER_BOARD),
    ),
    "sokoban": Work(
        Search(lambda: plain_forms.Sokoban(plain_forms.LARGE_LEVEL), None),
        Search(plain_forms.Sokoban, None),
        lambda: _example("sokoban", "Sokoban", plain_forms.LARGE_LEVEL),
    ),
    "simpleai": Work(
        Search(lambda: plain_forms.SimpleaiEight(CLOSER_TEXT_8), IDDFS(), cost=22),
        Search(lambda: plain_forms.SimpleaiEight(TEXT_8), UniformCost(), cost=31),
    ),
    "aima": Work(
        Search(lambda: plain_forms.AimaEight(TUPLE_8), IDAStar(), cost=31),
        Search(lambda: plain_forms.AimaEight(TUPLE_8), AStar(), cost=31),
    ),
}


def search(work: str, form: str, engine: EngineChoice, repeats: int) -> Report:
    """One of `WORKS` in one of its forms."""
    chosen = WORKS[work].form(form)
    run = chosen.run(engine)
    watch = Stopwatch()
    warm_up = warmed_up(run) if engine == "compiled" else {}
    for _ in range(repeats):
        result = watch.time(run)
    if chosen.algorithm is not None:
        check(result.cost == chosen.cost, f"finds {result.cost}, not {chosen.cost}")
    return watch.report(**figures_of([result]), **warm_up)
