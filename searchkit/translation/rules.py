"""From an author's object to kernels: `successors`, `is_goal` and `heuristic` over cells."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from types import FunctionType
from typing import Any

import attrs
import numpy as np

from searchkit import bits
from searchkit.errors import CompilationError, ProblemError, Trapped
from searchkit.heuristic import Heuristic, ProblemHeuristic
from searchkit.kernel_language import floats
from searchkit.kernel_language.floats import ENDLESS
from searchkit.kernel_language.site import Site
from searchkit.packed import DEAD_END
from searchkit.problem import INFINITY, Problem, Step
from searchkit.translation.blocks import Activations, Routine, lowered
from searchkit.translation.calls import split_source
from searchkit.translation.changes import Changes
from searchkit.translation.comparison import known_truth
from searchkit.translation.counted import Counted
from searchkit.translation.definitions import is_generator
from searchkit.translation.kernels import numbers, rows, texts
from searchkit.translation.memory import is_none
from searchkit.translation.objects import Objects
from searchkit.translation.outlined import Outlined
from searchkit.translation.packing import PARTS, TRAPS, function_of
from searchkit.translation.problem import Rules
from searchkit.translation.refusals import Again, StatesOfTruths, Untranslatable, place_of_rule
from searchkit.translation.statements import KEPT, STEP
from searchkit.translation.text import Text
from searchkit.translation.types import (
    WHOLE,
    Atoms,
    Float,
    Maybe,
    Object,
    Record,
    Seq,
    Type,
    adds_truths,
    parts_of,
    with_truths,
)
from searchkit.translation.values import (
    CONSTANTS,
    FRAME,
    SMALL,
    Function,
    Items,
    Known,
    Place,
    Value,
)
from searchkit.translation.variables import FULL, Facts, Scope

NAMES = {
    "frame": bits.frame,
    "count_ones": bits.count_ones,
    "lowest_one": bits.lowest_one,
    "Trapped": Trapped,
} | {
    name: each
    for module in (floats, numbers, rows, texts)
    for name, each in vars(module).items()
    if isinstance(each, FunctionType) and (module is not floats or name.startswith("float_"))
}
UNPACK, PACK = "searchkit_unpack", "searchkit_pack"
"""What these are called in classes of authors, who may have other methods of shorter names."""
FRAMES_BEFORE = 200
"""How many frames Python may have before it calls a rule: those of whoever searches."""
FEWER = (24, 12)
"""How long lists may grow where activations of functions that call themselves become too large."""
LIMIT = "comes to a limit of the translator: what it makes of this line does not fit together"
LIMIT_CURE = "write the line another way; searchkit would like to hear of it"
MOST_LINES = 6000
"""How long a kernel may become: longer ones would be compiled for minutes."""
MOST_UNASKED = 800
"""Where nobody has asked for machine code: this long is compiled for some 15 s."""


class _Translator(Changes):
    scope: Any = None
    unpack: str = "unpack"
    pack: str = "packed"
    """What the kernels are called that put a state into cells and back."""
    step_form: str = "yield Step(label, state)"
    plain_steps: bool = True
    """Whether a plain tuple of a label, a state and a cost is a step."""

    def __init__(self, work: Work, name: str, site: Site, facts: Facts) -> None:
        super().__init__(Text(), work.atoms, work.numbers, site)
        self.author, self.name, self.facts = work.author, name, facts
        self.kind, self.words, self.counters = work.kind, work.words, work.counters
        """The type of states."""
        self.slots: dict[str, Place] = {}
        self.activations = Activations()
        self.copies: Counter[Any] = Counter()
        self.sized: set[Any] = set()
        self.sums_of_floats: set[Any] = set()
        self.running: list[Routine] = []
        self.outlined = Outlined(self, name, NAMES)

    def head(self) -> Value:
        """Unpack the state; its value."""
        self.text.room(self.kind.cells)
        return self.loaded(Place(self.kind, FRAME, "", 0, is_stable=True))

    def entry(self, rule: Function, state: Value, returned: Any, yielded: Any) -> None:
        """Translate a method of the author's that is given a state."""
        self.scope = Scope((self.name,), {}, self.site, {})

        def run(definition: Any, scope: Scope, given: dict[str, Value]) -> Value:
            yields = is_generator(definition)
            if yields and yielded is None:
                raise self.refuse("yields, so that it returns no answer", "return it", definition)

            def finish(value: Value) -> None:
                # What a function returns that yields goes to nobody.
                returned(Items(()) if yields else value)

            with self.inside(scope):
                scope.returned, scope.yielded = finish, yielded
                for name, value in given.items():
                    self.assign(name, value)
                if not self.block(definition.body):
                    finish(Known(None))
            return Known(None)

        self.run_entry = run
        self.called(rule, [state], {})

    # successors

    def expand(self, rule: Function) -> None:
        """`expand`: a child for each step."""
        state = self.head()

        def returned(value: Value) -> None:
            if is_none(value):
                self.fail(what="has no steps, but None")
            else:
                self.run(self.ordered_stream(value), lambda step, _: self._child(step))
            self.text.line("return")

        self.entry(rule, state, returned, self._child)

    def takes_steps(self) -> bool:
        """Whether what is yielded here goes to the search: a plain tuple is a step then."""
        return self.plain_steps and bool(self.scope.yielded == self._child)

    def _child(self, step: Value) -> None:
        if isinstance(step, Place) and isinstance(step.type, Record) and step.type.kind is Step:
            parts = [self.loaded(self.field_of(step, i)) for i in range(2)]
            step = Items(tuple(parts), Step)
        is_plain = self.plain_steps and self.kind_of(step) is tuple
        items = self._parts(step) if is_plain else None
        if items is not None and len(items) == len(STEP):
            step = Items((items[1], self.number(items[2], "takes for a cost")), Step)
        if not isinstance(step, Items) or step.kind is not Step:
            raise self.refuse("yields what is not a step", self.step_form)
        state, cost = step.items
        if adds_truths(self.type_of(state), self.kind):
            raise StatesOfTruths
        is_one = cost.low == cost.high == 1
        price = "" if is_one else f", {cost.text}"
        words = self.changed_words(state)
        if words is not None:
            child, unfit = words
            with self.text.block(f"if {unfit} != 0:"):
                self.text.line(f"{child} = {self._packed(state)}")
            self.text.line(f"yield 0, {child}{price}")
            return
        self.text.line(f"yield 0, {self._packed(state)}{price}")

    def _packed(self, state: Value) -> str:
        """The text for the words of a child that is packed from its cells."""
        at = self._cells_of(state)
        self.check_fit(at)
        return f"self.{self.pack}({FRAME}, {at})"

    def check_fit(self, at: str) -> None:
        """Leave the state to Python where a child does not fit the layout."""
        self.trap(f"self.misfits({FRAME}, {at})")

    def _cells_of(self, state: Value) -> str:
        """Where a child is in the frame, with zeros behind what is shorter than it may be."""
        if isinstance(state, Place) and state.type == self.kind and state.memory == FRAME:
            place = state
        else:
            place = self.slots.get("child") or self.slot(self.kind)
            self.slots["child"] = place
            self.store(state, place)
        self._clear_behind(place)
        return place.at()

    def _clear_behind(self, place: Place) -> None:
        kind = place.type
        if isinstance(kind, Seq):
            if not kind.is_fixed and kind.item.cells:
                i = self.text.name("i")
                size = kind.item.cells
                scaled = place.cell() if size == 1 else f"{place.cell()} * {size}"
                with self.text.loop(f"for {i} in range({scaled}, {kind.most * size}):"):
                    inner = place._replace(shift=place.shift + 1)
                    self.text.line(f"{inner.cell(i)} = 0")
            if _is_uneven(kind.item):
                unstable = place._replace(is_stable=False)
                self.repeat(
                    self.length(unstable), lambda i: self._clear_behind(self.item_at(place, i))
                )
            if kind.kind is frozenset:
                # By their cells: equal sets are equal cells.
                count = self.length(place._replace(is_stable=False))
                where = f"{place.memory}, {place.at(kind.start)}, {count.text}, {kind.item.cells}"
                self.text.temporary(f"sort_rows({where})", "done")
        elif isinstance(kind, Record):
            for number, each in enumerate(kind.items):
                if _is_uneven(each):
                    self._clear_behind(self.field_of(place, number))
        elif isinstance(kind, Maybe) and _is_uneven(kind.item):
            with self.text.block(f"if {place.cell()} != 0:"):
                self._clear_behind(self.part(place, kind.item, 1))

    # is_goal, heuristic

    def at_goal(self, rule: Function) -> None:
        """`at_goal`."""

        def returned(value: Value) -> None:
            if is_none(value):
                self.fail(what="does not say whether a state is a goal: None")
                return
            self.text.line(f"return {self.truth(value).text}")

        self.entry(rule, self.head(), returned, None)

    def estimate(self, rule: Function) -> None:
        """`estimate`."""

        def returned(value: Value) -> None:
            never = ENDLESS if self.facts.gives_floats else DEAD_END
            if isinstance(value, Known) and isinstance(value.value, float):
                if value.value == INFINITY:
                    self.text.line(f"return {never}")
                    return
                if value.value.is_integer():
                    value = Known(int(value.value))
            if self.is_float(value) or self.facts.gives_floats:
                self._return_float(value)
                return
            number = self.within(self.number(value, "estimates by"), 0, SMALL - 1)
            self.text.line(f"return {number.text}")

        self.entry(rule, self.head(), returned, None)

    def _return_float(self, value: Value) -> None:
        """Return the word of an estimate, or the number if Python has only whole ones there."""
        found = self.as_float(value, "estimates by")
        is_whole = isinstance(found.type, Float) and found.type.form == WHOLE
        if not is_whole and not self.facts.gives_floats:
            self.facts.gives_floats = True
            raise Again
        if self.facts.gives_floats:
            number = self.text.temporary(f"float_add({found.text}, 0)", "estimate")  # no -0.0
            self.trap(f"{number} < 0 or {number} > {ENDLESS}")
            self.text.line(f"return {number}")
            return
        is_never, number = self.whole_or_never(found)
        with self.text.block(f"if {is_never}:"):
            self.text.line(f"return {DEAD_END}")
        number = self.text.temporary(number, "estimate")
        self.trap(f"{number} < 0")
        self.text.line(f"return {number}")

    def give_back(self, node: ast.expr | None) -> None:
        """Return the value of an expression; of a condition, in each branch."""
        if self.name == "estimate" and isinstance(node, ast.IfExp) and len(self.scope.key) == 2:
            test = self.test(node.test)
            if known_truth(test) is None:
                with self.text.block(f"if {test.text}:"):
                    self.give_back(node.body)
                self.give_back(node.orelse)
                return
        super().give_back(node)


