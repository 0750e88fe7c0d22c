"""What is asked of a problem and decided before an engine runs, for searches and explorations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.algorithms.validators import expect
from searchkit.authors.blame import blaming
from searchkit.authors.kin import Kin, kin_of
from searchkit.authors.packed_rules import check_starts
from searchkit.engine import EngineChoice
from searchkit.heuristic import Heuristic
from searchkit.packed import PackedProblem
from searchkit.premises.kinds import check_kinds
from searchkit.premises.near_misses import point_out
from searchkit.premises.reasons import Asked, Premises, asked_of
from searchkit.problem import Problem
from searchkit.solving.plan import Plan, Trials

if TYPE_CHECKING:
    from searchkit.translation.lazily import Translation


def look_at(problem: Problem[Any, Any], engine: str, *, again: bool = False) -> None:
    """Raises what is seen to be wrong with a problem before its rules are called.

    `again` says that one like it, with another start, was looked at just now.
    """
    expect(problem, Problem, "problem", "a Problem")
    check_kinds(problem)
    point_out(problem)
    if not again and hasattr(problem, "check_as_made"):
        problem.check_as_made()
    if isinstance(problem, PackedProblem):  # before Python's own words on kernels
        from searchkit.kernel_language.program import Program, check_kernels  # noqa: PLC0415

        check_kernels(problem, ("at_goal", "control", "legal", "apply", "cost"))
        if engine == "compiled":
            from searchkit.compiled.specialise.module import check_tables  # noqa: PLC0415

            check_tables(Program.of(problem))


def rooted(problem: Problem[Any, Any], starts: Sequence[Any]) -> Sequence[Any]:
    """Gives `starts`; of a packed problem they must be words, and so must what they lead to."""
    if isinstance(problem, PackedProblem):
        check_starts(problem, starts)
    return starts


@attrs.define(eq=False, repr=False, kw_only=True)
class Call:
    """One call to search a problem, or to explore it, from `starts`.

    `heuristic` is None where none is used. `purpose` tells calls apart that need different machine
    code, or rest on something else; `name` is that of the algorithm, say.
    """

    problem: Problem[Any, Any]
    starts: Sequence[Any]
    engine: EngineChoice
    name: str
    purpose: tuple[Any, ...]
    heuristic: Heuristic[Any, Any] | None = None
    kin: Kin = attrs.field(init=False)
    trials: Trials = attrs.field(init=False)
    """What was tried in calls before, of problems of the same rules."""
    plan: Plan = attrs.field(init=False)
    premises: Premises = attrs.field(init=False)
    kept: dict[Any, Any] = attrs.field(init=False)
    """Where machine code is kept for problems of the same rules, and of the same constants."""
    translation: Translation | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        self.kin = kin_of(self.problem, self.starts)
        self.trials = self.kin.note((Trials, *self.purpose), Trials)

    def follow(self, plan: Plan, *, backward: bool, known: bool = True, **options: Any) -> None:
        """Decides by which engine; `backward` and `options` say what the answer rests on.

        What was asked in calls before need not be asked again if it is `known`.
        """
        self.plan, by_kernels = plan, self.engine != "reference"
        purpose = *self.purpose, backward, by_kernels
        asked = asked_of(self.problem, self.kin, purpose) if known else Asked()
        self.premises = Premises(
            problem=self.problem, starts=self.starts, heuristic=self.heuristic, backward=backward,
            by_kernels=by_kernels, asked=asked, **options,
        )  # fmt: skip

    def _kept(self) -> dict[Any, Any]:
        contents = self.kin.contents(self.problem)
        if contents is None:
            return {}
        name = "kept", *self.purpose
        known: tuple[Any, dict[Any, Any]] = self.kin.note(name, lambda: (contents, {}))
        if known[0] != contents:
            known = self.kin.notes[name] = contents, {}
        return known[1]

    def begin(self) -> None:
        """Asks a few states, and then for machine code of rules in plain Python if that is due.

        Raises `LawError`, or `UnsuitableError` where there is no machine code that was asked for.
        """
        self.kept = self._kept()
        with blaming(self.problem):
            self.premises.check_first(self.kin)
        self.translation = self.plan.translation(
            self.problem, self.heuristic, self.starts, self.name, self.kept
        )
        if self.translation is not None:
            self.premises.known = self.translation.known
