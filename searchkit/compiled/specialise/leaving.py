"""The end of a process that has loaded the compiler: its objects are not looked through once more.

Python looks for circles among all objects several times before it ends. Those of numba take it a
tenth of a second each time, and nobody would notice if they were never found.
"""

from __future__ import annotations

import atexit
import gc
import io
import sys
from functools import cache
from importlib.machinery import ExtensionFileLoader
from types import GeneratorType
from typing import Any

_COMPILER = {"numba", "llvmlite"}
_WRITING_AT_LAST = {"_dbm", "_gdbm"}
"""Parts of Python whose objects may write a file when they go, and are not known to the collector.
"""
_HARMLESS = _COMPILER | {"numpy", "scipy", "_cyutility", "coverage", "yaml"}
"""Libraries in C that numba loads: none of their objects has anything to do when it goes."""


@cache
def leave_quickly() -> None:
    """Let the process end without a look through all objects, if none has anything left to do.

    Otherwise, a file that an object in a circle has open would be left without its last lines.
    """
    atexit.register(_leave)


def _leave() -> None:
    if not _has_foreign_code() and not _has_finalizers():
        gc.freeze()


def _has_foreign_code() -> bool:
    """Whether a library in C is loaded of whose objects nothing is known."""
    roots = {
        _root(name)
        for name, module in list(sys.modules.items())
        if isinstance(getattr(module, "__loader__", None), ExtensionFileLoader)
    }
    return bool(roots - sys.stdlib_module_names - _HARMLESS or roots & _WRITING_AT_LAST)


def _has_finalizers() -> bool:
    """Whether an object that is not the compiler's has something to do when it goes."""
    objects = gc.get_objects()
    waiting = {kind for kind in set(map(type, objects)) if _is_waiting(kind)}
    return any(type(each) in waiting and not _is_known(each) for each in objects)


def _is_waiting(kind: type) -> bool:
    """Whether objects of a class, if not of numba, are told when they go."""
    is_ours = _root(kind.__module__) in _COMPILER
    return not is_ours and any("__del__" in vars(each) for each in kind.__mro__)


def _root(name: Any) -> str:
    """The library of a module."""
    return str(name).partition(".")[0]


def _is_known(each: Any) -> bool:
    """Whether an object is a stream of every process, which is flushed, or a loop of numba."""
    if isinstance(each, GeneratorType):
        frame = each.gi_frame
        return frame is None or _root(frame.f_globals.get("__name__")) in _HARMLESS
    if isinstance(each, io.TextIOWrapper):
        return any(each is stream for stream in _streams())
    known = [getattr(stream, "buffer", None) for stream in _streams()]
    known += [getattr(buffer, "raw", None) for buffer in known]
    return any(each is stream for stream in known)


def _streams() -> tuple[Any, ...]:
    return sys.__stdin__, sys.__stdout__, sys.__stderr__