class OfObjects(Objects, _Translator):
    """The same for a state with declared fields, and an author's method that yields its steps."""

    unpack: str = UNPACK
    pack: str = PACK
    has_words: bool = False
    step_form: str = "yield label, child"
    plain_steps: bool = False

    def __init__(self, work: Work, name: str, site: Site, facts: Facts) -> None:
        super().__init__(work, name, site, facts)
        self.outlined.is_on = False
        self._listing: set[int] = set()
        """The definitions of which what they yield are steps out of the state."""

    def entry(self, rule: Function, state: Value, returned: Any, yielded: Any) -> None:
        """Translate a method of the author's that is given a state."""
        definition = split_source(rule.function)[0]
        if not is_generator(definition):
            raise self.refuse("yields nothing", "yield each step: yield label, child", definition)
        self._listing.add(id(definition))
        super().entry(rule, state, returned, yielded)

    def _do_expr(self, node: ast.Expr) -> None:
        value = node.value
        if id(self.scope.definition) in self._listing:
            if isinstance(value, ast.Yield) and value.value is not None:
                step = self.label_left_out(value.value)
                if step is not None:
                    self._give(step)
                    return
            elif isinstance(value, ast.YieldFrom) and isinstance(value.value, ast.Call):
                function = self.value_of_function(value.value)
                if isinstance(function, Function) and function.function is not None:
                    self._listing.add(id(split_source(function.function)[0]))
        super()._do_expr(node)

    def _child(self, step: Value) -> None:
        parts = self.fields_of(step)
        if isinstance(step, Items) and step.kind is tuple:
            parts = list(step.items)
        if parts is not None and len(parts) in (2, 3):  # that a method has returned
            cost = parts[2] if len(parts) == 3 else Known(1)
            step = Items((parts[1], self.number(cost, "takes for a cost")), Step)
        super()._child(step)

    def check_fit(self, at: str) -> None:
        """Whatever is put into a field fits it."""

    def _cells_of(self, state: Value) -> str:
        """Where a child is in the frame: wherever its author has made it."""
        state = self.there(state)
        if not isinstance(state, Place) or state.type != self.kind or state.memory == CONSTANTS:
            raise self.refuse(
                "yields what is not a state", "yield label, child, a copy of the state"
            )
        if state.memory != FRAME:
            place = self.slots.get("child") or self.slot(self.kind)
            self.slots["child"] = place
            self._copy(state, place)
            state = place
        return state.at()


