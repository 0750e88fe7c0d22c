"""From an author's object to kernels, by nodes."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from searchkit import bits
from searchkit.errors import Trapped
from searchkit.heuristic import ProblemHeuristic
from searchkit.packed import DEAD_END
from searchkit.problem import INFINITY, Step
from searchkit.translation.calls import split_source
from searchkit.translation.definitions import own_nodes
from searchkit.translation.kernels import numbers, rows, texts
from searchkit.translation.nodes import runtime
from searchkit.translation.nodes.build import Bottom, Build, Refused
from searchkit.translation.nodes.builtins import Builtins
from searchkit.translation.nodes.calls import Calls
from searchkit.translation.nodes.cellwise import Cellwise
from searchkit.translation.nodes.changes import Changes
from searchkit.translation.nodes.expressions import Expressions
from searchkit.translation.nodes.going import Going
from searchkit.translation.nodes.lattice import is_scalar
from searchkit.translation.nodes.lower import Lowering
from searchkit.translation.nodes.methods import Methods
from searchkit.translation.nodes.node import FRAME, INT, Node, name, number, verify
from searchkit.translation.nodes.numbers import Numbers
from searchkit.translation.nodes.objects import Objects
from searchkit.translation.nodes.scope import Names, Scope
from searchkit.translation.nodes.sets import Sets
from searchkit.translation.nodes.statements import Statements
from searchkit.translation.nodes.texts import Texts
from searchkit.translation.nodes.values import EVER, Group, Known, Place
from searchkit.translation.packing import TRAPS, function_of
from searchkit.translation.problem import Rules
from searchkit.translation.scopes import NotSplit
from searchkit.translation.text import Trap
from searchkit.translation.types import Atoms, Bits, Grid, Int, Seq, Type

_NAMES = {
    "frame": bits.frame, "count_ones": bits.count_ones, "lowest_one": bits.lowest_one, "Trapped": Trapped,
} | {
    title: each
    for module in (numbers, rows, texts, runtime)
    for title, each in vars(module).items()
    if isinstance(each, FunctionType)
}  # fmt: skip
ROUNDS, TRIES = 60, 8
MOST_LINES, MOST_UNASKED = 6000, 800
"""How long a kernel may become that is asked for, or is not: see `translation.rules`."""
ARENA = 4096
"""How many cells objects have that rules make."""
PARTS = {
    "cells": Cellwise, "numbers": Numbers, "objects": Objects, "going": Going, "sets": Sets,
    "names": Names, "calls": Calls, "methods": Methods, "builtins": Builtins,
    "changes": Changes, "texts": Texts, "expressions": Expressions, "statements": Statements,
}  # fmt: skip


def member_type(build: Build, kind: Bits) -> Any:
    """The type of the members of bits."""
    universe = kind.universe
    if isinstance(universe, Grid):
        return INT if universe.is_bare else Seq(INT, len(universe.lows), len(universe.lows))
    return build.type_of_items(list(build.atoms.values[: universe.size]))


class Kernel:
    """One kernel on its way."""

    rounds = 0
    is_asked = True

    def __init__(
        self, author: Any, kind: Type, atoms: Atoms, constants: list[int], words: bool
    ) -> None:
        self.author, self.kind, self.atoms, self.constants, self.words = (
            author,
            kind,
            atoms,
            constants,
            words,
        )

    def made(self, entry: str, method: str) -> Any:
        """The kernel of a method; once more where a list or dict that is written out is changed."""
        begin = len(self.constants)
        spoilt: set[Any] = set()
        for _ in range(TRIES):
            known = len(spoilt)
            try:
                return self.tried(entry, method, spoilt, is_hopeful=True)
            except Refused:
                del self.constants[begin:]
                if len(spoilt) == known:
                    break
        return self.tried(entry, method, spoilt, is_hopeful=False)

    def tried(self, entry: str, method: str, spoilt: set[Any], *, is_hopeful: bool) -> Any:
        """The kernel of a method."""
        function = getattr(type(self.author), method, None)
        if not isinstance(function, FunctionType) or method in getattr(self.author, "__dict__", ()):
            raise Refused("no plain method")
        definition, site = split_source(function)
        self.site = site
        build = Build(self.atoms, self.constants, words=self.words)
        build.is_hopeful, build.spoilt = is_hopeful, spoilt
        build.parts = parts = SimpleNamespace()
        for title, each in PARTS.items():
            setattr(parts, title, each(build, parts))
        build.members = lambda kind: member_type(build, kind)
        begin = len(self.constants)
        for _ in range(ROUNDS):
            self.rounds += 1
            del self.constants[begin:]
            build.rows.clear()
            known = len(self.atoms.values)
            build.begin(self.kind.cells)
            parts.changes.begin(self.kind.cells if entry == "expand" else 0)
            self.entry(entry, build, parts, Scope((method,), definition, site, function, None))
            if not build.changed and len(self.atoms.values) == known:
                static = build.one_at_a_time()
                if static == build.static:
                    return self.text(entry, build)
                build.static = static
            build.types.clear()
        raise Refused("types have no end")

    def entry(self, entry: str, build: Build, parts: Any, scope: Scope) -> None:
        """The body of a kernel."""
        state = Place(self.kind, FRAME, number(0), EVER)
        value = parts.cells.loaded(state)
        definition = scope.definition
        is_generator = any(isinstance(e, ast_yields) for e in own_nodes(definition))
        names = [each.arg for each in definition.args.args]
        if len(names) != 2:
            raise Refused("other arguments")
        for title, each in zip(names, (Known(self.author), value), strict=True):
            parts.names.give(scope, title, each, is_argument=True)
        with build.block() as label:
            if entry == "expand":
                child = build.slot(self.kind)
                scope.yielded = lambda step: self.child(build, parts, step, child)

                def returned(value: Any) -> None:
                    if not is_generator:
                        if isinstance(value, Known) and value.value is None:
                            build.trap()
                            return
                        parts.going.each(value, lambda step: self.child(build, parts, step, child))
                    build.leave(label)
            else:

                def returned(value: Any) -> None:
                    self.answer(entry, build, parts, value)

            scope.returned = returned
            parts.statements.block(scope, definition.body)
            if not build.is_over and not (entry == "expand" and is_generator):
                build.trap()

    def answer(self, entry: str, build: Build, parts: Any, value: Any) -> None:
        """Return an answer."""
        if isinstance(value, Known) and value.value is None:
            build.trap()
            return
        if entry == "at_goal":
            value = parts.going.solid(value) if not hasattr(value, "run") else value
            build.emit(Node("return", None, [parts.cells.truth(value)]))
            return
        if isinstance(value, Known) and isinstance(value.value, float):
            if value.value != INFINITY:
                raise Refused("estimates by a float")
            build.emit(Node("return", None, [number(DEAD_END)]))
            return
        found = build.held(parts.numbers.small(parts.cells.number(value)))
        build.trap(build.compare("Lt", found, 0))
        build.emit(Node("return", None, [found]))

    def child(self, build: Build, parts: Any, step: Any, child: Place) -> None:
        """Hand over a child."""
        cells = parts.cells
        if isinstance(step, Known) or not isinstance(step, Group):
            if parts.cells.kind_of(step) is Step:
                step = Group([cells.part(step, 0), cells.part(step, 1)], Step)
            else:
                raise Refused("yields what is no step", build.line)
        if step.kind is not Step:
            if step.kind is not tuple or len(step.items) != 3:
                raise Refused("yields what is no step", build.line)
            step = Group(step.items[1:], Step)
        state, cost = step.items
        cost = cells.number(cost)
        is_one = cost.kind == "number" and cost.what == 1
        price = [] if is_one else [build.held(cost)]
        words = parts.changes.words_of(state, self.kind)
        if words is not None:
            title = build.fresh("v_child")
            build.let(title, words.word)

            def packed() -> None:
                found = self.packed(build, parts, state, child)
                build.let(title, found)

            build.choose(build.compare("NotEq", words.unfit, 0), packed)
            build.emit(Node("yield", None, [number(0), name(title, INT), *price]))
            return
        found = self.packed(build, parts, state, child)
        build.emit(Node("yield", None, [number(0), found, *price]))

    def packed(self, build: Build, parts: Any, state: Any, child: Place) -> Node:
        """The words of a child that is written into cells."""
        cells, at = parts.cells, child.at
        if isinstance(state, Place) and state.type == self.kind and state.memory == FRAME:
            at = state.at
        else:
            cells.store(at, state, self.kind)
        kind = Node("call", ("self.misfits", FRAME), [at], parts_bool)
        build.trap(build.held(kind))
        return Node("call", ("self.packed", FRAME), [at], INT)

    def text(self, entry: str, build: Build) -> Any:
        """A kernel as a function."""
        verify(build.body)
        lowering = Lowering()
        lowering.run(build.body, frozenset())
        room = ARENA if build.grows else 0
        head = [f"def {entry}(self, state):", f"    F = frame({max(1, build.cells + room)})",
                "    unpacked = self.unpack(state, F)"]  # fmt: skip
        if room:
            head += [f"    top = {build.cells}", f"    limit = {build.cells + room}"]
        lines = lowering.lines or ["    pass"]
        if len(lines) > (MOST_LINES if self.is_asked else MOST_UNASKED):
            raise Refused("too long a program")
        if entry == "expand" and not any(each.lstrip().startswith("yield ") for each in lines):
            lines += ["    for never in range(0):", "        yield 0, state"]
        text = "\n".join([*head, *lines]) + "\n"
        made = function_of(text, _NAMES)
        before = len(head) + 1
        what = "comes to an error of Python's, or to what machine code has no room for"
        setattr(made, TRAPS, {
            before + at: Trap(self.site.at(line), what, "") for at, line in lowering.traps.items()
        })  # fmt: skip
        return made


import ast  # noqa: E402

from searchkit.translation.nodes.node import BOOL as parts_bool  # noqa: E402

ast_yields = (ast.Yield, ast.YieldFrom)


def translate(
    author: Any,
    kind: Type,
    atoms: Atoms,
    heuristic: Any,
    *,
    methods: Any = ("successors",),
    words: bool = True,
    is_asked: bool = True,
) -> Rules:
    """The kernels of an author's object; `Refused` where nodes have no form for what it does."""
    if not is_scalar(kind) and kind.cells == 0:
        raise Refused("states without cells")
    constants: list[int] = []
    try:
        kernel = Kernel(author, kind, atoms, constants, words)
        kernel.is_asked = is_asked
        expand = {method: kernel.made("expand", method) for method in methods}
        at_goal = kernel.made("at_goal", "is_goal")
        estimate = None
        if isinstance(heuristic, ProblemHeuristic):
            estimate = kernel.made("estimate", "heuristic")
        elif heuristic is not None:
            estimate = Kernel(heuristic, kind, atoms, constants, words).made("estimate", "__call__")
    except (Bottom, RecursionError, NotSplit) as error:
        raise Refused(f"no value: {error!r}") from error
    translate.rounds = kernel.rounds  # type: ignore[attr-defined]
    return Rules(expand, at_goal, np.array(constants or [0], dtype=np.int64), estimate)


_ = (Int, name)
