"""`ChainMoves`: consecutive actions of one piece become one move of cost 1."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from searchkit.capabilities import (
    HasChainBoundKernel,
    HasMotion,
    HasPicture,
    HasPredecessors,
    HasSymmetries,
    Symmetry,
)
from searchkit.problem import Costs, Problem, Step
from searchkit.transforms.wrapper import ChainBound, ChainWrapper

if TYPE_CHECKING:
    from searchkit.picture import Phase

Chain = tuple[Any, ...]
Steps = Callable[[Any], Iterable[Step[Any, Any]]]
Piece = Callable[[Any], Hashable]


class ChainMoves(ChainWrapper[Any, Chain]):
    """The problem `base` with chains of actions of one piece as moves, each of cost 1.

    A state is a state of the base. An action is a tuple of base actions in which each one
    moves the piece that the one before has moved. Every prefix of a chain is a chain. The
    costs of the base play no role.

    Two rules hold for the states strictly inside a chain, in `successors` and in
    `predecessors` alike:

    - none is a goal: a solution ends at the first goal it meets, so a chain that goes on
      from a goal is none (a chain may start at a goal, as a base action may);
    - none is met twice, nor the two ends: a piece may not run in circles.

    Chains are listed depth first, in the order of the base, each before its extensions.
    An optimal solution never has two adjacent chains of one piece, hence it is one sequence
    of base actions and no two optimal solutions are the same sequence.

    `predecessors` exists if the base has it: the piece is taken back along the actions.
    Listing the neighbours of a state takes one expansion of the base per chain.
    """

    costs = Costs.UNIT

    def __init__(self, base: Problem[Any, Any]) -> None:
        super().__init__(base)
        self._pass_on("goal_states", "parse", "random_state", "certificate", "grade")
        self._pass_on("check_certificate", "open_goals", "picture")
        self._offer("predecessors", self._predecessors, HasPredecessors)
        self._offer_other_ends(ChainMoves)
        self._offer("symmetries", self._symmetries, HasSymmetries)
        self._pass_on(slow_rules="slow_chain_rules", plain_text="plain_chain_text")
        self._offer("motion", self._motion, HasPicture)
        self._offer("default_heuristic", partial(ChainBound, base), HasChainBoundKernel)

    def unchained(self) -> Problem[Any, Any]:
        """The base."""
        return self.base

    def heuristic(self, state: Any) -> float:
        """The base's bound on the number of chains, if it has one; else 0."""
        return 0 if self._bound is None else self._bound.chain_bound(state)

    def format_action(self, action: Chain) -> str:
        """The base's text of the chain."""
        return self._pieces.format_chain(action)

    def successors(self, state: Any) -> Iterator[Step[Any, Chain]]:
        """Every chain out of `state`, depth first."""
        pieces = self._pieces
        return self._chains(state, self.base.successors, pieces.piece_before, pieces.piece_after)

    def _predecessors(self, state: Any) -> Iterator[Step[Any, Chain]]:
        """Every chain into `state`: the same search along reversed actions."""
        pieces, back = self._pieces, cast(HasPredecessors, self.base).predecessors
        for step in self._chains(state, back, pieces.piece_after, pieces.piece_before):
            yield Step(step.action[::-1], step.state)

    def _chains(
        self, state: Any, steps_of: Steps, enters: Piece, leaves: Piece
    ) -> Iterator[Step[Any, Chain]]:
        """Every chain from `state` along steps, each of which enters where the last one leaves."""
        base = self.base
        key_of = None if getattr(base.key, "__func__", None) is Problem.key else base.key
        # One level per action of the current chain: its untried steps, its piece, the chain so far.
        levels: list[tuple[Iterator[Step[Any, Any]], Hashable, Chain]]
        levels = [(iter(steps_of(state)), None, ())]
        path = [state if key_of is None else key_of(state)]
        while levels:
            steps, piece, chain = levels[-1]
            for action, after, _ in steps:
                if chain and enters(action) != piece:
                    continue
                key = after if key_of is None else key_of(after)
                if key in path:
                    continue
                longer = (*chain, action)
                yield Step(longer, after)
                if not base.is_goal(after):
                    path.append(key)
                    levels.append((iter(steps_of(after)), leaves(action), longer))
                    break
            else:
                levels.pop()
                path.pop()

    def _motion(self, state: Any, chain: Chain) -> Iterator[Phase]:
        """Action by action."""
        from searchkit.picture import Phase  # noqa: PLC0415  (for what is drawn)

        base = self.base
        for action in chain:
            after = next(step[1] for step in base.successors(state) if step[0] == action)
            if isinstance(base, HasMotion):
                yield from base.motion(state, action)
            else:
                yield Phase(cast(HasPicture, base).picture(after))
            state = after

    def _symmetries(self) -> list[Symmetry[Any, Chain]]:
        return [_lift(symmetry) for symmetry in cast(HasSymmetries, self.base).symmetries()]


def _lift(symmetry: Symmetry[Any, Any]) -> Symmetry[Any, Chain]:
    """The symmetry of a base as one of its chains."""

    def map_chain(chain: Chain) -> Chain:
        return tuple(symmetry.action_map(action) for action in chain)

    return Symmetry(symmetry.name, symmetry.state_map, map_chain, symmetry.bits)
