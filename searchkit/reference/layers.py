"""The layers of a space, up to symmetry, by the problem's own steps."""

from __future__ import annotations

from collections.abc import Collection, Generator, Hashable, Iterable, Iterator, Sequence
from typing import Any

import attrs

from searchkit.capabilities import Symmetry
from searchkit.engines.explored import KeptLayers
from searchkit.problem import Problem, Step
from searchkit.running.task import ONE, Steps
from searchkit.solutions.path_numbers import Paths


@attrs.define(eq=False, repr=False)
class ReferenceLayers(KeptLayers):
    """An exploration of states of any kind.

    With `symmetries`, the identity among them, one state stands for all that they make equal:
    the first of them that was met. In an undirected problem a successor lies in the layer before,
    the same or the next one, so older layers are dropped.
    """

    steps: Steps
    symmetries: Sequence[Symmetry[Any, Any]] = ()
    count_paths: bool = False
    keep: bool = False
    """Whether to keep all layers in `distances`, and not only those that may be met again."""
    until_met: bool = False
    """Whether a layer ends with the state that has a child in the last layer of `other`."""
    distances: dict[Hashable, int] = attrs.field(init=False, factory=dict)
    """How far the states are that were met, by their keys."""
    members: Collection[Hashable] = attrs.field(init=False, default=())
    """The keys of all states of the last complete layer."""
    _older: Collection[Hashable] = attrs.field(init=False, default=())
    """Those of the layer before, unless it is kept."""
    layer: list[Any] = attrs.field(init=False, factory=list)
    """The canonical states of the last complete layer."""
    _keys: list[Hashable] = attrs.field(init=False, factory=list)
    """Their keys; the same list where states are their own."""
    _ways: dict[Hashable, int] = attrs.field(init=False, factory=dict)
    """The shortest paths to each of them."""
    _fresh: list[Any] = attrs.field(init=False, factory=list)
    """The layer being made, with what follows."""
    _fresh_keys: list[Hashable] = attrs.field(init=False)
    _following: dict[Hashable, int] = attrs.field(init=False, factory=dict)
    _images: dict[Hashable, Hashable] = attrs.field(init=False, factory=dict)
    """The canonical state's key for the key of each state; empty without symmetries."""
    _goals: set[Hashable] = attrs.field(init=False, factory=set)
    """The keys of the goals of the layer at hand."""
    _whole: int = attrs.field(init=False, default=0)
    """How many layers were expanded, each as a whole."""
    _to_states: list[int] = attrs.field(init=False, factory=list)
    _to_goals: list[int] = attrs.field(init=False, factory=list)
    _ends: list[tuple[int, int]] = attrs.field(init=False, factory=list)
    """The paths to ends, and the ends, of the layers that were expanded."""

    def __attrs_post_init__(self) -> None:
        self._fresh_keys = self._fresh if self.task.key_of is None else []

    @property
    def problem(self) -> Problem[Any, Any]:
        """What is explored."""
        return self.task.problem

    @property
    def fresh(self) -> int:
        """How many canonical states of the next layer were reached."""
        return len(self._fresh)

    @property
    def stored(self) -> int:
        """The states that are held, with those that symmetries make equal."""
        return len(self.distances)

    def farthest(self) -> tuple[Any, ...]:
        """The canonical states of the last layer reached."""
        return tuple(self._fresh or self.layer)

    def begin(self, roots: list[Any]) -> None:
        """Make the first layer."""
        for root in roots:
            key = self.problem.key(root)
            if key not in self.distances:
                self._add(key, root)
            key = self._images.get(key, key)
            self._following[key] = self._following.get(key, 0) + 1
        self.task.counters.generated = len(roots)
        if roots:
            self._next_layer()
        self.task.counters.holding(len(self.distances))

    def grow(self) -> Generator[None, None, int]:
        """Make the next layer; how many canonical states it has."""
        yield from self._expand_all(look=False)
        found = len(self._fresh)
        if found:
            self._next_layer()
        return found

    def has_more(self) -> Generator[None, None, bool]:
        """Whether there is a next layer, of which nothing is kept."""
        return (yield from self._expand_all(look=True))

    def _next_layer(self) -> None:
        """Go on to the layer that was made."""
        members = self._images or self._fresh_keys
        if self.problem.undirected and not self.keep:
            for key in self._older:
                self.distances.pop(key, None)
            self._older = self.members
        self.members = members
        self.layer, self._keys, self._ways = self._fresh, self._fresh_keys, self._following
        self._fresh, self._following, self._images = [], {}, {}
        self._fresh_keys = self._fresh if self.task.key_of is None else []
        self.enter(len(members), len(self.layer))
        if self.count_paths:
            is_goal = self.problem.is_goal
            self._goals = {key for key, state in self.canonical if is_goal(state)}
            self._to_states.append(sum(self._ways.values()))
            self._to_goals.append(sum(self._ways.get(key, 0) for key in self._goals))

    def orbit(self, state: Any) -> dict[Hashable, Any]:
        """The states that symmetries make equal to `state`, itself among them, by their keys."""
        images = [each.state_map(state) for each in self.symmetries] or [state]
        return {self.problem.key(image): image for image in images}

    @property
    def canonical(self) -> Iterable[tuple[Hashable, Any]]:
        """The canonical states of the last complete layer, with their keys."""
        return zip(self._keys, self.layer, strict=True)

    def _add(self, key: Hashable, state: Any) -> None:
        """Put a new state, which stands for its orbit, into the layer being made."""
        self._fresh.append(state)
        if self._fresh_keys is not self._fresh:
            self._fresh_keys.append(key)
        self.distances[key] = len(self.sizes)
        if self.symmetries:
            images = dict.fromkeys(self.orbit(state), key)
            self._images |= images
            self.distances |= dict.fromkeys(images, len(self.sizes))

    def _counted_at_last(self, steps: Iterable[Step[Any, Any]]) -> Iterator[Step[Any, Any]]:
        """The steps, which are counted when all of them were looked at."""
        count = 0
        for step in steps:
            count += 1
            yield step
        self.task.counters.generated += count

    @property
    def _containers(self) -> tuple[Collection[Any], ...]:
        """What holds states, each once."""
        own = (
            self.distances, self._older, self.members, self._keys, self.layer, self._fresh_keys,
            self._fresh, self._images, self._ways, self._following,
        )  # fmt: skip
        return tuple({id(container): container for container in own}.values())

    def _expand_all(self, *, look: bool) -> Generator[None, None, bool]:
        """Expand the last layer, or only until a new state is met, which is not kept.

        Whether one was met so; the state that it follows does not count as expanded.
        """
        task, counters, fresh, closed = self.task, self.task.counters, self._fresh, self.distances
        ways, following, key_of = self._ways, self._following, task.key_of
        successors, listed = self.steps, task.lister(counting=not look)
        other: ReferenceLayers | None = self.other
        counters.containers = self._containers
        counted, images, symmetric = self.count_paths, self._images, bool(self.symmetries)
        fresh_keys, below = self._fresh_keys, len(self.sizes)
        keyed, meets, is_met = fresh_keys is not fresh, self.until_met, False
        waiting, held, to_ends, ends = len(self.layer), self.stored, 0, 0
        if other is not None:
            counters.containers += other._containers
            waiting, held = waiting + other.size, held + other.stored
            theirs, last = other.distances.get, other.depth
        most_waiting, most_held = counters.max_frontier, counters.peak_stored
        for key, state in self.canonical:
            if counters.expanded >= task.pause_at:
                task.at_hand = state
                yield
            waiting -= 1
            counters.expanded += 1
            steps = successors(state)
            if steps.__class__ is not list:
                steps = listed(steps)
            if counted:
                number, before = ways.get(key, 0), counters.generated
            if look:
                steps = self._counted_at_last(steps)
            else:
                counters.generated += len(steps)
            for action, child, cost in steps:
                if cost is not ONE:
                    task.legal_cost(action, cost)
                child_key = child if key_of is None else key_of(child)
                if child_key not in closed:
                    if look:
                        counters.expanded -= 1  # not all of its steps were looked at
                        return True
                    if symmetric:
                        self._add(child_key, child)
                    else:
                        closed[child_key] = below
                        fresh.append(child)
                        if keyed:
                            fresh_keys.append(child_key)
                    if meets and theirs(child_key) == last:
                        is_met = True
                elif not counted or closed[child_key] != below:
                    continue
                if counted:
                    canonical = images.get(child_key, child_key)
                    following[canonical] = following.get(canonical, 0) + number
            if counted and counters.generated == before and key not in self._goals:
                to_ends += number
                ends += len(self.orbit(state))
            frontier = counters.frontier = waiting + len(fresh)
            if frontier > most_waiting:
                most_waiting = counters.max_frontier = frontier
            stored = counters.stored = held + len(fresh)
            if stored > most_held:
                most_held = counters.peak_stored = stored
            if is_met:
                break
        else:
            self._whole = len(self.sizes)
        self._ends.append((to_ends, ends))
        return False

    def is_expanded(self, key: Hashable) -> bool:
        """Whether all steps out of a state were looked at, of a search that keeps all layers."""
        return self.distances.get(key, self._whole) < self._whole

    def contains(self, states: Sequence[Any], depth: int) -> list[bool]:
        """For each of some states, whether a kept layer holds it or a symmetric one."""
        return [self.distances.get(self.problem.key(state)) == depth for state in states]

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
