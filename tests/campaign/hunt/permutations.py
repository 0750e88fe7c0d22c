"""The group `permutations`: small permutation puzzles, with operator pruning, batches and stages.

Pieces stand in a row; an operator puts the piece from place `moves[operator][i]` at place `i`.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from hunt.graphs import has_large_numbers
from hunt.group import Group
from hunt.judge import compare, judge
from hunt.oracle import Graph, Wrong
from hunt.packed import COSTS
from hunt.pressure import press
from hunt.random_graphs import Space, random_costs
from hunt.searches import Search, random_search
from searchkit import PackedHeuristic, SearchkitError, solve
from searchkit.engine import Engine
from searchkit.packed import PackedProblem
from searchkit.solve_many import solve_many
from searchkit_stages import Stages
from tests.support.row_sorting import LENGTH, RowSorting, inversions, read

SIZE = 5
OPERATORS = 4
ALGORITHMS = ("iddfs", "idastar", "idastar", "widastar", "astar", "bfs", "bidirectional", "anytime")


class Moves(NamedTuple):
    moves: tuple[tuple[int, ...], ...]
    goal: int
    costs: tuple[int, ...]


class Bounds(NamedTuple):
    bounds: tuple[tuple[int, ...], ...]
    """By place and piece, the least cost from any state with that piece there."""


class Rows(PackedProblem[int]):
    """Unit costs."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.tables = Moves(case.moves, packed(case.goal), case.costs)
        self.costs = COSTS[case.kind]
        self.undirected = case.inverses is not None

    def initial_states(self) -> list[int]:
        return [packed(start) for start in self.case.starts]

    def goal_states(self) -> list[int]:
        return [self.tables.goal]

    def operators(self, control: int) -> range:
        return range(len(self.case.moves))

    def inverse(self, control: int, operator: int) -> int | None:
        inverses = self.case.inverses
        return None if inverses is None or self.case.has_twins else inverses[operator]

    def action(self, state: int, operator: int) -> int:
        return operator

    def witness(self, control: int) -> int:
        return packed(tuple(range(SIZE)))

    def at_goal(self, state: int) -> bool:
        return state == self.tables.goal

    def apply(self, state: int, control: int, operator: int) -> int:
        after = 0
        for i in range(5):
            after |= (state >> 4 * self.tables.moves[operator][i] & 15) << 4 * i
        return after


class PricedRows(Rows):
    """Each operator has a cost of its own."""

    def cost(self, state: int, control: int, operator: int) -> int:
        return self.tables.costs[operator]


class ByPiece(PackedHeuristic):
    """The largest of the bounds of all pieces where they stand."""

    name = "by piece"

    def __init__(self, bounds: tuple[tuple[int, ...], ...]) -> None:
        self.tables = Bounds(bounds)

    def estimate(self, state: int) -> int:
        most = 0
        for i in range(5):
            bound = self.tables.bounds[i][state >> 4 * i & 15]
            most = max(most, bound)
        return most


@dataclass(frozen=True)
class Case:
    """Moves, pieces, costs, and searches."""

    kind: str
    moves: tuple[tuple[int, ...], ...]
    inverses: tuple[int, ...] | None
    """If each operator is taken back by another: by which."""
    costs: tuple[int, ...]
    starts: tuple[tuple[int, ...], ...]
    goal: tuple[int, ...]
    searches: tuple[Search, ...]

    @property
    def has_twins(self) -> bool:
        return len(set(self.goal)) < SIZE


def packed(pieces: tuple[int, ...]) -> int:
    return sum(piece << 4 * place for place, piece in enumerate(pieces))


def graph_of(case: Case) -> tuple[Graph, dict[tuple[int, ...], int]]:
    """What the starts lead to, by the moves alone."""
    number = {start: place for place, start in enumerate(dict.fromkeys(case.starts))}
    queue, rows = list(number), []
    for pieces in queue:
        row = []
        for operator, move in enumerate(case.moves):
            after = tuple(pieces[place] for place in move)
            if after not in number:
                number[after] = len(number)
                queue.append(after)
            row.append((operator, number[after], case.costs[operator]))
        rows.append(tuple(row))
    goals = frozenset({number[case.goal]} if case.goal in number else ())
    starts = tuple(number[start] for start in dict.fromkeys(case.starts))
    return Graph(tuple(rows), starts, goals), number


def bounds_of(graph: Graph, number: dict[tuple[int, ...], int]) -> tuple[tuple[int, ...], ...]:
    """By place and piece, the least distance of all states that have the piece there."""
    least: dict[tuple[int, int], int] = {}
    for pieces, state in number.items():
        distance = graph.distances[state]
        for at in enumerate(pieces):
            if distance is not None:
                least[at] = min(least.get(at, distance), distance)
    return tuple(
        tuple(least.get((place, piece), 0) for piece in range(16)) for place in range(SIZE)
    )


