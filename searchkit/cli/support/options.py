"""Options that several commands share, and the texts they read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from searchkit.limits import Limits
from searchkit.running.free_memory import default_memory

F = TypeVar("F", bound=Callable[..., Any])

_SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {
    unit: factor
    for power, letter in enumerate(["", "k", "m", "g", "t"])
    for unit, factor in (
        (letter, 1000**power),
        (f"{letter}b", 1000**power),
        (f"{letter}ib", 1024**power),
    )
}
_NUMBER = r"([0-9][0-9_]*(?:\.[0-9]+)?)"
_WHOLE = re.compile(r"[+-]?([0-9]+(?:_[0-9]+)*)")
MOST_DIGITS = 30
MOST_SCRAMBLED = 10_000_000
"""A walk of some seconds; no puzzle needs one so long."""
MOST_BOARDS = 1_000_000
"""Days of runs; no comparison needs more, and they would not end."""
MOST = 1e18
"""No time in seconds and no memory in bytes is larger."""


class Duration(click.ParamType[float]):
    """A time like `10s`, `2m`, `1h30m`; a plain number is in seconds."""

    name = "time"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """The time in seconds."""
        if isinstance(value, float):
            return value
        text = str(value).strip().lower()
        parts = re.findall(rf"{_NUMBER}\s*([a-z]*)\s*", text)
        whole = re.fullmatch(rf"(?:{_NUMBER}\s*[a-z]*\s*)+", text)
        if not whole or any(unit not in _SECONDS for _, unit in parts):
            self.fail(f"{value!r} is not a time; write one like 10s, 2m or 1h30m", param, ctx)
        seconds = float(sum(_number(number) * _SECONDS[unit] for number, unit in parts))
        if seconds > MOST:
            self.fail(f"{value!r} is too long; leave it out for no limit", param, ctx)
        return seconds


class Memory(click.ParamType[int]):
    """An amount of memory like `500MB` or `2GiB`; a plain number is in bytes."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """The amount in bytes."""
        if isinstance(value, int):
            return value
        match = re.fullmatch(rf"{_NUMBER}\s*([a-z]*)", str(value).strip().lower())
        if not match or match[2] not in _BYTES:
            self.fail(
                f"{value!r} is not an amount of memory; write one like 500MB or 2GiB", param, ctx
            )
        size = _number(match[1]) * _BYTES[match[2]]
        if size > MOST:
            self.fail(f"{value!r} is more than there is; write one like 500MB or 2GiB", param, ctx)
        return int(size)


class Whole(click.ParamType[int]):
    """A whole number from `least` upwards; underscores may group its digits."""

    name = "number"

    def __init__(self, least: int = 0, most: int | None = None) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """The number."""
        if isinstance(value, int):
            return value
        match = _WHOLE.fullmatch(str(value).strip())
        if not match:
            self.fail(f"{value!r} is not a whole number; write one like 1000", param, ctx)
        if len(match[1]) > MOST_DIGITS:
            self.fail(f"{value!r} is too large; leave it out for no limit", param, ctx)
        number = int(value)
        if number < self.least:
            self.fail(f"{number} is too small; it must be {self.least} or more", param, ctx)
        if self.most is not None and number > self.most:
            self.fail(f"{number} is too large; it must be {self.most:,} at most", param, ctx)
        return number


def _number(text: str) -> float:
    return float(text.replace("_", ""))


def _apply(options: list[Callable[[F], F]], function: F) -> F:
    for option in reversed(options):
        function = option(function)
    return function


def common_options(function: F) -> F:
    """Add the options of every command."""
    return _apply(
        [
            click.option(
                "--plugin", multiple=True, metavar="FILE", type=click.Path(path_type=Path),
                help="Load a plugin from a Python file; may be repeated.",
            ),
            click.option("-q", "--quiet", is_flag=True, help="No progress, notes or summaries."),
            click.option("--debug", is_flag=True, help="Show the traceback of an error."),
        ],
        function,
    )  # fmt: skip


def problem_options(function: F) -> F:
    """Add the argument and the options that choose a puzzle, its start and its goal."""
    one = click.option("--random", is_flag=True, help="Start from a random solvable state.")
    return _apply(_problem_options(one), function)


def problem_with_boards_options(function: F) -> F:
    """Add what `problem_options` does, but `--random` takes the number of starts to draw."""
    several = click.option(
        "--random", metavar="[N]", type=Whole(1, most=MOST_BOARDS), is_flag=False, flag_value="1",
        help="Start from a random solvable state, or from N of them.",
    )  # fmt: skip
    return _apply(_problem_options(several), function)


def _problem_options(random_option: Callable[[F], F]) -> list[Callable[[F], F]]:
    return [
        click.argument("puzzle"),
        click.option("-p", "--param", multiple=True, metavar="NAME=VALUE",
                     help="Set a parameter of the puzzle; may be repeated."),
        click.option("--start", metavar="TEXT", help="Start from this state."),
        random_option,
        click.option("--scramble", metavar="K", type=Whole(most=MOST_SCRAMBLED),
                     help="Start K random steps away from a goal."),
        click.option("--seed", metavar="N", type=Whole(),
                     help="Make --random and --scramble repeatable."),
        click.option("--goal", metavar="TEXT", help="Make this state the only goal."),
    ]  # fmt: skip


def renderer_option(function: F) -> F:
    """Add the option that chooses how states are drawn."""
    return click.option("--renderer", metavar="NAME", help="Draw states with this renderer.")(
        function
    )


def engine_options(function: F) -> F:
    """Add the options that choose an engine."""
    return _apply(
        [
            click.option("--engine",
                         type=click.Choice(["auto", "reference", "compiled", "checked"]),
                         default="auto", help="Run machine code made for the puzzle (compiled), "
                         "plain Python (reference), its kernels step by step to find mistakes "
                         "(checked), or what suits.  [default: auto]"),
            click.option("--threads", metavar="N", type=Whole(1), default=1,
                         help="Let a compiled engine use N threads.  [default: 1]"),
        ],
        function,
    )  # fmt: skip


def limit_options(function: F) -> F:
    """Add the limits of a search."""
    return _apply(
        [
            click.option("--max-time", type=Duration(), help="Give up after this time: 10s, 2m."),
            click.option("--max-memory", type=Memory(),
                         help="Give up when stored states take more: 500MB, 2GiB. "
                         "[default: three quarters of the memory that is free]"),
            click.option("--max-expansions", type=Whole(),
                         help="Give up after this many expansions."),
            click.option("--max-cost", type=Whole(), help="Look for no costlier solution."),
        ],
        function,
    )  # fmt: skip


def limits_from(options: Mapping[str, Any], *, time: float | None = None) -> Limits:
    """The limits that `options` set; `time` is the default time limit."""
    memory = options["max_memory"]
    return Limits(
        time=time if options["max_time"] is None else options["max_time"],
        memory=default_memory() if memory is None else memory,
        expansions=options["max_expansions"],
        cost=options["max_cost"],
    )


def at_most_one(options: Mapping[str, Any], *names: str) -> None:
    """Raise a usage error if more than one of the named options was given."""
    given = [
        f"--{name.replace('_', '-')}"
        for name in names
        if options[name] is not None and options[name] is not False
    ]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} exclude each other; give one of them")
