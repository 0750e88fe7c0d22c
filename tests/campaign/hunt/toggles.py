"""The group `toggles`: operators that flip fixed bits, with symmetries and chains.

The oracle reads the rows of operators itself: an operator is legal where the bits of its mask are
the wanted ones.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hunt.group import Group
from hunt.judge import Judge, compare
from hunt.oracle import Graph, Wrong
from hunt.pressure import press
from hunt.random_graphs import Space
from hunt.searches import Search
from searchkit import LimitKind, Limits, Step, solve
from searchkit.engine import Engine
from searchkit.explore import explore
from searchkit.transforms import ChainMoves
from tests.support.toggle_spaces import (
    NEVER,
    OPERATORS,
    Pieces,
    PieceTables,
    SymmetricToggles,
    Toggles,
    ToggleTables,
    spread,
)

RING = 4
RING_OPERATORS = 3


class Backward:
    """The steps that lead to a state, by the rows."""

    tables: Any

    def predecessors(self, state: int) -> Iterator[Step[int, int]]:
        tables = self.tables
        for operator, flips in enumerate(tables.flips):
            before = state ^ flips
            if before & tables.masks[operator] == tables.wanted[operator]:
                yield Step(operator, before)


class Toggling(Backward, Toggles):
    """Operators that flip fixed bits."""


class Moving(Backward, Pieces):
    """Each operator moves a piece."""


class Turning(Backward, SymmetricToggles):
    """The lowest bits are a ring, which may be turned; operators come in runs of all turns."""

    def __init__(self, tables: Any, starts: tuple[int, ...]) -> None:
        group = [[(place + turn) % RING for place in range(RING)] for turn in range(RING)]
        super().__init__(tables, starts, tuple(map(tuple, group)))


def turned(state: int, turn: int) -> int:
    """The state with its ring turned."""
    ring = state & (1 << RING) - 1
    ring = (ring << turn | ring >> RING - turn) & (1 << RING) - 1
    return state >> RING << RING | ring


@dataclass(frozen=True)
class Case:
    """Rows of operators (flips, mask, wanted, piece before, piece after), and a search."""

    kind: str
    rows: tuple[tuple[int, int, int, int, int], ...]
    starts: tuple[int, ...]
    goals: tuple[int, ...]
    undirected: bool
    search: Search
    symmetry: str
    noise: int

    @property
    def problem(self) -> Any:
        flips, masks, wanted, before, after = zip(*self.rows, strict=True)
        tables: Any = ToggleTables(flips, masks, wanted, self.goals)
        if self.kind == "chains":
            tables = PieceTables(*tables, before, after)
        made: Any = {"toggles": Toggling, "chains": Moving, "turning": Turning}[self.kind]
        problem = made(tables, self.starts)
        problem.undirected = self.undirected
        return ChainMoves(problem) if self.kind == "chains" else problem


def steps_of(case: Case, state: int) -> list[tuple[Any, int]]:
    """The steps out of a state by the rows alone, with chains where moves are chains."""
    single = [
        (operator, state ^ flips)
        for operator, (flips, mask, wanted, _, _) in enumerate(case.rows)
        if state & mask == wanted
    ]
    if case.kind != "chains":
        return list(single)
    found: list[tuple[Any, int]] = []

    def extend(chain: tuple[int, ...], here: int, met: frozenset[int]) -> None:
        for operator, (flips, mask, wanted, before, _) in enumerate(case.rows):
            if here & mask != wanted or (chain and case.rows[chain[-1]][4] != before):
                continue
            after = here ^ flips
            if after in met:
                continue
            found.append(((*chain, operator), after))
            if after not in case.goals:
                extend((*chain, operator), after, met | {after})

    extend((), state, frozenset({state}))
    return found


MOST_STEPS = 3000


def graph_of(case: Case) -> tuple[Graph, dict[int, int]] | None:
    """The explicit graph of what the starts lead to; None if it is too large."""
    number = {start: place for place, start in enumerate(dict.fromkeys(case.starts))}
    queue, rows, total = list(number), [], 0
    for state in queue:
        row = []
        for label, after in steps_of(case, state):
            if after not in number:
                number[after] = len(number)
                queue.append(after)
            row.append((label, number[after], 1))
        total += len(row)
        if total > MOST_STEPS:
            return None
        rows.append(tuple(row))
    goals = frozenset(number[goal] for goal in case.goals if goal in number)
    starts = tuple(number[start] for start in dict.fromkeys(case.starts))
    return Graph(tuple(rows), starts, goals), number


def random_row(rng: random.Random, bits: int, *, undirected: bool) -> tuple[int, int, int]:
    mask = rng.getrandbits(bits) & rng.getrandbits(bits)
    flips = rng.getrandbits(bits) & rng.getrandbits(bits)
    wanted = rng.getrandbits(bits) & mask
    if undirected:
        return flips, mask & ~flips, wanted & ~flips
    return flips, mask, wanted


class ToggleSpaces(Group):
    """Operators that flip fixed bits."""

    name = "toggles"
    summary = "random toggles, chains and symmetries as bitmaps, against the oracle"
    short, minutes, hours = 60, 1500, 10_000
    patience = 240.0

    def __init__(self, folder: Path, *, brief: bool = False) -> None:
        super().__init__(folder, brief=brief)
        self.engine = "reference" if brief else "both"

    def make(self, rng: random.Random) -> Case:
        press(rng, compiled=False)
        kind = rng.choice(("toggles", "toggles", "chains", "turning"))
        undirected = kind != "chains" and rng.random() < 0.4
        bits = rng.randint(1, 7)
        if kind == "turning":
            rows = self.turning_rows(rng, undirected=undirected)
            starts = [rng.getrandbits(RING) | rng.getrandbits(1) << 63]
            if rng.random() < 0.5:
                starts = [turned(starts[0], turn) for turn in range(RING)]
            some = [rng.getrandbits(RING) | rng.getrandbits(1) << 63 for _ in range(2)]
            goals = [turned(goal, turn) for goal in some for turn in range(RING)]
        else:
            rows = []
            for _ in range(rng.randint(0, 8 if kind == "toggles" else 5)):
                row = random_row(rng, bits, undirected=undirected)
                rows.append((*map(spread, row), rng.choice((0, 1, 255)), rng.choice((0, 1, 255))))
            rows += [(0, *NEVER, 0, 0)] * (OPERATORS - len(rows))
            starts = [spread(rng.getrandbits(bits)) for _ in range(rng.choice((1, 1, 2)))]
            goals = [spread(rng.getrandbits(bits)) for _ in range(rng.choice((0, 1, 1, 2, 4)))]
        algorithm = rng.choice(("bfs", "bidirectional"))
        symmetry = "auto" if kind == "turning" or rng.random() < 0.3 else "none"
        search = Search(
            algorithm,
            (("symmetry", symmetry),),
            want=rng.choice(("one", "all", "count")),
            nodes=rng.choice((None, None, None, rng.randint(0, 40))),
            depth=rng.choice((None, None, None, rng.randint(0, 6))),
            threads=rng.choice((1, 1, 2)),
        )
        return Case(
            kind, tuple(rows), tuple(dict.fromkeys(starts)), tuple(dict.fromkeys(goals)),
            undirected, search, symmetry, rng.getrandbits(16),
        )  # fmt: skip

    def turning_rows(self, rng: random.Random, *, undirected: bool) -> list[Any]:
        """Runs of operators on the ring and one more bit, which stays where it is."""
        rows = []
        for _ in range(RING_OPERATORS):
            row = random_row(rng, RING + 1, undirected=undirected)
            words = [word & (1 << RING) - 1 | (word >> RING) << 63 for word in row]
            if rng.random() < 0.2:
                words = [0, 1 << 30, 1 << 30]
            rows += [(*(turned(word, turn) for word in words), 0, 0) for turn in range(RING)]
        return rows

    def run(self, case: Case) -> Counter[str]:
        found = graph_of(case)
        if found is None:
            return Counter({"too large": 1})
        graph, number = found
        count = len(graph.steps)
        space = Space("unit", graph, (0,) * count, ((),), (0,) * count)
        told = self.searched(case, space, number)
        return told + self.explored(case, graph, number)

    def searched(self, case: Case, space: Space, number: dict[int, int]) -> Counter[str]:
        results = []
        engines = ["reference", "compiled"] if self.engine == "both" else ["reference"]
        for engine in engines:
            problem = case.problem
            threads = case.search.threads if engine == "compiled" else 1
            how = {"engine": Engine(engine, threads=threads), **case.search.how}
            result = solve(problem, case.search.value(None), **how)
            Judge(_Placed(problem, number), space, case.search, result).all()
            results.append(result)
        search = case.search
        # Goals that no sum of toggles leads to are left out, which may end a search before a limit.
        whole = search.nodes is None and search.depth is None and space.graph.best is not None
        # Layers of chains are expanded whole, where the reference engine ends at the first goal.
        whole = whole and not (case.kind == "chains" and case.symmetry == "none")
        if len(results) == 2 and search.algorithm == "bfs" and whole:
            compare(search, results[1], results[0], counts=False)
        return Counter({"searches": len(results)})

    def explored(self, case: Case, graph: Graph, number: dict[int, int]) -> Counter[str]:
        layers = graph.reached(graph.starts)
        rng = random.Random(case.noise)
        limits = rng.choice((Limits(), Limits(cost=rng.randint(0, 5))))
        engine = "reference" if self.brief else "compiled"
        found = explore(
            case.problem, engine=Engine(engine, threads=case.search.threads), backward=False,
            paths=True, limits=limits, symmetry=case.symmetry,
        )  # fmt: skip
        sizes = tuple(map(len, layers))
        if found.complete and found.layers != sizes:
            raise Wrong(f"explore, {engine}: layers {found.layers}, there are {sizes}")
        if not found.complete and found.limit is not LimitKind.COST:
            raise Wrong(f"explore, {engine}: limit {found.limit}")
        if found.layers != sizes[: len(found.layers)]:
            raise Wrong(f"explore, {engine}: layers {found.layers}, there are {sizes}")
        ways = [1 if state in graph.starts else 0 for state in range(len(graph.steps))]
        for layer, following in zip(layers, [*layers[1:], set()], strict=True):
            for state in layer:
                for _, target, _ in graph.steps[state]:
                    if target in following:
                        ways[target] += ways[state]
        told = found.paths
        if told is None:
            raise Wrong(f"explore, {engine}: no paths")
        expected = tuple(sum(ways[state] for state in layer) for layer in layers)
        to_goals = tuple(sum(ways[s] for s in layer & graph.goals) for layer in layers)
        if told.to_states != expected[: len(told.to_states)]:
            raise Wrong(f"explore, {engine}: paths {told.to_states}, there are {expected}")
        if told.to_goals != to_goals[: len(told.to_goals)]:
            raise Wrong(f"explore, {engine}: paths to goals {told.to_goals}, not {to_goals}")
        return Counter({"explorations": 1})


class _Placed:
    """What a judge asks of a problem."""

    def __init__(self, problem: Any, number: dict[int, int]) -> None:
        self.problem = problem
        self.place = number.__getitem__

    def __getattr__(self, name: str) -> Any:
        return getattr(self.problem, name)
