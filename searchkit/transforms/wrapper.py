"""What the transforms share: a problem made from another one, with only what that one has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from searchkit.problem import Problem

S = TypeVar("S")
A = TypeVar("A")


class Wrapper(Problem[S, A]):
    """A problem made from `base`.

    A problem has a capability by having its methods. A wrapper of a problem without a
    capability must not pretend to have it, so the methods of optional capabilities are not
    defined in the class: `_pass_on` and `_offer` set them on the instance, where they are
    seen by `isinstance(problem, Capability)` in every version of Python.
    """

    def __init__(self, base: Problem[Any, Any]) -> None:
        self.base = base

    def _pass_on(self, *names: str) -> None:
        """Have those methods of the base, as they are, that it has."""
        for name in names:
            method = getattr(self.base, name, None)
            if method is not None:
                setattr(self, name, method)

    def _offer(self, name: str, method: Callable[..., Any], *needs: type) -> None:
        """Have `method` as `name` if the base has every capability it `needs`."""
        if all(isinstance(self.base, capability) for capability in needs):
            setattr(self, name, method)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wrapper) and type(other) is type(self) and other.base == self.base

    def __hash__(self) -> int:
        return hash((type(self), self.base))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base!r})"
