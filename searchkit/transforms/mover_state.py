"""`MoverState`: going on with the piece that moved last costs 0, any other action 1."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeGuard, cast

from searchkit.capabilities import (
    HasChainBound,
    HasChainBoundKernel,
    HasGoal,
    HasParse,
    HasPieceKernels,
    HasPredecessors,
    HasRandomState,
    HasSlowMoverRules,
    HasStart,
    HasSymmetries,
    Symmetry,
)
from searchkit.errors import ParseError, ProblemError
from searchkit.heuristic import Heuristic
from searchkit.packed import PackedProblem, ZeroHeuristic, has_expand, packed_steps
from searchkit.problem import Costs, Problem, Step
from searchkit.transforms.wrapper import ChainWrapper, MoverBound


class Moved(NamedTuple):
    """A state of the base, and where the piece stands that moved last (None: none did)."""

    state: Any
    place: Hashable | None = None


class MoverState(ChainWrapper[Any, Any]):
    """The problem `base` with states that remember the piece that moved last.

    An action is one of the base. It costs 0 if it moves the piece that moved last, else 1, so
    that the cost of a path is its number of chain moves: the same problem as `ChainMoves`,
    with more states, each with fewer successors. No piece may run in circles in the base, for
    that would be a cycle of zero cost. `start` is where to begin, if not in the initial states of
    the base with no piece moved.

    A state is a `Moved`. If the base is packed and has its pieces in kernels, so is this: see
    `PackedMoverState`, which is what is made of it.

    Goals are not listed and steps are not followed backwards: both would need every piece
    that could have moved last.
    """

    costs = Costs.ZERO_ONE
    packed_only = (
        "of one with states of one word, moved_from and moved_to, and fewest_chains if it has "
        "chain_bound"
    )

    def __new__(cls, base: Problem[Any, Any] | None = None, start: Any = None) -> MoverState:
        """A `PackedMoverState` where that can be."""
        return object.__new__(
            PackedMoverState if cls is MoverState and _can_be_packed(base) else cls
        )

    def __init__(self, base: Problem[Any, Any], start: Any = None) -> None:
        super().__init__(base)
        self._start = start
        of_base = "certificate check_certificate open_goals grade picture motion"
        for name in of_base.split():
            method = getattr(base, name, None)
            if method is not None:
                setattr(self, name, partial(_asked_of_base, method))
        self._offer("parse", self._parse, HasParse)
        self._offer("with_start", self._with_start, HasStart)
        self._offer("with_goal", self._with_goal, HasGoal)
        self._offer("random_state", self._random_state, HasRandomState)
        self._offer("symmetries", self._symmetries, HasSymmetries, HasPredecessors)
        self._offer("slow_rules", self._slow_rules, HasSlowMoverRules)

    def _made(self, state: Any, place: Any = None) -> Any:
        """The state of a state of the base, and of the place of a piece."""
        return Moved(state, place)

    def _place(self, state: Any) -> Any:
        """The place of the piece that moved last, None if none did."""
        return state.place

    def _of_base(self, state: Any) -> Any:
        """What it is but for the place."""
        return state[0]

    def initial_states(self) -> list[Any]:
        """The start, or those of the base with no piece moved."""
        if self._start is not None:
            return [self._start]
        return [self._made(state) for state in self.base.initial_states()]

    def successors(self, state: Any) -> Iterable[Step[Any, Any]]:
        """The steps of the base, in its order."""
        before, after = self._pieces.piece_before, self._pieces.piece_after
        place = state.place
        for action, following, _ in self.base.successors(state.state):
            cost = 0 if place is not None and before(action) == place else 1
            yield Step(action, Moved(following, after(action)), cost)

    def key(self, state: Any) -> Hashable:
        """The key of the base, and the place."""
        return self.base.key(state.state), state.place

    def heuristic(self, state: Any) -> float:
        """The base's bound on the number of chains, if it has one; else 0."""
        return 0 if self._bound is None else self._bound.chain_bound(*state)

    def format_state(self, state: Any) -> str:
        """The text of the base; `@` and the place follow if a piece has moved."""
        text, place = self.base.format_state(state[0]), self._place(state)
        return text if place is None else f"{text}@{place}"

    def _parse(self, text: str) -> Any:
        """Read `STATE` or `STATE@PLACE`; a place is where a piece can move or may have moved."""
        board, mark, place = text.rpartition("@")
        base = cast(HasParse, self.base)
        if not mark:
            return self._made(base.parse(text))
        state = base.parse(board)
        places = {str(place): place for place, _ in self._placed_actions(state)}
        if place.strip() not in places:
            known = ", ".join(places) or "none"
            raise ParseError(
                f"{place.strip()!r} in {text!r} is not a place of a piece that moved; "
                f"known: {known}"
            )
        return self._made(state, places[place.strip()])

    def _placed_actions(self, state: Any) -> Iterator[tuple[Any, tuple[Any, bool]]]:
        """The places of the pieces that move out of a base state, or have moved into it.

        Each with the action, and whether that leads into the state.
        """
        for step in self.base.successors(state):
            yield self._pieces.piece_before(step.action), (step.action, False)
        if isinstance(self.base, HasPredecessors):
            for step in self.base.predecessors(state):
                yield self._pieces.piece_after(step.action), (step.action, True)

    def _slow_rules(self) -> Problem[Any, Any]:
        """Those that the base has, from the start amid a move if there is one."""
        rules = cast(HasSlowMoverRules, self.base).slow_mover_rules()
        if self._start is not None and isinstance(rules, HasStart) and isinstance(rules, HasParse):
            rules = rules.with_start(rules.parse(self.format_state(self._start)))
        return rules

    def _with_start(self, state: Any) -> MoverState:
        base = cast(HasStart, self.base).with_start(state[0])
        return MoverState(base, None if self._place(state) is None else state)

    def _with_goal(self, state: Any) -> MoverState:
        return MoverState(cast(HasGoal, self.base).with_goal(state[0]), self._start)

    def _random_state(self, rng: Any) -> Any:
        return self._made(cast(HasRandomState, self.base).random_state(rng))

    def _symmetries(self) -> list[Symmetry[Any, Any]]:
        return [self._lift(found) for found in cast(HasSymmetries, self.base).symmetries()]

    def _lift(self, symmetry: Symmetry[Any, Any]) -> Symmetry[Any, Any]:
        """The symmetry of the base as one of states with a place."""

        def map_state(moved: Any) -> Any:
            state, place = moved[0], self._place(moved)
            if place is not None:
                place = self._map_place(symmetry, state, place)
            return self._made(symmetry.state_map(state), place)

        return Symmetry(symmetry.name, map_state, symmetry.action_map)

    def _map_place(self, symmetry: Symmetry[Any, Any], state: Any, place: Any) -> Any:
        """Where `symmetry` takes `place`, learned from an action into or out of it."""
        image = symmetry.state_map(state)
        for found, (action, is_after) in self._placed_actions(state):
            if found == place:
                wanted = symmetry.action_map(action), is_after
                for there, known in self._placed_actions(image):
                    if known == wanted:
                        return there
        raise ProblemError(
            f"no piece can have moved to {place!r} in {self.base.format_state(state)}; "
            "start from a state in which no piece has moved"
        )

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and other._start == self._start  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((super().__hash__(), self._start))


