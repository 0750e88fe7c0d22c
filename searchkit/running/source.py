"""What a problem that an engine searches was made of, for workers that make it again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

import attrs

from searchkit.authors.blame import blaming


class Source(Protocol):
    """What can be sent to another process, and makes the same problem and heuristic there.

    States travel as values, as whoever wrote the problem knows them.
    """

    def made(self) -> tuple[Any, Any]:
        """The problem and the heuristic of an engine."""

    def value(self, state: Any) -> Any:
        """A state of the problem as a value."""

    def state(self, value: Any) -> Any:
        """A value as a state of the problem."""

    def blaming(self) -> AbstractContextManager[None]:
        """Turns what the rules raise into an error that says whose they are."""

    def can_begin_again(self, error: Exception) -> bool:
        """Whether what failed with `error` may do with what is `made` from now on."""

    def watching(self, task: Any) -> Callable[[], None]:
        """What compares a task's machine code with the rules, to be called now and then."""


@attrs.frozen(eq=False, repr=False)
class Given:
    """A problem and a heuristic that are sent as they are."""

    problem: Any
    heuristic: Any

    def made(self) -> tuple[Any, Any]:
        """The two."""
        return self.problem, self.heuristic

    def value(self, state: Any) -> Any:
        """The state."""
        return state

    def state(self, value: Any) -> Any:
        """The value."""
        return value

    def blaming(self) -> AbstractContextManager[None]:
        """Blame the problem."""
        return blaming(self.problem)

    def can_begin_again(self, error: Exception) -> bool:
        """Never."""
        return False

    def watching(self, task: Any) -> Callable[[], None]:
        """Nothing: kernels are the rules."""
        return lambda: None
