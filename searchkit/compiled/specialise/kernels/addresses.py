"""Calls of rules that were compiled by themselves, through their addresses.

An array of words has, from its beginning, the addresses of functions and, from `TABLES` on, the
tables that these are called with. What keeps a function there makes one that takes simple arguments
alone, as numba calls its own: so an error comes through.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from searchkit.compiled.specialise.names import TABLES_AT

_WORD = ir.IntType(64)


def _place(context, builder, kind, array, index):
    """Where `array[index]` is."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [_WORD(index)])


def _call(context, builder, kinds, at, place, given):
    """What the function kept at a place gives, which may raise an error."""
    convention = context.call_conv
    kinds = (types.int64, *kinds)
    pointer = convention.get_function_type(types.int64, kinds).as_pointer()
    function = builder.inttoptr(builder.load(_place(context, builder, *at, place)), pointer)
    tables = builder.ptrtoint(_place(context, builder, *at, TABLES_AT), _WORD)
    found = convention.call_function(builder, function, types.int64, kinds, [tables, *given])
    status, value = found
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return value


def _keep(context, builder, at, place, function, kinds, handed):
    """Keep a function of tables and of what `handed` makes of the arguments of some kinds.

    `function` is its type and signature; the tables are its first argument.
    """
    convention, (called, signature) = context.call_conv, function
    kinds = (types.int64, *kinds)
    kept = ir.Function(
        builder.module,
        convention.get_function_type(types.int64, kinds),
        f"{builder.function.name}.{place}",
    )
    kept.linkage = "internal"
    convention.decorate_function(kept, [f"a{i}" for i in range(len(kinds))], kinds)
    inside = ir.IRBuilder(kept.append_basic_block("entry"))
    tables, *given = convention.decode_arguments(inside, kinds, kept)
    stored = context.get_value_type(signature.args[0]).as_pointer()
    tables = inside.load(inside.inttoptr(tables, stored))
    call = context.get_function(called, signature)
    convention.return_value(inside, call(inside, [tables, *handed(inside, given)]))
    builder.store(builder.ptrtoint(kept, _WORD), _place(context, builder, *at, place))


@intrinsic
def keep_tables(typing_context, at, tables):
    """Let the functions kept in `at` be called with these tables; how many words of `at` it takes.

    """

    def generate(context, builder, signature, arguments):
        kind = context.get_value_type(tables)
        words = TABLES_AT + context.get_abi_sizeof(kind) // 8
        place = _place(context, builder, at, arguments[0], TABLES_AT)
        size = context.make_array(at)(context, builder, arguments[0]).nitems
        with builder.if_then(builder.icmp_signed(">=", size, _WORD(words))):
            builder.store(arguments[1], builder.bitcast(place, kind.as_pointer()))
        return _WORD(words)

    return types.int64(at, tables), generate


@intrinsic
def keep_listing(typing_context, at, place, function, tables, state, children):
    """Keep at a place a function of tables, a state, children, and how many there are."""
    if not isinstance(place, types.IntegerLiteral):
        return None
    inner = function.get_call_type(typing_context, (tables, state, children, types.int64), {})

    def generate(context, builder, signature, arguments):
        stored = context.get_value_type(children).as_pointer()

        def handed(inside, given):
            return [given[0], inside.load(inside.inttoptr(given[1], stored)), given[2]]

        kinds = state, types.int64, types.int64
        place_in = (at, arguments[0])
        _keep(context, builder, place_in, place.literal_value, (function, inner), kinds, handed)
        return context.get_dummy_value()

    return types.void(at, place, function, tables, state, children), generate


@intrinsic
def keep_asking(typing_context, at, place, function, tables, state):
    """Keep at a place a function of tables and a state."""
    if not isinstance(place, types.IntegerLiteral):
        return None
    inner = function.get_call_type(typing_context, (tables, state), {})

    def generate(context, builder, signature, arguments):
        place_in, own = (at, arguments[0]), (function, inner)
        _keep(
            context, builder, place_in, place.literal_value, own, (state,), lambda _, given: given
        )
        return context.get_dummy_value()

    return types.void(at, place, function, tables, state), generate


@intrinsic
def call_listing(typing_context, at, place, state, children, made):
    """What the function kept at a place by `keep_listing` gives."""
    if not isinstance(place, types.IntegerLiteral):
        return None
    state_kind = types.unliteral(state)

    def generate(context, builder, signature, arguments):
        array, _, words, room, number = arguments
        address = builder.ptrtoint(cgutils.alloca_once_value(builder, room), _WORD)
        kinds, given = (state_kind, types.int64, types.int64), [words, address, number]
        return _call(context, builder, kinds, (at, array), place.literal_value, given)

    return types.int64(at, place, state_kind, children, types.int64), generate


@intrinsic
def call_asking(typing_context, at, place, state):
    """What the function kept at a place by `keep_asking` gives."""
    if not isinstance(place, types.IntegerLiteral):
        return None
    kind = types.unliteral(state)

    def generate(context, builder, signature, arguments):
        array, _, words = arguments
        return _call(context, builder, (kind,), (at, array), place.literal_value, [words])

    return types.int64(at, place, kind), generate
