"""A table opened to be asked: distances, and the way down to where the exploration began."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeGuard, TypeVar

import attrs

from searchkit.capabilities import HasGoalStates, HasParse, Symmetry, steps_into
from searchkit.errors import UnsuitableError, UsageError, VerificationError
from searchkit.packed import PackedProblem, successors_of
from searchkit.problem import Problem
from searchkit.result import Solution
from searchkit.symmetry import canonical_state, stabiliser
from searchkit.tables.folder_store import Place, store_at
from searchkit.tables.layers import Layers
from searchkit.tables.manifest import NAME, Manifest
from searchkit.tables.numbers import check_keys
from searchkit.tables.sources import check_source, source_of
from searchkit.tables.store import Store

T = TypeVar("T")


@attrs.define(eq=False)
class Table:
    """The layers at a place, and the problem that they are of."""

    store: Store
    manifest: Manifest
    problem: Problem[Any, Any]
    _maps: Sequence[Symmetry[Any, Any]] = ()
    _layers: Layers = attrs.field(init=False)

    @classmethod
    def open(
        cls,
        place: Place,
        problem: Problem[Any, Any],
        progress: Callable[[str], None] | None = None,
    ) -> Table:
        """The table at a place, whose states are those of `problem`.

        Every file in a folder is mapped, and compared with its checksum when it is first opened,
        and when it has changed since; `progress` is given a name of each layer. O(layers), but
        O(bytes) the first time. Behind a URL, the blocks that are asked for are fetched, and
        compared.

        `UsageError` if it was written for another kind of problem or for other goals, or cannot
        be read; `VerificationError` if a file is not what was written.
        """
        store = store_at(place)
        manifest = Manifest.read(store)
        table = cls(store, manifest, problem)
        roots = table.roots()
        opener = store.opener()
        table._layers = Layers.of(manifest, opener, manifest.coding(store, problem), progress)
        opener.save()
        if manifest.identity.get("symmetry") == "auto":
            table._maps = stabiliser(problem, roots)
        return table

    @property
    def layers(self) -> tuple[int, ...]:
        """How many states each layer has."""
        return tuple(entry.states for entry in self.manifest.layers)

    def roots(self) -> list[Any]:
        """Where the exploration began; `UsageError` if that is not a place of this problem."""
        problem, identity = self.problem, self.manifest.identity
        kind, origin, texts = (identity.get(name) for name in ("problem", "origin", "roots"))
        if self.manifest.layout is not None and isinstance(problem, PackedProblem):
            raise UsageError(
                f"{self.store} holds states of rules in plain Python, and those of "
                f"{type(problem).__name__} are packed"
            )
        if kind != type(problem).__name__:
            raise UsageError(
                f"{self.store} holds states of {kind!r:.80}, not of {type(problem).__name__}"
            )
        check_source(self.store, identity, source_of(problem))
        if origin not in ("start", "goal") or not _are_texts(texts):
            raise UsageError(f"{self.store}/{NAME} does not say where the exploration began")
        listed: Iterable[Any] = ()
        if origin == "start":
            listed = problem.initial_states()
        elif isinstance(problem, HasGoalStates):
            listed = problem.goal_states()
        roots = {problem.format_state(root): root for root in listed}
        if set(roots) == set(texts):
            return list(roots.values())
        if origin == "goal" or not isinstance(problem, HasParse):
            raise UsageError(
                f"{self.store} was explored from the {origin} {', '.join(texts):.80}, which this "
                f"problem does not have; its own is {', '.join(roots) or 'none':.80}"
            )
        try:
            return [problem.parse(text) for text in texts]
        except Exception as error:
            raise UsageError(
                f"{self.store}/{NAME} begins at {', '.join(texts)!r:.80}, which is not a state of "
                f"this problem: {error}"
            ) from error

    def distance(self, state: Any) -> int | None:
        """The distance of `state` from where the exploration began; None if it is in no layer.

        A block of each layer is decoded.
        """
        layers = self._layers
        if layers.key_of(state) is not None:
            wanted = layers.key_of(canonical_state(state, self._maps))
            for depth in range(len(self.layers)):
                if layers.has(depth, wanted):
                    return depth
        return None

    def solution(self, state: Any) -> Solution[Any, Any] | None:
        """A shortest solution: from `state` to a goal, or from the start to `state`.

        The first where the goals are what the exploration began with, the second where it began at
        the start. None if `state` is in no layer;
        `UnsuitableError` where `why_no_ways` says something.
        """
        depth = self.distance(state)
        if depth is None:
            return None
        problem, from_goal = self.problem, self.manifest.identity["origin"] == "goal"
        nearer_by = successors_of(problem) if from_goal else steps_into(problem)
        if nearer_by is None:
            raise UnsuitableError(str(self.why_no_ways()))
        states = [state]
        for distance in range(depth - 1, -1, -1):
            nearer = (
                step[1]
                for step in nearer_by(states[-1])
                if self._layers.holds(distance, canonical_state(step[1], self._maps))
            )
            states.append(self._first(nearer, states[-1]))
        if not from_goal:
            states.reverse()
        steps = []
        for before, after in pairwise(states):
            key = problem.key(after)
            there = (step for step in problem.successors(before) if problem.key(step[1]) == key)
            steps.append(self._first(there, before))
        return Solution(states[0], tuple(steps))

    def why_no_ways(self) -> str | None:
        """Why `solution` cannot tell ways, as `distance` does; None if it can."""
        if self.manifest.identity["origin"] == "start" and steps_into(self.problem) is None:
            return (
                f"{type(self.problem).__name__} is not undirected and lists no predecessors, by "
                "which to walk back to the start: the table tells distances only"
            )
        return None

    def _first(self, found: Iterator[T], state: Any) -> T:
        """What is found first; `VerificationError` if nothing is."""
        for each in found:
            return each
        raise VerificationError(
            f"{self.store} was made by other rules, or has changed: no step leads on from "
            f"{self.problem.format_state(state)}; explore into an empty folder"
        )

    def check(self) -> Iterator[str]:
        """Compare every file with its checksum again, and look at all rows; yields each name.

        Raises `UsageError` or `VerificationError`. O(bytes).
        """
        opener = self.store.opener(is_new=True)
        for depth, entry in enumerate(self.manifest.layers):
            for number, part in enumerate(entry.parts):
                file = self.manifest.open(opener, depth, number, again=True)
                check_keys(file, self._layers.coding, self.problem)
                yield part.file


def _are_texts(texts: Any) -> TypeGuard[list[str]]:
    return isinstance(texts, list) and all(isinstance(text, str) for text in texts)
