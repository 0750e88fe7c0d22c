"""Makes and loads the module of one engine, specialised to one problem and heuristic."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Container, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.bits import WORD_BITS
from searchkit.compiled.specialise.dialect import machine_dialect
from searchkit.compiled.specialise.kernel_text import SOURCE, text_of
from searchkit.compiled.specialise.linking import PRELUDE, Linker, free_names
from searchkit.compiled.specialise.links import Link, key_of, prints_of, sum_of
from searchkit.compiled.specialise.plain import is_plain, plain_module
from searchkit.compiled.specialise.toolchain import SOURCE_VARIABLE, needing_compiler
from searchkit.compiled.specialise.varying import NUMBERS, with_numbers_apart
from searchkit.errors import CompilationError
from searchkit.kernel_language.collector import Collector
from searchkit.kernel_language.constants import HIGHEST, WORD, fits_word, signed
from searchkit.kernel_language.marks import has_ranges, is_outlined
from searchkit.kernel_language.program import Program
from searchkit.kernel_language.uses import name_of_part
from searchkit.packed import (
    CarriedHeuristic,
    PackedHeuristic,
    PackedProblem,
    PrefetchedHeuristic,
    is_inherited,
)
from searchkit.running.making import making_code

if TYPE_CHECKING:
    import numpy as np

FENCED = "FENCED"
STEP_OF_FOLLOW = 4
"""Which argument of `follow` is the step, counted from the tables."""
OPERATOR_OF_CHANGE = 3
"""Which argument of `change` is the operator."""
CONTROLS = "number_of_controls"
AT = "at"
"""The table of those that are called by their addresses."""
CONTROLS_ASKED = 1 << 16
"""How many states have `next_control` compared with `control`."""
UNCHECKED = "unchecked"
"""The prefix of a problem's kernels that a kernel file checks."""
PREFETCHED = ("ask", "told", "settle")


def specialised(
    problem: PackedProblem[Any],
    heuristic: PackedHeuristic | None,
    roots: Sequence[ModuleType],
    *,
    is_followed: bool = True,
    addressed: Sequence[str] = (),
    **constants: int,
) -> ModuleType:
    """The module of the kernel files `roots` for the kernels of `problem` and `heuristic`.

    `is_followed` says whether the heuristic knows the operators of the steps. The kernels of those
    that are `addressed`, of these two, are called by their addresses.
    """
    if problem.words < 1 or problem.controls < 1:
        raise CompilationError(
            f"{type(problem).__name__}: words is {problem.words} and controls is "
            f"{problem.controls}; both must be 1 or more"
        )
    # Where control states are looked up, the first states found are asked for theirs as well.
    followed = problem.controls > 1 and not is_inherited(problem, "next_control")
    memory = 0
    kernels: tuple[str, ...] = ("estimate",)
    if isinstance(heuristic, CarriedHeuristic):
        memory, kernels = heuristic.memory, ("begin", "follow", "recall")
        if type(memory) is not int or memory < 1:
            raise CompilationError(
                f"{type(heuristic).__name__}: memory is {memory!r:.40}; use 1 or more words"
            )
        if isinstance(heuristic, PrefetchedHeuristic):
            kernels += PREFETCHED
    elif heuristic is None:
        kernels = ()
    elif type(heuristic).change is not PackedHeuristic.change:
        kernels = ("estimate", "change")
    is_listed = bool(constants.get("LISTED"))
    incremental = "change" in kernels and is_followed
    rules = ("at_goal", "legal", "apply", "cost")
    return module_of(
        {
            "problem": (problem, ("at_goal", "expand") if is_listed else rules),
            UNCHECKED: (problem, ("control",)),  # the kernel file `checked` calls it
            "heuristic": (heuristic, kernels),
        },
        roots,
        addressed,
        **constants,
        FENCED=_is_fenced,
        WORDS=problem.words,
        ALWAYS_LEGAL=is_inherited(problem, "legal"),
        UNIT_COSTS=_yields_no_costs if is_listed else is_inherited(problem, "cost"),
        FOLLOWED=is_followed,
        KEEPS_OPERATORS=_changes_by_operator if incremental else is_followed and memory > 0,
        ASKED=CONTROLS_ASKED if followed and not is_listed else 0,
        MEMORY=memory,
        FAR_BITS=heuristic.far_bits if isinstance(heuristic, PrefetchedHeuristic) else 0,
        INCREMENTAL=incremental,
        FLOATS=bool(getattr(heuristic, "gives_floats", False)),
        # A child of one word takes less to make than the branch to leave it out (walking distance).
        CHILD_LATER=_changes_without_child
        if incremental
        else memory > 0 and problem.words > 1 and _follows_without_child,
    )