def _asked_of_base(method: Callable[..., Any], state: Any, *others: Any) -> Any:
    """What a method of the base says of the state of the base."""
    return method(state[0], *others)


def _can_be_packed(base: Any) -> TypeGuard[PackedProblem[Any]]:
    """Whether the mover problem of `base` can be packed.

    That is a packed problem of one word that has kernels for its pieces, and for its chain bound
    if it has one.
    """
    if not isinstance(base, PackedProblem) or base.words != 1 or has_expand(base):
        return False
    has_bound = isinstance(base, HasChainBound)
    return isinstance(base, HasPieceKernels) and (
        isinstance(base, HasChainBoundKernel) or not has_bound
    )


class PackedMoverState(MoverState, PackedProblem[Any]):
    """The mover problem of a packed base, as a packed problem of two words.

    The first word of a state is the state of the base, the second is 0 if no piece has moved, and
    else 1 more than the number of the piece that moved last (see `HasPieceKernels`), which is
    its place in texts. Operators and control states are those of the base.
    """

    words = 2
    parts = ("base",)
    passed_on = ("legal", "next_control")
    base: PackedProblem[Any]

    def __init__(self, base: Problem[Any, Any], start: Any = None) -> None:
        super().__init__(base, start)
        self.controls = self.base.controls

    successors = PackedProblem.successors
    key = Problem.key

    def default_heuristic(self) -> Heuristic[Any, Any]:
        """The bound of the base, 0 if it has none."""
        if isinstance(self.base, HasChainBoundKernel):
            return MoverBound(self.base)
        return ZeroHeuristic()

    def heuristic(self, state: Any) -> float:
        """The base's bound on the number of chains, if it has one; else 0."""
        return self.default_heuristic()(state)

    def operators(self, control: int) -> Sequence[int]:
        """Those of the base."""
        return self.base.operators(control)

    def action(self, state: Any, operator: int) -> Any:
        """The action of the base."""
        return self.base.action(state[0], operator)

    def next_control(self, control: int, operator: int) -> int | None:
        """As in the base."""
        return self.base.next_control(control, operator)

    def at_goal(self, state: Any) -> bool:
        """Kernel: whether the base is at a goal."""
        return bool(self.base.at_goal(state[0]))

    def control(self, state: Any) -> int:
        """Kernel: the control state of the base."""
        return int(self.base.control(state[0]))

    def legal(self, state: Any, control: int, operator: int) -> bool:
        """Kernel: whether the operator is legal in the base."""
        return bool(self.base.legal(state[0], control, operator))

    def apply(self, state: Any, control: int, operator: int) -> Any:
        """Kernel: the state of the base after the operator, and the piece that it moves."""
        following = self.base.apply(state[0], control, operator)
        return following, self.base.moved_to(control, operator) + 1  # type: ignore[attr-defined]

    def cost(self, state: Any, control: int, operator: int) -> int:
        """Kernel: 0 if the operator moves the piece that moved last, else 1."""
        return int(self.base.moved_from(control, operator) + 1 != state[1])  # type: ignore[attr-defined]

    def _made(self, state: Any, place: Any = None) -> Any:
        return state, 0 if place is None else place + 1

    def _place(self, state: Any) -> Any:
        return state[1] - 1 if state[1] else None

    def _placed_actions(self, state: Any) -> Iterator[tuple[Any, tuple[Any, bool]]]:
        base: Any = self.base
        for _, control, operator, _ in packed_steps(base, state):
            action = base.action(state, operator)
            yield base.moved_from(control, operator), (action, False)
        if isinstance(self.base, HasPredecessors):
            for action, before, _ in base.predecessors(state):
                for _, control, operator, child in packed_steps(base, before):
                    if child == state and base.action(before, operator) == action:
                        yield base.moved_to(control, operator), (action, True)
