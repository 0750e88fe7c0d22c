"""Where machine code ends, with the author's line: what is refused, and what is left to Python."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from searchkit.authors.blame import is_ours
from searchkit.errors import CompilationError
from searchkit.kernel_language.site import Site
from searchkit.translation.naming import written
from searchkit.translation.text import Loop, Trap
from searchkit.translation.translator import Translator


class Untranslatable(CompilationError):  # noqa: N818  (leads to the reference engine)
    """What of an author's program machine code cannot be made of, and what would help."""

    def __init__(self, place: str, what: str, instead: str) -> None:
        super().__init__(f"{place}: {what}; {instead}" if instead else f"{place}: {what}")
        self.place, self.what, self.instead = place, what, instead
        self.reached = (0, 0)
        """How many kernels were made by then, and how many names in this one."""


class Again(Exception):  # noqa: N818  (a signal)
    """What is known of the types has changed: the translation begins once more."""


class StatesOfTruths(Exception):  # noqa: N818  (a signal)
    """True or False may be where states that were looked at had numbers alone."""


def place_of_rule(kind: type, method: str) -> str:
    """Where a method of an author's class is, or his class, where that is one of ours."""
    code: Any = getattr(getattr(kind, method, None), "__code__", None)
    file, line = getattr(code, "co_filename", "?"), getattr(code, "co_firstlineno", 0)
    if code is not None and is_ours(file):
        try:
            file, line = str(inspect.getsourcefile(kind)), inspect.getsourcelines(kind)[1]
        except (OSError, TypeError):  # it was typed at a prompt
            return f"{kind.__name__}.{method}"
    return Site(f"{kind.__name__}.{method}", file).at(line)


def stand_at(t: Translator, node: ast.stmt) -> None:
    """Note the statement that is translated now."""
    t.node = node
    if not is_ours(t.site.file):
        t.own = where(t)


def where(t: Translator, node: ast.AST | None = None) -> str:
    """What messages about a part of the author's program begin with.

    Where it is one of ours, as of a class for problems of other libraries, what does not fit
    there was made by the author's statement before.
    """
    if t.own and is_ours(t.site.file):
        return t.own
    return t.site.at(getattr(node or t.node, "lineno", 0))


def refuse(
    t: Translator, what: str, instead: str = "", node: ast.AST | None = None
) -> Untranslatable:
    """The error for what cannot be translated."""
    return Untranslatable(where(t, node), what, instead)


def here(t: Translator) -> str:
    """What messages of one expression add: in which, if it is the author's."""
    node: Any = getattr(t.node, "iter", t.node)
    is_shown = isinstance(node, ast.expr) and not is_ours(t.site.file)
    return f" in `{written(node):.40}`" if is_shown else ""


def trap(
    t: Translator,
    test: str,
    raises: type[Exception] | None = None,
    what: str = "",
    instead: str = "",
) -> None:
    """Leave the state to Python where a test holds; or go where that error of Python leads.

    `what` says what machine code lacks then, and `instead` what would help; expressions of the
    text in braces stand for their values, as in `the number {t_3}`.
    """
    with t.text.block(f"if {test}:"):
        t.forms.fail(t, raises, what, instead)


def fail(
    t: Translator, raises: type[Exception] | None = None, what: str = "", instead: str = ""
) -> None:
    """Leave the state to Python, or go where an error of Python leads."""
    target = None if raises is None else handler_of(t, raises)
    if target is not None:
        t.text.leave(target)
        return
    if raises is not None and not what:
        what = f"leaves what {raises.__name__} leads to, or may lead to, to Python"
    t.text.line(Trap(where(t), what, instead))


def handler_of(t: Translator, raises: type[Exception]) -> Loop | None:
    """The end of which loop of the text an error leads to; None if it leaves the rules."""
    for kinds, loop, unordered in reversed(t.handlers):
        if issubclass(raises, kinds):
            # What was done in a loop over a set before depends on its order.
            return loop if len(t.unordered) == unordered else None
    return None
