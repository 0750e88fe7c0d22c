"""What exploring a state space found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Literal, TypeVar

import attrs

from searchkit.limits import LimitKind
from searchkit.result import Statistics
from searchkit.solutions.path_numbers import Paths
from searchkit.texts.amounts import plural, seconds

S = TypeVar("S")


@attrs.frozen(kw_only=True)
class Exploration(Generic[S]):
    """States by distance from where the exploration began.

    `layers[d]` counts the states at distance d; `farthest` are the states of the last layer.
    `complete` says that every state was reached; otherwise `limit` says what stopped it (None if
    it was interrupted), and the last layer may be partial, unless that is the limit of cost.
    `farthest` is a tuple unless it is long, when its states are made as they are asked for.

    Where symmetries were used, `canonical_layers` counts the states that stand for all that
    symmetries make equal; those are also what `farthest` holds and `statistics` count. A last
    layer that is incomplete is counted in canonical states alone.

    `engine_reason` says why the reference engine ran, None where it was asked for.
    """

    origin: Literal["start", "goal"]
    layers: tuple[int, ...]
    farthest: Sequence[S]
    complete: bool
    limit: LimitKind | None
    canonical_layers: tuple[int, ...] | None = None
    paths: Paths | None = None
    engine: Literal["reference", "compiled", "checked"] = "reference"
    engine_reason: str | None = None
    statistics: Statistics

    @property
    def states(self) -> int:
        """How many states were reached."""
        return sum(self.layers)

    @property
    def depth(self) -> int:
        """The distance of the farthest states."""
        return len(self.layers) - 1

    @property
    def branching(self) -> float:
        """The mean number of successors of the states that were expanded."""
        statistics = self.statistics
        made = statistics.generated - (self.layers[0] if self.layers else 0)
        return max(0, made) / statistics.expanded if statistics.expanded else 0.0

    @property
    def columns(self) -> dict[str, list[int]]:
        """What is known of each layer, by name; a layer that was not expanded has no ends yet."""
        found, depths = self.paths, range(len(self.layers))
        columns: dict[str, Sequence[int]] = {f"moves from the {self.origin}": depths}
        columns["states"] = self.layers
        if self.canonical_layers is not None:
            columns["canonical"] = self.canonical_layers
        if found is not None:
            columns |= {"paths": found.to_states, "to goals": found.to_goals, "ends": found.ends}
        return {name: [*each, *[0] * (len(depths) - len(each))] for name, each in columns.items()}

    @property
    def summary(self) -> str:
        """How many states there are and how far, or what stopped the exploration."""
        states = plural(self.states, "state")
        if self.complete:
            farthest = plural(self.depth, "move")
            return f"{states}, the farthest {farthest} away, {self.mean:.3f} on average"
        end = "interrupted" if self.limit is None else f"gave up at the {self.limit.label} limit"
        which = "the last layer may be incomplete"
        if self.limit is LimitKind.COST:
            which = f"all that are at most {plural(self.depth, 'move')} away"
        return f"{end}: {states} reached, {which}"

    def __repr__(self) -> str:
        return f"<Exploration: {self.summary}>"

    def __str__(self) -> str:
        """How many states there are and how far, and the work, by lines."""
        work = self.statistics
        return (
            f"{self.summary}\nfrom the {self.origin} ({self.engine} engine): {work.expanded:,} "
            f"expanded, {work.generated:,} generated, {seconds(work.seconds)}"
        )

    @property
    def work(self) -> dict[str, str]:
        """What it took, as people read it."""
        return self.statistics.shown(branching=f"{self.branching:.3f} successors on average")

    def _repr_html_(self) -> str:
        from searchkit.render.notebook import layers_html  # noqa: PLC0415  (seldom needed)

        whole = "all states" if self.complete else "not all states"
        head = f"{whole} reached: {self.states:,}, by distance from the {self.origin}"
        return layers_html(self.layers, head)

    @property
    def mean(self) -> float:
        """The mean distance."""
        total = sum(distance * count for distance, count in enumerate(self.layers))
        return total / self.states if self.states else 0.0
