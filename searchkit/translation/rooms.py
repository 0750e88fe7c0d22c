"""Which room answers what: of rules on plain states, and on objects.

The rows for syntax, for functions and for methods are at the ends of the rooms. Where several rooms
answer, the first one hands on what it has no answer to: `equal` of two numbers comes from
`counters` through `dicts` and `members` to `comparison`.
"""

from __future__ import annotations

import attrs

from searchkit.translation import (
    arithmetic,
    builders,
    calls,
    changes,
    counters,
    dicts,
    entries,
    expressions,
    functions,
    iterators,
    library,
    lookups,
    members,
    memory,
    methods,
    objects,
    order,
    recursion,
    refusals,
    sequences,
    sets,
    statements,
    strings,
    variables,
)
from searchkit.translation.translator import Forms

UNPACK, PACK = "searchkit_unpack", "searchkit_pack"
"""What these are called in classes of authors, who may have other methods of shorter names."""

PLAIN = Forms(
    unpack="unpack", pack="packed", step_form="yield Step(label, state)", plain_steps=True,
    has_words=True, has_open_sets=True, has_outlined=True,
    entries={"expand": entries.expand, "at_goal": entries.at_goal, "estimate": entries.estimate},
    statements=statements.STATEMENTS, expressions=expressions.EXPRESSIONS | dicts.EXPRESSIONS
    | calls.EXPRESSIONS | library.EXPRESSIONS,
    calls=functions.CALLS | iterators.CALLS | dicts.CALLS | counters.CALLS | calls.CALLS,
    row_methods=strings.ROW_METHODS | methods.ROW_METHODS, set_methods=methods.SET_METHODS,
    # Several rooms answer, the first for the fewest values.
    slot=recursion.slot,  # then memory
    store_joined=changes.store_joined,  # then memory
    copy=sets.copy,  # then memory
    truth=members.truth,  # then comparison
    as_compared=lookups.as_compared,  # then comparison
    compared=members.compared,  # then comparison
    equal=counters.equal,  # then dicts, members, comparison
    ordered=counters.ordered,  # then members, order
    held=dicts.held,  # then lookups, sequences
    length_of=dicts.length_of,  # then members, lookups, sequences
    indexed=counters.indexed,  # then dicts, members, lookups, sequences
    contains=dicts.contains,  # then members, lookups, sequences
    stream=dicts.stream,  # then members, lookups, loops
    collected=sets.collected,  # then builders
    copied_list=changes.copied_list,  # then builders
    sorted_row=sets.sorted_row,  # then builders
    row_of=lookups.row_of,  # then sets
    combined_sets=lookups.combined_sets,  # then sets
    looked_up_by=dicts.looked_up_by,  # then lookups
    attribute=members.attribute,  # then expressions
    combined=counters.combined,  # then dicts, strings, members, expressions
    unary=members.unary,  # then expressions
    method=counters.method,  # then dicts, iterators, methods
    place_of_value=counters.place_of_value,  # then dicts
    call=library.call,  # then calls
    give_back=entries.give_back,  # then statements
    put=changes.put,  # then statements
    # One room answers, which is above one that asks, or has another answer for objects or fields.
    fail=refusals.fail, type_of_known=memory.type_of_known, length=memory.length,
    item_at=memory.item_at, field_of=memory.field_of, small=memory.small,
    is_mutable=memory.is_mutable, as_float=arithmetic.as_float, number=arithmetic.number,
    within=arithmetic.within, as_atom=order.as_atom, roomy=variables.roomy, assign=variables.assign,
    settled=variables.settled, check_sharing=variables.check_sharing,
    of_sharing=variables.of_sharing, change=variables.change, enlarge=variables.enlarge,
    with_part=variables.with_part, place_of_item=sequences.place_of_item,
    index_within=sequences.index_within, in_row=sequences.in_row,
    made_row=builders.made_row, in_stream=builders.in_stream,
    member_place=sets.member_place, in_set=sets.in_set, with_bit=sets.with_bit,
    members_in=sets.members_in, length_of_set=sets.length_of_set, store_set=sets.store_set,
    alike=sets.alike, has_room=sets.has_room, combined_bits=sets.combined_bits,
    equals_set=sets.equals_set, cells_hold=sets.cells_hold, ordered_sets=sets.ordered_sets,
    found_in_dict=lookups.found_in_dict, key_place=lookups.key_place,
    in_known_set=lookups.in_known_set, value=expressions.value, check_set=expressions.check_set,
    check_own=expressions.check_own, of_member=expressions.of_member,
    attribute_of_known=expressions.attribute_of_known, method_of=members.method_of,
    formatted=strings.formatted, as_text=strings.as_text, list_to_change=methods.list_to_change,
    as_set=methods.as_set, unbound=methods.unbound, replaced=calls.replaced, called=calls.called,
    arguments=calls.arguments, wrong_call=calls.wrong_call, bind_argument=calls.bind_argument,
    run_in_place=calls.run_in_place, freed=calls.freed, block=statements.block,
    statement=statements.statement, assign_target=statements.assign_target,
    place_of=statements.place_of, store_slice=statements.store_slice, entry=entries.entry,
    child=entries.child, check_fit=entries.check_fit, cells_of=entries.cells_of,
    wrong=objects.wrong, put_field=objects.put_field, fitting=objects.fitting,
    chosen_set=objects.chosen_set, bits_of=objects.bits_of,
)  # fmt: skip

OF_OBJECTS = attrs.evolve(
    PLAIN, unpack=UNPACK, pack=PACK, step_form="yield label, child", plain_steps=False,
    has_words=False, has_open_sets=False, has_outlined=False,
    statements=PLAIN.statements | objects.STATEMENTS,
    set_methods=PLAIN.set_methods | objects.SET_METHODS, type_of_known=objects.type_of_known,
    field_of=objects.field_of, is_mutable=objects.is_mutable, equal=objects.equal,
    ordered=objects.ordered, roomy=objects.roomy, of_sharing=objects.of_sharing,
    change=objects.change, enlarge=objects.enlarge, with_part=objects.with_part,
    place_of_item=objects.place_of_item, collected=objects.collected,
    combined_sets=objects.combined_sets, in_set=objects.in_set, with_bit=objects.with_bit,
    members_in=objects.members_in, attribute=objects.attribute, combined=objects.combined,
    method=objects.method, list_to_change=objects.list_to_change, as_set=objects.as_set,
    assign_target=objects.assign_target, store_slice=objects.store_slice, put=objects.put,
    entry=objects.entry, child=objects.child, check_fit=objects.check_fit,
    cells_of=objects.cells_of, wrong=objects.wrong, put_field=objects.put_field,
    fitting=objects.fitting, chosen_set=objects.chosen_set, bits_of=objects.bits_of,
)  # fmt: skip
"""The same for a state with declared fields, and an author's method that yields its steps."""
