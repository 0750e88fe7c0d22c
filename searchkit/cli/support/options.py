"""The kinds of options, the texts they read, and the options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from searchkit.limits import Limits
from searchkit.running.free_memory import default_memory
from searchkit.texts.amounts import NUMBER, number_in, read_memory

_SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_WHOLE = r"[+-]?([0-9]+(?:_[0-9]+)*)"
MOST_DIGITS = 30
MOST_SCRAMBLED = 10_000_000
"""A walk of some seconds; no puzzle needs one so long."""
MOST_BOARDS = 1_000_000
"""Days of runs; no comparison needs more, and they would not end."""
MOST_JOBS = 1024
MOST = 1e18
"""No time in seconds and no memory in bytes is larger."""


class Duration(click.ParamType):  # type: ignore[type-arg]  # click 8.1 to 8.3 has no arguments there
    """A time like `10s`, `2m`, `1h30m`; a plain number is in seconds."""

    name = "time"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """The time in seconds."""
        if isinstance(value, float):
            return value
        text = str(value).strip().lower()
        parts = re.findall(rf"{NUMBER}\s*([a-z]*)\s*", text)
        whole = re.fullmatch(rf"(?:{NUMBER}\s*[a-z]*\s*)+", text)
        if not whole or any(unit not in _SECONDS for _, unit in parts):
            self.fail(f"{value!r} is not a time; write one like 10s, 2m or 1h30m", param, ctx)
        seconds = float(sum(number_in(number) * _SECONDS[unit] for number, unit in parts))
        if seconds > MOST:
            self.fail(f"{value!r} is too long; leave it out for no limit", param, ctx)
        return seconds


class Memory(click.ParamType):  # type: ignore[type-arg]  # click 8.1 to 8.3 has no arguments there
    """An amount of memory like `500MB` or `2GiB`; a plain number is in bytes."""

    name = "size"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """The amount in bytes."""
        if isinstance(value, int):
            return value
        size = read_memory(str(value))
        if size is None:
            self.fail(
                f"{value!r} is not an amount of memory; write one like 500MB or 2GiB", param, ctx
            )
        if size > MOST:
            self.fail(f"{value!r} is more than there is; write one like 500MB or 2GiB", param, ctx)
        return int(size)


class Whole(click.ParamType):  # type: ignore[type-arg]  # click 8.1 to 8.3 has no arguments there
    """A whole number from `least` upwards; underscores may group its digits."""

    name = "number"

    def __init__(self, least: int = 0, most: int | None = None) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """The number."""
        if isinstance(value, int):
            return value
        match = re.fullmatch(_WHOLE, str(value).strip())
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


def option(names: str, help_text: str, **how: Any) -> click.Option:
    """An option: its names with a space between them, its help, and what click is to know more."""
    return click.Option(names.split(), help=help_text, **how)


def flag(names: str, help_text: str, **how: Any) -> click.Option:
    """An option without a value."""
    return option(names, help_text, is_flag=True, **how)


def printing(name: str, help_text: str, text: Callable[[click.Context], str]) -> click.Option:
    """An option that prints a text and ends, whatever else is given."""

    def show(ctx: click.Context, param: click.Parameter, is_given: bool) -> None:
        if is_given and not ctx.resilient_parsing:
            click.echo(text(ctx), color=ctx.color)
            ctx.exit()

    return flag(name, help_text, is_eager=True, expose_value=False, callback=show)


def whole(names: str, help_text: str, *, least: int = 0, **how: Any) -> click.Option:
    """An option whose value is a whole number, N."""
    return option(names, help_text, metavar="N", type=Whole(least), **how)


def choice(names: str, values: Sequence[str], help_text: str, **how: Any) -> click.Option:
    """An option whose value is one of `values`."""
    return option(names, help_text, type=click.Choice(values), **how)


class TablePlace(click.Path):
    """The folder of a table, or a URL."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """The path of a folder, or the URL as it is."""
        from searchkit.tables.store import IS_URL  # noqa: PLC0415  (loads what reads tables)

        if isinstance(value, str) and IS_URL.match(value):
            return value
        return super().convert(value, param, ctx)


TABLE_PLACE = TablePlace(file_okay=False, path_type=Path)


def file(names: str, help_text: str, **how: Any) -> click.Option:
    """An option whose value is the path of a file."""
    return option(names, help_text, **{"metavar": "FILE", "type": click.Path(path_type=Path)} | how)


def problem_options(random: click.Option) -> tuple[click.Parameter, ...]:
    """The argument and the options that choose a puzzle, its start and its goal."""
    return (
        click.Argument(["puzzle"]),
        option("-p --param", "Set a parameter of the puzzle; may be repeated.",
               metavar="NAME=VALUE", multiple=True),
        option("--start", "Start from this state.", metavar="TEXT"),
        random,
        option("--scramble", "Start K random steps away from a goal.",
               metavar="K", type=Whole(most=MOST_SCRAMBLED)),
        whole("--seed", "Make --random and --scramble repeatable."),
        option("--goal", "Make this state the only goal.", metavar="TEXT"),
    )  # fmt: skip


PROBLEM = problem_options(flag("--random", "Start from a random solvable state."))
RENDERER = option("--renderer", "Draw states with this renderer.", metavar="NAME")
JSON = flag("--json", "Print one JSON document.")
ENGINE = (
    choice("--engine", ["auto", "reference", "compiled", "checked"],
           "Search by machine code (compiled), in plain Python (reference), with a check of every "
           "operation in kernels (checked), or by what suits (auto).  [default: auto]",
           default="auto"),
    whole("--threads", "Let a compiled engine use N threads.  [default: 1]", least=1, default=1),
)  # fmt: skip
CLUSTER = option(
    "--cluster", "Use the Ray cluster whose head is at ADDRESS, like 10.0.0.1:6379, or the one "
    "that runs here (auto).", metavar="ADDRESS|auto",
)  # fmt: skip
WORKERS = (
    option("--workers", "Let N processes of this machine share the work.", metavar="N",
           type=Whole(1, most=MOST_JOBS)),
    CLUSTER,
)  # fmt: skip
LIMITS = (
    option("--max-time", "Give up after this time: 10s, 2m.", type=Duration()),
    option("--max-memory", "Give up when stored states take more than this: 500MB, 2GiB. "
           "[default: three quarters of the free memory]", type=Memory()),
    option("--max-expansions", "Give up after this many expansions.", type=Whole()),
)  # fmt: skip
LIMITS_OF_SEARCH = (*LIMITS, option("--max-cost", "Look for no costlier solution.", type=Whole()))
LIMITS_OF_LAYERS = (
    *LIMITS,
    option("--max-cost --max-depth", "Reach no state farther away than this.", type=Whole()),
)
COMMON = (
    file("--plugin", "Load a plugin from a Python file; may be repeated.", multiple=True),
    flag("-q --quiet", "No progress, notes or summaries."),
    flag("--debug", "Show the traceback of an error."),
)
"""The options of every command, which may be given before its name as well."""


def limits_from(options: Mapping[str, Any], *, time: float | None = None) -> Limits:
    """The limits that `options` set; `time` is the default time limit."""
    memory = options["max_memory"]
    return Limits(
        time=time if options["max_time"] is None else options["max_time"],
        memory=default_memory() if memory is None else memory,
        expansions=options["max_expansions"],
        cost=options["max_cost"],
        tables=options.get("table_memory"),
        within=options.get("within"),
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
