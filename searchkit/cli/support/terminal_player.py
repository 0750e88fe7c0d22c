"""Playing a solution in the terminal: a frame a move, by time or by keys."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs
import click

from searchkit.cli.support import output
from searchkit.texts.amounts import plural
from searchkit.texts.harmless import harmless

if TYPE_CHECKING:
    from rich.console import RenderableType

HELP = "space: play or pause   ← →: step   home end   + -: speed   q: go on"
SHORTEST = 0.05
"""Seconds from move to move, at the highest speed."""
KEYS = {
    **dict.fromkeys([b"\x1b[C", b"\x1bOC", b"n", b"l", b"\r", b"\n"], "forward"),
    **dict.fromkeys([b"\x1b[D", b"\x1bOD", b"p", b"h", b"\x7f"], "back"),
    **dict.fromkeys([b"\x1b[H", b"\x1bOH", b"\x1b[1~", b"0"], "first"),
    **dict.fromkeys([b"\x1b[F", b"\x1bOF", b"\x1b[4~", b"$"], "last"),
    **dict.fromkeys([b" ", b"k"], "toggle"),
    **dict.fromkeys([b"+", b"="], "faster"),
    b"-": "slower",
    **dict.fromkeys([b"q", b"\x1b", b"\x04"], "quit"),
}
"""What the bytes that a key sends ask for."""


@attrs.frozen
class Still:
    """A frame: the move that led here, empty at the start, and the picture."""

    move: str
    picture: str


def play(stills: Sequence[Still], delay: float) -> None:
    """Show the stills, `delay` seconds each; with 0, a key shows the next.

    Where standard output is not a terminal they are printed one after another.
    """
    if not sys.stdout.isatty():
        print_stills(stills)
        return
    from rich.live import Live  # noqa: PLC0415

    out = output.console()
    with (
        _keys() as keys,
        Live(
            console=out, auto_refresh=False, redirect_stdout=False, redirect_stderr=False,
            vertical_overflow="crop",
        ) as live,
    ):  # fmt: skip
        for at, help_shown in run(len(stills), delay, keys):
            help_text = HELP if help_shown else ""
            live.update(_screen(stills, at, out.width, help_text), refresh=True)


def print_stills(stills: Sequence[Still]) -> None:
    """Print the stills one below another, each with its number and move."""
    last = len(stills) - 1
    for at, still in enumerate(stills):
        click.echo(f"{_position(at, last)}{still.move}".rstrip())
        output.draw(f"{still.picture}\n" if at < last else still.picture)


def run(number: int, delay: float, keys: Keys | None) -> Iterator[tuple[int, bool]]:
    """The numbers of the stills to show, and whether keys are heard, until the end or "quit".

    Time ends at the last still; who has pressed a key stays there until the next "quit".
    """
    at, last = 0, number - 1
    playing = delay > 0
    touched = not playing
    delay = delay or 1.0
    yield at, keys is not None
    while True:
        if keys is None:
            if at == last:
                return
            if playing:
                _pause(delay)
            key = None
        else:
            if at == last and playing and not touched:
                return
            playing = playing and at < last
            key = keys.next(delay if playing else None)
        if key == "quit":
            return
        touched = touched or key is not None
        if key is None:
            at = min(at + 1, last)
        elif key in ("faster", "slower"):
            delay = max(SHORTEST, delay / 2 if key == "faster" else delay * 2)
        elif key == "toggle":
            at = 0 if at == last else at
            playing = not playing
        else:
            playing = False
            at = {"forward": min(at + 1, last), "back": max(at - 1, 0), "first": 0}.get(key, last)
        yield at, keys is not None


def _position(at: int, last: int) -> str:
    return f"{at}/{last}  " if at else f"start, {plural(last, 'move')}"


def _screen(stills: Sequence[Still], at: int, width: int, help_text: str) -> RenderableType:
    from rich.console import Group  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    moves = Text(no_wrap=True, overflow="crop")
    moves.append(_position(at, len(stills) - 1), style="dim")
    for number in _around(stills, at, width - len(moves)):
        style = "bold reverse" if number == at else ""
        moves.append(harmless(stills[number].move), style=style)
        moves.append("  ")
    picture = Text.from_ansi(stills[at].picture)  # of which nothing but colours are left
    picture.no_wrap, picture.overflow = True, "crop"
    return Group(moves, Text(), picture, Text(), Text(help_text, style="dim", overflow="crop"))


def _around(stills: Sequence[Still], at: int, room: int) -> Iterator[int]:
    """The numbers of moves that fit into a line, the current one among them."""
    if not at:
        return
    first = at
    used = len(stills[at].move) + 2
    while first > 1 and used + len(stills[first - 1].move) + 2 <= room // 2:
        first -= 1
        used += len(stills[first].move) + 2
    used = 0
    for number in range(first, len(stills)):
        used += len(stills[number].move) + 2
        if number > at and used > room:
            return
        yield number


@contextmanager
def _keys() -> Iterator[Keys | None]:
    """The keys of the terminal, each heard at once; None where standard input is not a terminal."""
    try:
        import termios  # noqa: PLC0415  (not on every system)
        import tty  # noqa: PLC0415
    except ImportError:
        yield None
        return
    try:
        stdin = sys.stdin.fileno()
        before = termios.tcgetattr(stdin)
    except (OSError, ValueError, AttributeError, termios.error):  # closed, or no terminal
        yield None
        return
    try:
        tty.setcbreak(stdin)  # Ctrl-C stays what it is
        yield Keys(stdin)
    finally:
        termios.tcsetattr(stdin, termios.TCSADRAIN, before)


WAKE_SECONDS = 0.2
"""A signal that comes just before a wait is heard only when the wait ends: so waits are short."""


def _pause(seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, WAKE_SECONDS))


@attrs.define
class Keys:
    """Keys as bytes from a terminal."""

    stdin: int

    def next(self, seconds: float | None) -> str | None:
        """What the next known key asks for; "quit" where no key can come any more."""
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            left = WAKE_SECONDS if until is None else max(0.0, until - time.monotonic())
            if not select.select([self.stdin], [], [], min(left, WAKE_SECONDS))[0]:
                if left > WAKE_SECONDS or until is None:
                    continue
                return None
            sent = os.read(self.stdin, 1)
            if not sent:
                return "quit"
            # What follows the escape sign at once belongs to the same key.
            while sent[:1] == b"\x1b" and len(sent) < 4 and not sent[-1:].isalpha() and (
                select.select([self.stdin], [], [], 0.02)[0]):  # fmt: skip
                sent += os.read(self.stdin, 1)
                if sent[1:2] == b"O" and len(sent) == 2:
                    sent += os.read(self.stdin, 1)
            if sent in KEYS:
                return KEYS[sent]
