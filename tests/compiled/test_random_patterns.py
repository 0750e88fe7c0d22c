"""Pattern databases of random abstractions of random graphs, with dead ends."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from searchkit import IDAStar, Limits, solve
from searchkit.heuristics.patterns import PatternHeuristic, PatternSpace
from searchkit.heuristics.patterns.compiled_build import build
from searchkit.heuristics.patterns.database import UNREACHED
from searchkit.packed import DEAD_END, PackedStep
from searchkit.problem import INFINITY
from searchkit.running import driver
from tests.support.packed_graphs import UnitGraph, distances, graphs

GROUPS = 2


class ClassTables(NamedTuple):
    classes: tuple[tuple[int, ...], ...]
    """By group and state, the class of the state."""
    before: tuple[tuple[int, ...], ...]
    """By group and class, the set of the classes with a step into it."""


class Classes(PatternSpace):
    """States of one class are taken for one: each group has classes of its own."""

    operators = 1
    groups = tuple((group,) for group in range(GROUPS))

    def __init__(self, tables: Any, classes: tuple[tuple[int, ...], ...]) -> None:
        count = len(tables.goals)
        before = [[0] * count for _ in range(GROUPS)]
        for group, own in enumerate(classes):
            for state, row in enumerate(tables.following):
                for after in row:
                    if after >= 0:
                        before[group][own[after]] |= 1 << own[state]
        self.graph = tables
        self.tables = ClassTables(classes, tuple(map(tuple, before)))

    def identity(self, group: int) -> dict[str, Any]:
        return {"puzzle": "graph", "pattern": str(group), "graph": repr(self.graph)}

    def entries(self, group: int) -> int:
        return len(self.graph.goals)

    def goals(self, group: int) -> list[tuple[int, int]]:
        own = self.tables.classes[group]
        return [(own[state], 1) for state, is_goal in enumerate(self.graph.goals) if is_goal]

    def locate(self, state: Any, image: int, group: int) -> int:
        return self.tables.classes[group][state]

    def rank(self, word: int, group: int) -> int:
        return word

    def unrank(self, entry: int, group: int) -> int:
        return entry

    def choices(self, word: int, group: int, mask: int, operator: int) -> int:
        return self.tables.before[group][word]

    def previous(self, word: int, group: int, operator: int, choice: int) -> int:
        return choice


def slow_distances(tables, own):
    """The steps to a goal of every class."""
    found = {own[state]: 0 for state, is_goal in enumerate(tables.goals) if is_goal}
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for state, row in enumerate(tables.following):
            if own[state] not in found and any(a >= 0 and own[a] == here for a in row):
                found[own[state]] = found[here] + 1
                queue.append(own[state])
    return found


@settings(deadline=None, max_examples=30)
@given(st.data(), graphs(unit=True), st.sampled_from(["one", "all", "count"]), st.integers(1, 9))
def test_the_largest_value_of_all_groups(data, graph, want, size):
    tables, _ = graph
    assume(any(tables.goals))  # without goals there is no space
    count = len(tables.goals)
    classes = tuple(
        tuple(data.draw(st.lists(st.integers(0, count - 1), min_size=count, max_size=count)))
        for _ in range(GROUPS)
    )
    space = Classes(tables, classes)
    databases = [build(space, group) for group in range(GROUPS)]
    slow = [slow_distances(tables, own) for own in classes]
    for group in range(GROUPS):
        values = databases[group].values.tolist()
        assert values == [slow[group].get(each, UNREACHED) for each in range(count)]
    heuristic = PatternHeuristic(space, databases)
    for state, true in enumerate(distances(tables)):
        expected = max(slow[g].get(classes[g][state], INFINITY) for g in range(GROUPS))
        assert heuristic(state) == expected
        assert heuristic.estimate(state) <= true <= DEAD_END
    problem = UnitGraph(*graph)
    for state in range(count):
        memo = [0] * (2 * heuristic.memory)
        if heuristic.begin(memo, 0, state) >= DEAD_END:
            continue
        for operator, step in zip(
            [o for o in range(4) if problem.legal(state, 0, o)],
            problem.successors(state), strict=True,
        ):  # fmt: skip
            way = PackedStep(state, 0, operator, step.state)
            found = heuristic.follow(memo, 0, heuristic.memory, way, 1 << 20)
            assert found == heuristic.estimate(step.state)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "FIRST_BUDGET", size)
        results = [
            solve(
                problem, IDAStar(heuristic, "path"),
                engine=engine, want=want, limits=Limits(expansions=2000),
            )
            for engine in ("reference", "compiled")
        ]  # fmt: skip
    told = [
        (
            each.status, each.limit, each.cost, each.count, each.solution,
            each.solutions and list(each.solutions),
            [(row.bound, row.expanded, row.generated) for row in each.statistics.iterations],
        )
        for each in results
    ]  # fmt: skip
    assert told[0] == told[1]
