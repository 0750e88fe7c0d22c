"""What makes machine code of an ordinary problem's rules, imported when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from searchkit.heuristic import Heuristic
from searchkit.problem import Problem

if TYPE_CHECKING:
    from searchkit.running.task import Outcome
    from searchkit.translation.search import Making


def compared(
    compiled: Callable[[Any], Generator[None, None, Outcome]],
) -> Callable[[Any], Generator[None, None, Outcome]]:
    """A compiled engine that compares machine code with the rules it was made of, if it was."""

    def engine(task: Any) -> Generator[None, None, Outcome]:
        from searchkit.translation.watch import watched  # noqa: PLC0415  (loads much)

        return (yield from watched(task, compiled(task)))

    return engine


class Earlier:
    """What is known of machine code that was made of the rules of one problem."""

    def __init__(self, problem: Problem[Any, Any], noted_as: str) -> None:
        self.problem, self._noted_as = problem, noted_as

    def was_compiled(self) -> bool:
        """Whether it was made before, as far as that is known without making it."""
        from searchkit.translation.earlier import was_compiled  # noqa: PLC0415  (seldom asked)

        return was_compiled(self.problem, self._noted_as)

    def note(self) -> None:
        """Note that it was made, if it was compiled."""
        from searchkit.compiled.specialise.plain import is_plain  # noqa: PLC0415  (loads much)
        from searchkit.translation.earlier import note  # noqa: PLC0415  (loads much)

        if not is_plain():
            note(self.problem, self._noted_as)


class Translation(Earlier):
    """The machine code of one problem and heuristic, made when it is asked for.

    `heuristic` is None where none is used; `purpose` is the name of an algorithm, say. Where it
    `is_asked` for, it may take minutes to make. `methods` are those that list the steps which are
    followed, see `Making`. What is made is `kept` for problems of the same rules.
    """

    def __init__(
        self,
        problem: Problem[Any, Any],
        heuristic: Heuristic[Any, Any] | None,
        starts: Sequence[Any],
        purpose: str = "",
        *,
        is_asked: bool = False,
        methods: tuple[str, ...] = ("successors",),
        kept: dict[Any, Any] | None = None,
    ) -> None:
        is_forward = methods == ("successors",)
        super().__init__(problem, purpose if is_forward else " ".join((purpose, *methods)))
        self.heuristic, self.starts = heuristic, starts
        self.is_asked, self.methods, self.kept = is_asked, methods, kept

    @cached_property
    def making(self) -> Making:
        """What makes it, with all that can be asked of it."""
        from searchkit.translation.search import Making  # noqa: PLC0415  (loads much)

        return Making(
            self.problem, self.heuristic, self.starts,
            is_asked=self.is_asked, methods=self.methods, kept=self.kept,
        )  # fmt: skip

    def known(self) -> Mapping[Any, Sequence[Any]]:
        """Gives steps out of states that were asked for, as the author's rules gave them."""
        return self.making.known() if "making" in vars(self) else {}
