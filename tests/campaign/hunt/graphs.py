"""The groups `plain` and `packed`: random problems over explicit graphs, by every algorithm."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from hunt import plain
from hunt.judge import compare, judge
from hunt.oracle import Wrong
from hunt.packed import CLASSES, HEURISTICS, Certain, CertainPriced
from hunt.random_graphs import (
    DEAD,
    Space,
    admissible_estimates,
    any_estimates,
    loose_space,
    paired_space,
)
from hunt.searches import ALGORITHMS, FROM_GOALS, Search, is_admissible, random_search
from searchkit import LimitKind, Limits, ProblemError, SearchkitError, solve
from searchkit.engine import Engine
from searchkit.explore import explore

LARGE = 1 << 27
CHECKED = 0.05
"""How often the checked engine runs, which takes some ten times as long."""
SEARCHES = 4
"""How many searches each problem gets."""


@dataclass(frozen=True)
class Case:
    """A problem and the searches of it; `kind` names its class."""

    kind: str
    space: Space
    searches: tuple[Search, ...]
    noise: int = 0
    exploring: tuple[tuple[str, Any], ...] | None = None
    """How to explore, if that is done."""

    @property
    def problem(self) -> Any:
        if self.kind in ("Certain", "CertainPriced"):
            made = {"Certain": Certain, "CertainPriced": CertainPriced}[self.kind]
            return made(self.space, random.Random(self.noise))
        if self.kind in CLASSES:
            return CLASSES[self.kind](self.space, random.Random(self.noise))
        if self.kind == "Certified":
            return plain.Certified(self.space, complete=self.noise % 2 == 1)
        return getattr(plain, self.kind)(self.space)

    @property
    def is_packed(self) -> bool:
        return self.kind in CLASSES or self.kind.startswith("CertainP") or self.kind == "Certain"


def run(case: Case) -> Counter[str]:
    """Make all searches of the case; `Wrong` at the first wrong answer."""
    told: Counter[str] = Counter()
    problem = case.problem
    for search in case.searches:
        told += searched(case, problem, search)
    if case.exploring is not None:
        told += explored(case, problem, dict(case.exploring))
    return told


def searched(case: Case, problem: Any, search: Search) -> Counter[str]:
    heuristic = heuristic_of(case, problem, search)
    algorithm = search.value(heuristic)
    engines = {"both": ["reference", "compiled"], "checked": ["reference", "checked"]}.get(
        search.engine, [search.engine]
    )
    results = []
    for engine in engines:
        threads = search.threads if engine in ("auto", "compiled") else 1
        try:
            result = solve(problem, algorithm, engine=Engine(engine, threads=threads), **search.how)
        except ProblemError as error:
            if engine != "reference" and has_large_numbers(case.space, search):
                return Counter({"refused for large numbers": 1})
            if search.uses_heuristic and not is_admissible(case.space):
                return Counter({"overestimates told": 1})
            raise Wrong(f"{search.algorithm}, {engine}: {error}") from error
        except SearchkitError as error:
            if engine != "reference" and has_large_numbers(case.space, search):
                return Counter({"refused for large numbers": 1})
            raise Wrong(f"{search.algorithm}, {engine}: {error}") from error
        results.append(result)
        ended = judge(problem, case.space, search, result)
    if len(results) == 2:
        compare(search, results[1], results[0])
    return Counter({"searches": len(results), ended: len(results), f"by {search.engine}": 1})


def has_large_numbers(space: Space, search: Search) -> bool:
    """Whether machine words may be too small for some sum, so that machine code may refuse."""
    weights = dict(search.options)
    texts = str(weights.get("weight", weights.get("weights", "1")))
    part = max(max(Fraction(text).as_integer_ratio()) for text in texts.split(","))
    costs = [cost for steps in space.graph.steps for _, _, cost in steps]
    total = max(costs, default=0) * len(space.graph.steps) + max(space.estimates, default=0)
    return total * part >= LARGE


def heuristic_of(case: Case, problem: Any, search: Search) -> Any:
    if search.heuristic == "after":
        return plain.After(problem)
    if not search.heuristic:
        return None
    values = case.space.estimates
    if search.heuristic == "change":
        values = tuple(0 if value == DEAD else value for value in values)
    rng = random.Random(case.noise)
    early = [rng.choice((0, 0, 1, 3)) for _ in values]
    return HEURISTICS[search.heuristic][problem.words > 1](values, early)


def explored(case: Case, problem: Any, how: dict[str, Any]) -> Counter[str]:
    """Explore, and compare the layers."""
    graph = case.space.graph
    found = explore(problem, **how)
    backward = found.origin == "goal"
    layers = graph.reached(graph.goals if backward else graph.starts, backward=backward)
    sizes = tuple(map(len, layers))
    if backward and not graph.goals:
        sizes = ()
    limits = how.get("limits")
    if found.complete:
        if found.layers != sizes:
            raise Wrong(f"explore, {found.engine}: layers {found.layers}, there are {sizes}")
        last = {problem.place(state) for state in found.farthest}
        if sizes and last != layers[-1]:
            raise Wrong(f"explore, {found.engine}: farthest {last}, they are {layers[-1]}")
    else:
        if limits is None or found.limit not in (LimitKind.COST, LimitKind.EXPANSIONS):
            raise Wrong(f"explore, {found.engine}: not complete, limit {found.limit}")
        begin = found.layers[:-1]
        if begin != sizes[: len(begin)]:
            raise Wrong(f"explore, {found.engine}: layers {found.layers}, there are {sizes}")
        if found.limit is LimitKind.COST and found.layers != sizes[: limits.cost + 1]:
            raise Wrong(f"explore, {found.engine}: layers {found.layers} at a cost limit")
    return Counter({"explorations": 1})


def plain_case(rng: random.Random) -> Case:
    """A problem in plain Python."""
    costs = rng.choice(("unit", "unit", "zero_one", "integer", "integer"))
    space = (paired_space if rng.random() < 0.3 else loose_space)(rng, costs)
    space = with_estimates(rng, space, dead_ends=True)
    kind = rng.choice(("Plain", "Lazy", "Lazy", "Keyed", "Certified"))
    names = [name for name in ALGORITHMS if name not in FROM_GOALS or kind != "Plain"]
    searches = []
    for _ in range(SEARCHES):
        search = random_search(rng, space, names, engine=rng.choice(("reference", "auto")))
        if search.uses_heuristic and rng.random() < 0.3:
            search = replace(search, heuristic="after")
        searches.append(search)
    return Case(kind, space, tuple(searches), rng.getrandbits(32))


def with_estimates(rng: random.Random, space: Space, *, dead_ends: bool) -> Space:
    if rng.random() < 0.08:
        return replace(space, estimates=any_estimates(rng, space.graph))
    return replace(space, estimates=admissible_estimates(rng, space.graph, dead_ends=dead_ends))


@dataclass(frozen=True)
class Flavour:
    """What machine code is made for: kinds of problem, of search and of heuristic."""

    kind: str
    shape: str
    costs: str
    algorithm: str
    heuristic: str = ""
    options: tuple[tuple[str, Any], ...] = ()


def _flavours() -> list[Flavour]:
    found = []
    for kind in ("Scattered", "Wide"):
        found += [Flavour(kind, shape, "unit", "bfs") for shape in ("loose", "paired")]
        found += [Flavour(kind, "paired", "unit", "bidirectional")]
    found += [Flavour("Total", "total", "unit", "bfs"), Flavour("Total", "total", "unit", "ucs")]
    for kind, costs in (("Scattered", "unit"), ("Priced", "integer"), ("WidePriced", "integer")):
        for name in ("table", "change"):
            found += [
                Flavour(kind, "loose", costs, algorithm, name)
                for algorithm in ("astar", "wastar", "anytime", "greedy")
            ]
        found += [Flavour(kind, "loose", costs, "ucs")]
        for cycles in ("path", "parent"):
            option = (("cycles", cycles),)
            found += [Flavour(kind, "loose", costs, "iddfs", "", option)]
            found += [Flavour(kind, "loose", costs, "idastar", "table", option)]
    found += [
        Flavour("Priced", "loose", "zero_one", each, "change") for each in ("astar", "idastar")
    ]
    for cycles in ("path", "parent"):
        option = (("cycles", cycles),)
        found += [Flavour("Scattered", "paired", "unit", "bida", "table", option)]
        for name in ("table", "change", "carried"):
            found += [Flavour("Scattered", "paired", "unit", "idastar", name, option)]
        found += [Flavour("Scattered", "paired", "unit", "iddfs", "", option)]
        found += [Flavour("Priced", "loose", "integer", "idastar", "carried", option)]
    for weight, kind, shape, costs, name in (
        ("3/2", "Priced", "loose", "integer", "table"),
        ("2", "Scattered", "paired", "unit", "change"),
        ("1.001", "Priced", "loose", "integer", "change"),
        ("999999/999998", "Scattered", "paired", "unit", "carried"),
        ("999999/999998", "Priced", "loose", "integer", "table"),
        ("1.001", "Scattered", "paired", "unit", "carried"),
    ):
        option = (("cycles", "parent" if shape == "paired" else "path"), ("weight", weight))
        found += [Flavour(kind, shape, costs, "widastar", name, option)]
    found += [Flavour(kind, "loose", "unit", "explore") for kind in ("Scattered", "Ranked", "Wide")]
    found += [Flavour("Certain", "paired", "unit", "idastar", "table")]
    found += [Flavour("Listed", "loose", "unit", each) for each in ("bfs", "explore")]
    found += [Flavour("Listed", "paired", "unit", "bidirectional")]
    for kind in ("ListedPriced", "WideListed"):
        found += [
            Flavour(kind, "loose", "integer", each, "table")
            for each in ("astar", "wastar", "anytime", "greedy", "beam", "idastar")
        ]
        found += [Flavour(kind, "loose", "integer", "iddfs", "", (("cycles", "path"),))]
    return found


FIRST = [
    Flavour("Scattered", "loose", "unit", "bfs"),
    Flavour("Priced", "loose", "integer", "astar", "table"),
    Flavour("Priced", "loose", "integer", "idastar", "table", (("cycles", "path"),)),
]
"""Those of the short part."""


def _in_order() -> list[Flavour]:
    others = [each for each in _flavours() if each not in FIRST]
    random.Random(2).shuffle(others)
    return FIRST + others


FLAVOURS = _in_order()
SHAPES: dict[str, Any] = {
    "loose": loose_space,
    "paired": paired_space,
    "total": lambda rng, costs: loose_space(rng, costs, total=True),
}


def packed_case(rng: random.Random) -> Case:
    """A packed problem for the reference engine alone, in all its forms."""
    costs = rng.choice(("unit", "zero_one", "integer", "integer"))
    shape = rng.choice(("loose", "loose", "paired"))
    space = with_estimates(rng, SHAPES[shape](rng, costs), dead_ends=True)
    wide = rng.random() < 0.3
    kind = (
        ("Wide" if wide else "Scattered") if costs == "unit" else "WidePriced" if wide else "Priced"
    )
    if rng.random() < 0.2:
        kind = "WideListed" if wide else "Listed" if costs == "unit" else "ListedPriced"
    elif not wide and rng.random() < 0.2:
        kind = "Certain" if costs == "unit" else "CertainPriced"
    searches = []
    for _ in range(SEARCHES):
        engine = "checked" if rng.random() < CHECKED else "reference"
        search = random_search(rng, space, list(ALGORITHMS), engine=engine)
        names = ["", "table", "change", *([] if wide else ["carried"])]
        if search.uses_heuristic:
            search = replace(search, heuristic=rng.choice(names))
        searches.append(search)
    return Case(kind, space, tuple(searches), rng.getrandbits(32), exploring(rng, space))


def exploring(rng: random.Random, space: Space, **how: Any) -> tuple[tuple[str, Any], ...] | None:
    """How to explore the space, if that can be done."""
    if space.costs != "unit":
        return None
    limits = rng.choice((
        Limits(), Limits(), Limits(cost=rng.randint(0, 8)), Limits(expansions=rng.randint(0, 40))
    ))  # fmt: skip
    backward = rng.choice((None, False, True)) if space.graph.goals else False
    made = {"engine": "reference", "backward": backward, "limits": limits} | how
    return tuple(made.items())


def compiled_case(rng: random.Random, flavours: list[Flavour] = FLAVOURS) -> Case:
    """A packed problem and one kind of search, by machine code as well."""
    flavour = rng.choice(flavours)
    space = SHAPES[flavour.shape](rng, flavour.costs)
    space = with_estimates(rng, space, dead_ends=flavour.heuristic != "change")
    how, searches = None, []
    if flavour.algorithm == "explore":
        engine = Engine("compiled", threads=rng.choice((1, 2, 3)))
        how = exploring(rng, space, engine=engine, backward=False)
    else:
        for _ in range(SEARCHES):
            search = random_search(rng, space, [flavour.algorithm], engine="both")
            options = dict(search.options) | dict(flavour.options)
            kind = "auto" if rng.random() < 0.15 else "both"
            search = replace(
                search, options=tuple(sorted(options.items())), heuristic=flavour.heuristic,
                engine=kind,
            )  # fmt: skip
            searches.append(search)
    return Case(flavour.kind, space, tuple(searches), rng.getrandbits(32), how)
