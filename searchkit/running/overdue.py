"""A rule that does not answer: which one it is, where it is, and what ends it.

No look between two calls of an author's rules sees one that never returns. So while calls are
`Watched`, another thread looks now and then at which line the watched one is, and, where a limit of
time is over, has an exception raised there: only amid the author's own lines, never in those of
searchkit, of Python's import, or of a compiler. A function in C that does not return cannot be
ended like that, but is told of.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # without enumerations, which take longer
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, partial, wraps
from types import CodeType, FrameType
from typing import Any, ParamSpec, TypeVar

import attrs

from searchkit.authors.blame import is_ours, is_ours_class
from searchkit.errors import LimitReachedError, SearchkitWarning
from searchkit.limits import NO_ANSWER
from searchkit.running.making import clock_of_this_thread

EVERY = 0.25
"""Seconds from one look to the next."""
LEAST = 0.5
"""A call that has lasted less than this is left alone, however short the limit."""
PATIENCE = 5.0
"""After so many seconds, a call that has not returned is told of."""
MOST_POSTED = 12
"""A call that has caught so many exceptions ends with the process alone."""
SPARED = 2.0
"""So long, of processor time, lasts a call that nothing rests on."""
IDLE_LOOKS = 8
"""After so many looks with nothing to look at, the thread ends."""

STANDARD = os.path.dirname(os.__file__) + os.sep  # noqa: PTH120  (as the files of frames are named)
INSTALLED = ("site-packages" + os.sep, "dist-packages" + os.sep)
_BUSY = ("numba", "llvmlite", "importlib")
"""Who is interrupted in one of these leaves something half made."""


class NoAnswerError(KeyboardInterrupt):
    """A rule was ended where it was, as the time was over: whoever lets Ctrl-C pass lets it."""


class GivenUpError(Exception):
    """A question that nothing rests on was given up, as a rule did not answer."""


P = ParamSpec("P")
T = TypeVar("T")
Tell = Callable[[str], None]
LastResort = Callable[[str, bool], None]
"""Ends the process, given what is known of the call, and whether that is for Ctrl-C."""
_lock = threading.Lock()
_threads: dict[int, _Thread] = {}
_packages: set[str] = set()
"""Installed packages that have rules."""
_modules: set[str] = set()
"""Where classes of problems come from."""
_engines: set[CodeType] = set()
_looking: threading.Thread | None = None
_hearing: list[Any] = []
"""What hears Ctrl-C."""


def have_rules(*packages: str) -> None:
    """Note that the code of installed packages is the code of authors."""
    _packages.update(each.partition(".")[0] for each in packages)


def is_engine(function: Any) -> None:
    """Note that a function of a plugin's is an engine: it is not a rule, and may take its time."""
    code = getattr(function, "__code__", None)
    if code is not None:
        _engines.add(code)


@contextmanager
def giving_up(
    seconds: float | None, tell: Tell | None = None, last: LastResort | None = None
) -> Iterator[None]:
    """End a call of a rule that lasts as long as that; `LimitReachedError` says which and where."""
    try:
        watched = Watched(seconds, tell=tell, last=last)
        with watched, nullcontext() if last is None else watched.hearing_ctrl_c():
            yield
    except NoAnswerError as late:
        raise LimitReachedError(f"gave up at the time limit: {late}") from None


@contextmanager
def in_passing(problem: Any) -> Iterator[None]:
    """Ask the rules of `problem` what nothing rests on; `GivenUpError` after two seconds of a call.

    They need no answer where a search never comes. Where a limit around this is over as well,
    `NoAnswerError` comes out. Takes some microseconds.
    """
    watched = Watched(SPARED, problem=problem)
    try:
        with watched:
            yield
    except NoAnswerError as late:
        if not watched.is_over_alone:
            raise
        raise GivenUpError(str(late)) from None


def within_limits(call: Callable[P, T]) -> Callable[P, T]:
    """Have a function whose argument is `limits` give up where a rule lasts as long as they say."""

    @wraps(call)
    def function(*args: P.args, **named: P.kwargs) -> T:
        seconds = getattr(named.get("limits"), "time", None)
        if seconds is None:  # then nothing is given up
            with Watched(None):
                return call(*args, **named)
        with giving_up(seconds):
            return call(*args, **named)

    return function


@attrs.define(eq=False, repr=False)
class _Call:
    """A call of an author's code, by its outermost frame."""

    frame: FrameType
    since: float
    looks: int = 0
    posted: int = 0


