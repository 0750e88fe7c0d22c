"""How numba compiles functions of a module: entries, and functions that only kernels call.

numba makes machine code of each function, and once more of what that calls, as a part of it. Of a
function that Python does not call, the first is of no use. It also counts references to arrays,
which takes calls of a function that must then be found superfluous; but arrays live longer than
the call that they are handed to. Passes that look for what kernels do not have, such as closures,
are left out. So is what numba does again and again for the sake of others: after each pass it finds
out how long variables live, before each function it looks for extensions, and of a number in a text
it asks again what may be done with it. It also compiles a function once more for a number that a
text hands to it. A part is made simpler with what calls it, not before.
"""

from __future__ import annotations

import dis
from importlib import import_module
from importlib.util import find_spec
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
from numba.core.datamodel.models import OpaqueModel
from numba.core.errors import TypingError
from numba.core.transforms import canonicalize_cfg
from numba.core.typing import Context, signature
from numba.extending import lower_builtin, register_model
from numba.np import linalg

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


_ON_NUMBERS = {
    "add", "sub", "mul", "floordiv", "mod", "lshift", "rshift", "and_", "or_", "xor",
    "iadd", "isub", "imul", "ifloordiv", "imod", "ilshift", "irshift", "iand", "ior", "ixor",
    "lt", "le", "gt", "ge", "eq", "ne", "neg", "pos", "invert", "not_",
}  # fmt: skip
"""Operators for which a number that the text holds is like any other."""


class _Operator(types.Function):  # type: ignore[misc]
    """An operator, with what numba found out about it kept.

    It tries a dozen signatures each time.
    """

    def __init__(self, function: Any) -> None:
        self._signatures: dict[Any, Any] = {}
        self._is_on_numbers = function.typing_key.__name__ in _ON_NUMBERS
        super().__init__(function.templates)

    def get_call_type(self, context: Any, given: Any, named: Any) -> Any:
        """The signature for arguments of the types `given`."""
        if self._is_on_numbers:
            given = tuple(map(types.unliteral, given))
        key = tuple(given)
        if key not in self._signatures:
            self._signatures[key] = super().get_call_type(context, key, named)
        return self._signatures[key]


class _Extreme(_Operator):
    """`min` or `max`: of words it is made in place, where numba compiles a function of its own."""

    def __init__(self, function: Any, key: Any) -> None:
        super().__init__(function)
        self._key = key

    def get_call_type(self, context: Any, given: Any, named: Any) -> Any:
        """The signature for arguments of the types `given`."""
        words = tuple(map(types.unliteral, given))
        if named or len(words) < 2 or set(words) != {types.int64}:
            return super().get_call_type(context, given, named)
        self._impl_keys[words] = self._key
        return signature(types.int64, *words)


def _extreme(comparison: str) -> Any:
    """What numba knows the first of words by that no other comes before."""

    def key() -> None: ...

    @lower_builtin(key, types.VarArg(types.Any))  # type: ignore[untyped-decorator]
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first, *others = arguments
        for each in others:
            is_before = builder.icmp_signed(comparison, each, first)
            first = builder.select(is_before, each, first)
        return first

    return key


_EXTREMES = {min: _extreme("<"), max: _extreme(">")}
register_model(_Operator)(OpaqueModel)
register_model(_Extreme)(OpaqueModel)
_operators: dict[Any, _Operator] = {}
"""Operators by what numba knows them as, which extensions change."""
_is_complete = False
"""Whether all that numba can compile was loaded."""


class _Typing(Context):  # type: ignore[misc]
    """What numba knows of types, with what it found out kept."""

    def load_additional_registries(self) -> None:
        """Load what other libraries add, once."""
        if not _is_complete:
            super().load_additional_registries()

    def resolve_value_type(self, value: Any) -> Any:
        """The type of a constant, such as a function."""
        found = super().resolve_value_type(value)
        if type(found) is not types.Function:
            return found
        extreme = _EXTREMES.get(value) if value is min or value is max else None
        is_operator = value is bool or getattr(value, "__module__", None) == "_operator"
        if extreme is None and not is_operator:
            return found
        if found not in _operators:
            _operators[found] = _Operator(found) if is_operator else _Extreme(found, extreme)
        return _operators[found]

    def _resolve_user_function_type(self, function: Any, given: Any, *rest: Any) -> Any:
        """The signature of a call, where a number in the text is like any other, if it can be."""
        usual = super()._resolve_user_function_type
        numbers = (types.IntegerLiteral, types.BooleanLiteral)
        if _is_part(function) and any(isinstance(each, numbers) for each in given):
            alike = [types.unliteral(each) if isinstance(each, numbers) else each for each in given]
            try:
                return usual(function, tuple(alike), *rest)
            except TypingError:  # such as that of an index of a tuple
                pass
        return usual(function, given, *rest)


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function, which LLVM makes simpler once, with that of all that it calls.

    numba has it done before that as well, for each function and for the sake of counted references.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        found = self._codegen._module_pass_manager()
        passes, *builder = found if isinstance(found, tuple) else (found,)  # before numba 0.62
        passes.run(self._final_module, *builder)


class _Passes(PassManager):  # type: ignore[misc]
    """Passes that are carried out without the events and times that numba offers to listeners.

    After each, numba finds out how long variables live, which only the last ones need to know: they
    find out themselves.
    """

    def _runPass(self, index: int, each: Any, state: Any) -> None:  # noqa: N802
        each.analysis = self._analysis
        each.run_pass(state)
        if _pass_registry.get(type(each)).mutates_CFG and state.func_ir is not None:
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
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        holds_arrays = state.targetctx.data_model_manager.__getitem__
        given = [state.return_type]
        for each, called_with in state.calltypes.items():
            if getattr(each, "op", None) == "call":
                called = state.typemap[each.func.name]
                given += [called_with.return_type] if isinstance(called, types.Dispatcher) else []
        makes = not _ALLOCATE.isdisjoint(state.func_id.code.co_names)
        if not makes and not any(holds_arrays(kind).contains_nrt_meminfo() for kind in given):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


_pipelines: dict[Any, PassManager] = {}


class Entry(CompilerBase):  # type: ignore[misc]
    """Compiles a function that Python calls."""

    last_pass: type[AnalysisPass] = _Uncounted
    """What is done before a function is lowered."""

    def __init__(self, typing: Any, target: Any, *rest: Any) -> None:
        global _is_complete  # noqa: PLW0603
        kept = object.__new__(_Typing)
        kept.__dict__ = typing.__dict__
        target = target.subtarget(typing_context=kept)
        if _is_complete:
            target.load_additional_registries = _nothing_more
        else:
            _load_arrays()
        super().__init__(kept, target, *rest)
        _is_complete = True

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


def _is_part(function: Any) -> bool:
    """Whether something is a function that only kernels call."""
    if not isinstance(function, types.Dispatcher):
        return False
    return issubclass(function.dispatcher._compiler.pipeline_class, Inner)


def _load_arrays() -> None:
    """Load what numba knows of arrays, without scipy, which takes nearly as long as all of numba.

    numba imports that to see whether it is there, and again where matrices are multiplied.
    """
    if find_spec("scipy") is None:
        return
    asked = linalg.ensure_blas
    linalg.ensure_blas = _nothing_more
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = asked


def _nothing_more() -> None:
    """What stands for a look for extensions after the first."""


class _PartLibrary(_Library):
    """The code of a function for those that call it, and for no execution by itself."""

    def _optimize_final_module(self) -> None:
        """Leave that to the function that Python calls."""

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
        super().run_pass(state)
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
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
