"""`MoverState`: going on with the piece that moved last costs 0, any other action 1."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from typing import Any, NamedTuple, cast

from searchkit.capabilities import (
    HasGoal,
    HasParse,
    HasPredecessors,
    HasRandomState,
    HasStart,
    HasSymmetries,
    Symmetry,
)
from searchkit.errors import ParseError, ProblemError
from searchkit.problem import Costs, Problem, Step
from searchkit.transforms.wrapper import ChainWrapper


class Moved(NamedTuple):
    """A state of the base, and where the piece stands that moved last (None: none did)."""

    state: Any
    place: Hashable | None = None


class MoverState(ChainWrapper[Moved, Any]):
    """The problem `base` with states that remember the piece that moved last.

    An action is one of the base. It costs 0 if it moves the piece that moved last, else 1, so
    that the cost of a path is its number of chain moves: the same problem as `ChainMoves`,
    with more states, each with fewer successors. No piece may run in circles in the base, for
    that would be a cycle of zero cost.

    Goals are not listed and steps are not followed backwards: both would need every piece
    that could have moved last.
    """

    costs = Costs.ZERO_ONE

    def __init__(self, base: Problem[Any, Any]) -> None:
        super().__init__(base)
        for name in ("certificate", "check_certificate", "grade", "picture", "motion"):
            method = getattr(base, name, None)
            if method is not None:
                setattr(self, name, partial(_asked_of_base, method))
        self._offer("parse", self._parse, HasParse)
        self._offer("with_start", self._with_start, HasStart)
        self._offer("with_goal", self._with_goal, HasGoal)
        self._offer("random_state", self._random_state, HasRandomState)
        self._offer("symmetries", self._symmetries, HasSymmetries, HasPredecessors)
        self._pass_on(slow_rules="slow_mover_rules")

    def initial_states(self) -> list[Moved]:
        """Those of the base, with no piece moved."""
        return [Moved(state) for state in self.base.initial_states()]

    def successors(self, state: Moved) -> Iterator[Step[Any, Moved]]:
        """The steps of the base, in its order."""
        before, after = self._pieces.piece_before, self._pieces.piece_after
        place = state.place
        for action, following, _ in self.base.successors(state.state):
            cost = 0 if place is not None and before(action) == place else 1
            yield Step(action, Moved(following, after(action)), cost)

    def _of_base(self, state: Moved) -> Any:
        """What it is but for the place."""
        return state.state

    def key(self, state: Moved) -> Hashable:
        """The key of the base, and the place."""
        return self.base.key(state.state), state.place

    def heuristic(self, state: Moved) -> float:
        """The base's bound on the number of chains, if it has one; else 0."""
        return 0 if self._bound is None else self._bound.chain_bound(*state)

    def format_state(self, state: Moved) -> str:
        """The text of the base; `@` and the place follow if a piece has moved."""
        text = self.base.format_state(state.state)
        return text if state.place is None else f"{text}@{state.place}"

    def _parse(self, text: str) -> Moved:
        """Read `STATE` or `STATE@PLACE`; a place is where a piece can move or may have moved."""
        board, mark, place = text.rpartition("@")
        base = cast(HasParse, self.base)
        if not mark:
            return Moved(base.parse(text))
        state = base.parse(board)
        found = (place_of(action) for place_of, action in self._actions_at(state))
        places = {str(place): place for place in found}
        if place.strip() not in places:
            known = ", ".join(places) or "none"
            raise ParseError(
                f"{place.strip()!r} in {text!r} is not a place of a piece that moved; "
                f"known: {known}"
            )
        return Moved(state, places[place.strip()])

    def _actions_at(self, state: Any) -> Iterator[tuple[Callable[[Any], Hashable], Any]]:
        """The actions out of a base state and into it, after what says where their piece stands."""
        for step in self.base.successors(state):
            yield self._pieces.piece_before, step.action
        if isinstance(self.base, HasPredecessors):
            for step in self.base.predecessors(state):
                yield self._pieces.piece_after, step.action

    def _with_start(self, state: Moved) -> Problem[Any, Any]:
        base = cast(HasStart, self.base).with_start(state.state)
        return MoverState(base) if state.place is None else _StartedMover(base, state)

    def _with_goal(self, state: Moved) -> MoverState:
        return MoverState(cast(HasGoal, self.base).with_goal(state.state))

    def _random_state(self, rng: Any) -> Moved:
        return Moved(cast(HasRandomState, self.base).random_state(rng))

    def _symmetries(self) -> list[Symmetry[Moved, Any]]:
        return [self._lift(found) for found in cast(HasSymmetries, self.base).symmetries()]

    def _lift(self, symmetry: Symmetry[Any, Any]) -> Symmetry[Moved, Any]:
        """The symmetry of the base as one of states with a place."""

        def map_state(moved: Moved) -> Moved:
            state, place = moved
            if place is not None:
                place = self._map_place(symmetry, state, place)
            return Moved(symmetry.state_map(state), place)

        return Symmetry(symmetry.name, map_state, symmetry.action_map)

    def _map_place(self, symmetry: Symmetry[Any, Any], state: Any, place: Hashable) -> Hashable:
        """Where `symmetry` takes `place`, learned from an action into or out of it."""
        for place_of, action in self._actions_at(state):
            if place_of(action) == place:
                return place_of(symmetry.action_map(action))
        raise ProblemError(
            f"no piece can have moved to {place!r} in {self.base.format_state(state)}; "
            "start from a state in which no piece has moved"
        )


def _asked_of_base(method: Callable[..., Any], state: Moved, *others: Any) -> Any:
    """What a method of the base says of the state of the base."""
    return method(state.state, *others)


class _StartedMover(MoverState):
    """A `MoverState` that starts with a piece in the middle of its chain."""

    def __init__(self, base: Problem[Any, Any], start: Moved) -> None:
        super().__init__(base)
        self._start = start

    def initial_states(self) -> list[Moved]:
        """The one start."""
        return [self._start]

    def _with_goal(self, state: Moved) -> MoverState:
        return _StartedMover(cast(HasGoal, self.base).with_goal(state.state), self._start)

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and other._start == self._start  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((super().__hash__(), self._start))