def _is_fenced(collector: Collector) -> bool:
    """Whether kernels compare numbers with bounds."""
    return any(has_ranges(each.definition) for each in collector.functions.values())


def _yields_no_costs(collector: Collector) -> bool:
    """Whether `expand` yields no step with a cost."""
    return not any(
        isinstance(node, ast.Yield)
        and isinstance(node.value, ast.Tuple)
        and len(node.value.elts) > 2
        for node in ast.walk(collector.functions["problem_expand"].definition)
    )


def _follows_without_child(collector: Collector) -> bool:
    """Whether neither `follow` nor what it hands its step to looks at the child."""
    todo = [("heuristic_follow", STEP_OF_FOLLOW)]
    seen = set(todo)
    for name, position in todo:  # grows as it goes
        definition = collector.functions[name].definition
        step = definition.args.args[position].arg
        handed = 0
        for node in ast.walk(definition):
            if isinstance(node, ast.Assign) and _names(node.value, step):
                child = _fourth_of(node.targets)
                if child is None or _is_read(definition, child):
                    return False
                handed += 1
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for place, argument in enumerate(node.args):
                    if _names(argument, step) and node.func.id in collector.functions:
                        handed += 1
                        if (node.func.id, place) not in seen:
                            seen.add((node.func.id, place))
                            todo.append((node.func.id, place))
        if handed != sum(_names(node, step) for node in ast.walk(definition)):
            return False
    return True


