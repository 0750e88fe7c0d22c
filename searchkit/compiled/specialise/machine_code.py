"""Machine code as a file holds it, and how a process comes to call it without its compiler.

numba takes a third of the time of a process that finds all machine code on disk: so what numba has
compiled is loaded by LLVM's linker alone. It calls Python, numba's runtime and its helpers, which
are extension modules that are loaded by themselves.
"""

from __future__ import annotations

import builtins
import ctypes
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs

from searchkit.compiled.specialise.toolchain import llvm
from searchkit.running.compiler import numba_folder

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of places begin where numba looks for the constants in Python of a function."""
MATHEMATICS = [
    "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh",
    "atan2", "exp", "expm1", "sqrt", "fabs", "floor", "ceil", "log", "log10", "log1p", "round",
    "trunc", "pow", "fmod",
]  # fmt: skip
"""Functions of C that numba takes from the library that Python goes by."""
LENGTH_BYTES = 4


class CannotLinkError(Exception):
    """Machine code needs what this process does not have."""


@attrs.frozen
class ObjectCode:
    """What has to be known of a compiled function to call it.

    `wrapper` is the name of what converts Python's arguments, `environments` those of the places
    that tell whose constants a function has, `needed` those of what `code` calls and does not have.
    """

    code: bytes
    wrapper: str
    environments: tuple[str, ...]
    needed: tuple[str, ...]

    @classmethod
    def of(cls, result: Any) -> ObjectCode | None:
        """What numba has compiled; None if it has objects, or addresses, of this process."""
        from numba.core.environment import lookup_environment  # noqa: PLC0415

        if result.library.has_dynamic_globals:
            return None
        text = result.library._final_module
        places = list(text.global_variables)
        environments = [each.name for each in places if each.name.startswith(ENVIRONMENT)]
        known = [lookup_environment(name) for name in environments]
        if any(each is not None and len(each.consts) for each in known):
            return None
        declared = [each.name for each in (*text.functions, *places) if each.is_declaration]
        return cls(
            result.library._get_compiled_object(),
            result.fndesc.llvm_cpython_wrapper_name,
            tuple(environments),
            tuple(name for name in declared if not name.startswith("llvm.")),
        )

    def packed(self) -> bytes:
        """The same as bytes."""
        head = json.dumps([self.wrapper, self.environments, self.needed]).encode()
        return len(head).to_bytes(LENGTH_BYTES, "big") + head + self.code

    @classmethod
    def unpacked(cls, data: bytes) -> ObjectCode:
        """What `packed` gave; `ValueError` where it is something else."""
        end = LENGTH_BYTES + int.from_bytes(data[:LENGTH_BYTES], "big")
        wrapper, environments, needed = json.loads(data[LENGTH_BYTES:end])
        return cls(data[end:], wrapper, tuple(environments), tuple(needed))

    def linked(self, module: str, name: str) -> Callable[..., Any]:
        """What calls it: nothing checks the types of its arguments.

        Raises `CannotLinkError` where something that it needs is not there: to look it up later
        would end the process. Takes a millisecond.
        """
        return _linker().link(self, module, name)


@cache
def _linker() -> _Linker:
    try:
        return _Linker()
    except Exception as error:  # of whatever kind: all of numba may do better
        raise CannotLinkError(str(error)) from error


class _Linker:
    """What links the machine code of a process, all of its functions together."""

    def __init__(self) -> None:
        binding = llvm()
        self._binding = binding
        self._functions = _provide(binding)
        with suppress(RuntimeError):  # later versions do so by themselves
            binding.initialize()
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        target = binding.Target.from_triple(binding.get_process_triple())
        machine = target.create_target_machine(jit=True)
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        self._kept: list[Any] = []

    def link(self, object_code: ObjectCode, module: str, name: str) -> Callable[..., Any]:
        """See `ObjectCode.linked`."""
        missing = self._missing(object_code)
        if missing:
            _load_all_of_numba()
            missing = self._missing(object_code)
        if missing:
            raise CannotLinkError(", ".join(missing))
        engine = self._engine
        try:
            engine.add_object_file(self._binding.ObjectFileRef.from_data(object_code.code))
        except Exception as error:  # of whatever kind LLVM's is
            raise CannotLinkError(str(error)) from error
        engine.finalize_object()
        environment = self._functions.Environment({"__name__": module})
        for each in object_code.environments:
            place = engine.get_global_value_address(each)
            if place:
                ctypes.c_void_p.from_address(place).value = id(environment)
        address = engine.get_function_address(object_code.wrapper)
        if not address:
            raise CannotLinkError(object_code.wrapper)
        self._kept.append(environment)  # machine code has its address
        made: Callable[..., Any] = self._functions.make_function(
            ModuleType(module), name, "", address, environment, (engine, environment)
        )
        return made

    def _missing(self, object_code: ObjectCode) -> list[str]:
        found = self._binding.address_of_symbol
        return [each for each in object_code.needed if found(each) is None]


def _load_all_of_numba() -> None:
    """Let numba provide what it needs on few systems, such as a library of Intel's."""
    from numba.core.registry import cpu_target  # noqa: PLC0415  (takes long)

    cpu_target.target_context.codegen()


def _provide(binding: Any) -> Any:
    """Let LLVM's linker find what numba's machine code calls; the module that makes functions."""
    helpers, functions = _extension("_helperlib"), _extension("_dynfunc")
    runtime = _extension("core.runtime._nrt_python")
    named = [
        *((f"numba_{name}", place) for name, place in helpers.c_helpers.items()),
        *((f"numba_{name}", place) for name, place in functions.c_helpers.items()),
        *((name, helpers.c_helpers[name]) for each in MATHEMATICS for name in (each, f"{each}f")),
        *(
            (name if name.startswith("_") else f"NRT_{name}", place)
            for name, place in runtime.c_helpers.items()
        ),
        # Of objects of Python, numba takes the address for that of a pointer to them.
        ("_Py_NoneStruct", id(None)),
        *(
            (f"PyExc_{each.__name__}", id(each))
            for each in vars(builtins).values()
            if isinstance(each, type) and issubclass(each, BaseException)
        ),
    ]
    for name, place in named:
        binding.add_symbol(name, place)
    return functions


def _extension(name: str) -> ModuleType:
    """An extension module of numba, without numba, which loads the same one when it is imported.

    Were it left among the modules, numba would have no attribute of its name then.
    """
    whole = f"numba.{name}"
    if whole in sys.modules:
        return sys.modules[whole]
    folder, (*above, last) = numba_folder(), name.split(".")
    spec = None if folder is None else PathFinder.find_spec(last, [str(Path(folder, *above))])
    found = None if spec is None else spec_from_file_location(whole, spec.origin)
    if found is None or found.loader is None:
        raise CannotLinkError(whole)
    try:
        module = module_from_spec(found)
        found.loader.exec_module(module)
    except ImportError as error:
        raise CannotLinkError(str(error)) from error
    sys.modules.pop(whole, None)  # which C has entered
    return module
