"""Each comparison, sum and demand of the checker that is changed is found out by random graphs.

`pytest -m slow tests/proofs/test_mutants.py` takes ten seconds. What is left over is about words,
memory, files, and rules and texts that random graphs do not have: `test_checker.py` has these.
"""

from __future__ import annotations

import ast
import copy
import signal
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from searchkit.proofs import checker
from tests.support.random_proofs import trial

SOURCE = Path(checker.__file__).read_text()
CHANGED = {
    "of_ends", "of_list", "of_solution", "counted", "stored", "expanded", "looked_at",
}  # fmt: skip
MOST_SECONDS = 15
OPPOSITE: dict[type, type] = {
    ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.Is: ast.IsNot, ast.In: ast.NotIn,
    ast.Add: ast.Sub, ast.Or: ast.And,
}  # fmt: skip
OPPOSITE |= {other: one for one, other in OPPOSITE.items()}
HARMLESS = """
fits = type(state) is str
PRAGMA max_page_count
need(number == 0 or last < state
need(ways,
fits = type(cost) is int
need(fits
need(type(error)
need(number <=
falls += h > cost + h_after
edges, is_exact = edges
(STEP + len(after))
""".strip().splitlines()


def places(tree: ast.Module) -> Iterator[ast.AST]:
    """What can be changed, in the same order for each copy of a tree."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.ClassDef) and function.name in CHANGED:
            for node in ast.walk(function):
                is_need = isinstance(node, ast.Call) and ast.unparse(node.func) == "need"
                is_sum = isinstance(node, ast.BinOp) and type(node.op) in OPPOSITE
                if is_need or is_sum or isinstance(node, ast.Compare | ast.BoolOp):
                    yield node


def mutant(tree: ast.Module, place: int) -> ModuleType:
    """The checker with one change."""
    changed = copy.deepcopy(tree)
    match list(places(changed))[place]:
        case ast.Call() as call:
            call.args[0] = ast.Constant(True)
        case ast.Compare() as comparison:
            comparison.ops[0] = OPPOSITE[type(comparison.ops[0])]()
        case ast.BinOp() | ast.BoolOp() as node:
            node.op = OPPOSITE[type(node.op)]()
    module = ModuleType("mutant")
    exec(compile(ast.fix_missing_locations(changed), "mutant", "exec"), module.__dict__)
    return module


class EndlessError(Exception):
    """A mutant does not come to an end."""


def stop(*_: object) -> None:
    """The processor's time is up."""
    raise EndlessError


def is_found_out(module: ModuleType) -> bool:
    """Whether it accepts what is false, refuses what is true, fails, or never ends."""
    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        return any(trial(module, seed)[0] for seed in range(2000))
    except Exception:
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


@pytest.mark.slow
def test_changes_are_found_out() -> None:
    tree = ast.parse(SOURCE)
    lines = SOURCE.splitlines()
    number = 0
    for number, node in enumerate(places(tree)):
        line = lines[node.lineno - 1].strip()
        if not any(each in line for each in HARMLESS):
            assert is_found_out(mutant(tree, number)), line
    assert number > 80
