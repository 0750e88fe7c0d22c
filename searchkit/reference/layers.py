"""The layers of a space, up to symmetry, by the problem's own steps."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from typing import Any

import attrs

from searchkit.capabilities import Symmetry
from searchkit.engines.explored import Explored
from searchkit.problem import Problem
from searchkit.running.task import Run, Steps
from searchkit.solutions.path_numbers import Paths


@attrs.define(eq=False)
class ReferenceLayers(Explored):
    """An exploration of states of any kind.

    With `symmetries`, the identity among them, one state stands for all that they make equal:
    the first of them that was met. `sizes` counts states, `canonical_sizes` those that stand for
    others. In an undirected problem a successor lies in the layer before, the same or the next
    one, so older layers are dropped.
    """

    task: Run
    roots: list[Any]
    steps: Steps
    symmetries: Sequence[Symmetry[Any, Any]] = ()
    count_paths: bool = False
    is_enough: Callable[[], bool] = lambda: False
    """Asked after each layer; what says whether to stop there."""
    keep: bool = False
    """Whether to keep all layers, in `kept`: the keys of all their states."""
    kept: list[set[Hashable]] = attrs.field(factory=list)
    sizes: list[int] = attrs.field(factory=list)
    canonical_sizes: list[int] = attrs.field(factory=list)
    _layer: dict[Hashable, Any] = attrs.field(factory=dict)
    """The last complete layer: its canonical states by key."""
    _fresh: dict[Hashable, Any] = attrs.field(factory=dict)
    _ways: dict[Hashable, int] = attrs.field(factory=dict)
    _images: dict[Hashable, Hashable] = attrs.field(factory=dict)
    """The canonical state's key for the key of each state of the layer being made."""
    _goals: set[Hashable] = attrs.field(factory=set)
    """The keys of the goals of the layer at hand."""
    _to_states: list[int] = attrs.field(factory=list)
    _to_goals: list[int] = attrs.field(factory=list)
    _ends: list[tuple[int, int]] = attrs.field(factory=list)
    """The paths to ends, and the ends, of the layers that were expanded."""

    @property
    def problem(self) -> Problem[Any, Any]:
        """What is explored."""
        return self.task.problem

    @property
    def partial(self) -> int:
        """How many canonical states of the layer after the last complete one were reached."""
        return len(self._fresh)

    @property
    def layer(self) -> Iterable[Any]:
        """The canonical states of the last complete layer."""
        return self._layer.values()

    def farthest(self) -> tuple[Any, ...]:
        """The canonical states of the last layer reached."""
        return tuple((self._fresh or self._layer).values())

    def run(self, deepest: float) -> Generator[None, None, bool]:
        """Expand layer after layer up to depth `deepest`; whether every state was reached."""
        counters, undirected = self.task.counters, self.problem.undirected
        layer, ways = self._layer, self._ways
        for root in self.roots:
            key = self.problem.key(root)
            if key not in (self._images or layer):
                self._add(key, root, layer)
            key = self._images.get(key, key)
            ways[key] = ways.get(key, 0) + 1
        counters.generated = len(self.roots)
        closed: set[Hashable] = set(self._images or layer)
        counters.holding(len(closed))
        while layer:
            states = len(self._images) if self.symmetries else len(layer)
            self.sizes.append(states)
            self.canonical_sizes.append(len(layer))
            counters.enter_layer(len(self.sizes) - 1, len(layer))
            if self.keep:
                self.kept.append(set(self._images or layer))
            self._layer, self._fresh, self._ways, self._images = layer, {}, {}, {}
            self._enter(ways)
            if self.is_enough():
                return False
            counters.prove(len(self.sizes))
            if not (yield from self._expand_all(ways, closed, len(self.sizes) > deepest)):
                return False
            if undirected:
                closed.clear()  # before there is another
                closed = self._keys_of_layer(layer)
            closed.update(self._images or self._fresh)
            layer, ways, self._fresh = self._fresh, self._ways, {}
        return True

    def _keys_of_layer(self, layer: dict[Hashable, Any]) -> set[Hashable]:
        if not self.symmetries:
            return set(layer)
        return {key for state in layer.values() for key in self._orbit(state)}

    def _orbit(self, state: Any) -> set[Hashable]:
        return {self.problem.key(each.state_map(state)) for each in self.symmetries}

    def _add(self, key: Hashable, state: Any, layer: dict[Hashable, Any]) -> None:
        """Put a new state, which stands for its orbit, into a layer."""
        layer[key] = state
        if self.symmetries:
            self._images |= dict.fromkeys(self._orbit(state), key)

    def _enter(self, ways: dict[Hashable, int]) -> None:
        """Take down the paths to the states and goals of the layer at hand."""
        if self.count_paths:
            is_goal = self.problem.is_goal
            self._goals = {key for key, state in self._layer.items() if is_goal(state)}
            self._to_states.append(sum(ways.values()))
            self._to_goals.append(sum(ways.get(key, 0) for key in self._goals))

    def _expand_all(
        self, ways: dict[Hashable, int], closed: set[Hashable], deep_enough: bool
    ) -> Generator[None, None, bool]:
        """Make the next layer; False if there is one that is not to be made."""
        task, counters, fresh = self.task, self.task.counters, self._fresh
        following, key_of = self._ways, task.key_of
        counters.containers = (closed, self._layer, fresh, following, self._images, ways)
        counted, images, symmetric = self.count_paths, self._images, bool(self.symmetries)
        seen = images if symmetric else fresh
        waiting, to_ends, ends = len(self._layer), 0, 0
        for key, state in self._layer.items():
            yield
            waiting -= 1
            number = ways.get(key, 0)
            before = counters.generated
            for _, child, _ in task.expand(state, steps=self.steps, counting=False):
                counters.generated += 1
                child_key = child if key_of is None else key_of(child)
                if child_key in closed:
                    continue
                if child_key not in seen:
                    if deep_enough:
                        fresh.clear()
                        return False
                    if symmetric:
                        self._add(child_key, child, fresh)
                    else:
                        fresh[child_key] = child
                if counted:
                    canonical = images.get(child_key, child_key)
                    following[canonical] = following.get(canonical, 0) + number
            if counted and counters.generated == before and key not in self._goals:
                to_ends += number
                ends += len(self._orbit(state)) if self.symmetries else 1
            counters.note(waiting + len(fresh), len(closed) + len(fresh))
        self._ends.append((to_ends, ends))
        return True

    def contains(self, states: Sequence[Any], depth: int) -> list[bool]:
        """For each of some states, whether a kept layer holds it or a symmetric one."""
        return [self.problem.key(state) in self.kept[depth] for state in states]

    def paths(self) -> Paths | None:
        """The paths to all complete layers, if they were to be counted.

        A layer whose successors are not known yet has no ends.
        """
        if not self.count_paths:
            return None
        to_ends, ends = zip(*self._ends, strict=True) if self._ends else ((), ())
        return Paths(
            to_states=tuple(self._to_states),
            to_goals=tuple(self._to_goals),
            to_ends=to_ends,
            ends=ends,
        )
