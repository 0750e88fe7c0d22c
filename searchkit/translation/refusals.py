"""Where machine code ends, with the author's line: what is refused, and what is left to Python."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from searchkit.authors.blame import is_ours
from searchkit.errors import CompilationError
from searchkit.kernel_language.site import Site
from searchkit.translation.naming import written
from searchkit.translation.text import Loop, Text, Trap


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


class Refusals:
    """The text that is being made, and the place in the author's program that it is made of."""

    # Of classes further down

    handler_of: Callable[[type[Exception]], Loop | None]

    node: ast.AST = ast.Pass(lineno=0, col_offset=0)
    """What is being translated."""
    own = ""
    """The place of the author's statement that was translated last."""

    def __init__(self, text: Text, site: Site) -> None:
        self.text, self.site = text, site

    def stand_at(self, node: ast.stmt) -> None:
        """Note the statement that is translated now."""
        self.node = node
        if not is_ours(self.site.file):
            self.own = self.place()

    def place(self, node: ast.AST | None = None) -> str:
        """What messages about a part of the author's program begin with.

        Where it is one of ours, as of a class for problems of other libraries, what does not fit
        there was made by the author's statement before.
        """
        if self.own and is_ours(self.site.file):
            return self.own
        return self.site.at(getattr(node or self.node, "lineno", 0))

    def refuse(self, what: str, instead: str = "", node: ast.AST | None = None) -> Untranslatable:
        """The error for what cannot be translated."""
        return Untranslatable(self.place(node), what, instead)

    def here(self) -> str:
        """What messages of one expression add: in which, if it is the author's."""
        node: Any = getattr(self.node, "iter", self.node)
        is_shown = isinstance(node, ast.expr) and not is_ours(self.site.file)
        return f" in `{written(node):.40}`" if is_shown else ""

    def trap(
        self, test: str, raises: type[Exception] | None = None, what: str = "", instead: str = ""
    ) -> None:
        """Leave the state to Python where a test holds; or go where that error of Python leads.

        `what` says what machine code lacks then, and `instead` what would help; expressions of the
        text in braces stand for their values, as in `the number {t_3}`.
        """
        with self.text.block(f"if {test}:"):
            self.fail(raises, what, instead)

    def fail(
        self, raises: type[Exception] | None = None, what: str = "", instead: str = ""
    ) -> None:
        """Leave the state to Python, or go where an error of Python leads."""
        target = None if raises is None else self.handler_of(raises)
        if target is not None:
            self.text.leave(target)
            return
        if raises is not None and not what:
            what = f"leaves what {raises.__name__} leads to, or may lead to, to Python"
        self.text.line(Trap(self.place(), what, instead))
