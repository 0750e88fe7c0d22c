"""How numba compiles functions of a module: entries, and functions that only kernels call.

numba makes machine code of each function, and once more of what that calls, as a part of it. Of a
function that Python does not call, the first is of no use. It also counts references to arrays,
which takes calls of a function that must then be found superfluous; but arrays live longer than
the call that they are handed to. Passes that look for what kernels do not have, such as closures,
are left out.
"""

from __future__ import annotations

import dis
from types import CodeType
from typing import Any

from numba import _dynfunc, types
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import (
    AnalysisPass,
    PassManager,
    _pass_registry,
    register_pass,
)
from numba.core.postproc import PostProcessor
from numba.core.transforms import canonicalize_cfg
from numba.core.typing import Context

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


class _Typing(Context):  # type: ignore[misc]
    """What numba knows of types, with what it found out about operators kept.

    It tries a dozen signatures for each sum.
    """

    def resolve_function_type(self, function: Any, given: Any, named: Any) -> Any:
        """The signature of a call for arguments of the types `given`."""
        if named or getattr(function, "__module__", None) != "_operator":
            return super().resolve_function_type(function, given, named)
        key = function, tuple(given)
        if key not in _signatures:
            _signatures[key] = super().resolve_function_type(function, given, named)
        return _signatures[key]


_signatures: dict[Any, Any] = {}
"""The signatures of operators by the types of what they are used with."""


class _Passes(PassManager):  # type: ignore[misc]
    """Passes that are carried out without the events and times that numba offers to listeners."""

    def _runPass(self, index: int, each: Any, state: Any) -> None:  # noqa: N802
        each.analysis = self._analysis
        changed = each.run_pass(state)
        if _pass_registry.get(type(each)).mutates_CFG and state.func_ir is not None:
            if changed:
                PostProcessor(state.func_ir).run()
            else:
                state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)


_OF_CLOSURES = {
    untyped_passes.InlineClosureLikes,
    untyped_passes.MakeFunctionToJitFunction,
}
"""Passes for functions that define functions."""
_UNUSED = {
    untyped_passes.WithLifting,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.NopythonRewrites,
    typed_passes.DumpParforDiagnostics,
}
"""Passes for what kernels do without: contexts, loops over tuples, sums of arrays."""


@register_pass(mutates_CFG=False, analysis_only=True)
class _Uncounted(AnalysisPass):  # type: ignore[misc]
    """Lets a function count no references to arrays, unless it makes some, or is given some."""

    _name = "uncounted"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Once its types are known; nothing of the function is changed."""
        holds_arrays = state.targetctx.data_model_manager.__getitem__
        given = [state.return_type]
        for each, signature in state.calltypes.items():
            if getattr(each, "op", None) == "call":
                called = state.typemap[each.func.name]
                given += [signature.return_type] if isinstance(called, types.Dispatcher) else []
        makes = not _ALLOCATE.isdisjoint(state.func_id.code.co_names)
        if not makes and not any(holds_arrays(kind).contains_nrt_meminfo() for kind in given):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


_pipelines: dict[Any, PassManager] = {}


class Entry(CompilerBase):  # type: ignore[misc]
    """Compiles a function that Python calls."""

    last_pass: type[AnalysisPass] = _Uncounted
    """What is done before a function is lowered."""

    def __init__(self, typing: Any, *rest: Any) -> None:
        kept = object.__new__(_Typing)
        kept.__dict__ = typing.__dict__
        super().__init__(kept, *rest)

    def define_pipelines(self) -> list[PassManager]:
        """The passes that kernels need, the same for all functions that define no others."""
        constants = self.state.func_id.code.co_consts
        is_flat = not any(isinstance(each, CodeType) for each in constants)
        key = type(self), is_flat
        if key not in _pipelines:
            usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
            left_out = _UNUSED | (_OF_CLOSURES if is_flat else set())
            passes = _Passes(usual.pipeline_name)
            passes.passes = [each for each in usual.passes if each[0] not in left_out]
            passes.add_pass_after(self.last_pass, typed_passes.AnnotateTypes)
            passes.finalize()
            _pipelines[key] = passes
        return [_pipelines[key]]

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
class _OnlyAPart(_Uncounted):
    """Lets a function become a part of others alone, and count nothing in vain."""

    _name = "only_a_part"

    def run_pass(self, state: Any) -> bool:
        """Once its types are known; nothing of the function is changed."""
        if _may_raise(state.func_id.func):
            return False
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        state.targetctx.get_executable = _not_executable
        return False


class Inner(Entry):
    """Compiles a function that only kernels call, without machine code of the function alone."""

    last_pass = _OnlyAPart


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