def _names(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _fourth_of(targets: Sequence[ast.expr]) -> str | None:
    """The name that the child is given where a step is taken apart."""
    if len(targets) != 1 or not isinstance(targets[0], ast.Tuple) or len(targets[0].elts) != 4:
        return None
    child = targets[0].elts[-1]
    return child.id if isinstance(child, ast.Name) else None


def _is_read(definition: ast.FunctionDef, name: str) -> bool:
    return any(
        _names(node, name) and isinstance(node.ctx, ast.Load)  # type: ignore[attr-defined]
        for node in ast.walk(definition)
    )


def _changes_without_child(collector: Collector) -> bool:
    """Whether `change` does not look at the child."""
    change = collector.functions["heuristic_change"]
    return not change.uses(change.definition.args.args[-1].arg)


def _changes_by_operator(collector: Collector) -> bool:
    """Whether `change` looks at the operator."""
    change = collector.functions["heuristic_change"]
    return change.uses(change.definition.args.args[OPERATOR_OF_CHANGE].arg)


def module_of(
    owners: Mapping[str, tuple[Any, tuple[str, ...]]],
    roots: Sequence[ModuleType],
    addressed: Sequence[str] = (),
    **constants: int | Callable[[Collector], int],
) -> ModuleType:
    """The module of the kernel files `roots` for the kernels of objects, given by their prefix.

    It has the entries of these files, and what they use. `constants` are its parameters, or
    functions of what was collected that give them. The text is all that machine code depends on,
    apart from the types of the tables, which are arguments: those of the object with prefix
    `space`, say, are of the named tuple `SpaceTables`. Kernels of prefixes that are `addressed` are
    not in it: it finds their addresses in the table `at`, whichever they are.
    """
    return _module_of(owners, roots, tuple(addressed), constants)[0]


def rules_of(
    prefix: str, owner: Any, names: tuple[str, ...], root: ModuleType, **constants: int
) -> tuple[ModuleType, Any]:
    """The module of a kernel file for kernels of one object, and its tables.

    Numbers that differ between objects with the same rules are among these, not in the text.
    """
    owners = {prefix: (owner, names)}
    module, numbers = _module_of(owners, (root,), (), constants, has_numbers_apart=True)
    import numpy as np  # noqa: PLC0415  (takes long to import)

    more = {NUMBERS: np.array(numbers, dtype=np.int64)}
    return module, tables_for(module, f"{prefix.title()}Tables", owner, more)


def _module_of(
    owners: Mapping[str, tuple[Any, tuple[str, ...]]],
    roots: Sequence[ModuleType],
    addressed: tuple[str, ...],
    constants: Mapping[str, int | Callable[[Collector], int]],
    *,
    has_numbers_apart: bool = False,
) -> tuple[ModuleType, tuple[int, ...]]:
    """The module, and numbers that it looks up, if it may have some apart."""
    known = {id(owner): owner for owner, _ in owners.values()}
    made = {number: Program.of(owner) for number, owner in known.items()}
    keys = {number: program.key for number, program in made.items()}
    programs = {prefix: made[id(owner)] for prefix, (owner, _) in owners.items()}
    fields: dict[str, tuple[str, ...]] = {}
    for prefix, program in programs.items():
        if prefix != UNCHECKED:
            fields |= _fields(f"{prefix.title()}Tables", program)
    key = (
        tuple((prefix, keys[id(owner)], names) for prefix, (owner, names) in owners.items()),
        tuple(root.__name__ for root in roots), tuple(sorted(constants.items())),
        tuple(fields.items()), is_plain(), addressed, has_numbers_apart,
    )  # fmt: skip
    if key in _made and _made[key][0].is_current():
        return _made[key][1:]
    collector = _collector(programs, {prefix: names for prefix, (_, names) in owners.items()})
    numbers = {
        name: int(value(collector) if callable(value) else value)
        for name, value in sorted(constants.items())
    }
    inside, apart = collector, tuple[int, ...]()
    if has_numbers_apart and not any(program.parts for program in programs.values()):
        inside, apart = with_numbers_apart(collector)
        more = (NUMBERS,) if apart else ()
        fields = {name: (*listed, *more) for name, listed in fields.items()}
    elif addressed:
        left = {prefix: names for prefix, (_, names) in owners.items() if prefix not in addressed}
        left.pop(UNCHECKED, None)
        inside = _collector(programs, left)
        programs = {prefix: programs[prefix] for prefix in left}
        fields |= {f"{prefix.title()}Tables": (AT,) for prefix in addressed}
    module = _loaded(_Linking(fields, numbers, roots, inside, programs, addressed))
    _made[key] = collector, module, apart
    return module, apart


def _collector(programs: Mapping[str, Program], names: Mapping[str, Sequence[str]]) -> Collector:
    """The kernels of these names of some programs, by their prefixes."""
    collector = Collector(machine_dialect, with_constants=True)
    for prefix, wanted in names.items():
        for name in wanted:
            collector.add(programs[prefix], prefix, name)
    return collector


def _loaded(linking: _Linking) -> ModuleType:
    """The module, whose text comes when it is needed if a file tells what linking would give."""
    if is_plain():
        return linking.plain_module()
    collector, owners = linking.collector, linking.owners
    with making_code():
        if os.environ.get(SOURCE_VARIABLE):  # somebody wants to read the text
            return linking.linked()[0]
        roots = [root.__name__ for root in linking.roots]
        key = key_of(collector, linking.fields, linking.constants, roots, linking.addressed)
        link = Link.read(key)
        if link is not None and link.is_current(collector, owners):
            link.watch(collector)
            return link.module(linking.constants_of_module, linking.linked)
        module, link = linking.linked()
        link.watch(collector)
        link.write(key)
        return module


@attrs.frozen
class _Linking:
    """Makes the text of one module, of tables with `fields`, and the module."""

    fields: Mapping[str, tuple[str, ...]]
    constants: Mapping[str, int]
    roots: Sequence[ModuleType]
    collector: Collector
    owners: Mapping[str, Program]
    addressed: tuple[str, ...] = ()

    @property
    def constants_of_module(self) -> dict[str, int]:
        """Kernels that differ by the last one differ themselves."""
        return {name: value for name, value in self.constants.items() if name != FENCED}

    def plain_module(self) -> ModuleType:
        """The module in plain Python."""
        linker, _, kernels, _ = self._joined(())
        head = self._head(self._tables(kernels))
        return plain_module("\n".join(head), linker, self.collector, kernels)

    def linked(self) -> tuple[ModuleType, Link]:
        """The module whose functions numba compiles, and what it was linked of."""
        load_module = _compiler()
        linker, used, kernels, methods = self._joined(PRELUDE)
        tables = self._tables(kernels)
        modules = _shared_modules(linker, load_module)
        own = linker.reached([*linker.entries, *used], modules)
        shared = sorted(own & modules.keys())
        head = self._head(tables) + [f"from {modules[name]} import {name}" for name in shared]
        kernels_text = text_of(self.collector, kernels)

        def text_with(names: Container[str] | None) -> str:
            parts = [part.text for part in linker.parts(names)]
            last = "# kernels of authors\n" + kernels_text
            return "\n\n\n".join(["\n".join(head), *parts, last]) + "\n"

        text = text_with(own - modules.keys())
        module = load_module(text, lambda: text_with(None))
        setattr(module, SOURCE, (text, self.collector))
        link = Link(
            module.__name__,
            tables,
            {name: getattr(module, name).__module__ for name in linker.entries},
            {name: sum_of(name) for name in linker.sources},
            [(*key, value) for key, value in linker.taken.items() if value],
            methods,
            sorted(kernels),
            prints_of(self.collector, kernels),
        )
        return module, link

    def _joined(
        self, prelude: Sequence[str]
    ) -> tuple[Linker, list[str], set[str], list[tuple[str, str]]]:
        """What joins the files, what it uses of the prelude, of kernels, and of methods."""
        linker = Linker(self.constants, prelude, self.addressed)
        for root in self.roots:
            linker.add(root)
        return linker, *_collected(linker, self.collector, self.owners)

    def _tables(self, kernels: Container[str]) -> dict[str, list[str]]:
        """The fields of each named tuple: arrays take room in registers, or are handed over."""
        looked_up = {CONTROLS, AT, NUMBERS}
        for kernel in self.collector.made:
            if kernel in kernels:
                looked_up |= self.collector.looked_up_by(kernel)
        return {
            name: [field for field in listed if field in looked_up]
            for name, listed in self.fields.items()
        }

    def _head(self, tables: Mapping[str, list[str]]) -> list[str]:
        return [
            "# tables and constants",
            *(_class_text(name, listed) for name, listed in tables.items()),
            *(f"{name} = {value}" for name, value in self.constants_of_module.items()),
        ]


def _shared_modules(linker: Linker, load_module: Callable[..., ModuleType]) -> dict[str, str]:
    """The names of the modules of what is the same for all problems, each function in one.

    What one search has compiled, others have, too, whichever of these functions they use.
    """
    modules: dict[str, str] = {}
    for name, uses in linker.shared():
        lines = [f"from {modules[each]} import {each}" for each in sorted(uses & modules.keys())]
        parts = [part.text for part in linker.parts({name} | uses - modules.keys())]
        text = "\n".join([*lines, *parts]) + "\n"
        modules[name] = load_module(text, str).__name__  # it is shown where it is used
    return modules


def _collected(
    linker: Linker, collector: Collector, owners: Mapping[str, Program]
) -> tuple[list[str], set[str], list[tuple[str, str]]]:
    """The kernels that the files of `linker` use, which get what they use.

    First what that is, last the methods among them, with their prefixes.
    """
    linker.use("inlined")
    used = ["inlined"]
    kept: set[str] = set()
    methods: list[tuple[str, str]] = []
    seen: set[str] = set()
    waiting = list(linker.provided)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if linker.use(name):
            used.append(name)
            waiting += linker.provided
            continue
        prefix, _, method = name.partition("_")
        if prefix in owners and name not in collector.made:
            collector.add(owners[prefix], prefix, method)
            methods.append((prefix, method))
        if name in collector.made or name in collector.tuples:
            kept.add(name)
            waiting += free_names(collector.made[name]) if name in collector.made else ()
            waiting += ["outlined"] * is_outlined(name)
    return used, kept, methods


def _compiler() -> Callable[..., ModuleType]:
    """What makes a module of a text; loads numba. `NoCompilerError` if that compiles nothing."""
    with needing_compiler():
        from numba import config  # noqa: PLC0415

        if config.DISABLE_JIT:
            raise ImportError("numba is told by NUMBA_DISABLE_JIT to compile nothing")
        from searchkit.compiled.specialise.cache import load_module  # noqa: PLC0415
    return load_module


_made: dict[Any, tuple[Collector, ModuleType, tuple[int, ...]]] = {}
"""The modules of this process, behind what their texts were made from, with their numbers."""


MOST_ARRAYS = 128
_arrays: dict[int, tuple[Any, Any]] = {}
"""Arrays of nested tuples by the identity of these, which are kept so that no other object has it.
Puzzles of one board share their tables."""


def _class_text(name: str, fields: list[str]) -> str:
    """A named tuple with these fields: types of the module itself can be cached."""
    return f"import collections\n{name} = collections.namedtuple({name!r}, {fields!r})"


def _fields(name: str, program: Program) -> dict[str, tuple[str, ...]]:
    """The named tuples of the tables of a program and its parts: their fields, by name."""
    more = (CONTROLS,) if isinstance(program.source, PackedProblem) else ()
    found = {name: (*program.fields, *program.parts, *more)}
    for part, inner in program.parts.items():
        found |= _fields(name_of_part(name, part), inner)
    return found


def tables_for(
    module: ModuleType, name: str, owner: Any, more: Mapping[str, Any] = MappingProxyType({})
) -> Any:
    """The tables of an object as the named tuple `name` of `module`, which has what is used.

    Nested tuples become arrays. The tables of parts are in the fields of their names. Some are
    `more` than the object has.
    """
    tables = getattr(owner, "tables", None)
    kind = getattr(module, name)
    parts = getattr(owner, "parts", ())
    values = {}
    for field in kind._fields:
        if field in parts:
            values[field] = tables_for(module, name_of_part(name, field), getattr(owner, field))
        elif field in more:
            values[field] = more[field]
        elif field == CONTROLS:
            values[field] = _as_array(owner.controls, field)
        else:
            place = f"{type(owner).__name__}: table {field}"
            values[field] = _as_array(getattr(tables, field), place)
    return kind(**values)


def check_tables(program: Program) -> None:
    """Raise `CompilationError` where tables of a program, or of its parts, cannot be compiled."""
    for field in program.fields:
        _as_array(getattr(program.tables, field), f"{program.name}: table {field}")
    for part in program.parts.values():
        check_tables(part)


def _as_array(value: Any, place: str) -> Any:
    import numpy as np  # noqa: PLC0415  (takes long to import)

    if isinstance(value, (int, np.integer)):
        return np.int64(_word(int(value), place))
    kept = _arrays.get(id(value))
    if kept is not None:
        return kept[1]
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "iub":
            raise CompilationError(
                f"{place} is an array of {value.dtype}; use one of integers, of 64 bits at most"
            )
        array = np.ascontiguousarray(value).view(np.ndarray)
        return array.view(np.int64) if array.dtype == np.uint64 else array
    if isinstance(value, tuple) and value and all(isinstance(each, np.ndarray) for each in value):
        arrays = tuple(_as_array(each, place) for each in value)
        for each in arrays:  # of one type: machine code can then index the tuple
            each.flags.writeable = False
        return arrays
    try:
        quickly = np.array(value) if isinstance(value, (tuple, list)) else None
    except ValueError:  # rows of different lengths
        quickly = None
    if quickly is None or quickly.dtype != np.int64:
        rows = _signed_rows(value, place)
        try:
            quickly = np.array(rows, dtype=np.int64)
        except (TypeError, ValueError) as error:
            raise CompilationError(
                f"{place} has rows of different lengths; fill them up to one length"
            ) from error
    if _cannot_change(value):
        if len(_arrays) >= MOST_ARRAYS:
            _arrays.clear()
        _arrays[id(value)] = value, quickly
    return quickly


def _cannot_change(value: Any) -> bool:
    """Whether nested sequences are tuples all the way down."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _signed_rows(value: Any, place: str) -> Any:
    if isinstance(value, (tuple, list)):
        return [_signed_rows(row, place) for row in value]
    if not hasattr(value, "__index__"):
        raise CompilationError(
            f"{place} holds {value!r:.40}; use integers, nested tuples of integers, or arrays"
        )
    return _word(value.__index__(), place)


def _word(value: int, place: str) -> int:
    if not fits_word(value):
        raise CompilationError(
            f"{place} holds {value if value.bit_length() < 100 else 'a number'!r}, which has more "
            "than 64 bits"
        )
    return signed(value)


def unsigned(word: int) -> int:
    """The unsigned number with the bits of a signed word."""
    return int(word) & ((1 << WORD_BITS) - 1)


def empty_rows(count: int, words: int) -> np.ndarray[Any, Any]:
    """Room for that many states of so many words."""
    import numpy as np  # noqa: PLC0415

    return np.empty(count if words == 1 else (count, words), dtype=np.int64)


def state_array(states: list[Any], words: int) -> np.ndarray[Any, Any]:
    """Python states as an array of signed words: (n,) for one word, (n, words) for several."""
    import numpy as np  # noqa: PLC0415

    if words == 1:
        words_of = [state - WORD if state >= HIGHEST else state for state in states]
        return np.array(words_of, dtype=np.int64)
    rows = [[signed(word) for word in state] for state in states]
    return np.array(rows, dtype=np.int64).reshape(len(states), words)


def python_state(row: Any) -> Any:
    """A state of an array as Python sees it: an int, or a tuple of ints."""
    if row.ndim == 0:
        return unsigned(row)
    return tuple(unsigned(word) for word in row)
