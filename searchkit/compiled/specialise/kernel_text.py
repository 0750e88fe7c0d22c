"""The text of collected kernels, and which line of it is which line of the author."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Container, Iterator
from typing import Any

import attrs

from searchkit.kernel_language.collector import Collector
from searchkit.kernel_language.constants import signed
from searchkit.kernel_language.marks import is_outlined
from searchkit.kernel_language.site import Site

SOURCE = "searchkit_source"
"""The attribute of a generated module that holds its text, and what that was collected from."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_NUMBER = re.compile(r"<(searchkit_kernel_\w+)>(?: \(|\", line )(\d+)")


def text_of(collector: Collector, used: Container[str]) -> str:
    """What was collected and is used, what is called before what calls it."""
    tuples = [
        f"{name} = np.array({_signed(value)!r}, dtype=np.int64)"
        for name, value in collector.tuples.items()
        if name in used
    ]
    functions = [
        f"@{'outlined' if is_outlined(name) else 'inlined'}\n{ast.unparse(made)}\n"
        for name, made in collector.made.items()
        if name in used
    ]
    return "\n\n".join(["import numpy as np", *tuples, *functions] if tuples else functions)


def _signed(value: Any) -> Any:
    return tuple(map(_signed, value)) if isinstance(value, tuple) else signed(int(value))


def _lines(text: str, collector: Collector) -> dict[int, tuple[Site, int]]:
    """The author's line of each line of a generated module that has one."""
    lines: dict[int, tuple[Site, int]] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name in collector.made:
            site = collector.functions[node.name].site
            pairs = zip(_statements(node), _statements(collector.made[node.name]), strict=True)
            for here, there in pairs:
                lines[here.lineno] = site, there.lineno
    return lines


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements below a node, in order."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
            yield from _statements(child)


@attrs.frozen
class Objection:
    """What the compiler says of a kernel, and of which line."""

    place: str | None
    message: str


SHOWN = 160


def objection_of(error: BaseException) -> Objection:
    """What an error of the compiler is about, in a few words."""
    text = _COLOURS.sub("", str(error))
    place = None
    for name, number in _NUMBER.findall(text):
        source = getattr(sys.modules.get(name), SOURCE, None)
        lines = _lines(*source) if source is not None else {}
        if int(number) in lines:
            site, line = lines[int(number)]
            place = site.at(line)
            break
    return Objection(place, _in_short(text))


def _in_short(text: str) -> str:
    own = re.search(r"searchkit: ([^\n]+)", text)
    if own is not None:
        return own[1].strip()
    missing = re.search(
        r"No implementation of function Function\(<(?:built-in function |intrinsic )?(\w+).*?"
        r">>> \w+(\([^\n]*\))",
        text,
        re.DOTALL,
    )
    if missing is not None:
        return f"there is no {missing[1]} of {missing[2]}"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    message = next(
        (line for line in lines if not line.startswith("Failed in")), "no reason is given"
    )
    if len(message) <= SHOWN:
        return message
    return message[:SHOWN].rsplit(" ", 1)[0] + " ..."
