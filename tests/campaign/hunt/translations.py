"""Random ordinary problems, translated: what kernels say, and whole searches."""

from __future__ import annotations

import itertools
import linecache
import random
import re
import signal
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from hunt.group import Group
from hunt.oracle import Wrong
from hunt.programs import KINDS, Writer, random_state
from searchkit import INFINITY, Problem
from searchkit.errors import CompilationError, Trapped
from searchkit.heuristic import ProblemHeuristic
from searchkit.kernel_language.floats import number_of
from searchkit.packed import DEAD_END
from searchkit.translation.cells import rows_of
from searchkit.translation.rules import translate
from searchkit.translation.types import Atoms, type_of
from tests.translation.test_rules import Cells

STATES = 40
MOST_STEPS = 400
_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Program:
    """A module with one problem, `Made`, and states of it."""

    kind: str
    text: str
    states: tuple[Any, ...]

    def __str__(self) -> str:
        return f"{self.text}\n# {KINDS[self.kind]}: {self.states!r:.1500}"


def problem_of(program: Program) -> Any:
    """The problem, with its text where `inspect` finds it; None if the text says none."""
    name = f"/made/program{next(_NUMBERS)}.py"
    linecache.cache[name] = (len(program.text), None, program.text.splitlines(True), name)
    scope: dict[str, Any] = {"__name__": "made"}
    try:
        exec(compile(program.text, name, "exec"), scope)
    except Exception:
        return None
    kind = scope.get("Made")
    if not (isinstance(kind, type) and issubclass(kind, Problem)):
        return None
    kind.initial_states = lambda self: program.states
    kind.__abstractmethods__ = frozenset()
    return kind()


TOO_LONG = "too long"
SECONDS = 4


class TookTooLong(BaseException):
    """The time is over: nothing that takes errors of rules takes this."""


@contextmanager
def bounded() -> Iterator[None]:
    """Some seconds, after which there is a `TookTooLong`; again and again, if rules take it."""

    def stop(*_: Any) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def outcome(make: Any) -> Any:
    """What is made, or that there is an error, or that it takes too long."""
    try:
        with bounded():
            return make()
    except TookTooLong:
        return TOO_LONG
    except Exception:
        return "error"


def of_kernel(make: Any) -> Any:
    """What a kernel makes, or that it leaves a state to Python; it may raise nothing else."""
    try:
        with bounded():
            return make()
    except Trapped:
        return "error"
    except (Exception, TookTooLong) as error:
        raise Wrong(f"a kernel raises {error!r}") from error


def said(rules: Any, own: Cells, state: Any) -> float:
    """What the kernel of a heuristic gives, as a number."""
    word = rules.estimate(own, state)
    return number_of(word) if rules.gives_floats else word


class Rules(Group):
    """Rules as kernels in Python: children, costs, goals and estimates of random states."""

    name = "translation"
    summary = "rules of random ordinary problems, as kernels"
    short = 25
    minutes = 3_000
    hours = 200_000

    def make(self, rng: random.Random) -> Program:
        kind = rng.choice(list(KINDS))
        states = tuple(dict.fromkeys(random_state(rng, kind) for _ in range(STATES)))
        return Program(kind, Writer(rng, kind).program(), states)

    def run(self, case: Program) -> Counter[str]:
        told: Counter[str] = Counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for method in ("successors", "is_goal", "heuristic"):
                self._method(case, method, told)
        return told

    def _method(self, case: Program, method: str, told: Counter[str]) -> None:
        """Compare one method; the others are those of `Problem`, or trivial."""
        problem = problem_of(case)
        kind = type(problem)
        if method not in vars(kind):
            return
        for other in ("successors", "is_goal"):
            if other != method:
                setattr(kind, other, globals()[f"_no_{other}"])
        atoms = Atoms()
        kind_of_states = type_of(case.states, atoms)
        rows_of(kind_of_states, case.states, atoms)  # as a search does: every word is known then
        heuristic = ProblemHeuristic(problem) if method == "heuristic" else None
        try:
            rules = translate(problem, kind_of_states, atoms, heuristic)
        except CompilationError as error:
            told["refused"] += 1
            if not re.search(r"program\d+\.py:\d+", str(error)):
                raise Wrong(f"a refusal names no line: {error}") from error
            return
        told["translated"] += 1
        own = Cells(kind_of_states, atoms, rules)
        for state in case.states:
            if told["too long"] > 3:
                return
            if method == "successors":
                expected = outcome(
                    lambda: [
                        (step.state, step.cost)
                        for step in itertools.islice(problem.successors(state), MOST_STEPS)  # noqa: B023
                    ]
                )
                expand = rules.expand["successors"]
                kernel: Any = lambda: [(*each[1:], 1)[:2] for each in expand(own, state)]  # noqa: B023, E731
            elif method == "is_goal":
                expected = outcome(lambda: bool(problem.is_goal(state)))  # noqa: B023
                kernel = lambda: bool(rules.at_goal(own, state))  # noqa: B023, E731
            else:
                expected = outcome(lambda: problem.heuristic(state))  # noqa: B023
                if not rules.gives_floats:
                    expected = DEAD_END if expected == INFINITY else expected
                kernel = lambda: said(rules, own, state)  # noqa: B023, E731
            if expected == TOO_LONG:
                told["too long"] += 1
                continue
            found = of_kernel(kernel)
            if found not in (expected, "error"):
                raise Wrong(f"{method} of {state} is {expected}, not {found}")
            told[
                "errors" if expected == "error" else "equal" if found == expected else "traps"
            ] += 1

    def smaller(self, case: Program) -> Iterator[Program]:
        """Without a line, or a block; with simpler parts of lines; fewer states."""
        lines = case.text.splitlines()
        for size in (8, 4, 2, 1):
            for i in range(len(lines)):
                yield replace(case, text="\n".join(lines[:i] + lines[i + size :]) + "\n")
        for i, line in enumerate(lines):
            deep = len(line) - len(line.lstrip())
            end = i + 1
            while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > deep:
                end += 1
            if end > i + 1:
                inner = [each[4:] for each in lines[i + 1 : end]]
                yield replace(case, text="\n".join(lines[:i] + lines[end:]) + "\n")
                yield replace(case, text="\n".join(lines[:i] + inner + lines[end:]) + "\n")
        if len(case.states) > 1:
            half = len(case.states) // 2
            yield replace(case, states=case.states[:half])
            yield replace(case, states=case.states[half:])
        for i, line in enumerate(lines):
            for found in re.finditer(r"\([^()]*\)|\[[^\[\]]*\]", line):
                for other in ("0", "1", "()", found[0][1:-1]):
                    text = line[: found.start()] + other + line[found.end() :]
                    if len(text) < len(line):
                        yield replace(
                            case, text="\n".join([*lines[:i], text, *lines[i + 1 :]]) + "\n"
                        )


def _no_successors(self: Any, state: Any) -> Any:
    return ()


def _no_is_goal(self: Any, state: Any) -> bool:
    return False
