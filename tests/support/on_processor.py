"""A search on a processor that NUMBA_CPU_NAME names, as a program of its own that prints JSON."""

from __future__ import annotations

import json
import re
from typing import Any

from llvmlite import binding
from numba import njit
from numba.core.codegen import CPUCodeLibrary

from searchkit import IDAStar, solve
from searchkit.compiled.specialise.entries import KernelEntry
from searchkit.compiled.specialise.processor import lanes
from searchkit_sliding import Board, SlidingPuzzle

EASIEST = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"
"""Number 79 of Korf's hundred 15-puzzles."""
GOAL = " ".join(map(str, range(16)))
DECREF = re.compile(r"^define .*(@NRT_decref\(.*\)).*\{\n(?:.*\n)*?\}", re.MULTILINE)
ARM = "aarch64-unknown-linux-gnu"


def found() -> dict[str, Any]:
    """What a search finds that goes through batches."""
    puzzle = SlidingPuzzle.read(Board.rectangle(4, 4), EASIEST, GOAL)
    result = solve(puzzle, IDAStar(cycles="parent"), engine="compiled")
    rows = [[row.expanded, row.generated] for row in result.statistics.iterations]
    return {"cost": result.cost, "rows": rows, "path": list(map(str, result.actions))}


called: dict[str, tuple[KernelEntry, tuple[Any, ...]]] = {}


def note_calls() -> None:
    """Note the arguments of entries."""
    direct = KernelEntry.direct

    def noting(entry: KernelEntry, *arguments: Any) -> Any:
        called[entry.__name__] = entry, arguments
        return direct(entry, *arguments)

    KernelEntry.direct = noting  # type: ignore[method-assign]


def foreign() -> list[str]:
    """What of the machine code for batches is for other processors than ARM, which is made of it.

    What LLVM is given is asked for, not what it makes for the processor at hand.
    """
    given: list[str] = []
    optimise = CPUCodeLibrary._optimize_final_module

    def noting(library: CPUCodeLibrary) -> None:
        optimise(library)
        given.append(str(library._final_module))

    CPUCodeLibrary._optimize_final_module = noting
    entry, arguments = called["drain"]
    drain = entry.dispatcher()
    types = tuple(map(drain.typeof_pyval, arguments))
    njit(nogil=True, error_model="numpy")(drain.py_func).compile(types)
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(ARM).create_target_machine()
    # numba's own function was made of instructions of the processor at hand before.
    text = DECREF.sub(r"declare void \1", given[-1])
    module = binding.parse_assembly(text)
    module.triple, module.data_layout = ARM, str(machine.target_data)
    assert machine.emit_object(module)
    return [line for line in text.splitlines() if " call " in line and "@llvm.x86." in line]


if __name__ == "__main__":
    note_calls()
    print(json.dumps({"lanes": lanes(), **found(), "foreign": [] if lanes() else foreign()}))