@attrs.define(eq=False, repr=False)
class Watched:
    """A context in which a call of a rule is ended that lasts longer than `seconds`.

    It is also ended where `is_late` says so, which another thread asks. Then `NoAnswerError` comes
    out, whatever the rule made of it. `problem`, and what it is made of, is the author's. `tell` is
    given a line about a call that has not returned for five seconds; else it is a warning. `last`
    is called, by that thread, where a call has caught each of a dozen exceptions. After
    Ctrl-C, the exception says the same of a call that lasted. The clock stands still while machine
    code is made. May be nested, and be in any thread. Takes some microseconds.
    """

    seconds: float | None = None
    is_late: Callable[[], bool] = lambda: False
    problem: Any = None
    tell: Tell | None = None
    last: LastResort | None = None
    is_over_alone: bool = attrs.field(default=False, init=False)
    """Whether it has ended a call, and none of those around it would have."""

    def __enter__(self) -> Watched:
        for kind in type(self.problem).__mro__[:-1]:
            if kind.__module__ not in _modules:
                _modules.add(kind.__module__)
                if not is_ours_class(kind):
                    have_rules(kind.__module__)
        mine = _here.thread
        with _lock:
            mine.contexts.append(self)
            _threads[mine.number] = mine
            _begin_looking()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        mine = _here.thread
        with _lock:
            mine.contexts.remove(self)
            said, is_ended = mine.said, mine.is_ended
            if mine.is_posted:
                _take_back()  # what has not been raised by now is not to be
            mine.is_ended = mine.is_posted = mine.is_interrupted = False
            if not mine.contexts:
                mine.call = None
                mine.said = ""
                mine.told.clear()
                _threads.pop(mine.number, None)
        if is_ended:
            raise NoAnswerError(said) from error
        if isinstance(error, KeyboardInterrupt) and said and not error.args:
            error.args = (said,)

    def interrupted(self) -> None:
        """Note Ctrl-C: a rule that goes on all the same is interrupted once more."""
        _here.thread.is_interrupted = True

    @contextmanager
    def hearing_ctrl_c(self, note: Callable[[], None] = lambda: None) -> Iterator[bool]:
        """Note Ctrl-C; gives whether it does: in the thread that hears it, if no other has it."""
        before = _signal.getsignal(signal.SIGINT)
        is_own = before is signal.default_int_handler or before in _hearing
        if threading.current_thread() is not threading.main_thread() or not is_own:
            yield False
            return

        def heard(number: int, frame: FrameType | None) -> None:
            self.interrupted()
            note()
            signal.default_int_handler(number, frame)

        _hearing.append(heard)
        _signal.signal(signal.SIGINT, heard)
        try:
            yield True
        finally:
            _signal.signal(signal.SIGINT, before)
            _hearing.remove(heard)


@attrs.define(eq=False, repr=False)
class _Thread:
    """A thread whose calls are watched."""

    number: int = attrs.field(factory=threading.get_ident)
    clock: Callable[[], float] = attrs.field(factory=clock_of_this_thread)
    contexts: list[Watched] = attrs.field(factory=list)
    call: _Call | None = None
    said: str = ""
    """What is known of the call at hand, once it has lasted."""
    told: set[CodeType] = attrs.field(factory=set)
    is_posted: bool = False
    is_ended: bool = False
    is_interrupted: bool = False

    def look(self, frame: FrameType) -> Callable[[], None] | None:
        """Look at where the thread is; what tells of it, if there is something to tell."""
        rule, inner = _rule_in(frame)
        if rule is None or inner is None:
            if self.call is not None and not _is_within(frame, self.call.frame):
                self.call, self.said = None, ""
            return None
        now = self.clock()
        if self.call is None or not _is_within(frame, self.call.frame):
            self.call, self.said = _Call(rule, now), ""
            return None
        call = self.call
        call.looks += 1
        lasted = now - call.since
        if lasted < LEAST or call.looks < LEAST / EVERY:
            return None
        self.said = _sentence(call.frame.f_code, inner, lasted)
        over = [each for each in self.contexts if _is_over(each, lasted)]
        if over:
            self.is_ended = self.is_posted = True
            over[0].is_over_alone = len(over) == 1
            _post(self.number, NoAnswerError)
        elif self.is_interrupted:
            self.is_posted = True
            _post(self.number, KeyboardInterrupt)
        if self.is_posted:
            call.posted += 1
            last = next((each.last for each in self.contexts if each.last is not None), None)
            if call.posted > MOST_POSTED and last is not None:
                return partial(last, self.said, not self.is_ended)
        if lasted >= PATIENCE and call.frame.f_code not in self.told:
            self.told.add(call.frame.f_code)
            tell = next((each.tell for each in self.contexts if each.tell is not None), None)
            if tell is not None:
                return partial(tell, self.said)
            place = inner.f_code.co_filename, inner.f_lineno
            return partial(warnings.warn_explicit, self.said, SearchkitWarning, *place)
        return None


def _is_over(context: Watched, lasted: float) -> bool:
    most = context.seconds
    return context.is_late() or (most is not None and lasted >= most)


