"""Kernels made of the rules of ordinary problems, run as Python: equal children in equal order."""

import ast
import importlib
import linecache
import os
import subprocess
import sys
from collections import deque
from types import MethodType

import attrs
import pytest

from searchkit import INFINITY, Problem
from searchkit.errors import CompilationError, Trapped
from searchkit.heuristic import ProblemHeuristic
from searchkit.kernel_language.definition import MADE_FROM
from searchkit.packed import DEAD_END
from searchkit.translation.cells import cells_of, read
from searchkit.translation.packing import PARTS
from searchkit.translation.rules import translate
from searchkit.translation.types import Atoms, Unfit, type_of
from tests.translation.corpus.others import Lifts

MODULES = (
    "pouring",
    "crossing",
    "sliding",
    "stacks",
    "boards",
    "others",
    "words",
    "classes",
    "texts",
    "counting",
    "iterating",
    "courses",
    "optional",
    "members",
)
UNWRITTEN = 987654321


def problems():
    modules = [importlib.import_module(f"tests.translation.corpus.{name}") for name in MODULES]
    kinds = [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__
    ]
    return [each for each in kinds if issubclass(each, Problem)]


class Cells:
    """What kernels are methods of: states are values, packed by hand."""

    def __init__(self, kind, atoms, rules):
        self.kind, self.atoms, self.tables = kind, atoms, self
        self.constants = rules.constants.tolist()
        for kernel in (*rules.expand.values(), rules.at_goal, rules.estimate):
            for name, function in getattr(kernel, PARTS, {}).items():
                setattr(self, name, MethodType(function, self))

    def unpack(self, state, cells):
        """What nobody writes may be anything, so that here it is what no state holds."""
        found = cells_of(self.kind, state, self.atoms)
        cells[:] = [*found, *[UNWRITTEN] * (len(cells) - len(found))]
        return 0

    def misfits(self, cells, at):
        return 0

    def widened(self):
        return 0

    def misfit(self, at, cell):
        return 0

    def replaced(self, state, at, cell):
        cells = cells_of(self.kind, state, self.atoms)
        cells[at] = cell
        return read(self.kind, cells, 0, self.atoms)

    def packed(self, cells, at):
        value = read(self.kind, cells, at, self.atoms)
        assert cells_of(self.kind, value, self.atoms) == cells[at : at + self.kind.cells]
        return value


def first_states(problem, most=150):
    seen = dict.fromkeys(problem.initial_states())
    todo = deque(seen)
    while todo and len(seen) < most:
        for step in problem.successors(todo.popleft()):
            if step.state not in seen:
                seen[step.state] = None
                todo.append(step.state)
    return list(seen)


def translated(problem, states):
    has_own = "heuristic" in vars(type(problem))
    heuristic = ProblemHeuristic(problem) if has_own else None
    for words in (True, False):
        atoms = Atoms()
        kind = type_of(states, atoms, words=words)
        for state in states:  # before rules are translated, searches lay out what they have met
            cells_of(kind, state, atoms)
        try:
            rules = translate(problem, kind, atoms, heuristic)
        except CompilationError:
            if not words:
                raise
        else:
            break
    return rules, Cells(kind, atoms, rules)


def fits(own, state):
    """Whether a state is of the type that those before it had."""
    try:
        cells_of(own.kind, state, own.atoms)
    except Unfit:
        return False
    return True


def differing(problem, states):
    """The first state for which a kernel says something else than Python, and how many it cannot
    expand though their children fit.
    """
    rules, own = translated(problem, states)
    trapped = 0
    for state in states:
        try:
            steps = rules.expand["successors"](own, state)
            made = [(each[1], each[2] if len(each) > 2 else 1) for each in steps]
        except Trapped:
            trapped += all(fits(own, step.state) for step in problem.successors(state))
        else:
            if made != [(step.state, step.cost) for step in problem.successors(state)]:
                return state, trapped
        if bool(rules.at_goal(own, state)) is not bool(problem.is_goal(state)):
            return state, trapped
        if rules.estimate is not None:
            estimate = problem.heuristic(state)
            if rules.estimate(own, state) != (DEAD_END if estimate == INFINITY else estimate):
                return state, trapped
    return None, trapped


@pytest.mark.parametrize("kind", problems(), ids=lambda kind: kind.__name__)
def test_kernels_say_what_python_says(kind):
    problem = kind()
    states = first_states(problem)
    state, trapped = differing(problem, states)
    assert state is None
    assert trapped == 0


def test_evolve_is_known_by_whatever_name(monkeypatch):
    """From Python 3.13 on, it has those of the method of the class that attrs has made last."""
    monkeypatch.setattr(attrs.evolve, "__name__", "__replace__")
    monkeypatch.setattr(attrs.evolve, "__module__", Lifts.__module__)
    assert differing(Lifts(), first_states(Lifts()))[0] is None


def text_of(name):
    """What the kernel `expand` of one of the problems says."""
    (kind,) = (each for each in problems() if each.__name__ == name)
    rules, _ = translated(kind(), first_states(kind(), 60))
    return ast.unparse(getattr(rules.expand["successors"], MADE_FROM))


def test_the_text_is_the_same_in_every_process():
    """Machine code is kept by its text."""
    program = (
        "from tests.translation.test_rules import text_of\n"
        "print(text_of('Doors') + text_of('FarmerInSets'))"
    )
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout == text_of("Doors") + text_of("FarmerInSets") + "\n"


def test_a_source_that_has_changed_is_refused(tmp_path, monkeypatch):
    """Also where a rule holds a comprehension, which is code of its own."""
    text = (
        "from searchkit import Problem, Step\n"
        "class Row(Problem):\n"
        "    def initial_states(self):\n"
        "        return [(0, 1)]\n"
        "    def successors(self, state):\n"
        "        yield Step('add', tuple(each + 1 for each in state))\n"
        "    def is_goal(self, state):\n"
        "        return False\n"
    )
    (tmp_path / "changing_rules.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    problem = importlib.import_module("changing_rules").Row()
    (tmp_path / "changing_rules.py").write_text(text.replace("each + 1", "each + 2"))
    linecache.checkcache()
    with pytest.raises(CompilationError, match="has changed since it was imported"):
        translated(problem, [(0, 1), (1, 2)])
