"""What plugins define: functions meant for hooks, or classes of problems without them.

Modules of plugins that are single files are loaded from their text, and found again by it. Where
what such a file defines travels to another process, or another machine, the text does, too: there
may be no such file, or another one.
"""

from __future__ import annotations

import importlib.util
import inspect
import io
import linecache
import os
import sys
import tokenize
from collections.abc import Callable, Collection, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from searchkit.errors import UsageError
from searchkit.parameters import KINDS, Parameter, Value
from searchkit.problem import Problem

PREFIX = "searchkit_plugin_file_"
BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
EMPTY: dict[type, Value] = {str: "", int: 0, float: 0.0, bool: False}
HOOKS_BEGIN = "searchkit_register"
MARK = "searchkit_impl"
"""The attribute that `hookimpl` sets."""
ARGUMENT = "register"


def problem_classes(module: ModuleType) -> list[type[Problem[Any, Any]]]:
    """Lists the classes of problems that a module defines, in the order of its text.

    Those whose names begin with an underscore are the author's own, and so are those that lack a
    method, unless there are no others: then that is a mistake, which shows when one is made.
    """
    found = list(_classes(module))
    return [each for each in found if not inspect.isabstract(each)] or found


def _classes(module: ModuleType) -> Iterator[type[Problem[Any, Any]]]:
    for name, each in vars(module).items():
        if (
            isinstance(each, type)
            and issubclass(each, Problem)
            and each.__module__ == module.__name__
            and each.__name__ == name
            and not name.startswith("_")
        ):
            yield each


def summary_of(made: type) -> str:
    """The first line of the docstring of a class itself, not of one that it inherits."""
    return (vars(made).get("__doc__") or "").strip().partition("\n")[0]


def parameters_of(made: Callable[..., object]) -> list[Parameter]:
    """The arguments of a class that are texts, numbers or truth values, as parameters.

    Their kinds are those of the defaults, or of the annotations where there are none. An argument
    without either is a text. Others keep their defaults; `UsageError` if one has none.
    """
    try:
        arguments = inspect.signature(made, eval_str=True).parameters.values()
    except Exception:  # annotations that cannot be evaluated, or no signature at all
        try:
            arguments = inspect.signature(made).parameters.values()
        except (TypeError, ValueError):
            return []
    found = []
    for each in arguments:
        if each.kind not in BY_NAME:
            continue
        if each.default is not each.empty:
            if type(each.default) in KINDS:
                text = isinstance(each.default, str)
                found.append(Parameter(each.name, each.default, text=text))
        else:
            kind = str if each.annotation is each.empty else each.annotation
            if kind not in EMPTY:
                raise UsageError(
                    f"takes {each.name}, which is neither a text nor a number; give it a default, "
                    "or register the puzzle with a function that makes it"
                )
            text = kind is str
            found.append(Parameter(each.name, EMPTY[kind], text=text, required=True))
    return found


def misfits(plugin: ModuleType | object, hooks: Collection[str]) -> Iterator[str]:
    """What is wrong with the functions of `plugin` that are meant for hooks, a line for each."""
    for name, function in _functions(plugin):
        marked = getattr(function, MARK, None) is not None
        if name in hooks and marked:
            taken = _arguments(function)
            if taken is not None and taken != [ARGUMENT]:
                yield (
                    f"defines {name}({', '.join(taken)}), but a hook has one argument, and that "
                    f"must be called {ARGUMENT}"
                )
        elif name in hooks:
            yield f"defines {name} without @searchkit.hookimpl; mark it with that"
        elif marked or name.startswith(HOOKS_BEGIN):
            from difflib import get_close_matches  # noqa: PLC0415  (for wrong names alone)

            close = get_close_matches(name, hooks, n=1) or sorted(hooks)
            yield f"defines {name}, which is not a hook; did you mean {' or '.join(close)}?"


def is_for_later(plugin: ModuleType | object, name: str) -> bool:
    """Whether a package lists a name that it imports when it is asked for: no hook is one."""
    return isinstance(plugin, ModuleType) and name not in vars(plugin)


def _functions(plugin: ModuleType | object) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in dir(plugin):
        if is_for_later(plugin, name):
            continue
        try:
            found = getattr(plugin, name)
        except Exception:  # a property of third-party code
            continue
        if inspect.isroutine(found):
            yield name, found


def _arguments(function: Callable[..., Any]) -> list[str] | None:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return None


class _FromSource(SourceFileLoader):
    """Compiles a file each time: bytecode is that of a file of the same second and size.

    With `text`, the file is not read.
    """

    def __init__(self, fullname: str, path: str, text: bytes | None = None) -> None:
        super().__init__(fullname, path)
        self.text = text

    def get_data(self, path: str) -> bytes:
        """The text of the file, as it was when it was read first."""
        if self.text is None:
            self.text = super().get_data(path)
        return self.text

    def get_code(self, fullname: str) -> Any:
        """The code of the file as it is now."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def new_module(file: Path, text: bytes | None = None) -> ModuleType:
    """An empty module for a file, which `fill` fills; raises `UsageError` if there is no file.

    With `text`, which is what is in the file, there need not be one here.
    """
    try:
        is_there = text is not None or file.is_file()
    except OSError:  # a name that is too long, say
        is_there = False
    if not is_there:
        why = "is not a regular file" if os.path.lexists(file) else "does not exist"
        raise UsageError(f"plugin file {str(file)!r} {why}; give a .py file")
    name = f"{PREFIX}{len(sys.modules)}_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"plugin file {str(file)!r} is not Python source; give a .py file")
    spec.loader = _FromSource(name, str(file), text)
    if text is not None:
        be_text_of(str(file), text)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    return module


def fill(module: ModuleType) -> None:
    """Run the text of a new module; where that fails, nobody finds it any more."""
    assert module.__spec__ is not None
    assert module.__spec__.loader is not None
    try:
        module.__spec__.loader.exec_module(module)
    except BaseException:
        del sys.modules[module.__name__]
        raise


def text_of(name: str) -> tuple[str, bytes] | None:
    """The file, and its text, of a module of that name, if it was made here."""
    module = sys.modules.get(name) if name.startswith(PREFIX) else None
    loader = getattr(module, "__loader__", None)
    if not isinstance(loader, _FromSource):
        return None
    return loader.path, loader.get_data(loader.path)


def module_of(file: str, text: bytes) -> ModuleType:
    """The module of a file with that text that was loaded last; it is loaded if there is none."""
    for name in reversed(list(sys.modules)):
        if text_of(name) == (file, text):
            return sys.modules[name]
    made = new_module(Path(file), text)
    fill(made)
    return made


def be_text_of(file: str, text: bytes) -> None:
    """Let whoever asks for lines of a file, for a traceback say, have those of `text`."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(text).readline)
        lines = io.TextIOWrapper(io.BytesIO(text), encoding).readlines()
    except (SyntaxError, UnicodeDecodeError):  # to be said by whoever compiles it
        return
    linecache.cache[file] = (len(text), None, lines, file)
