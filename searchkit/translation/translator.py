"""The translator of an author's rules: what it knows on its way, and who answers what.

The rooms beside this module are functions that are given the translator. What only rooms further
up can answer, or what several answer, each for values of its own kinds, is in the table `Forms`:
`t.forms.equal(t, a, b)` asks the last room that has a say, which answers or hands on to the one
before. `rooms` gathers the answers.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

import attrs

from searchkit.errors import ProblemError
from searchkit.kernel_language.site import Site
from searchkit.translation.blocks import Activations, Routine
from searchkit.translation.facts import Facts, Scope, Variable
from searchkit.translation.omitted import Counted
from searchkit.translation.text import Sums, Text, Trap
from searchkit.translation.types import Atoms, Bits, Type
from searchkit.translation.values import Function, Joined, Known, Place, Scalar, Stream, Value

Rows = dict[Any, Callable[..., Any]]
"""What is called for nodes of syntax trees by their classes, for functions and methods by name."""


@attrs.frozen(kw_only=True)
class Forms:
    """What rooms answer that those below them ask, or that several of them answer.

    Each is given the translator first. What it does is said where it is defined.
    """

    # Options

    unpack: str
    pack: str
    """What the kernels are called that put a state into cells and back."""
    step_form: str
    """What messages say that a step is."""
    plain_steps: bool
    """Whether a plain tuple of a label, a state and a cost is a step."""
    has_words: bool
    """Whether children may be made of the words of their parents."""
    has_open_sets: bool
    """Whether sets may have members that no sample had."""
    has_outlined: bool
    """Whether functions of authors may be functions of the machine code as well."""

    # By the class of a node, or by name

    entries: Rows
    """Kernels, by their names."""
    statements: Rows
    expressions: Rows
    calls: Rows
    """Functions of Python and its library."""
    row_methods: Rows
    """Methods of lists, tuples, texts and deques."""
    set_methods: Rows

    # By the room that answers in general, or alone: its function has the same name

    # refusals
    fail: Callable[..., None]
    # memory
    type_of_known: Callable[..., Any]
    length: Callable[[Any, Place], Scalar]
    item_at: Callable[[Any, Place, str], Place]
    field_of: Callable[[Any, Place, int], Place]
    slot: Callable[[Any, Type], Place]
    small: Callable[[Any, Scalar], str]
    is_mutable: Callable[[Any, Type], bool]
    store_joined: Callable[[Any, Joined, Place], None]
    copy: Callable[[Any, Place, Place], None]
    # arithmetic
    as_float: Callable[[Any, Value, str], Scalar]
    number: Callable[[Any, Value, str], Scalar]
    within: Callable[..., Scalar]
    # comparison
    truth: Callable[[Any, Value], Scalar]
    as_compared: Callable[[Any, Value], Value]
    compared: Callable[..., Scalar]
    equal: Callable[..., Scalar]
    # order
    as_atom: Callable[[Any, Scalar, Type], str | None]
    ordered: Callable[..., Scalar]
    # variables
    roomy: Callable[[Any, Type, Type], Type]
    assign: Callable[[Any, str, Value], None]
    settled: Callable[[Any, Value], Value]
    check_sharing: Callable[..., None]
    of_sharing: Callable[[Any, Variable], Exception]
    change: Callable[..., None]
    enlarge: Callable[[Any, Place, Type], Place]
    with_part: Callable[[Any, Type, tuple[int | None, ...], Callable[[Type], Type]], Type]
    # sequences
    held: Callable[[Any, Value], Value]
    length_of: Callable[[Any, Value], Scalar | Known]
    indexed: Callable[..., Value]
    place_of_item: Callable[[Any, Value, Value], Place | Known]
    index_within: Callable[[Any, Scalar, Scalar], Scalar]
    contains: Callable[..., Scalar]
    in_row: Callable[[Any, Value, Value], Scalar]
    # loops
    stream: Callable[[Any, Value], Stream]
    # builders
    collected: Callable[[Any, Value, type], Value]
    copied_list: Callable[[Any, Place, Place], Place]
    made_row: Callable[[Any, Stream, type], Place]
    in_stream: Callable[[Any, Stream, Value], Scalar]
    sorted_row: Callable[..., Value]
    # sets
    row_of: Callable[[Any, Value], Place]
    combined_sets: Callable[[Any, ast.operator, Value, Value], Value]
    member_place: Callable[[Any, Bits, Value], tuple[str, str] | None]
    in_set: Callable[[Any, Value, Value], Scalar]
    with_bit: Callable[..., None]
    members_in: Callable[[Any, Place], Stream]
    length_of_set: Callable[[Any, Value], Scalar]
    store_set: Callable[[Any, Value, Place], None]
    alike: Callable[[Any, Value, Value], bool]
    has_room: Callable[[Any, Value, Place], bool]
    combined_bits: Callable[[Any, ast.operator, Place, Place, type], Value]
    equals_set: Callable[..., Scalar]
    cells_hold: Callable[[Any, Place, Place, str], Scalar]
    ordered_sets: Callable[[Any, str, Value, Value], Scalar]
    # lookups
    found_in_dict: Callable[[Any, dict[Any, Any], Value], Value]
    key_place: Callable[[Any, Any, Value], str | None]
    in_known_set: Callable[[Any, Any, Value], Scalar]
    looked_up_by: Callable[
        [Any, Value, Value, Callable[[Value], Value], Callable[[], Value]], Value
    ]
    # expressions
    value: Callable[[Any, ast.expr], Value]
    check_set: Callable[[Any, ast.AST], None]
    attribute: Callable[[Any, Value, str], Value]
    check_own: Callable[[Any, Known, ast.expr], None]
    of_member: Callable[[Any, Value], Value]
    attribute_of_known: Callable[[Any, Known, str], Value]
    combined: Callable[..., Value]
    unary: Callable[..., Value]
    # members
    method_of: Callable[[Any, type, str, Value], Value]
    # strings
    formatted: Callable[[Any, Value, str], Value]
    as_text: Callable[[Any, Value], Value]
    # methods
    method: Callable[[Any, Value, str], Any]
    list_to_change: Callable[..., Place]
    as_set: Callable[[Any, Value], Value]
    unbound: Callable[[Any, Value, Value], Value]
    # dicts
    place_of_value: Callable[[Any, Place, Value], Place | Known]
    # calls
    call: Callable[[Any, Value, list[Value], dict[str, Value]], Value]
    replaced: Callable[[Any, Value, dict[str, Value]], Value]
    called: Callable[..., Value]
    arguments: Callable[
        [Any, Any, list[Value], dict[str, Value], tuple[Value, ...], dict[str, Value]],
        dict[str, Value],
    ]
    wrong_call: Callable[[Any], NoReturn]
    bind_argument: Callable[[Any, Any, Scope, str, Value], None]
    run_in_place: Callable[[Any, Any, Scope, dict[str, Value]], Value]
    freed: Callable[[Any, Value, Scope], Value]
    # statements
    block: Callable[[Any, list[Any]], bool]
    give_back: Callable[[Any, ast.expr | None], None]
    assign_target: Callable[[Any, ast.expr, Value], None]
    place_of: Callable[[Any, ast.Subscript], Place | None]
    store_slice: Callable[[Any, ast.Subscript, ast.Slice, Value], None]
    put: Callable[[Any, Place, Value], None]
    # entries
    entry: Callable[[Any, Function, Value, Any, Any], None]
    child: Callable[[Any, Value], None]
    check_fit: Callable[[Any, str], None]
    cells_of: Callable[[Any, Value], str]
    # objects
    wrong: Callable[[Any, str], ProblemError]
    put_field: Callable[[Any, Place, Value], None]
    fitting: Callable[[Any, Place, Value], Scalar]
    chosen_set: Callable[..., Value]
    bits_of: Callable[[Any, Value, Place], Place]


@attrs.define(eq=False, kw_only=True)
class Translator:
    """One method of an author's on its way to a kernel, in one round."""

    forms: Forms
    author: Any
    name: str
    """What the kernel is called."""
    facts: Facts
    kind: Any
    """The type of states."""
    counters: Counted
    text: Text = attrs.field(factory=Text)
    """The text that is being made."""
    site: Site
    """The place in the author's program that it is made of."""
    node: ast.AST = attrs.field(factory=lambda: ast.Pass(lineno=0, col_offset=0))
    """What is being translated."""
    own: str = ""
    """The place of the author's statement that was translated last."""
    scope: Any = None
    """The function that is translated: a `Scope`."""
    run_entry: Any = None
    """What begins the rule itself, until it has begun."""
    to_search: Any = None
    """What is done with the steps of a kernel that lists them."""

    # Memory

    atoms: Atoms
    words: bool
    """Whether texts of letters alone that states do not change are kept as numbers."""
    numbers: list[int]
    """The table of constants."""
    sums: Sums = attrs.field(factory=Sums)
    kept: dict[Any, int] = attrs.field(factory=dict)
    """Where constants are in the table, by their cells."""
    types_of_items: dict[Any, Type] = attrs.field(factory=dict)
    """By what gives the items of rows by number."""
    slots: dict[str, Place] = attrs.field(factory=dict)
    """The room of variables, by their names."""

    # Here

    handlers: tuple[Any, ...] = ()
    """What takes errors here, the last first: its classes, a loop of the text at whose end it
    stands, and how many loops over sets are open there."""
    is_calm: bool = False
    """Whether nothing is changed for as long as the names live that are given values now."""
    sized: set[Any] = attrs.field(factory=set)
    """The places of the program where room was made for as many items as were noted."""
    sums_of_floats: set[Any] = attrs.field(factory=set)
    """The places where a sum was met that is none of whole numbers."""
    unordered: tuple[Any, ...] = ()
    """The functions that go through a set at this point, by their keys."""
    gone_through: ast.AST | None = None
    """The call whose items a loop of the rule itself goes through, all of them."""
    open_dicts: tuple[Any, ...] = ()
    """The variables of the dicts that are gone through at this point, each with the loop."""
    turned: tuple[Any, ...] = ()
    """The variables of the lists of lists whose columns are gone through at this point."""
    open_loop: Any = None
    """The innermost `for` here."""
    named_parts: tuple[Any, ...] = ()
    """The variables of dicts of lists of which a list has a name at this point."""

    # Functions

    activations: Activations = attrs.field(factory=Activations)
    is_unfinished: bool = False
    """Whether some way through a function was left out in this round."""
    left_out: Any = None
    """Why the first of those ways is not translated, if that is another reason."""
    copies: Counter[Any] = attrs.field(factory=Counter)
    running: list[Routine] = attrs.field(factory=list)
    """Those in whose loops the text is, the innermost last: its activation is the last one."""
    parts: dict[Any, Any] = attrs.field(factory=dict)
    """Functions of the machine code (see `outlined`), by definitions and shapes of arguments."""
    copied_lines: dict[Any, int] = attrs.field(factory=dict)
    """How many lines the copies of a function have together, all but the first."""
    reasons: list[Trap] = attrs.field(factory=list)
    """Why parts leave states to Python."""
    trap_cell: int | None = None
    """The cell that has the number of one."""
    listing: set[ast.AST] = attrs.field(factory=set)
    """The definitions of which what they yield are steps out of the state."""
