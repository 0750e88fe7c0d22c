"""What every generated module begins with: how functions are compiled, and machine words."""

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils, errors
from numba.extending import intrinsic

from searchkit.compiled.specialise.compilers import Apart, Entry, Inner
from searchkit.compiled.specialise.entries import KernelEntry
from searchkit.compiled.specialise.names import problem

inner = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Functions that Python does not call need no code that converts their arguments."""
inlined = njit(forceinline=True, pipeline_class=Inner, **inner)
called = njit(pipeline_class=Inner, **inner)
outlined = njit(forceinline=False, pipeline_class=Inner, **inner)
apart = njit(pipeline_class=Apart, **inner)


def entry(function):
    """Compile a function that Python calls; its machine code is kept on disk."""
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    dispatcher = njit(pipeline_class=Entry, **options)(function)
    return KernelEntry.known(function.__module__, function.__name__, lambda: dispatcher)


@intrinsic
def count_ones(typing_context, word):
    """The number of one bits."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest_one(typing_context, word):
    """The place of the lowest one bit; 64 if there is none."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@intrinsic
def shift_right(typing_context, word, places):
    """The word shifted right, zeros shifted in."""

    def generate(context, builder, signature, arguments):
        return builder.lshr(*arguments)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def whole(typing_context, number):
    """The number, which must be an integer, as a machine word."""
    if not isinstance(number, (types.Integer, types.Boolean)):
        raise errors.TypingError(f"an estimate is {number}, and must be an integer")

    def generate(context, builder, signature, arguments):
        return context.cast(builder, arguments[0], signature.args[0], types.int64)

    return types.int64(number), generate


@inlined
def natural(number):
    """The number, which is known to be from 0 to 2**31 - 1.

    Where it is an index, machine code need not find out whether it counts from the end.
    """
    return number & 0x7FFFFFFF


@intrinsic
def borrowed(typing_context, value):
    """An array, or a tuple with arrays, without its reference counts.

    Counting takes atomic instructions, which let nothing pass. The caller keeps the arrays.
    """

    def without_count(context, builder, kind, item):
        if isinstance(kind, types.Array):
            array = context.make_array(kind)(context, builder, item)
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            return array._getvalue()
        if isinstance(kind, types.BaseTuple):
            for i, each in enumerate(kind):
                inner = without_count(context, builder, each, builder.extract_value(item, i))
                item = builder.insert_value(item, inner, i)
        return item

    def generate(context, builder, signature, arguments):
        return without_count(context, builder, signature.args[0], arguments[0])

    return value(value), generate


@intrinsic
def frame(typing_context, cells):
    """Room for so many words on the stack, for as long as its function runs.

    It is a pointer: an index counts from the beginning, so that loops over words become vectors.
    """
    if not isinstance(cells, types.IntegerLiteral):
        return None
    kind, count = types.CPointer(types.int64), cells.literal_value

    def generate(context, builder, signature, arguments):
        return cgutils.alloca_once(builder, ir.IntType(64), size=count)

    return kind(cells), generate


@intrinsic
def to_fixed_tuple(typing_context, array, length):
    """The first `length` elements of an array of one dimension.

    Each is read for itself: numba's own puts them into a tuple in a loop, through memory, and what
    was just written is waited for.
    """
    if not isinstance(length, types.IntegerLiteral):
        return None
    count = length.literal_value

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        found = context.make_array(kind)(context, builder, arguments[0])
        pointers = (
            cgutils.get_item_pointer(
                context, builder, kind, found, [context.get_constant(types.intp, i)]
            )
            for i in range(count)
        )
        words = [context.unpack_value(builder, kind.dtype, each) for each in pointers]
        return context.make_tuple(builder, signature.return_type, words)

    return types.UniTuple(array.dtype, count)(array, length), generate


@inlined
def zero_state(words):
    """The state whose words are 0."""
    if problem.WORDS == 1:
        return np.int64(0)
    return to_fixed_tuple(np.zeros(problem.WORDS, dtype=np.int64), problem.WORDS)


@intrinsic
def replace_word(typing_context, state, index, word):
    """The state of several words with another word at `index`."""

    def generate(context, builder, signature, arguments):
        words, at, new = arguments
        for i in range(len(signature.args[0])):
            is_there = builder.icmp_signed("==", at, at.type(i))
            old = builder.extract_value(words, i)
            words = builder.insert_value(words, builder.select(is_there, new, old), i)
        return words

    return state(state, types.int64, types.int64), generate


def _asking(is_written):
    """What asks for memory; other processors keep what is only read."""

    def prefetch(typing_context, array, index):
        def generate(context, builder, signature, arguments):
            found = context.make_array(signature.args[0])(context, builder, arguments[0])
            address = builder.bitcast(
                builder.gep(found.data, [arguments[1]]), ir.IntType(8).as_pointer()
            )
            word = ir.IntType(32)
            function = builder.module.declare_intrinsic(
                "llvm.prefetch",
                [address.type],
                ir.FunctionType(ir.VoidType(), [address.type, word, word, word]),
            )
            builder.call(function, [address, word(int(is_written)), word(3), word(1)])
            return context.get_dummy_value()

        return types.void(array, types.int64), generate

    return intrinsic(prefetch)


prefetch = _asking(is_written=True)
prefetch_to_read = _asking(is_written=False)
