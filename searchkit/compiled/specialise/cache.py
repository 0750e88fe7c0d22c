"""Modules of machine code, each named by a hash of all that its machine code depends on."""

from __future__ import annotations

import linecache
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from searchkit.compiled.specialise.code_files import PREFIX
from searchkit.compiled.specialise.entries import one_at_a_time, own_name
from searchkit.compiled.specialise.toolchain import SOURCE_VARIABLE, compiler_parts, digest
from searchkit.errors import SearchkitWarning
from searchkit.texts.files import write_whole


def load_module(text: str, shown: Callable[[], str] | None = None) -> ModuleType:
    """The module with the source `text`.

    Its name is a hash of the text and of everything else that machine code depends on
    (versions of Python, numba, llvmlite and numpy, and how numba is asked to compile), so that
    a change of any of them makes another module: stale machine code cannot run. Where
    `SEARCHKIT_KERNEL_SOURCE` names a folder, the text is written there as well, or the one that
    `shown` gives, if that is not empty.
    """
    name = f"{PREFIX}{digest(*compiler_parts(), text)}"
    _show(name, shown or (lambda: text))
    with one_at_a_time:
        return sys.modules.get(name) or _run(name, text)


def _run(name: str, text: str) -> ModuleType:
    """The module of that name, which is new."""
    module = ModuleType(name)
    module.__file__ = f"<{name}>"
    # Errors of the compiler can then show the line they are about.
    linecache.cache[module.__file__] = (
        len(text), None, text.splitlines(keepends=True), module.__file__,
    )  # fmt: skip
    sys.modules[name] = module  # machine code refers to the module by its name
    try:
        exec(compile(text, module.__file__, "exec"), module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    _tell_apart(module)
    return module


def _tell_apart(module: ModuleType) -> None:
    """Let the named tuples of a module have names that no other module's have.

    numba takes the type of an argument for known by the *name* of its class and its fields. If two
    modules have the same, then the types of one seem new at each call, which takes 0.3 ms.
    """
    for each in vars(module).values():
        if isinstance(each, type) and each.__module__ == module.__name__:
            each.__name__ += own_name(module.__name__)


def _show(name: str, shown: Callable[[], str]) -> None:
    """Write the text of a module where somebody wants to read it."""
    folder = os.environ.get(SOURCE_VARIABLE)
    text = shown() if folder else ""
    if not folder or not text:
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        write_whole(Path(folder) / f"{name}.py", text.encode())
    except OSError as error:
        message = f"{SOURCE_VARIABLE}: cannot write to {folder}: {error.strerror or error}"
        warnings.warn(message, SearchkitWarning, stacklevel=2)
