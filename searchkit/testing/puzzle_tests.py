"""A pytest class of which each test is a law of the protocol."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import pytest

from searchkit.checks.conformance import try_law
from searchkit.checks.ground import Ground, Registered
from searchkit.checks.law import Law
from searchkit.checks.laws import LAWS
from searchkit.checks.verdicts import Status
from searchkit.engine import EngineChoice
from searchkit.problem import Problem
from searchkit.registry import PuzzleEntry, Registry
from searchkit.texts.text_files import texts_of_files


class PuzzleTests:
    """Derive a class from it, whose name begins with `Test`, and say what is to be tested.

    That is a `problem` (an object, or something without arguments that makes one), or a `plugin`
    (a module), of which `puzzle` names the puzzle if it registers several, or the `puzzle` alone,
    if its plugin is installed. With a plugin, its heuristics, its pictures and the parameters of
    the puzzle are tested, too; `parameters` are values of these.

    A law that is broken fails with the smallest counterexample and the line that is to blame; one
    that does not apply is skipped.

    >>> from searchkit.testing import PuzzleTests
    >>> from my_puzzle import MyPuzzle  # doctest: +SKIP
    >>> class TestMyPuzzle(PuzzleTests):  # doctest: +SKIP
    ...     problem = MyPuzzle()
    """

    problem: ClassVar[Any] = None
    plugin: ClassVar[ModuleType | None] = None
    puzzle: ClassVar[str | None] = None
    parameters: ClassVar[dict[str, str]] = {}
    states: ClassVar[int] = 1000
    """The most states that are looked at."""
    seed: ClassVar[int] = 0
    engine: ClassVar[EngineChoice] = "auto"
    """ "reference" compiles nothing."""

    @classmethod
    def ground(cls) -> Ground:
        """The states to try laws on; explored once for each class."""
        if "_ground" not in cls.__dict__:
            cls._ground = cls._explored()
        return cls._ground

    _ground: ClassVar[Ground]

    @classmethod
    def _explored(cls) -> Ground:
        options: dict[str, Any] = {"most": cls.states, "seed": cls.seed, "engine": cls.engine}
        given = inspect.getattr_static(cls, "problem")
        if given is not None:
            made = given.__func__ if isinstance(given, staticmethod) else given
            return Ground(made if isinstance(made, Problem) else made(), **options)
        registry = Registry.load() if cls.plugin is None else Registry()
        if cls.plugin is not None:
            registry.add_plugin(cls.plugin, cls.plugin.__name__)
        if registry.problems:
            pytest.fail("; ".join(map(str, registry.problems)), pytrace=False)
        entry = _entry(cls, registry)
        values = texts_of_files(entry.parameters, cls.parameters)
        problem = entry.create(**values)
        registered = Registered.of(registry, entry, problem, values)
        return Ground(problem, registered=registered, **options)


def _entry(cls: type[PuzzleTests], registry: Registry) -> PuzzleEntry:
    if cls.puzzle is not None:
        return registry.puzzles.get(cls.puzzle)
    entries = registry.puzzles.entries
    if cls.plugin is None or len(entries) != 1:
        known = ", ".join(entry.name for entry in entries) or "none"
        pytest.fail(
            f"{cls.__name__} must say what it tests: problem = ..., or plugin = ... with one "
            f"puzzle, or puzzle = one of {known}",
            pytrace=False,
        )
    return entries[0]


def _test_of(law: Law) -> Callable[[PuzzleTests], None]:
    def test(self: PuzzleTests) -> None:
        __tracebackhide__ = True
        verdict = try_law(law, self.ground())
        if verdict.status is Status.FAILS:
            pytest.fail(str(verdict), pytrace=False)
        if verdict.status is not Status.HOLDS:
            pytest.skip(f"{verdict.status.value}: {verdict.scope}")

    test.__name__ = _name_of(law)
    test.__qualname__ = f"PuzzleTests.{test.__name__}"
    test.__doc__ = f"{law.promise[0].upper()}{law.promise[1:]}."
    return test


def _name_of(law: Law) -> str:
    return f"test_{law.name.replace('-', '_')}"


for _law in LAWS:
    setattr(PuzzleTests, _name_of(_law), _test_of(_law))
