"""Calls of rules that were compiled by themselves, through their addresses.

An array of words, `at`, has the addresses of functions from its beginning and, from `TABLES_AT`
on, the tables that these are called with. What keeps a function there makes one of words alone, of
which the place of the tables is the first.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.callconv import RETCODE_USEREXC, excinfo_ptr_t
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from searchkit.compiled.specialise.names import TABLES_AT, problem

WORD_BYTES = 8
_WORD = ir.IntType(64)
_ANSWER = ir.LiteralStructType([_WORD, _WORD])


def _place(context, builder, at, index):
    """Where `array[index]` is, of the array with its type in `at`."""
    kind, array = at
    return builder.gep(context.make_array(kind)(context, builder, array).data, [_WORD(index)])


def _called(context, kinds):
    """How words of `kinds` are handed to a function that is kept, and its type.

    It gives its number and, where it raises an error, what numba knows this by, or 0: both in
    registers, where numba's own convention has a number written to memory and read from there.
    """
    packer = context.get_arg_packer((types.int64, *kinds))
    return packer, ir.FunctionType(_ANSWER, packer.argument_types)


def _call(context, builder, kinds, at, place, given):
    """What the function kept at a place gives, which may raise an error."""
    packer, kind = _called(context, kinds)
    address = builder.load(_place(context, builder, at, place))
    tables = builder.ptrtoint(_place(context, builder, at, TABLES_AT), _WORD)
    words = packer.as_arguments(builder, [tables, *given])
    found = builder.call(builder.inttoptr(address, kind.as_pointer()), words)
    error = builder.extract_value(found, 1)
    with cgutils.if_unlikely(builder, cgutils.is_not_null(builder, error)):
        raised = builder.inttoptr(error, excinfo_ptr_t)
        convention = context.call_conv
        status = convention._get_return_status(builder, RETCODE_USEREXC, raised)
        convention.return_status_propagate(builder, status)
    return builder.extract_value(found, 0)


def _keep(context, builder, at, place, function, kinds, handed):
    """Keep a function of tables and of what `handed` makes of the arguments of some kinds.

    `function` is its type and signature; the tables are its first argument.
    """
    convention, (called, signature) = context.call_conv, function
    packer, kind = _called(context, kinds)
    kinds = (types.int64, *kinds)
    name = f"{builder.function.name}.{place}"
    raising = ir.Function(
        builder.module, convention.get_function_type(types.int64, kinds), f"{name}.raising"
    )
    raising.linkage = "internal"
    convention.decorate_function(raising, [f"a{i}" for i in range(len(kinds))], kinds)
    inside = ir.IRBuilder(raising.append_basic_block("entry"))
    tables, *given = convention.decode_arguments(inside, kinds, raising)
    stored = context.get_value_type(signature.args[0]).as_pointer()
    tables = _loaded(inside, inside.inttoptr(tables, stored))
    call = context.get_function(called, signature)
    convention.return_value(inside, call(inside, [tables, *handed(inside, given)]))
    kept = ir.Function(builder.module, kind, name)
    kept.linkage = "internal"
    inside = ir.IRBuilder(kept.append_basic_block("entry"))
    given = packer.from_arguments(inside, kept.args)
    status, number = convention.call_function(inside, raising, types.int64, kinds, given)
    error = inside.ptrtoint(status.excinfoptr, _WORD)
    error = inside.select(status.is_error, error, _WORD(0))
    answer = inside.insert_value(ir.Constant(_ANSWER, ir.Undefined), number, 0)
    inside.ret(inside.insert_value(answer, error, 1))
    builder.store(builder.ptrtoint(kept, _WORD), _place(context, builder, at, place))


def _loaded(builder, pointer):
    """What is at a place, each part by itself: those that are not used are then never loaded."""
    kind = pointer.type.pointee
    if not isinstance(kind, ir.Aggregate):
        return builder.load(pointer)
    whole, begin = ir.Constant(kind, ir.Undefined), ir.IntType(32)(0)
    for i in range(len(kind)):
        part = _loaded(builder, builder.gep(pointer, [begin, ir.IntType(32)(i)]))
        whole = builder.insert_value(whole, part, i)
    return whole


def _parts(context, builder, kind, children):
    """How many children there is room for, and where their arrays begin."""
    arrays = [
        context.make_array(each)(context, builder, builder.extract_value(children, i))
        for i, each in enumerate(kind)
    ]
    room = builder.extract_value(arrays[0].shape, 0)
    return [room, *(builder.ptrtoint(each.data, _WORD) for each in arrays)]


def _whole(context, builder, kind, room, places):
    """The children of which these are the parts."""
    made = context.get_constant_undef(kind)
    for i, (each, place) in enumerate(zip(kind, places, strict=True)):
        array = context.make_array(each)(context, builder)
        shape = [room, _WORD(problem.WORDS)][: each.ndim]
        strides = [_WORD(WORD_BYTES * problem.WORDS), _WORD(WORD_BYTES)][-each.ndim :]
        data = builder.inttoptr(place, array.data.type)
        populate_array(array, data, shape, strides, _WORD(WORD_BYTES), meminfo=None)
        made = builder.insert_value(made, array._getvalue(), i)
    return made


@intrinsic
def keep_tables(typing_context, at, tables):
    """Let the functions kept in `at` be called with these tables, if there is room for them.

    How many words of `at` it takes.
    """

    def generate(context, builder, signature, arguments):
        kind = context.get_value_type(tables)
        words = TABLES_AT + context.get_abi_sizeof(kind) // WORD_BYTES
        place = _place(context, builder, (at, arguments[0]), TABLES_AT)
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
        def handed(inside, given):
            word, made, room, *places = given
            return [word, _whole(context, inside, children, room, places), made]

        kinds = state, *[types.int64] * (2 + len(children))
        own, where = (function, inner), (at, arguments[0])
        _keep(context, builder, where, place.literal_value, own, kinds, handed)
        return context.get_dummy_value()

    return types.void(at, place, function, tables, state, children), generate


@intrinsic
def keep_asking(typing_context, at, place, function, tables, state):
    """Keep at a place a function of tables and a state."""
    if not isinstance(place, types.IntegerLiteral):
        return None
    inner = function.get_call_type(typing_context, (tables, state), {})

    def generate(context, builder, signature, arguments):
        own, where = (function, inner), (at, arguments[0])
        _keep(context, builder, where, place.literal_value, own, (state,), lambda _, given: given)
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
        kinds = state_kind, *[types.int64] * (2 + len(children))
        given = [words, number, *_parts(context, builder, children, room)]
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
