"""Several items of an array at once, and what processors have for that."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _vector(context, builder, array, place, lanes=8):
    """The items of `array` from `place` on, as a vector."""
    kind, value = array
    items = ir.VectorType(ir.IntType(kind.dtype.bitwidth), lanes)
    address = builder.gep(context.make_array(kind)(context, builder, value).data, [place])
    address = builder.bitcast(address, items.as_pointer())
    return builder.load(address, align=kind.dtype.bitwidth // 8)


def _equal(builder, items, value):
    """Which items of a vector equal a word, as a vector of bits."""
    width = items.type.element.width
    if width < 64:
        value = builder.trunc(value, items.type.element)
    unknown = ir.Constant(items.type, ir.Undefined)
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), items.type.count), None)
    same = builder.shuffle_vector(
        builder.insert_element(unknown, value, ir.IntType(32)(0)), unknown, zeros
    )
    return builder.icmp_signed("==", items, same)


@intrinsic
def equal_among_eight(typing_context, array, start, value):
    """Which of the eight items `array[start:start + 8]` equal `value`, as bits."""

    def generate(context, builder, signature, arguments):
        items = _vector(context, builder, (signature.args[0], arguments[0]), arguments[1])
        mask = _equal(builder, items, arguments[2])
        return builder.zext(builder.bitcast(mask, ir.IntType(8)), ir.IntType(64))

    return types.int64(array, types.int64, types.int64), generate


def _keeping(lanes, packed):
    """An intrinsic that keeps some of `lanes` words: see `names`.

    `packed` makes, of a vector and of a mask for it, one that begins with the words in the mask.
    """

    @intrinsic
    def keep(typing_context, source, keys, i, key, target, start):
        def generate(context, builder, signature, arguments):
            arrays = list(zip(signature.args, arguments, strict=True))
            values = _vector(context, builder, arrays[0], arguments[2], lanes)
            found = _vector(context, builder, arrays[1], arguments[2], lanes)
            mask = _equal(builder, found, arguments[3])
            kept = packed(builder, values, mask)
            array = context.make_array(signature.args[4])(context, builder, arguments[4])
            place = builder.gep(array.data, [arguments[5]])
            builder.store(kept, builder.bitcast(place, kept.type.as_pointer()), align=8)
            count = builder.ctpop(builder.bitcast(mask, ir.IntType(lanes)))
            return builder.zext(count, ir.IntType(64))

        return types.int64(source, keys, types.int64, types.int64, target, types.int64), generate

    return keep


def _compressed(builder, values, mask):
    # Not the instruction that compresses into memory, which is microcode on some processors.
    kind = ir.FunctionType(values.type, [values.type, values.type, mask.type])
    name = "llvm.x86.avx512.mask.compress.v8i64"
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    return builder.call(function, [values, ir.Constant(values.type, None), mask])


def _permuted(builder, values, mask):
    # The halves of the words in a mask come first; of all else, the halves of any word.
    halves = ir.VectorType(ir.IntType(32), 8)
    rows = []
    for bits in range(16):
        kept = [lane for lane in range(4) if bits >> lane & 1]
        lanes = kept + [0] * (4 - len(kept))
        rows += [2 * lane + half for lane in lanes for half in (0, 1)]
    name = "searchkit_permutations"
    table = builder.module.globals.get(name)
    if table is None:
        kind = ir.ArrayType(ir.IntType(32), len(rows))
        table = cgutils.add_global_variable(builder.module, kind, name)
        table.initializer = ir.Constant(kind, rows)
        table.linkage, table.global_constant, table.align = "internal", True, 32
    number = builder.zext(builder.bitcast(mask, ir.IntType(4)), ir.IntType(64))
    row = builder.gep(table, [ir.IntType(64)(0), builder.shl(number, ir.IntType(64)(3))])
    order = builder.load(builder.bitcast(row, halves.as_pointer()), align=32)
    kind = ir.FunctionType(halves, [halves, halves])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx2.permd")
    return builder.bitcast(
        builder.call(function, [builder.bitcast(values, halves), order]), values.type
    )


keep_of_eight = _keeping(8, _compressed)
keep_of_four = _keeping(4, _permuted)


def _sums(context, builder, kinds, arguments):
    """The sums (exclusive or) of eight items of two arrays, from places in them, as a vector."""
    arrays = list(zip(kinds, arguments, strict=True))
    left = _vector(context, builder, arrays[0], arguments[1])
    return builder.xor(left, _vector(context, builder, arrays[2], arguments[3]))


@intrinsic
def smallest_of_eight(typing_context, left, i, right, j):
    """The smallest of the sums (exclusive or) of `left[i:i + 8]` and `right[j:j + 8]`."""

    def generate(context, builder, signature, arguments):
        sums = _sums(context, builder, signature.args, arguments)
        item = sums.type.element
        kind = ir.FunctionType(item, [sums.type])
        name = f"llvm.vector.reduce.smin.v8i{item.width}"
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        least = builder.call(function, [sums])
        return context.cast(builder, least, signature.args[0].dtype, types.int64)

    return types.int64(left, types.int64, right, types.int64), generate


@intrinsic
def add_eight(typing_context, left, i, right, j, target, at):
    """Put the sums (exclusive or) of `left[i:i + 8]` and `right[j:j + 8]` to `target[at:]`."""

    def generate(context, builder, signature, arguments):
        sums = _sums(context, builder, signature.args, arguments)
        array = context.make_array(signature.args[4])(context, builder, arguments[4])
        place = builder.bitcast(builder.gep(array.data, [arguments[5]]), sums.type.as_pointer())
        builder.store(sums, place, align=sums.type.element.width // 8)
        return context.get_dummy_value()

    return types.void(left, types.int64, right, types.int64, target, types.int64), generate
