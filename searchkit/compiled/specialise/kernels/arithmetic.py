"""Arithmetic of kernels: words wrap around, as Python's numbers do under a mask of 64 bits.

The compiler's own sums of signed numbers may do anything where they overflow: it concludes that the
sum of two numbers without a sign bit has none. And numbers of other widths than 64 bits have other
rules, so that all that a kernel reads is made a word first.
"""

from numba import types
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

from searchkit.compiled.specialise.names import problem


def told_type(kind):
    """What messages call a type."""
    if isinstance(kind, types.BaseTuple):
        return f"a tuple of {len(kind)}"
    if isinstance(kind, types.Array):
        return "a row of a table"
    return f"a {kind}"


def expect_number(kind, told):
    """Raise an error for the author unless the type is that of a number."""
    if not isinstance(types.unliteral(kind), (types.Integer, types.Boolean)):
        raise TypingError(f"searchkit: {told} {told_type(kind)}")


def operation(sign, method):
    """An intrinsic that calculates with two words."""

    def wrapping(typing_context, left, right):
        for kind in (left, right):
            expect_number(kind, f"uses {sign} with")

        def generate(context, builder, signature, arguments):
            words = [
                context.cast(builder, value, kind, types.int64)
                for value, kind in zip(arguments, signature.args, strict=True)
            ]
            return getattr(builder, method)(*words)

        return types.int64(types.unliteral(left), types.unliteral(right)), generate

    return intrinsic(wrapping)


wrapping_add = operation("+", "add")
wrapping_subtract = operation("-", "sub")
wrapping_multiply = operation("*", "mul")


@intrinsic
def as_word(typing_context, value):
    """A number of any width as a word; all else as it is."""
    kind = types.unliteral(value)
    if isinstance(kind, types.Float):
        raise TypingError("searchkit: uses a float; kernels calculate with integers")
    is_number = isinstance(kind, (types.Integer, types.Boolean))

    def generate(context, builder, signature, arguments):
        if is_number:
            return context.cast(builder, arguments[0], kind, types.int64)
        return impl_ret_borrowed(context, builder, kind, arguments[0])

    return (types.int64 if is_number else kind)(kind), generate


def selected(builder, condition, one, other):
    """One of two values of the compiler's, field by field, without a branch."""
    if not hasattr(one.type, "elements") and not hasattr(one.type, "count"):
        return builder.select(condition, one, other)
    fields = len(one.type.elements) if hasattr(one.type, "elements") else one.type.count
    for i in range(fields):
        pair = (builder.extract_value(each, i) for each in (one, other))
        other = builder.insert_value(other, selected(builder, condition, *pair), i)
    return other


@intrinsic
def one_of(typing_context, arrays, index):
    """One of several arrays. Which, the processor need not guess: it is no jump."""
    expect_number(index, "uses as an index")

    def generate(context, builder, signature, arguments):
        kind, number = signature.args
        several = len(kind)
        place = context.cast(builder, arguments[1], number, types.int64)
        chosen = builder.extract_value(arguments[0], 0)
        for i in range(1, several):
            here = [builder.icmp_signed("==", place, place.type(at)) for at in (i, i - several)]
            array = builder.extract_value(arguments[0], i)
            chosen = selected(builder, builder.or_(*here), array, chosen)
        return impl_ret_borrowed(context, builder, kind.dtype, chosen)

    return arrays.dtype(arrays, types.unliteral(index)), generate


@intrinsic
def as_number(typing_context, value):
    """The number that a kernel returns."""
    expect_number(value, "must return an integer, but returns")
    kind = types.unliteral(value)

    def generate(context, builder, signature, arguments):
        return arguments[0]

    return kind(kind), generate


@intrinsic
def as_state(typing_context, value):
    """The state that a kernel returns."""
    kind = types.unliteral(value)
    words = problem.WORDS
    if words == 1:
        expect_number(kind, "must return a state, which is an integer (words is 1), but returns")
        made = types.int64
    else:
        made = types.UniTuple(types.int64, words)
        wanted = (
            f"must return a state, which is a tuple of {words} integers (words is {words}), but"
        )
        if not isinstance(kind, types.BaseTuple) or len(kind) != words:
            raise TypingError(f"searchkit: {wanted} returns {told_type(kind)}")
        for each in kind:
            expect_number(each, f"{wanted} returns a tuple that holds")

    def generate(context, builder, signature, arguments):
        return context.cast(builder, arguments[0], kind, made)

    return made(kind), generate
