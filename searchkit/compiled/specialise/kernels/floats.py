"""Floats as words of the same bits: see `searchkit.kernel_language.floats`.

Each result is rounded once: nothing here lets the compiler join two operations to one, or change
their order.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

FLOAT_KIND = ir.DoubleType()
FLOAT_WORD = ir.IntType(64)


def float_words(context, builder, signature, arguments):
    """The arguments as words."""
    return [
        context.cast(builder, value, kind, types.int64)
        for value, kind in zip(arguments, signature.args, strict=True)
    ]


def float_operation(method):
    """An intrinsic that makes a float of two."""

    def calculated(typing_context, left, right):
        def generate(context, builder, signature, arguments):
            words = float_words(context, builder, signature, arguments)
            floats = [builder.bitcast(each, FLOAT_KIND) for each in words]
            return builder.bitcast(getattr(builder, method)(*floats), FLOAT_WORD)

        return types.int64(types.unliteral(left), types.unliteral(right)), generate

    return intrinsic(calculated)


float_add = float_operation("fadd")
float_subtract = float_operation("fsub")
float_multiply = float_operation("fmul")
float_divide = float_operation("fdiv")


def float_comparison(sign):
    """An intrinsic that compares two floats; nothing holds of what is no number."""

    def compared(typing_context, left, right):
        def generate(context, builder, signature, arguments):
            words = float_words(context, builder, signature, arguments)
            return builder.fcmp_ordered(
                sign, *(builder.bitcast(each, FLOAT_KIND) for each in words)
            )

        return types.boolean(types.unliteral(left), types.unliteral(right)), generate

    return intrinsic(compared)


float_less = float_comparison("<")
float_equal = float_comparison("==")


@intrinsic
def float_of(typing_context, number):
    """The float that is nearest to a whole number."""

    def generate(context, builder, signature, arguments):
        words = float_words(context, builder, signature, arguments)
        return builder.bitcast(builder.sitofp(words[0], FLOAT_KIND), FLOAT_WORD)

    return types.int64(types.unliteral(number)), generate


def asked_of_processor(builder, name, word):
    """What the processor makes of a float."""
    function = builder.module.declare_intrinsic(name, [FLOAT_KIND])
    return builder.call(function, [builder.bitcast(word, FLOAT_KIND)])


@intrinsic
def float_power(typing_context, number, exponent):
    """A float to the power of another, by the function of the C library that Python calls, too.

    The compiler takes the square root for a power of 0.5 that it knows, which is another float at
    times: the exponent must be one that it does not know.
    """

    def generate(context, builder, signature, arguments):
        words = float_words(context, builder, signature, arguments)
        kind = ir.FunctionType(FLOAT_KIND, [FLOAT_KIND, FLOAT_KIND])
        function = cgutils.get_or_insert_function(builder.module, kind, "pow")
        found = builder.call(function, [builder.bitcast(each, FLOAT_KIND) for each in words])
        return builder.bitcast(found, FLOAT_WORD)

    return types.int64(types.unliteral(number), types.unliteral(exponent)), generate


@intrinsic
def float_root(typing_context, number):
    """The square root of a float that is not negative."""

    def generate(context, builder, signature, arguments):
        words = float_words(context, builder, signature, arguments)
        found = asked_of_processor(builder, "llvm.sqrt", words[0])
        return builder.bitcast(found, FLOAT_WORD)

    return types.int64(types.unliteral(number)), generate


@intrinsic
def float_floor(typing_context, number):
    """The largest whole number up to a float, as a number."""

    def generate(context, builder, signature, arguments):
        words = float_words(context, builder, signature, arguments)
        found = asked_of_processor(builder, "llvm.floor", words[0])
        return builder.fptosi(found, FLOAT_WORD)

    return types.int64(types.unliteral(number)), generate