class Permutations(Group):
    """Permutation puzzles."""

    name = "permutations"
    summary = "random permutation puzzles with operator pruning, and solving in stages"
    short, minutes, hours = 20, 600, 5000
    patience = 240.0

    def make(self, rng: random.Random) -> Any:
        press(rng, compiled=not self.brief)
        if rng.random() < 0.1:
            return self.staged(rng)
        kind = rng.choice(("unit", "unit", "integer"))
        count = rng.randint(1, OPERATORS)
        moves = [tuple(rng.sample(range(SIZE), SIZE)) for _ in range(count)]
        moves = [move for move in dict.fromkeys(moves) if move != tuple(range(SIZE))]
        moves = moves or [(1, 0, 2, 3, 4)]
        draw = random_costs(rng, kind)
        costs = [max(1, draw(1)) for _ in moves]
        inverses = None
        if rng.random() < 0.6:
            moves, costs, inverses = closed(moves, costs)
        pieces = list(range(SIZE)) if rng.random() < 0.7 else [0, 0, 1, 1, 2]
        goal = tuple(pieces)
        starts = {tuple(rng.sample(pieces, SIZE)) for _ in range(rng.choice((1, 1, 2)))}
        case = Case(kind, tuple(moves), inverses, tuple(costs), tuple(sorted(starts)), goal, ())
        graph, _ = graph_of(case)
        space = Space(kind, graph, (0,), ((),), (0,) * len(graph.steps))
        names = [name for name in ALGORITHMS if inverses is not None or name != "bidirectional"]
        searches = []
        for _ in range(3):
            search = random_search(rng, space, names, engine="both")
            if search.nodes == 1200:
                search = replace(search, nodes=4000)
            pruned = search.algorithm in ("iddfs", "idastar", "widastar") and rng.random() < 0.6
            if pruned and not self.brief:
                options = dict(search.options) | {"operator_pruning": rng.choice((2, 3, 5))}
                search = replace(search, options=tuple(sorted(options.items())))
            searches.append(replace(search, engine="reference") if self.brief else search)
        return replace(case, searches=tuple(searches))

    def run(self, case: Any) -> Counter[str]:
        if isinstance(case, Staged):
            return Counter() if self.brief else run_staged(case)
        graph, number = graph_of(case)
        bounds = bounds_of(graph, number)
        problem = (Rows if case.kind == "unit" else PricedRows)(case)
        by_word = {packed(pieces): state for pieces, state in number.items()}
        problem.place = by_word.__getitem__  # type: ignore[attr-defined]
        count = len(graph.steps)
        estimates = tuple(
            max(bounds[place][piece] for place, piece in enumerate(pieces)) for pieces in number
        )
        space = Space(case.kind, graph, (0,) * count, ((),), estimates)
        told: Counter[str] = Counter()
        for search in case.searches:
            told += self.searched(problem, space, search, ByPiece(bounds))
        return told

    def searched(self, problem: Any, space: Space, search: Search, heuristic: Any) -> Counter[str]:
        pruned = "operator_pruning" in dict(search.options) and search.want == "one"
        engines = ["reference"] if search.engine == "reference" else ["reference", "compiled"]
        results = []
        for engine in engines[1:] if pruned else engines:
            threads = search.threads if engine == "compiled" else 1
            try:
                result = solve(
                    problem,
                    search.value(heuristic),
                    engine=Engine(engine, threads=threads),
                    **search.how,
                )
            except SearchkitError as error:
                if engine == "compiled" and has_large_numbers(space, search):
                    return Counter({"refused for large numbers": 1})
                raise Wrong(f"{search.algorithm}, {engine}: {error}") from error
            judge(problem, space, search, result)
            results.append(result)
        if len(results) == 2:
            compare(search, results[1], results[0], counts=search.threads == 1)
        return Counter({"searches": len(results), "pruned": int(pruned)})

    def staged(self, rng: random.Random) -> Staged:
        starts = tuple(
            tuple(rng.sample(range(LENGTH), LENGTH)) for _ in range(rng.choice((1, 5, 40)))
        )
        return Staged(
            starts, rng.choice((1, 2)), rng.choice((1, 1, 3)), rng.choice((0, 50, 1000)),
            rng.choice((1, 2)),
        )  # fmt: skip


@dataclass(frozen=True)
class Staged:
    """Rows of seven numbers, to be sorted in stages."""

    starts: tuple[tuple[int, ...], ...]
    plans: int
    beam: int
    effort: int
    threads: int


def closed(moves: Any, costs: Any) -> tuple[list[Any], list[int], tuple[int, ...]]:
    """The moves with those that take them back, at the same costs."""
    found: dict[tuple[int, ...], int] = {}
    for move, cost in zip(moves, costs, strict=True):
        back = tuple(move.index(place) for place in range(SIZE))
        for each in (move, back):
            found.setdefault(each, found.get(move, cost))
    listed = list(found)
    backs = [tuple(move.index(place) for place in range(SIZE)) for move in listed]
    return listed, [found[move] for move in listed], tuple(map(listed.index, backs))


def run_staged(case: Staged) -> Counter[str]:
    """Every solution sorts its row, and none is shorter than there are inversions."""
    problem = RowSorting(read(case.starts[0]))
    algorithm = Stages(plans=case.plans, beam=case.beam, effort=case.effort)
    many = solve_many(
        problem,
        [read(start) for start in case.starts],
        algorithm,
        engine=Engine(threads=case.threads),
    )
    for start, result in zip(case.starts, many, strict=True):
        solution = result.solution
        if solution is None:
            raise Wrong(f"stages: {start} is not solved")
        numbers = list(start)
        for action in solution.actions:
            place = int(action.removeprefix("swap "))
            numbers[place], numbers[place + 1] = numbers[place + 1], numbers[place]
        least = inversions(read(start))
        if numbers != sorted(numbers) or len(solution.actions) < least:
            raise Wrong(f"stages: {solution.actions} does not sort {start}")
    for engine in ("reference", "compiled"):
        result = solve(problem, algorithm, engine=engine)
        least = inversions(problem.start)
        if result.cost is None or not result.lower_bound <= least <= result.cost:
            raise Wrong(f"stages, {engine}: {result.cost}, bound {result.lower_bound}, {least}")
    return Counter({"solved in stages": len(case.starts)})
