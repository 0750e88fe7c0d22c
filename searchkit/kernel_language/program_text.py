"""A program as text, for those who want to read what compilers are given."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from searchkit.kernel_language.collector import verified
from searchkit.kernel_language.program import Program
from searchkit.kernel_language.syntax import TRAPPED
from searchkit.kernel_language.uses import TABLES, TRAP


def text_of_program(program: Program, prefix: str, kernels: Collection[str]) -> str:
    """Returns the `kernels` of a program with all that they call, and the tables that they look up.

    As machine code is made of them, with constants in their places. `prefix` begins the names of
    functions. Raises `CompilationError` where a kernel holds what it may not hold.
    """
    collector = verified(program, prefix, kernels, with_constants=True)
    used = set().union(*map(collector.looked_up_by, collector.made))
    lines = [f"{prefix} {program.name}{_facts(program.source)}"]
    lines += _tables(program, "tables", used)
    for site, definition, *_ in collector.functions.values():
        text = ast.unparse(definition).replace(TABLES, "tables").replace(TRAP, TRAPPED)
        lines += ["", f"# {site.what}, {Path(site.file).name}", text]
    return "\n".join(lines)


def _facts(source: Any) -> str:
    """What engines are told of a problem; nothing of what has no states."""
    if not hasattr(source, "words"):
        return ""
    facts = [f"words {source.words}", f"costs {source.costs.value}"]
    facts += [f"controls {source.controls}"] * (source.controls > 1)
    facts += ["undirected"] * bool(source.undirected)
    facts += [f"ranks {source.ranks}"] * (source.ranks > 0)
    return f": {', '.join(facts)}"


def _tables(program: Program, path: str, used: Collection[str]) -> Iterator[str]:
    """A line for each table that is used: how large it is, or what number."""
    for field in program.fields:
        if field in used:
            yield f"{path}.{field}: {_size(getattr(program.tables, field))}"
    for name, part in program.parts.items():
        if name in used:
            yield f"{path}.{name}: {part.name}"
            yield from _tables(part, f"{path}.{name}", used)


def _size(value: Any) -> str:
    sizes = []
    while hasattr(value, "__len__"):
        sizes.append(str(len(value)))
        value = value[0] if len(value) else 0
    return f"[{', '.join(sizes)}]" if sizes else str(value)
