"""How numba compiles functions of a module: entries, and functions that only kernels call.

Nearly all have a text that says enough to make instructions of it (the room `direct`); numba's own
way, by its bytecode, is for the others, and takes two to three times as long.

numba makes machine code of each function, and once more of what that calls, as a part of it. Of a
function that Python does not call, the first is of no use. It also counts references to arrays,
which takes calls of a function that must then be found superfluous; but arrays live longer than
the call that they are handed to. A part is made simpler with what calls it, not before.
"""

from __future__ import annotations

import dis
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from numba import _dynfunc, types
from numba.core import typed_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import (
    AnalysisPass,
    PassManager,
    register_pass,
)
from numba.core.datamodel.models import OpaqueModel
from numba.core.errors import NumbaError
from numba.core.targetconfig import ConfigStack
from numba.core.typing import Context, signature
from numba.extending import lower_builtin, register_model
from numba.np import linalg

from searchkit.compiled.specialise.direct.known import Unfit
from searchkit.compiled.specialise.direct.lowering import Text
from searchkit.compiled.specialise.direct.text import LowerText, infer

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


class _Extreme(types.Function):  # type: ignore[misc]
    """`min` or `max`: of words it is made in place, where numba compiles a function of its own."""

    def __init__(self, function: Any, key: Any) -> None:
        super().__init__(function.templates)
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
register_model(_Extreme)(OpaqueModel)
_is_complete = False
"""Whether all that numba can compile was loaded."""


_UNFIT = Unfit, NumbaError, NotImplementedError
"""Errors after which numba's own way is taken, which may tell them better."""
_TOO_DEEP = "too deep"
"""Noted with errors where texts are nested, or call each other, so deep that numba does all."""
_failed: dict[Any, Exception] = {}
"""The errors of functions for arguments, kept until what is compiled is told of them: each function
that calls one asks twice, and those that call it twice as often."""


class _Typing(Context):  # type: ignore[misc]
    """What numba knows of types."""

    def load_additional_registries(self) -> None:
        """Load what other libraries add, once."""
        if not _is_complete:
            super().load_additional_registries()

    def resolve_value_type(self, value: Any) -> Any:
        """The type of a constant, such as a function."""
        found = super().resolve_value_type(value)
        return _Extreme(found, _EXTREMES[value]) if value is min or value is max else found


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
        _count_nothing(state)
        return False


def _count_nothing(state: Any) -> None:
    """Let a function count no references, if it can; what is made of its text never does."""
    holds_arrays = state.targetctx.data_model_manager.__getitem__
    makes = not _ALLOCATE.isdisjoint(state.func_id.code.co_names)
    given = [state.return_type, *_answers(state)]
    if not makes and not any(holds_arrays(kind).contains_nrt_meminfo() for kind in given):
        state.targetctx = state.targetctx.subtarget(enable_nrt=False)
    elif isinstance(state.func_ir, Text):
        raise Unfit("references that are counted")


def _answers(state: Any) -> list[Any]:
    """What the functions return that a function calls."""
    if isinstance(state.func_ir, Text):
        return state.func_ir.found.answers
    return [
        called_with.return_type
        for each, called_with in state.calltypes.items()
        if getattr(each, "op", None) == "call"
        and isinstance(state.typemap[each.func.name], types.Dispatcher)
    ]


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
        # Lowering looks for what makes instructions of an intrinsic when it meets the first call.
        vars(self.state.targetctx).pop("load_additional_registries", None)

    def define_pipelines(self) -> list[PassManager]:
        """The passes of numba itself, for functions whose text does not suffice."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(self.last_pass, typed_passes.AnnotateTypes)
        passes.finalize()
        return [passes]

    def _compile_core(self) -> Any:
        state = self.state
        state.flags = _KeptFlags(state.flags)
        is_outermost = not state.typingctx.callstack
        try:
            return self._compiled()
        except RecursionError as error:
            if not is_outermost:
                raise
            _failed[_TOO_DEEP] = error
            return self._compiled()
        finally:
            if is_outermost:
                _failed.clear()

    def _compiled(self) -> Any:
        """The function made of its text, or in numba's own way."""
        state = self.state
        before = state.targetctx, state.return_type, state.library
        asked = state.func_id.func, tuple(state.args)
        if asked in _failed:
            raise _failed[asked]
        try:
            if _TOO_DEEP in _failed:
                raise Unfit(_TOO_DEEP)
            with ConfigStack().enter(state.flags.copy()):
                infer(state)
                for each in (self.last_pass, LowerText, typed_passes.NoPythonBackend):
                    each().run_pass(state)
            state.pipeline = None
            return state.cr
        except _UNFIT:
            state.func_ir, (state.targetctx, state.return_type, state.library) = None, before
        try:
            return super()._compile_core()
        except RecursionError:
            raise
        except Exception as error:
            _failed[asked] = error
            raise


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
            if isinstance(state.func_ir, Text):
                _count_nothing(state)
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

    def _compile_core(self) -> Any:
        self.state.flags.noalias = True
        return super()._compile_core()


def _may_raise(function: Any) -> bool:
    """Whether a function may raise an error: numba then looks up what belongs to its code."""
    return any(each.opname == "RAISE_VARARGS" for each in dis.get_instructions(function))


def _not_executable(library: Any, description: Any, environment: Any) -> Any:
    """What stands for a function among those that can be called: numba knows it by its identity."""
    name = description.qualname.rpartition(".")[2]
    return _dynfunc.make_function(description.lookup_module(), name, "", 0, environment, (library,))
