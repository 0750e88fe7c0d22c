"""Numbers that several threads read and change."""

from numba import types
from numba.extending import intrinsic


def _address(context, builder, kind, value, index):
    """Where `array[index]` is."""
    return builder.gep(context.make_array(kind)(context, builder, value).data, [index])


def _changing(operation):
    """An intrinsic that changes an item of an array in one step: see `names`."""

    @intrinsic
    def change(typing_context, array, index, number):
        def generate(context, builder, signature, arguments):
            kind, number = signature.args[0], arguments[2]
            address = _address(context, builder, kind, *arguments[:2])
            if kind.dtype.bitwidth < 64:
                number = builder.trunc(number, context.get_value_type(kind.dtype))
            before = builder.atomic_rmw(operation, address, number, "monotonic")
            return context.cast(builder, before, kind.dtype, types.int64)

        return types.int64(array, types.int64, types.int64), generate

    return change


add_atomically = _changing("add")
lower_atomically = _changing("min")
or_atomically = _changing("or")


@intrinsic
def read_atomically(typing_context, array, index):
    """The word `array[index]` as it is now, whoever has changed it."""

    def generate(context, builder, signature, arguments):
        address = _address(context, builder, signature.args[0], *arguments)
        return builder.load_atomic(address, "monotonic", 8)

    return types.int64(array, types.int64), generate
