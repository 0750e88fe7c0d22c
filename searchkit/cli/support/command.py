"""Commands whose help has options in groups, examples and exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import click

from searchkit.cli.support.errors import say
from searchkit.cli.support.exit_codes import MEANING, ExitCode
from searchkit.cli.support.help_texts import ALL as LAST
from searchkit.cli.support.help_texts import CODES, EXAMPLES, FIRST, OWN_MEANING, SECTIONS
from searchkit.cli.support.options import COMMON, printing
from searchkit.running.compiler import numba_folder
from searchkit.running.overdue import giving_up

OTHER = "Options"
OFTEN = "Options that are used most"
HELP = {"--help", "--help-all"}
HELP_ALL = "searchkit.help_all"
SEARCHING = {"run", "play", "compare", "explore", "check", "check-heuristic"}
"""Commands that take machine code where there is some."""
WITHOUT_NUMBA = "no numba: reference engines, slower"
MOST_OF_A_RULE = 60.0
"""Seconds that a call of an author's may last in commands that have no `--max-time`."""


class Command(click.Command):
    """A command whose help is as that of all others; what it says is in `help_texts`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; one too many may be a start."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            is_word = error.message.startswith("Got unexpected extra argument")
            if not is_word or all("--start" not in each.opts for each in self.params):
                raise
            told = f"{error.message}; a start is given by --start"
            raise click.UsageError(told, ctx) from error

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; the options of all commands hold wherever they were given."""
        before = ctx.find_root().params
        ctx.params["plugin"] = tuple(dict.fromkeys([*before["plugin"], *ctx.params["plugin"]]))
        ctx.params["quiet"] = before["quiet"] or ctx.params["quiet"]
        say_what_is_missing(ctx)
        tell = (lambda text: None) if ctx.params["quiet"] else partial(say, "note")
        with giving_up(ctx.params.get("max_time", MOST_OF_A_RULE), tell, _end):
            return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, those of one purpose together; of many, those that are most used."""
        groups: dict[str, list[tuple[str, str]]] = {OTHER: []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                is_help = bool(HELP & set(param.opts))
                if _is_short(ctx):
                    group = OFTEN if is_help or param.name in FIRST[_name(ctx)] else ""
                else:
                    group = LAST if is_help else SECTIONS.get(param.name or "", OTHER)
                groups.setdefault(group, []).append(record)
        left = groups.pop("", [])
        last = groups.pop(LAST, [])
        for title, records in [*groups.items(), (LAST, last)]:
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        if left:
            formatter.write_paragraph()
            formatter.write_text(
                f"There are {len(left)} more options: `{ctx.command_path} --help-all` shows them, "
                "and what the exit codes mean."
            )

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples and the exit codes."""
        name = _name(ctx)
        if name in EXAMPLES:
            with formatter.section("Examples"):
                for line, what in EXAMPLES[name]:
                    formatter.write(f"{'':>{formatter.current_indent}}$ {line}\n")
                    with formatter.indentation():
                        formatter.write_text(what)
        if _is_short(ctx):
            return
        with formatter.section("Exit codes"):
            meaning = MEANING | OWN_MEANING.get(name, {})
            formatter.write_dl([(str(int(code)), meaning[code]) for code in codes_of(name)])


def say_what_is_missing(ctx: click.Context) -> None:
    """Say in one line that nothing can be compiled here, to who has not chosen an engine."""
    is_asked = ctx.params.get("engine", "auto") == "auto" and not ctx.params["quiet"]
    if is_asked and _name(ctx) in SEARCHING and numba_folder() is None:
        say("note", WITHOUT_NUMBA)


def _name(ctx: click.Context) -> str:
    return ctx.command_path.partition(" ")[2]


def _is_short(ctx: click.Context) -> bool:
    """Whether help shows some of the options only."""
    return _name(ctx) in FIRST and not ctx.meta.get(HELP_ALL)


def _whole_help(ctx: click.Context) -> str:
    ctx.meta[HELP_ALL] = True
    return ctx.get_help()


WHOLE_HELP = printing("--help-all", "Show all options by their purpose.", _whole_help)


def _end(said: str, is_interrupted: bool) -> None:
    """End the process amid a rule that catches all exceptions."""
    if is_interrupted:
        code, why = ExitCode.INTERRUPTED, "stopped by Ctrl-C"
    else:
        code, why = ExitCode.OUT_OF_TIME, "gave up at the time limit"
    with suppress(Exception):
        say("error", f"{why}: {said}, and catches all exceptions; nothing is known of the search")
        sys.stdout.flush()
    os._exit(code)


def new_command(
    name: str, *params: click.Parameter, group: Any = click, **more: Any
) -> Callable[[Callable[..., Any]], Command]:
    """Make a function the command called `name`, which has `params` and those of all commands."""
    made: Callable[[Callable[..., Any]], Command] = group.command(
        name, cls=Command, params=[*params, *COMMON, *[WHOLE_HELP] * (name in FIRST)], **more
    )
    return made


def codes_of(name: str) -> list[int]:
    """The exit codes of the command called `name`, in their order."""
    return sorted(CODES.get(name, CODES[""]))