def stack_of(translator: _Translator) -> list[str] | None:
    """The lines that a kernel begins with whose functions call themselves; None without room."""
    if not translator.activations.routines:
        return []
    keys = {each.name: key[0] for key, each in translator.facts.variables.items()}
    limit = sys.getrecursionlimit()  # in steps, as each makes machine code of its own
    frames = max(0, limit - limit % 1000 - FRAMES_BEFORE)
    return lowered(translator.activations, translator.text.lines, keys, frames)


def _is_uneven(kind: Type) -> bool:
    """Whether equal values may have unlike cells: behind what is short, or in sets."""
    own = isinstance(kind, Seq) and (not kind.is_fixed or kind.kind is frozenset)
    return own or any(map(_is_uneven, parts_of(kind)))


def _longest(kind: Type) -> int:
    own = kind.most if isinstance(kind, Seq) else 0
    return max([own, *map(_longest, parts_of(kind))])


@attrs.define(eq=False)
class Work:
    """One author's object on its way."""

    author: Any
    kind: Type
    atoms: Atoms
    is_asked: bool = attrs.field(kw_only=True)
    numbers: list[int] = attrs.field(factory=list, kw_only=True)
    translator: type[_Translator] = attrs.field(default=_Translator, kw_only=True)
    capacity: int = attrs.field(default=FULL, kw_only=True)
    words: bool = attrs.field(default=True, kw_only=True)
    counters: Counted = attrs.field(factory=Counted, kw_only=True)
    gives_floats: bool = attrs.field(default=False, init=False)
    made: int = attrs.field(default=0, init=False)
    """How many kernels are made."""

    def kernel(self, name: str, method: str) -> Any:
        """The kernel of a method of the author's."""
        kind = type(self.author)
        function: Any = getattr(kind, method, None)
        code = getattr(function, "__code__", None)
        site = Site(f"{kind.__name__}.{method}", getattr(code, "co_filename", "?"))
        if code is None or method in getattr(self.author, "__dict__", ()):
            raise Untranslatable(
                site.at(0), "is not a plain method of its class", "define it in the class"
            )
        longest = _longest(self.kind)
        for capacity in (max(self.capacity, 2 * longest), *(max(longest, n) for n in FEWER)):
            facts = Facts(capacity=capacity)
            translator = self.translated(name, method, site, facts)
            stack = stack_of(translator)
            if stack is not None:
                break
        else:
            raise Untranslatable(
                place_of_rule(kind, method),
                "calls a function that calls itself, and keeps long lists of sequences",
                "use shorter ones, or a loop with a list as its stack",
            )
        self.made += 1
        self.gives_floats = facts.gives_floats
        body, outlined = translator.text.written(), translator.outlined
        if name == "expand" and not re.search(r"^ *yield ", body, re.MULTILINE):
            body += "\n    for never in range(0):\n        yield 0, state"
        cells = max(1, translator.text.cells)
        begins = [
            f"{FRAME} = frame({cells})",
            f"unpacked = self.{translator.unpack}(state, {FRAME})",
            *outlined.cleared(),
            *stack,
        ]
        text = f"def {name}(self, state):\n" + "".join(f"    {each}\n" for each in begins) + body
        parts = {each.name: each.written() for each in outlined.parts.values()}
        if parts and outlined.names_of_others(text):
            raise Untranslatable(place_of_rule(kind, method), LIMIT, LIMIT_CURE)
        whole = "".join([text, *parts.values()])
        if whole.count("\n") > (MOST_LINES if self.is_asked else MOST_UNASKED):
            more = "" if self.is_asked else ", or engine='compiled', which waits for it"
            what, place = "becomes too long a program", place_of_rule(kind, method)
            raise Untranslatable(place, what, f"use fewer calls{more}")
        made = function_of(text, NAMES)
        before = 1 + len(begins)
        traps = {before + 1 + at: trap for at, trap in translator.text.traps().items()}
        setattr(made, TRAPS, traps)
        setattr(made, PARTS, {each: function_of(own, NAMES) for each, own in parts.items()})
        return made

    def _rule(self, method: str) -> Function:
        """A method of the author's, with what it is given before the state."""
        kind = type(self.author)
        static = inspect.getattr_static(kind, method)
        if isinstance(static, staticmethod):
            return Function(None, None, static.__func__)
        if isinstance(static, classmethod):
            return Function(None, None, static.__func__, Known(kind))
        return Function(None, None, getattr(kind, method), Known(self.author))

    def begin_again(self) -> None:
        """Forget what else a translation has noted that begins once more."""

    def translated(self, name: str, method: str, site: Site, facts: Facts) -> _Translator:
        """What has translated a method, once nothing changes any more."""
        begin, rule = len(self.numbers), self._rule(method)
        while True:
            del self.numbers[begin:]
            self.begin_again()
            known = len(self.atoms.values)
            facts.begin()
            translator = self.translator(self, name, site, facts)
            try:
                getattr(translator, name)(rule)
            except Again:
                continue
            except (RecursionError, CompilationError) as error:
                if isinstance(error, Untranslatable):
                    error.reached = self.made, translator.text.names
                    raise
                place = place_of_rule(type(self.author), method)
                raise Untranslatable(place, str(error), "") from error
            except (ProblemError, StatesOfTruths):
                raise
            except Exception as error:
                place = translator.own or place_of_rule(type(self.author), method)
                raise Untranslatable(place, LIMIT, LIMIT_CURE) from error
            assert not translator.is_unfinished, "ways were left out"
            if len(self.atoms.values) == known:  # else tables of them are too short
                return translator


