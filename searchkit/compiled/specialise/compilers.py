"""How numba compiles functions of a module: entries, and functions that only kernels call.

numba makes machine code of each function, and once more of what that calls, as a part of it. Of a
function that Python does not call, the first is of no use. It also counts references to arrays,
which takes calls of a function that must then be found superfluous; what only kernels call is
handed arrays that live longer than the call.
"""

from __future__ import annotations

import dis
from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.typed_passes import AnnotateTypes

_ALLOCATE = {"zeros", "empty"}
"""What makes an array: who calls it counts references to it."""


class _KeptFlags(Flags):  # type: ignore[misc]
    """Flags as they are while a function is compiled: looked up with each call in its text."""

    __slots__ = ("_kept",)

    def copy(self) -> _KeptFlags:
        """The flags that functions called by this one inherit, which nothing changes."""
        same = _KeptFlags(self)
        values = Flags.values(same)
        same._kept = values, hash(tuple(sorted(values)))
        return same

    def values(self) -> dict[str, Any]:
        """All options by name; O(1) for copies."""
        kept = getattr(self, "_kept", None)
        return Flags.values(self) if kept is None else kept[0]  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return self is other or Flags.__eq__(self, other)

    def __hash__(self) -> int:
        kept = getattr(self, "_kept", None)
        return Flags.__hash__(self) if kept is None else kept[1]  # type: ignore[no-any-return]


class Entry(CompilerBase):  # type: ignore[misc]
    """Compiles a function that Python calls."""

    def define_pipelines(self) -> list[PassManager]:
        """The usual passes."""
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]

    def _compile_core(self) -> Any:
        self.state.flags = _KeptFlags(self.state.flags)
        return super()._compile_core()


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function for those that call it, and for no execution by itself."""

    def add_llvm_module(self, module: Any) -> None:
        """Take a function's code; it is made simpler with that of all that it calls."""
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)

    def get_pointer_to_function(self, name: str) -> int:
        """Nothing can call it."""
        return 0

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=True)
class _OnlyAPart(AnalysisPass):  # type: ignore[misc]
    """Lets a function become a part of others alone, and count nothing in vain."""

    _name = "only_a_part"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Once its types are known; nothing of the function is changed."""
        if _may_raise(state.func_id.func):
            return False
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        models = state.targetctx.data_model_manager
        makes_arrays = _ALLOCATE & set(state.func_id.code.co_names)
        if not makes_arrays and not models[state.return_type].contains_nrt_meminfo():
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        state.targetctx.get_executable = _not_executable
        return False


class Inner(Entry):
    """Compiles a function that only kernels call."""

    def define_pipelines(self) -> list[PassManager]:
        """The usual passes, without machine code of the function alone."""
        (passes,) = super().define_pipelines()
        passes.add_pass_after(_OnlyAPart, AnnotateTypes)
        passes.finalize()
        return [passes]


class Apart(Inner):
    """Compiles a function whose arguments point to memory of their own: C says `restrict`.

    A vector of items can then be looked up in tables before any is stored, and what does not depend
    on an item is loaded once. numba can do so, but has no option for it.
    """

    def define_pipelines(self) -> list[PassManager]:
        """The same passes, for such arguments."""
        self.state.flags.noalias = True
        return super().define_pipelines()


def _may_raise(function: Any) -> bool:
    """Whether a function may raise an error: numba then looks up what belongs to its code."""
    return any(each.opname == "RAISE_VARARGS" for each in dis.get_instructions(function))


def _not_executable(library: Any, description: Any, environment: Any) -> Any:
    """What stands for a function among those that can be called: numba knows it by its identity."""
    name = description.qualname.rpartition(".")[2]
    return _dynfunc.make_function(description.lookup_module(), name, "", 0, environment, (library,))
