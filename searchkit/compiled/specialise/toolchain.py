"""What machine code depends on beside its text, found without loading what compiles it."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from searchkit.compiled.specialise.leaving import leave_quickly
from searchkit.errors import NoCompilerError
from searchkit.running.compiler import NO_NUMBA, numba_folder

SOURCE_VARIABLE = "SEARCHKIT_KERNEL_SOURCE"
"""Names a folder that the texts of generated modules are written to, to be read."""
COMPILER = ("numba", "llvmlite")
SETTINGS = "NUMBA_"
"""How the names of the variables begin that say how numba compiles."""
SETTINGS_FILE = ".numba_config.yaml"
"""Where numba looks for them as well, in the folder that the process is in."""
DIGEST_BYTES = 32
COMPILERS = (
    Path(__file__).with_name("compilers.py"),
    *sorted(Path(__file__).with_name("direct").glob("*.py")),
)
"""How texts are made machine code, which depends on it as well."""


@contextmanager
def needing_compiler() -> Iterator[None]:
    """Raise `NoCompilerError` where a library cannot be loaded, for want of memory say."""
    try:
        yield
    except (ImportError, OSError) as error:
        is_missing = isinstance(error, ModuleNotFoundError) and error.name in COMPILER
        why = NO_NUMBA if is_missing else " ".join(str(error).split())
        raise NoCompilerError(
            f"machine code cannot be used here: {why}; engine='reference', and heuristics whose "
            "tables are built, do without"
        ) from error


@cache
def llvm() -> Any:
    """What links machine code: llvmlite's `binding`; `NoCompilerError` if it cannot be loaded."""
    with needing_compiler():
        from llvmlite import binding  # noqa: PLC0415  (only machine code needs it)
    leave_quickly()
    return binding


def compiler_parts() -> tuple[str, ...]:
    """The versions of all that compiles, whether Python runs asserts, and how numba is asked to."""
    import numpy as np  # noqa: PLC0415  (takes long to import)

    llvm()
    return (
        sys.version,
        f"__debug__ is {__debug__}",
        _numba_version(),
        sys.modules["llvmlite"].__version__,
        np.__version__,
        *map(_text_of, COMPILERS),
    )


@cache
def _text_of(file: Path) -> str:
    """As it was when it was asked for first: a process keeps to the code that it has loaded."""
    return file.read_text(encoding="utf-8")


@cache
def _numba_version() -> str:
    """What tells one version of numba from others: the text of the file that says which it is."""
    folder = numba_folder()
    file = None if folder is None else Path(folder, "_version.py")
    if file is None or not file.exists():
        with needing_compiler():
            import numba  # noqa: PLC0415  (takes long)
        return str(numba.__version__)
    return file.read_text(encoding="utf-8")


@cache
def target() -> str:
    """A hash of the processor that machine code is made for, and of all that numba is told."""
    binding = llvm()
    named = sorted(item for item in os.environ.items() if item[0].startswith(SETTINGS))
    file = Path(SETTINGS_FILE)
    parts = (
        binding.get_process_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
        repr(named),
        file.read_text(encoding="utf-8", errors="replace") if file.is_file() else "",
    )
    return digest(*parts)


def digest(*parts: str) -> str:
    """A hash of some texts, as part of a name."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:DIGEST_BYTES]