def translate(
    author: Problem[Any, Any],
    kind: Type,
    atoms: Atoms,
    heuristic: Heuristic[Any, Any] | None = None,
    *,
    methods: Sequence[str] = ("successors",),
    is_asked: bool = True,
) -> Rules:
    """The kernels of an author's object whose states are of type `kind`.

    `methods` are those that list steps. `Untranslatable`, with the line and what would help, where
    one of them or `is_goal`, or the heuristic, hold what machine code cannot be made of. Takes some
    tens of ms.
    """
    translated = partial(_translate, author, atoms=atoms, heuristic=heuristic, methods=methods)

    def make(*, words: bool) -> Rules:
        try:
            return translated(kind, is_asked=is_asked, words=words)
        except StatesOfTruths:
            return translated(with_truths(kind), is_asked=is_asked, words=words)

    try:
        return make(words=True)
    except Untranslatable as refused:
        if not atoms.has_words:
            raise
        # Texts that are kept as numbers do not go with others: letter by letter they all do.
        try:
            return make(words=False)
        except Untranslatable as error:
            raise max(refused, error, key=lambda each: each.reached) from None


def _translate(
    author: Problem[Any, Any],
    kind: Type,
    *,
    atoms: Atoms,
    heuristic: Heuristic[Any, Any] | None,
    methods: Sequence[str],
    is_asked: bool,
    words: bool,
) -> Rules:
    counters = Counted(author, heuristic)
    make = partial(Work, kind=kind, atoms=atoms, is_asked=is_asked, words=words, counters=counters)
    work = make(author)
    expand = {method: work.kernel("expand", method) for method in methods}
    at_goal = work.kernel("at_goal", "is_goal")
    estimate, gives_floats = None, False
    if isinstance(heuristic, ProblemHeuristic):
        estimate = work.kernel("estimate", "heuristic")
        gives_floats = work.gives_floats
    elif heuristic is not None:
        of_heuristic = make(heuristic, numbers=work.numbers)
        estimate = of_heuristic.kernel("estimate", "__call__")
        gives_floats = of_heuristic.gives_floats
    for name in counters.notes.keys() & counters.met:
        what = f"adds to {name}, which another rule reads"
        raise Untranslatable(counters.notes[name].place, what, KEPT)
    constants = np.array(work.numbers or [0], dtype=np.int64)
    notes = tuple(counters.notes.values())
    return Rules(kind, expand, at_goal, constants, estimate, gives_floats, notes)


def steps_of_object(
    author: Any, method: str, kind: Object, capacity: int
) -> tuple[FunctionType, tuple[int, ...]]:
    """The kernel `expand` of a method that is given an object, a copy of which it changes.

    And the numbers that it looks up. `capacity` is how long lists may grow. `Untranslatable` where
    the method holds what machine code cannot be made of, `ProblemError` where it is wrong in every
    engine.
    """
    work = Work(author, kind, Atoms(), is_asked=True, translator=OfObjects, capacity=capacity)
    made = work.kernel("expand", method)
    constants = tuple(map(int, work.numbers)) or (0,)
    return made, constants
