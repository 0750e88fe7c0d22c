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


def of_two_floats(kind, make):
    """An intrinsic of two floats: of what `kind` it is, and what makes it."""

    def calculated(typing_context, left, right):
        def generate(context, builder, signature, arguments):
            words = float_words(context, builder, signature, arguments)
            return make(builder, *(builder.bitcast(each, FLOAT_KIND) for each in words))

        return kind(types.unliteral(left), types.unliteral(right)), generate

    return intrinsic(calculated)


def float_operation(method):
    """An intrinsic that makes a float of two."""

    def calculated(builder, left, right):
        return builder.bitcast(getattr(builder, method)(left, right), FLOAT_WORD)

    return of_two_floats(types.int64, calculated)


def float_comparison(sign):
    """An intrinsic that compares two floats; nothing holds of what is no number."""

    def compared(builder, left, right):
        return builder.fcmp_ordered(sign, left, right)

    return of_two_floats(types.boolean, compared)


def raised_to(builder, number, exponent):
    """A float to the power of another, by the function of the C library that Python calls, too.

    The compiler takes the square root for a power of 0.5 that it knows, which is another float at
    times: the exponent must be one that it does not know.
    """
    kind = ir.FunctionType(FLOAT_KIND, [FLOAT_KIND, FLOAT_KIND])
    function = cgutils.get_or_insert_function(builder.module, kind, "pow")
    return builder.bitcast(builder.call(function, [number, exponent]), FLOAT_WORD)


float_add = float_operation("fadd")
float_subtract = float_operation("fsub")
float_multiply = float_operation("fmul")
float_divide = float_operation("fdiv")
float_power = of_two_floats(types.int64, raised_to)
float_less = float_comparison("<")
float_equal = float_comparison("==")


def of_one_word(make):
    """An intrinsic that makes a word of another."""

    def calculated(typing_context, number):
        def generate(context, builder, signature, arguments):
            return make(builder, *float_words(context, builder, signature, arguments))

        return types.int64(types.unliteral(number)), generate

    return intrinsic(calculated)


def asked_of_processor(builder, name, word):
    """What the processor makes of a float."""
    function = builder.module.declare_intrinsic(name, [FLOAT_KIND])
    return builder.call(function, [builder.bitcast(word, FLOAT_KIND)])


@of_one_word
def float_of(builder, number):
    """The float that is nearest to a whole number."""
    return builder.bitcast(builder.sitofp(number, FLOAT_KIND), FLOAT_WORD)


@of_one_word
def float_root(builder, number):
    """The square root of a float that is not negative."""
    return builder.bitcast(asked_of_processor(builder, "llvm.sqrt", number), FLOAT_WORD)


@of_one_word
def float_floor(builder, number):
    """The largest whole number up to a float, as a number."""
    return builder.fptosi(asked_of_processor(builder, "llvm.floor", number), FLOAT_WORD)
