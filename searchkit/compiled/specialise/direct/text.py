"""The text of a function, and machine code made of it in numba's steps."""

from __future__ import annotations

import ast
import linecache
from itertools import takewhile
from typing import Any

from numba.core.typed_passes import NativeLowering

from searchkit.compiled.specialise.code_files import PREFIX
from searchkit.compiled.specialise.direct.inference import inferred
from searchkit.compiled.specialise.direct.known import Unfit
from searchkit.compiled.specialise.direct.lowering import Lowering, Text
from searchkit.compiled.specialise.direct.signatures import Signatures


def definition_of(function: Any) -> ast.FunctionDef:
    """A function of a generated module as it is written; `Unfit` for others."""
    code = function.__code__
    if not code.co_filename.startswith(f"<{PREFIX}"):
        raise Unfit("a function of another module")
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 :]
    if lines and lines[0].startswith(" "):
        raise Unfit("a function within another")
    at = next((i for i, line in enumerate(lines) if line.startswith("def ")), 0)
    body = list(takewhile(lambda line: line[0] in " \n", lines[at + 1 :]))
    last = max(line for _, _, line in code.co_lines() if line is not None)
    try:
        (found,) = ast.parse("".join([*lines[at : at + 1], *body])).body
    except (SyntaxError, ValueError) as error:
        raise Unfit("a text of another form") from error
    is_whole = last <= code.co_firstlineno + at + len(body)
    if not is_whole or not isinstance(found, ast.FunctionDef) or found.name != code.co_name:
        raise Unfit("a text of another form")
    return found


def infer(state: Any) -> None:
    """Find the types of a function, and note in numba's `state` what lowering needs of them."""
    identity, arguments = state.func_id, state.args
    definition = definition_of(identity.func)
    signatures = Signatures(state.typingctx)
    with state.typingctx.callstack.register(state.targetctx.target, None, identity, arguments):
        found = inferred(signatures, identity.func, definition, arguments)
    names = (f"arg.{name}" for name in identity.arg_names)
    state.func_ir = Text(identity, definition, found)
    state.typemap = dict(zip(names, arguments, strict=True))
    state.return_type, state.calltypes = found.result, {}


class LowerText(NativeLowering):  # type: ignore[misc]
    """Makes instructions of a text whose types are known."""

    @property
    def lowering_class(self) -> Any:
        """What makes them."""
        return Lowering
