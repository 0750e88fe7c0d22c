"""The processor that both sides are compiled for, if it is not the one at hand."""

from __future__ import annotations

import subprocess
from contextvars import ContextVar

from bench.samples import Unavailable

CPU: ContextVar[str | None] = ContextVar("CPU", default=None)
"""Its name, which GCC, Clang and LLVM share; None for the one at hand."""


def architecture() -> str:
    """The flag of a C++ compiler."""
    return f"-march={CPU.get() or 'native'}"


def numba_environment() -> dict[str, str]:
    """What numba is to find in its environment."""
    cpu = CPU.get()
    # Without features of its own, numba adds those of the processor at hand.
    return {} if cpu is None else {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": ""}


def check_known(compiler: str) -> None:
    """Raise `Unavailable` if a compiler does not know the processor: numba would not say so."""
    command = [compiler, architecture(), "-E", "-x", "c++", "-"]
    answer = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    if answer.returncode:
        raise Unavailable(answer.stderr.strip().partition("\n")[0])
