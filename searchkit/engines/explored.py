"""The loop of every exploration of a space, however it keeps its states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.running.task import Outcome, Run, Task
from searchkit.solutions.by_layers import by_steps, distances_back
from searchkit.solutions.path_numbers import Paths

if TYPE_CHECKING:
    from searchkit.tables.writer import TableWriter


@attrs.define(eq=False, repr=False)
class Explorer(ABC):
    """What was reached, layer by layer, and how the next layer is made."""

    task: Run
    sizes: list[int] = attrs.field(init=False, factory=list)
    """The states of each complete layer."""
    canonical_sizes: list[int] = attrs.field(init=False, factory=list)
    """Those that stand for all that symmetries make equal; `sizes` without symmetries."""
    is_enough: Callable[[], bool] = attrs.field(init=False, default=lambda: False)
    """Asked after each layer; what says whether to stop there."""
    table: TableWriter | None = attrs.field(init=False, default=None)
    """Where layers are written to, and read from where it has some."""
    deepest: float = attrs.field(init=False, default=float("inf"))
    """The last layer to be made."""
    other: Any = attrs.field(init=False, default=None)
    """In a search from both ends, the layers from the other one."""
    _ended: bool = attrs.field(init=False, default=False)

    @abstractmethod
    def begin(self, roots: list[Any]) -> None:
        """Make the first layer."""

    @abstractmethod
    def grow(self) -> Generator[None, None, int]:
        """Make the next layer; how many canonical states it has, and none is entered if 0."""

    @abstractmethod
    def has_more(self) -> Generator[None, None, bool]:
        """Whether there is a next layer, of which nothing is kept."""

    @property
    @abstractmethod
    def fresh(self) -> int:
        """How many canonical states of the next layer were reached, if it is known."""

    @abstractmethod
    def farthest(self) -> Sequence[Any]:
        """The canonical states of the last layer reached."""

    def drawn(self, count: int) -> Sequence[int]:
        """The numbers of some states that were reached, where `holds` can be asked."""
        return ()

    def holds(self, number: int) -> bool:
        """Whether the state with a number was reached."""
        raise NotImplementedError

    def paths(self) -> Paths | None:
        """The paths to all complete layers, if they were to be counted."""
        return None

    @property
    def depth(self) -> int:
        """The number of the last complete layer."""
        return len(self.sizes) - 1

    @property
    def size(self) -> int:
        """The canonical states of the last complete layer."""
        return self.canonical_sizes[-1]

    @property
    def stored(self) -> int:
        """The canonical states of all complete layers."""
        return sum(self.canonical_sizes)

    @property
    def partial(self) -> int:
        """How many states of a layer that was begun, and is not complete, were reached."""
        return 0 if self._ended or not self.sizes else self.fresh

    def enter(self, states: int, canonical: int | None = None) -> None:
        """Note the next complete layer."""
        self.sizes.append(states)
        self.canonical_sizes.append(states if canonical is None else canonical)
        self.task.counters.enter_layer(self.depth, self.size)

    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Reach states up to distance `deepest`; whether these are all."""
        table, self.deepest = self.table, deepest
        whole = not self.sizes or (table is not None and table.manifest.complete)
        while not whole and not self.is_enough():
            self.task.counters.prove(len(self.sizes))
            if len(self.sizes) > deepest:
                whole = not (yield from self.has_more())
                break
            whole = not (yield from self.grow())
        self._ended = True
        if whole and table is not None:
            table.finish()
        return whole


class KeptLayers(Explorer):
    """An exploration that can keep all its layers."""

    @abstractmethod
    def contains(self, states: Sequence[Any], depth: int) -> Iterable[bool]:
        """For each of some states, whether a kept layer holds it or a symmetric one."""

    def until_goals(
        self, task: Task, goals_at_hand: Callable[[], Iterable[Any]]
    ) -> Generator[None, None, tuple[list[Any], bool]]:
        """Explore up to the first layer with a goal: its goals, and whether there is no more.

        `goals_at_hand` gives the goals of the last complete layer, with all that symmetries make
        equal.
        """
        goals: list[Any] = []

        def is_enough() -> bool:
            goals.extend(goals_at_hand())
            return bool(goals)

        self.is_enough = is_enough
        whole = yield from self.run(task.max_cost)
        return goals, whole

    def back_from(
        self, task: Task, goals: list[Any], *, every: bool
    ) -> Generator[None, None, Outcome]:
        """The solutions to goals of the last layer, or unless `every` one to the first of them."""
        before = by_steps(task, self.contains, every=every)
        level = goals if every else goals[:1]
        remaining = yield from distances_back(task, level, self.depth, before)
        return Outcome(cost=self.depth, remaining=remaining)
