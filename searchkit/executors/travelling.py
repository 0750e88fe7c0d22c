"""How calls, results and errors travel between processes."""

from __future__ import annotations

import io
import pickle
import sys
import traceback
from collections.abc import Callable, Iterable
from functools import reduce
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import attrs

from searchkit.authors.blame import PLACE, what_and_where
from searchkit.authors.plugin_files import be_text_of, module_of, text_of
from searchkit.errors import ProblemError, UsageError
from searchkit.texts.amounts import cut, one_line

MAIN = "__main__"
MAIN_OF_WORKERS = "__mp_main__"
"""So multiprocessing calls it, and its users know it by that name."""
MOST_SHOWN = 300
LARGE = 1_000_000
"""Arrays of at least this many bytes are worth a file."""


class _Pickler(pickle.Pickler):
    """Sends mapped files as their arrays, and what is in plugin files as a name in a text."""

    def reducer_override(self, value: Any) -> Any:
        """How a value is made again, where that is not as usual."""
        if isinstance(value, (type, FunctionType)):
            found = text_of(value.__module__ or "")
            return NotImplemented if found is None else (_of_file, (*found, value.__qualname__))
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(value, numpy.memmap):
            return numpy.asarray(value).__reduce_ex__(5)
        return NotImplemented


def _of_file(file: str, text: bytes, name: str) -> Any:
    return reduce(getattr, name.split("."), module_of(file, text))


def dumps(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    *,
    large: list[pickle.PickleBuffer] | None = None,
) -> bytes:
    """A call, ready to travel; raises `UsageError` where it cannot.

    Arrays of `LARGE` bytes and more are put into the list `large`, if there is one, instead.
    """

    def is_small(array: pickle.PickleBuffer) -> bool:
        if large is None or array.raw().nbytes < LARGE:
            return True
        large.append(array)
        return False

    try:
        return packed((function, arguments), is_small)
    except Exception as error:
        name = getattr(function, "__qualname__", repr(function))
        detail = cut(one_line(f"{type(error).__name__}: {error}"), MOST_SHOWN)
        raise UsageError(
            f"{name} and its arguments cannot be sent to another process: {detail}; use functions "
            "and classes at the top level of a module"
        ) from error


def packed(value: Any, is_inside: Callable[[pickle.PickleBuffer], bool] | None = None) -> bytes:
    """A value, ready to travel; arrays of which `is_inside` denies it are left out."""
    out = io.BytesIO()
    _Pickler(out, pickle.HIGHEST_PROTOCOL, buffer_callback=is_inside).dump(value)
    return out.getvalue()


@attrs.frozen
class Script:
    """What is run as a program: where it lies, and its text, which may lie nowhere else."""

    file: str
    text: bytes = attrs.field(repr=False)

    @classmethod
    def here(cls) -> Script | None:
        """What is run as a program here, in which functions and classes may be."""
        module = sys.modules.get(MAIN)
        file = getattr(module, "__file__", None)
        is_module = getattr(module, "__spec__", None) is not None  # python -m
        if file is None or is_module:
            return None
        path = Path(file).resolve()
        try:
            return cls(str(path), path.read_bytes())
        except OSError:  # it is no file, or gone
            return None

    def run(self) -> ModuleType:
        """A module of what the script defines; what is to run once is below a test of its name."""
        module = sys.modules[MAIN_OF_WORKERS] = ModuleType(MAIN_OF_WORKERS)
        module.__file__ = self.file
        be_text_of(self.file, self.text)
        folder = str(Path(self.file).parent)
        if folder not in sys.path and Path(folder).is_dir():
            sys.path.insert(0, folder)  # as Python does
        exec(compile(self.text, self.file, "exec"), vars(module))
        return module


class _Loader(pickle.Unpickler):
    """Finds what is in the script of the command, also where that is not run as a program."""

    is_worker = False
    folder: Path | None = None
    script: Script | None = None
    module: ModuleType | None = None

    def find_class(self, module: str, name: str) -> Any:
        """What is called `name` in a module."""
        if module not in (MAIN, MAIN_OF_WORKERS):
            return super().find_class(module, name)
        if not self.is_worker:
            return super().find_class(MAIN, name)
        return reduce(getattr, name.split("."), self._main(name))

    def _main(self, name: str) -> Any:
        kind = type(self)
        if kind.module is None:
            if kind.script is None:
                raise UsageError(
                    f"{name} is defined at the prompt; put it into a file, which workers can read"
                )
            kind.module = kind.script.run()
        return kind.module


def be_worker_of(script: Script | None, folder: Path) -> None:
    """From now on, what is in `__main__` is looked for in that script, what is shared there."""
    _Loader.is_worker, _Loader.script, _Loader.folder = True, script, folder


def shared_folder() -> Path:
    """Where this process, a worker, finds the files of parcels."""
    assert _Loader.folder is not None
    return _Loader.folder


def is_worker() -> bool:
    """Whether this process is a worker."""
    return _Loader.is_worker


def loads(data: bytes, large: Iterable[Any] = ()) -> Any:
    """What has travelled, with the large arrays that were left out."""
    return _Loader(io.BytesIO(data), buffers=large).load()


def are_equal_elsewhere(values: list[Any]) -> bool:
    """Whether values would be equal to themselves when they come back from another process.

    Objects that are equal by identity alone are not. O(bytes).
    """
    try:
        return bool(loads(packed(values)) == values)
    except Exception:  # whoever sends them says why they cannot be
        return True


@attrs.frozen
class Failure:
    """An error on its way: as itself, if it can be, and as text."""

    data: bytes | None
    what: str

    @classmethod
    def of(cls, error: BaseException) -> Failure:
        """`error`, with the line of the author's that raised it, and its traceback as a note."""
        what, place = what_and_where(error)
        where = "" if place is None else f" at {place}"
        if place is not None:
            vars(error)[PLACE] = place
        text = "".join(traceback.format_exception(error))
        error.add_note(f"In a worker:\n{text}")
        return cls(_pickled(error), one_line(f"{what}{where}"))

    def error(self) -> BaseException:
        """The error, or, if it is of a kind that is not known here, one that says the same."""
        if self.data is not None:
            try:
                kind, arguments, fields = loads(self.data)
                error: BaseException = kind.__new__(kind, *arguments)
                vars(error).update(fields)
                error.args = arguments
                return error
            except Exception:  # whatever classes of others do when they are made
                pass
        return ProblemError(f"a task failed: {self.what}")


def _pickled(error: BaseException) -> bytes | None:
    """What `error` is made of. Its class is not called: it may want other arguments."""
    if not isinstance(error, Exception):
        return None  # SystemExit would end the command
    try:
        return packed((type(error), error.args, vars(error)))
    except Exception:
        return None
