"""Machine code on disk: one file per function of an exact module, made once, loaded ever after."""

from __future__ import annotations

import hashlib
import linecache
import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from llvmlite.binding import parse_assembly
from numba.core.caching import CompileResultCacheImpl, NullCache
from numba.core.runtime import rtsys

from searchkit.compiled.specialise.own_folder import (
    ENVIRONMENT_VARIABLE,
    NotOursError,
    OwnFolder,
    cache_directory,
)
from searchkit.errors import SearchkitWarning
from searchkit.running.making import making_code
from searchkit.texts.files import write_whole

SOURCE_VARIABLE = "SEARCHKIT_KERNEL_SOURCE"
"""Names a folder that the texts of generated modules are written to, to be read."""
PREFIX = "searchkit_kernel_"
DIGEST_BYTES = 32
OWN = f"unless {ENVIRONMENT_VARIABLE} names a folder that is yours and closed to others (chmod 700)"
WRITABLE = f"unless {ENVIRONMENT_VARIABLE} names a folder that can be written to"
COMPILERS = Path(__file__).with_name("compilers.py")
"""How numba is asked to compile: machine code depends on it as well."""
TRAP = "call void @llvm.trap()"
KEPT_SECONDS = 90 * 24 * 3600
"""Files that were not used for so long are deleted when another is written."""


def load_module(text: str, shown: Callable[[], str] | None = None) -> ModuleType:
    """The module with the source `text`.

    Its name is a hash of the text and of everything else that machine code depends on
    (versions of Python, numba, llvmlite and numpy, and how numba is asked to compile), so that
    a change of any of them makes another module: stale machine code cannot run. Where
    `SEARCHKIT_KERNEL_SOURCE` names a folder, the text is written there as well, or the one that
    `shown` gives, if that is not empty.
    """
    name = f"{PREFIX}{_digest(text)}"
    _show(name, shown or (lambda: text))
    if name in sys.modules:
        return sys.modules[name]
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
            each.__name__ += _own_name(module.__name__)


def _own_name(module: str) -> str:
    """What is added to names of classes of a module of that name."""
    return f"_{module.removeprefix(PREFIX)}"


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


def _digest(text: str) -> str:
    import llvmlite  # noqa: PLC0415  (numba has loaded it)
    import numba  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    compilers = COMPILERS.read_text(encoding="utf-8")
    parts = (sys.version, numba.__version__, llvmlite.__version__, np.__version__, compilers, text)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:DIGEST_BYTES]


def cached(dispatcher: Any) -> Any:
    """Make a compiled function load its machine code from disk, and store it there."""
    dispatcher._cache = MachineCode(dispatcher.py_func)
    plain = dispatcher.compile

    def compile_or_load(signature: Any) -> Any:
        with making_code():
            return plain(signature)

    dispatcher.compile = compile_or_load  # called for arguments of types that are new
    return dispatcher


class MachineCode(NullCache):  # type: ignore[misc]
    """The machine code of one function, one file for each list of argument types.

    A file begins with a hash of the rest, so that a damaged one is noticed; it is then made
    again, as it is when the folder cannot be read, or when somebody else could have written it:
    see `OwnFolder`. If it cannot be written, that costs time only. What costs time in every run
    is shown by a `SearchkitWarning`, once a process. Processes that write a file at once write
    to files of their own, which they rename. `made` counts the functions that this process did
    not find on disk.
    """

    made: ClassVar[int] = 0
    has_warned: ClassVar[bool] = False

    def __init__(self, function: Any) -> None:
        self._function = function
        self._convert = CompileResultCacheImpl.__new__(CompileResultCacheImpl)

    def _name(self, signature: Any, codegen: Any) -> str:
        types = str(signature).replace(_own_name(self._function.__module__), "")
        key = hashlib.sha256(repr((types, codegen.magic_tuple())).encode()).hexdigest()
        return f"{self._function.__module__}.{self._function.__name__}.{key[:DIGEST_BYTES]}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for the signature, or None.

        Of numba's context only what machine code calls is prepared: all that can be compiled, a
        sixth of the time of a process that compiles nothing, waits for the first compilation.
        """
        rtsys.initialize(target_context)
        try:
            with OwnFolder.opened(cache_directory()) as folder:
                data = folder.read(self._name(sig, target_context.codegen()))
        except OSError:
            return None
        except NotOursError as error:
            _warn(f"{error}, so that its machine code is not used", OWN)
            return None
        payload = data[DIGEST_BYTES:]
        if hashlib.sha256(payload).digest() != data[:DIGEST_BYTES]:
            return None
        try:
            return self._convert.rebuild(target_context, pickle.loads(payload))
        except Exception:  # of whatever kind: it is made again
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled function."""
        MachineCode.made += 1
        with _without_text(data.library):
            reduced = self._convert.reduce(data)
        payload = pickle.dumps(reduced, protocol=pickle.HIGHEST_PROTOCOL)
        try:
            with OwnFolder.opened(cache_directory(), make=True) as folder:
                name = self._name(sig, data.codegen)
                folder.write(name, hashlib.sha256(payload).digest() + payload)
                folder.sweep(PREFIX, KEPT_SECONDS)
        except OSError as error:
            reason = error.strerror or error
            _warn(f"machine code cannot be kept in {cache_directory()}: {reason}", WRITABLE)
        except NotOursError as error:
            _warn(f"{error}, so that no machine code is kept there", OWN)


@contextmanager
def _without_text(library: Any) -> Iterator[None]:
    """Let a library tell of its functions no more than their names, beside its machine code.

    numba keeps all of its text as well, for functions that call it, which takes a third of the time
    to load it; but kernels may not call entries, and a process that did so would end here.
    """
    names = [each.name for each in library.get_defined_functions()]
    bodies = [f'define void @"{name}"() {{\n  {TRAP}\n  unreachable\n}}' for name in names]
    text = "\n".join(["declare void @llvm.trap()", *bodies])
    before, library._shared_module = library._shared_module, parse_assembly(text)
    try:
        yield
    finally:
        library._shared_module = before


def _warn(what: str, advice: str) -> None:
    """Say once a process why machine code is made again in every run."""
    if not MachineCode.has_warned:
        MachineCode.has_warned = True
        warnings.warn(f"{what}; it is made again, {advice}", SearchkitWarning, stacklevel=2)
