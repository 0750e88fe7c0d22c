"""Makes and loads the module of one engine, specialised to one problem and heuristic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from searchkit.bits import WORD_BITS
from searchkit.compiled.specialise.dialect import machine_dialect
from searchkit.compiled.specialise.kernel_text import note_lines, text_of
from searchkit.errors import CompilationError, NoCompilerError
from searchkit.kernel_language.collector import Collector, kinds_of, parts_of
from searchkit.kernel_language.constants import fits_word, signed
from searchkit.kernel_language.uses import name_of_part
from searchkit.packed import CarriedHeuristic, PackedHeuristic, PackedProblem, ZeroEstimate
from searchkit.running.making import making_code

if TYPE_CHECKING:
    import numpy as np

HOME = Path(__file__).parents[2]
MARK = "# SPECIALISED\n"
CONTROLS = "number_of_controls"
CONTROLS_ASKED = 1 << 16
"""For the control states of so many states `next_control` is compared with `control`."""
PROBLEM_KERNELS = ("at_goal", "legal", "apply", "cost")


def overrides(owner: object, base: type, name: str) -> bool:
    """Whether the class of `owner` defines the method `name` of `base` anew."""
    return getattr(type(owner), name) is not getattr(base, name)


def specialised(
    problem: PackedProblem[Any],
    heuristic: PackedHeuristic | None,
    templates: tuple[str, ...],
    kernels: tuple[str, ...] = (),
    **constants: int,
) -> ModuleType:
    """The module of the engine `templates` for the kernels of `problem` and `heuristic`.

    `kernels` are optional kernels that are needed too. `constants` become constants of the
    module. The text is all that machine code depends on, apart from the types of the tables,
    which are arguments.
    """
    fields = _fields("ProblemTables", problem) | _fields("HeuristicTables", heuristic)
    fields["ProblemTables"] += (CONTROLS,)
    key = (
        kinds_of(problem), kinds_of(heuristic), problem.words, templates, kernels,
        tuple(sorted(constants.items())), tuple(fields.items()), getattr(heuristic, "memory", 0),
    )  # fmt: skip
    known = _current(key)
    if known is not None:
        return known
    if problem.words < 1 or problem.controls < 1:
        raise CompilationError(
            f"{type(problem).__name__}: words is {problem.words} and controls is "
            f"{problem.controls}; both must be 1 or more"
        )
    # The template `carried` defines the estimate of a state by itself.
    is_carried = isinstance(heuristic, CarriedHeuristic)
    collector = Collector(machine_dialect, ("heuristic_estimate",) if is_carried else ())
    for name in (*PROBLEM_KERNELS, *kernels):
        collector.method(problem, "problem", name)
    collector.method(problem, "unchecked", "control")  # the template `control` calls it
    constants |= {
        "WORDS": problem.words,
        "ALWAYS_LEGAL": not overrides(problem, PackedProblem, "legal"),
        "UNIT_COSTS": not overrides(problem, PackedProblem, "cost"),
    }
    # Where control states are looked up, the first states found are asked for theirs as well.
    followed = problem.controls > 1 and overrides(problem, PackedProblem, "next_control")
    constants["ASKED"] = CONTROLS_ASKED if followed else 0
    constants["CHILD_LATER"] = False
    carried = ""
    if isinstance(heuristic, CarriedHeuristic):
        carried = "heuristic_with_memory"
        constants |= {"MEMORY": heuristic.memory, "INCREMENTAL": False}
        for name in ("begin", "follow", "recall"):
            collector.method(heuristic, "heuristic", name)
        collector.method(ZeroEstimate(), "heuristic", "change")
    elif heuristic is not None:
        carried = "heuristic_plain"
        collector.method(heuristic, "heuristic", "estimate")
        incremental = overrides(heuristic, PackedHeuristic, "change")
        constants |= {"MEMORY": 0, "INCREMENTAL": incremental}
        change = collector.method(
            heuristic if incremental else ZeroEstimate(), "heuristic", "change"
        )
        child = collector.functions[change].definition.args.args[-1].arg
        constants["CHILD_LATER"] = incremental and not collector.functions[change].uses(child)
    words = _template("words_one" if problem.words == 1 else "words_many")
    words = words.replace("REPLACED", _replaced(problem.words))
    names = ("control", carried, *templates) if carried else ("control", *templates)
    return _loaded(key, fields, constants, [words], collector, names)


def module_of(
    owners: Mapping[str, tuple[Any, tuple[str, ...]]], templates: tuple[str, ...], **constants: int
) -> ModuleType:
    """The module of `templates` for the kernels of objects, given by their prefix.

    The tables of the object with prefix `space`, say, are of the named tuple `SpaceTables`.
    """
    fields: dict[str, tuple[str, ...]] = {}
    for prefix, (owner, _) in owners.items():
        fields |= _fields(f"{prefix.title()}Tables", owner)
    key = (
        tuple((prefix, kinds_of(owner), names) for prefix, (owner, names) in owners.items()),
        templates, tuple(sorted(constants.items())), tuple(fields.items()),
    )  # fmt: skip
    known = _current(key)
    if known is not None:
        return known
    collector = Collector(machine_dialect)
    for prefix, (owner, names) in owners.items():
        for name in names:
            collector.method(owner, prefix, name)
    return _loaded(key, fields, constants, [], collector, templates)


def _current(key: Any) -> ModuleType | None:
    """The module that was made for `key`, if all that it was made from is as it was."""
    collector, module = _made.get(key, (None, None))
    return module if collector is not None and collector.is_current() else None


def _loaded(
    key: Any,
    fields: Mapping[str, tuple[str, ...]],
    constants: Mapping[str, int],
    texts: Sequence[str],
    collector: Collector,
    templates: Sequence[str],
) -> ModuleType:
    """The module of tables, constants, `texts`, the kernels collected, and templates."""
    parts = [
        _template("prelude"),
        _template("arithmetic"),
        "\n".join(_class_text(name, listed) for name, listed in fields.items()),
        "\n".join(f"{name} = {value!r}" for name, value in sorted(constants.items())),
        *texts,
        text_of(collector),
        *(_template(name) for name in templates),
    ]
    text = "\n\n\n".join(parts) + "\n"
    with making_code():
        module = _compiler()(text)
    note_lines(module, text, collector)
    _made[key] = collector, module
    return module


def _compiler() -> Callable[[str], ModuleType]:
    """What makes a module of a text; loads numba."""
    try:
        from searchkit.compiled.specialise.cache import load_module  # noqa: PLC0415
    except (ImportError, OSError) as error:  # of a library of its own, for want of memory say
        raise NoCompilerError(
            f"machine code cannot be used here: {' '.join(str(error).split())}; "
            "engine='reference' does without"
        ) from error
    return load_module


_made: dict[Any, tuple[Collector, ModuleType]] = {}
"""The modules of this process, with what their texts were made from."""


@cache
def _template(name: str) -> str:
    (path,) = HOME.glob(f"**/kernels/{name}.py")
    return path.read_text(encoding="utf-8").partition(MARK)[2].strip()


def _replaced(words: int) -> str:
    """The tuple that `replace_word` returns."""
    return ", ".join(f"word if index == {i} else state[{i}]" for i in range(words))


def _class_text(name: str, fields: tuple[str, ...]) -> str:
    """A named tuple with these fields: types of the module itself can be cached."""
    return f"import collections\n{name} = collections.namedtuple({name!r}, {list(fields)!r})"


def _fields(name: str, owner: Any) -> dict[str, tuple[str, ...]]:
    """The named tuples of an object's tables and of those of its parts: their fields, by name."""
    tables = getattr(owner, "tables", None)
    if tables is not None and not hasattr(tables, "_fields"):
        raise CompilationError(
            f"{type(owner).__name__}: tables is {tables!r:.60}; it must be a named tuple, or None"
        )
    parts = parts_of(owner)
    found = {name: (*getattr(tables, "_fields", ()), *parts)}
    for part in parts:
        found |= _fields(name_of_part(name, part), getattr(owner, part))
    return found