def _sentence(rule: CodeType, inner: FrameType, lasted: float) -> str:
    name, code = rule.co_name, inner.f_code
    what = "a file that is loaded" if name == "<module>" else f"`{name}`"
    where = "" if code.co_name == name else f" in {code.co_name}"
    place = f"{code.co_filename}:{inner.f_lineno}{where}"
    return f"{what} {NO_ANSWER} {lasted:.{0 if lasted >= 1 else 1}f} s ({place})"


class _OfThread(threading.local):
    def __init__(self) -> None:
        self.thread = _Thread()


_here = _OfThread()


def _post(thread: int, error: type[BaseException]) -> None:
    """Have an exception raised in a thread, in place of one that it has not raised yet.

    A thread that waits for the interpreter's lock raises it at the line where it waits.
    """
    import ctypes  # noqa: PLC0415  (seldom needed)

    given = ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), given)


def _take_back() -> None:
    """Have nothing raised any more in this thread, which may have been sent an exception.

    Another one takes its place, and is caught here. To send none would do, but until 3.12 the
    interpreter then looks for one at every call, for ever, and, where a debugger traces, for ever
    at the same line.
    """
    with suppress(NoAnswerError):
        _post(threading.get_ident(), NoAnswerError)
        while True:
            pass


def let_go_of_call() -> None:
    """Keep the frame of this thread's last call no more, nor what is in it, if that has returned.

    Else it is kept until the next look.
    """
    with _lock:
        _here.thread.call, _here.thread.said = None, ""


def _begin_looking() -> None:
    global _looking  # noqa: PLW0603
    if _looking is None or not _looking.is_alive():
        _looking = threading.Thread(target=_look_on, name="searchkit-watch", daemon=True)
        try:
            _looking.start()
        except RuntimeError:  # there is no room for a thread, or the interpreter ends
            _looking = None


def _look_on() -> None:
    """Look at all watched threads, until there has been none for a while."""
    global _looking  # noqa: PLW0603
    idle = 0
    while True:
        time.sleep(EVERY)
        with _lock:
            idle = 0 if _threads else idle + 1
            if idle > IDLE_LOOKS:
                _looking = None
                return
            told = [] if idle else _look()
        for tell in told:  # by the lock, or what it does might wait for itself
            with suppress(SearchkitWarning):  # as an error, it would end this thread alone
                tell()


def _look() -> list[Callable[[], None]]:
    frames = sys._current_frames()
    # That of this call would keep all others, and what they work on, until garbage is collected.
    del frames[threading.get_ident()]
    found = [each.look(frames[number]) for number, each in _threads.items() if number in frames]
    return [each for each in found if each is not None]


def _rule_in(frame: FrameType) -> tuple[FrameType | None, FrameType | None]:
    """The call of an author's rule that a thread is in, and its innermost frame of an author's.

    None where the innermost lines are those of searchkit, or of whom nobody may interrupt.
    """
    block: list[FrameType] = []
    each: FrameType | None = frame
    while each is not None:
        whose = _whose(each.f_code.co_filename, str(each.f_globals.get("__name__")))
        if whose == "searchkit" or (whose == "busy" and not block):
            break
        if whose == "author":
            block.append(each)
        each = each.f_back
    if each is None:  # nobody here calls rules
        return None, None
    while block and _is_of_engine(block[-1].f_code):
        package = _package(block.pop())
        while block and _package(block[-1]) == package:
            block.pop()
    return (block[-1], block[0]) if block else (None, None)


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def _is_of_engine(code: CodeType) -> bool:
    """Whether code is that of an engine, or of a function within one."""
    return code in _engines or any(
        code.co_filename == each.co_filename and code.co_qualname.startswith(f"{each.co_qualname}.")
        for each in _engines
    )


@cache
def _whose(file: str, module: str) -> str:
    """Whose code a frame runs: an author's, ours, that of one who is busy, or another's."""
    package = module.partition(".")[0]
    if is_ours(file):
        return "busy" if file.startswith("<frozen importlib") else "searchkit"
    if package in _BUSY:
        return "busy"
    if file.startswith("<"):
        return "author" if module == "__main__" and not file.startswith("<attrs") else "other"
    if any(each in file for each in INSTALLED):
        return "author" if package in _packages else "other"
    return "other" if file.startswith(STANDARD) else "author"


def _is_within(frame: FrameType, call: FrameType) -> bool:
    """Whether a call has not returned, given the innermost frame of its thread."""
    each: FrameType | None = frame
    while each is not None and each is not call:
        each = each.f_back
    return each is call


def _after_fork() -> None:
    """A child has none of the threads, and nobody holds its lock."""
    global _lock, _looking
    _lock, _looking = threading.Lock(), None
    _threads.clear()
    _here.thread = _Thread()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
