"""Ctrl-C where a command would miss it: at its first imports, where Python loses it, at its end.

Imported before all else, so it imports nothing that takes long, as `typing` does. A traceback of an
import is not an answer.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from _thread import interrupt_main, start_new_thread
from collections.abc import Iterator
from contextlib import contextmanager

NAME = "searchkit"
INTERRUPTED = 130
SOON = 0.005
"""Seconds after which Ctrl-C that was lost is pressed again, by when it is not lost again."""


def is_command() -> bool:
    """Whether this process is the command: `searchkit ...`, or `python -m searchkit ...`."""
    called = getattr(sys, "argv", None) or [""]  # none where Python is embedded
    if called[0] == "-m":  # so until the module is found
        words = sys.orig_argv
        if "-m" not in words:
            return f"-m{NAME}" in words
        return f"-m{NAME}" in words or NAME in words[words.index("-m") + 1 :][:1]
    name, _, suffix = os.path.basename(called[0]).partition(".")  # noqa: PTH119  (loads pathlib)
    return name.removesuffix("-script") == NAME and suffix in ("", "exe", "pyw")


def guard() -> None:
    """From now on, Ctrl-C ends the process at once, by one line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where it is ignored
        try:
            signal.signal(signal.SIGINT, _end)
        except ValueError:  # not in the main thread
            return


def unguard() -> bool:
    """From now on, Ctrl-C is an exception, as usual; whether it was not until now."""
    was_guarded = signal.getsignal(signal.SIGINT) is _end
    if was_guarded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return was_guarded


@contextmanager
def lost_ctrl_c_again() -> Iterator[None]:
    """Let Ctrl-C be pressed once more where Python has lost it.

    It loses exceptions in `__del__` and in callbacks of weak references, of which each import of a
    module has one.
    """
    before = sys.unraisablehook

    def press() -> None:
        time.sleep(SOON)
        interrupt_main()

    def hear(lost: sys.UnraisableHookArgs) -> None:
        if lost.exc_type is KeyboardInterrupt:
            start_new_thread(press, ())  # pressed here, it would be lost in this hook
        else:
            before(lost)

    sys.unraisablehook = hear
    try:
        yield
    finally:
        sys.unraisablehook = before


def _end(number: int, frame: object) -> None:
    try:
        os.write(2, b"searchkit: interrupted: stopped by Ctrl-C\n")
    finally:  # also where nobody reads it
        os._exit(INTERRUPTED)


if is_command():
    guard()
