"""A table opened to be asked: distances, and the way down to where the exploration began."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.capabilities import Symmetry
from searchkit.errors import UnsuitableError, VerificationError
from searchkit.linear_index import moved_bits
from searchkit.problem import Problem
from searchkit.result import Solution
from searchkit.symmetry import stabiliser
from searchkit.tables.layer_files import checksum, read_layer
from searchkit.tables.manifest import Manifest
from searchkit.walk_back import steps_back

if TYPE_CHECKING:
    import numpy as np


@attrs.define(eq=False)
class Table:
    """The layers in a folder, and the problem that they are of."""

    folder: Path
    manifest: Manifest
    problem: Problem[Any, Any]
    _maps: Sequence[Symmetry[Any, Any]] = ()
    _layers: list[np.ndarray[Any, Any]] = attrs.field(factory=list)

    @classmethod
    def open(cls, folder: Path | str, problem: Problem[Any, Any]) -> Table:
        """The table in `folder`, whose states are those of `problem`; files are mapped."""
        folder = Path(folder)
        manifest = Manifest.read(folder)
        table = cls(folder, manifest, problem)
        table._layers = [
            read_layer(folder / entry.file, entry.canonical) for entry in manifest.layers
        ]
        if manifest.identity.get("symmetry") == "auto":
            table._maps = stabiliser(problem, table.roots())
        return table

    @property
    def layers(self) -> tuple[int, ...]:
        """How many states each layer has."""
        return tuple(entry.states for entry in self.manifest.layers)

    def roots(self) -> list[Any]:
        """Where the exploration began."""
        return [self.problem.parse(text) for text in self.manifest.identity["roots"]]  # type: ignore[attr-defined]

    def canonical(self, state: int) -> int:
        """The state that stands for all that symmetries make equal to `state`."""
        return min(
            (moved_bits(state, each.bits) for each in self._maps if each.bits), default=state
        )

    def distance(self, state: int) -> int | None:
        """The distance of `state` from where the exploration began; None if it is in no layer.

        A binary search in each layer.
        """
        import numpy as np  # noqa: PLC0415

        wanted = np.uint64(self.canonical(state))
        for depth, layer in enumerate(self._layers):
            place = int(np.searchsorted(layer, wanted))
            if place < len(layer) and layer[place] == wanted:
                return depth
        return None

    def solution(self, state: Any) -> Solution[Any, Any] | None:
        """A shortest solution: from `state` to a goal, or from the start to `state`.

        The first where the goals are what the exploration began with and the problem is
        undirected; the second where it began at the start. None if `state` is in no layer.
        """
        depth = self.distance(state)
        if depth is None:
            return None
        from_goal = self.manifest.identity["origin"] == "goal"
        if from_goal and not self.problem.undirected:
            raise UnsuitableError("the table was explored against the steps' direction")
        steps, at = [], state
        for distance in range(depth - 1, -1, -1):
            step = next(
                step
                for step in (self.problem.successors if from_goal else steps_back(self.problem))(at)
                if self.distance(step.state) == distance
            )
            steps.append(step)
            at = step.state
        if from_goal:
            return Solution(state, tuple(steps))
        return self._reversed(at, state, steps)

    def _reversed(self, root: Any, state: Any, steps: Sequence[Any]) -> Solution[Any, Any]:
        """The way from `root` to `state` whose states were met backwards."""
        states = [state, *(step.state for step in steps)][::-1]
        forward, at = [], root
        for after in states[1:]:
            key = self.problem.key(after)
            step = next(
                step for step in self.problem.successors(at) if self.problem.key(step.state) == key
            )
            forward.append(step)
            at = step.state
        return Solution(root, tuple(forward))

    def check(self) -> Iterator[str]:
        """Compare every file with its checksum; yields each name. Raises `VerificationError`."""
        for entry in self.manifest.layers:
            if checksum(self.folder / entry.file) != entry.sha256:
                raise VerificationError(
                    f"{self.folder / entry.file} has changed since it was written: its checksum "
                    "is another than in the manifest; explore again into an empty folder"
                )
            yield entry.file
