"""What the transforms share: a problem made from another one, with only what that one has."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import Any, TypeVar

import attrs

from searchkit.capabilities import HasChainBound, HasPieces
from searchkit.errors import UnsuitableError
from searchkit.packed import PackedHeuristic
from searchkit.problem import Problem

S = TypeVar("S")
A = TypeVar("A")


class Wrapper(Problem[S, A]):
    """A problem made from `base`, which is asked for all that is not said otherwise.

    A problem has a capability by having its methods. A wrapper of a problem without a
    capability must not pretend to have it, so the methods of optional capabilities are not
    defined in the class: `_pass_on` and `_offer` set them on the instance, where they are
    seen by `isinstance(problem, Capability)` in every version of Python.
    """

    def __init__(self, base: Problem[Any, Any]) -> None:
        self.base = base
        kind = type(self)
        if kind._of_base is Wrapper._of_base:  # engines ask both with each step
            for name in ("key", "is_goal"):
                if getattr(kind, name) is getattr(Wrapper, name):
                    self._pass_on(name)

    def _of_base(self, state: S) -> Any:
        """The state of the base that a state stands for."""
        return state

    def _pass_on(self, *names: str, **renamed: str) -> None:
        """Have those methods of the base, as they are, that it has; some under other names."""
        for name, own in ({name: name for name in names} | renamed).items():
            method = getattr(self.base, own, None)
            if method is not None:
                setattr(self, name, method)

    def _offer(self, name: str, method: Callable[..., Any], *needs: type) -> None:
        """Have `method` as `name` if the base has every capability it `needs`."""
        if all(isinstance(self.base, capability) for capability in needs):
            setattr(self, name, method)

    def _offer_other_ends(self, made: Callable[[Any], Problem[Any, Any]]) -> None:
        """Take another start, and another goal, if the base does: what is `made` of that base."""
        for name in ("with_start", "with_goal"):
            method = getattr(self.base, name, None)
            if method is not None:
                setattr(self, name, partial(_made_of_other, made, method))

    def initial_states(self) -> Iterable[S]:
        """Those of the base."""
        return self.base.initial_states()

    def is_goal(self, state: S) -> bool:
        """As in the base."""
        return self.base.is_goal(self._of_base(state))

    def key(self, state: S) -> Hashable:
        """As in the base."""
        return self.base.key(self._of_base(state))

    def heuristic(self, state: S) -> float:
        """As in the base."""
        return self.base.heuristic(self._of_base(state))

    def format_action(self, action: A) -> str:
        """As in the base."""
        return self.base.format_action(action)

    def format_state(self, state: S) -> str:
        """As in the base."""
        return self.base.format_state(self._of_base(state))

    def render(self, state: S) -> str:
        """As in the base."""
        return self.base.render(self._of_base(state))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wrapper) and type(other) is type(self) and other.base == self.base

    def __hash__(self) -> int:
        return hash((type(self), self.base))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base!r})"


def _made_of_other(
    made: Callable[[Any], Problem[Any, Any]], other: Callable[[Any], Any], state: Any
) -> Problem[Any, Any]:
    return made(other(state))


class ChainWrapper(Wrapper[S, A]):
    """A problem in which consecutive actions of one piece of the base count as one move."""

    def __init__(self, base: Problem[Any, Any]) -> None:
        if not isinstance(base, HasPieces):
            raise UnsuitableError(
                f"{type(base).__name__} does not say which piece an action moves, which "
                f"{type(self).__name__} needs; define piece_before, piece_after and format_chain"
            )
        super().__init__(base)
        self._pieces: HasPieces = base
        self._bound = base if isinstance(base, HasChainBound) else None


@attrs.frozen
class ChainBound(PackedHeuristic):
    """At least how many chains are needed: for `ChainMoves` of a base with `fewest_chains`."""

    base: Any
    name: str = "problem"
    parts = ("base",)

    def estimate(self, state: Any) -> int:
        """Kernel: the bound where no piece is moving."""
        return int(self.base.fewest_chains(state, -1))


@attrs.frozen
class MoverBound(ChainBound):
    """The same for `MoverState`, where the piece that moved last goes on at no cost."""

    def estimate(self, state: Any) -> int:
        """Kernel: the bound where the piece of the second word, less 1, may go on."""
        return int(self.base.fewest_chains(state[0], state[1] - 1))
