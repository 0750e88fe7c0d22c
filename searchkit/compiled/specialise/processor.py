"""Which form of a hot loop suits the processor, of those that kernels have.

A form uses only instructions that are fast on every processor that has them: not the one of
AVX-512 that compresses into memory, which is microcode on Zen 4, nor those of BMI2 that gather
bits, which are microcode on Zen 1 and 2. So what vectors there are is all that need be known:
neither a list of processors nor a measurement, which would differ from run to run.
"""

from __future__ import annotations

import os
from functools import cache

from searchkit.compiled.specialise.code_files import PREFIX, CodeFiles
from searchkit.compiled.specialise.plain import is_plain
from searchkit.compiled.specialise.toolchain import (
    compiler_parts,
    digest,
    llvm,
    needing_compiler,
    target,
)
from searchkit.errors import CompilationError

LANES_VARIABLE = "SEARCHKIT_LANES"
"""Names the form instead: how many words a vector is to have, 0 for no vectors."""
LANES = {8: "zmm", 4: "ymm"}
"""How many words a vector has, and how registers of it are named: with AVX-512, and with AVX2."""
EIGHT_SUMS = """define <8 x i64> @sums(<8 x i64> %one, <8 x i64> %other) {
  %sums = add <8 x i64> %one, %other
  ret <8 x i64> %sums
}
"""


def lanes() -> int:
    """How many words a vector has in the kernels: 8, 4, or 0 for kernels without vectors.

    What machine code is made for decides (numba's NUMBA_CPU_NAME and NUMBA_CPU_FEATURES), and
    `SEARCHKIT_LANES` can ask for less. Raises `CompilationError` where that asks for what there is
    not. Without a compiler it is 0, unless asked for.
    """
    chosen = os.environ.get(LANES_VARIABLE)
    known = (0, *LANES) if is_plain() else _known()
    if not chosen:
        return known[0]
    if chosen not in map(str, known):
        listed = ", ".join(map(str, known))
        raise CompilationError(f"{LANES_VARIABLE} is {chosen!r:.20}; the processor has {listed}")
    return int(chosen)


@cache
def _known() -> tuple[int, ...]:
    """The forms for numba's target, the best first, as a file tells or as LLVM says."""
    name = f"{PREFIX}lanes.{digest(*compiler_parts(), EIGHT_SUMS, target())}"
    kept = CodeFiles.read(name)
    is_known = kept in [str(each).encode() for each in (0, *LANES)]
    widest = int(kept) if is_known and kept is not None else _widest()
    if not is_known:
        CodeFiles.write(name, str(widest).encode())
    return (*(lanes for lanes in LANES if lanes <= widest), 0)


def _widest() -> int:
    """How many words a vector has: LLVM is asked by what it makes of a sum.

    Names of processors stand for features that nobody lists, hence the detour. Takes milliseconds,
    but loads numba, which alone knows what it is told to make code for.
    """
    with needing_compiler():
        from numba.core.registry import cpu_target  # noqa: PLC0415
    machine = cpu_target.target_context.codegen()._tm
    text = machine.emit_assembly(llvm().parse_assembly(EIGHT_SUMS))
    return max((lanes for lanes, register in LANES.items() if register in text), default=0)
