"""`match` as a chain of `if`: what it compares is plain, and so is the order."""

from __future__ import annotations

import ast
from typing import Any

from searchkit.kernel_language import trees

Found = tuple[list[ast.expr], list[tuple[str, ast.expr]]]
"""The tests of a pattern, and the names that it gives values."""


def without_matches(definition: ast.FunctionDef) -> ast.FunctionDef:
    """The function with each `match` that can be said by `if` said so; the others stay.

    Those are of values, names, `|`, and of tuples where the subject is written as one.
    """
    if not any(isinstance(each, ast.Match) for each in trees.nodes(definition)):
        return definition
    made = trees.copied(definition)
    made = _Rewritten(made).visit(made)
    assert isinstance(made, ast.FunctionDef)
    return trees.located(made)


class _Rewritten(trees.Transformer):
    def __init__(self, definition: ast.FunctionDef) -> None:
        self.definition = definition
        self.count = 0

    def visit_Match(self, node: ast.Match) -> Any:
        self.generic_visit(node)
        parts = node.subject.elts if isinstance(node.subject, ast.Tuple) else [node.subject]
        if any(isinstance(each, ast.Starred) for each in parts):
            return node
        self.count += 1
        names = [f"matched.{self.count}.{i}" for i in range(len(parts))]
        subjects: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
        is_tuple = isinstance(node.subject, ast.Tuple)
        chain: list[ast.stmt] = []
        for case in reversed(node.cases):
            found = (
                _of_tuple(case.pattern, subjects) if is_tuple else _of(case.pattern, subjects[0])
            )
            if found is None:
                return node
            tests, given = found
            if case.guard is not None:
                if given and self._are_used_outside({name for name, _ in given}, case):
                    return node  # they have these values, too, where the guard fails
                tests = [*tests, trees.substituted(case.guard, dict(given))]
            body = [_assigned(name, value) for name, value in given] + case.body
            if tests:
                test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
                chain = [ast.If(test, body, chain)]
            else:
                chain = body
        begin = [_assigned(name, part) for name, part in zip(names, parts, strict=True)]
        return [ast.copy_location(each, node) for each in (*begin, *chain)]

    def _are_used_outside(self, names: set[str], case: ast.match_case) -> bool:
        inside = {id(each) for each in trees.nodes(case)}
        return any(
            isinstance(each, ast.Name) and each.id in names and id(each) not in inside
            for each in trees.nodes(self.definition)
        )


def _assigned(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _of_tuple(pattern: ast.pattern, subjects: list[ast.expr]) -> Found | None:
    """The same for a subject that is a tuple of these; None for a pattern that is not said here."""
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
        return [], []
    if isinstance(pattern, ast.MatchOr):
        return _either([_of_tuple(each, subjects) for each in pattern.patterns])
    if not isinstance(pattern, ast.MatchSequence) or len(pattern.patterns) != len(subjects):
        return None
    tests, given = [], []
    for each, subject in zip(pattern.patterns, subjects, strict=True):
        found = _of(each, subject)
        if found is None:
            return None
        tests += found[0]
        given += found[1]
    return tests, given


def _of(pattern: ast.pattern, subject: ast.expr) -> Found | None:
    if isinstance(pattern, ast.MatchValue):
        return [ast.Compare(subject, [ast.Eq()], [pattern.value])], []
    if isinstance(pattern, ast.MatchSingleton):
        return [ast.Compare(subject, [ast.Is()], [ast.Constant(pattern.value)])], []
    if isinstance(pattern, ast.MatchOr):
        return _either([_of(each, subject) for each in pattern.patterns])
    if isinstance(pattern, ast.MatchAs):
        inner: Found | None = ([], [])
        if pattern.pattern is not None:
            inner = _of(pattern.pattern, subject)
        if inner is None or pattern.name is None:
            return inner
        return inner[0], [*inner[1], (pattern.name, subject)]
    return None


def _either(found: list[Found | None]) -> Found | None:
    """The test whether one of several patterns holds, of which none gives a name a value."""
    tests: list[ast.expr] = []
    for each in found:
        if each is None or each[1]:
            return None
        if not each[0]:
            return [], []
        tests.append(each[0][0] if len(each[0]) == 1 else ast.BoolOp(ast.And(), each[0]))
    return [ast.BoolOp(ast.Or(), tests)], []