def tables_for(module: ModuleType, name: str, owner: Any, *more: int) -> Any:
    """The tables of an object as the named tuple `name` of `module`.

    Nested tuples become arrays. The tables of parts follow, each in the field of its name.
    """
    made = getattr(module, name)
    tables = tuple(getattr(owner, "tables", None) or ())
    parts = getattr(owner, "parts", ())
    values = (*tables, *more)
    own = made._fields[: len(tables)] + made._fields[len(tables) + len(parts) :]
    kind = type(owner).__name__
    arrays = [
        _as_array(value, f"{kind}: table {field}") for value, field in zip(values, own, strict=True)
    ]
    inner = [tables_for(module, name_of_part(name, part), getattr(owner, part)) for part in parts]
    return made(*arrays[: len(tables)], *inner, *arrays[len(tables) :])


def check_tables(owner: Any) -> None:
    """Raise `CompilationError` where tables of an object, or of its parts, cannot be compiled."""
    tables = getattr(owner, "tables", None)
    kind = type(owner).__name__
    for field in getattr(tables, "_fields", ()):
        _as_array(getattr(tables, field), f"{kind}: table {field}")
    for part in parts_of(owner):
        check_tables(getattr(owner, part))


def _as_array(value: Any, place: str) -> Any:
    import numpy as np  # noqa: PLC0415  (takes long to import)

    if isinstance(value, (int, np.integer)):
        return np.int64(_word(int(value), place))
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
    if quickly is not None and quickly.dtype == np.int64:
        return quickly
    rows = _signed_rows(value, place)
    try:
        return np.array(rows, dtype=np.int64)
    except (TypeError, ValueError) as error:
        raise CompilationError(
            f"{place} has rows of different lengths; fill them up to one length"
        ) from error


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


def state_array(states: list[Any], words: int) -> np.ndarray[Any, Any]:
    """Python states as an array of signed words: (n,) for one word, (n, words) for several."""
    import numpy as np  # noqa: PLC0415

    if words == 1:
        return np.array([signed(state) for state in states], dtype=np.int64)
    rows = [[signed(word) for word in state] for state in states]
    return np.array(rows, dtype=np.int64).reshape(len(states), words)


def python_state(row: Any) -> Any:
    """A state of an array as Python sees it: an int, or a tuple of ints."""
    if row.ndim == 0:
        return unsigned(row)
    return tuple(unsigned(word) for word in row)
