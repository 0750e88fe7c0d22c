"""From an author's object to kernels: `successors`, `is_goal` and `heuristic` over cells."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Sequence
from functools import partial
from types import FunctionType
from typing import Any

import attrs
import numpy as np

from searchkit.errors import CompilationError, ProblemError
from searchkit.heuristic import Heuristic, ProblemHeuristic
from searchkit.kernel_language.site import Site
from searchkit.problem import Problem
from searchkit.translation.blocks import lowered
from searchkit.translation.facts import FULL, Facts
from searchkit.translation.omitted import Counted
from searchkit.translation.outlined import cleared, names_of_others
from searchkit.translation.packing import NAMES, PARTS, TRAPS, function_of
from searchkit.translation.problem import Rules
from searchkit.translation.refusals import Again, StatesOfTruths, Untranslatable, place_of_rule
from searchkit.translation.rooms import OF_OBJECTS, PLAIN
from searchkit.translation.statements import KEPT
from searchkit.translation.translator import Forms, Translator
from searchkit.translation.types import Atoms, Object, Seq, Type, parts_of, with_truths
from searchkit.translation.values import FRAME, Function, Known

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


def stack_of(translator: Translator) -> list[str] | None:
    """The lines that a kernel begins with whose functions call themselves; None without room."""
    if not translator.activations.routines:
        return []
    keys = {each.name: key[0] for key, each in translator.facts.variables.items()}
    limit = sys.getrecursionlimit()  # in steps, as each makes machine code of its own
    frames = max(0, limit - limit % 1000 - FRAMES_BEFORE)
    return lowered(translator.activations, translator.text.lines, keys, frames)


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
    forms: Forms = attrs.field(default=PLAIN, kw_only=True)
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
        body = translator.text.written()
        if name == "expand" and not re.search(r"^ *yield ", body, re.MULTILINE):
            body += "\n    for never in range(0):\n        yield 0, state"
        cells = max(1, translator.text.cells)
        begins = [
            f"{FRAME} = frame({cells})",
            f"unpacked = self.{self.forms.unpack}(state, {FRAME})",
            *cleared(translator),
            *stack,
        ]
        text = f"def {name}(self, state):\n" + "".join(f"    {each}\n" for each in begins) + body
        parts = {each.name: each.written() for each in translator.parts.values()}
        if parts and names_of_others(text):
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

    def begun(
        self, name: str, site: Site, facts: Facts, make: type[Translator] = Translator, **more: Any
    ) -> Any:
        """A translator at the beginning of a method."""
        return make(
            forms=self.forms, author=self.author, name=name, facts=facts, kind=self.kind, site=site,
            atoms=self.atoms, words=self.words, numbers=self.numbers, counters=self.counters,
            **more,
        )  # fmt: skip

    def begin_again(self) -> None:
        """Forget what else a translation has noted that begins once more."""

    def translated(self, name: str, method: str, site: Site, facts: Facts) -> Translator:
        """What has translated a method, once nothing changes any more."""
        begin, rule = len(self.numbers), self._rule(method)
        while True:
            del self.numbers[begin:]
            self.begin_again()
            known = len(self.atoms.values)
            facts.begin()
            translator: Translator = self.begun(name, site, facts)
            try:
                self.forms.entries[name](translator, rule)
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
    work = Work(author, kind, Atoms(), is_asked=True, forms=OF_OBJECTS, capacity=capacity)
    made = work.kernel("expand", method)
    constants = tuple(map(int, work.numbers)) or (0,)
    return made, constants
