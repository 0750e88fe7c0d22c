"""Commands whose help has options in groups, examples and exit codes."""

from __future__ import annotations

import click

from searchkit.cli.support.help_texts import ALL as LAST
from searchkit.cli.support.help_texts import CODES, EXAMPLES, MEANING, OWN_MEANING, SECTIONS

OTHER = "Options"


class Command(click.Command):
    """A command whose help is as that of all others; what it says is in `help_texts`."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, those of one purpose together."""
        groups: dict[str, list[tuple[str, str]]] = {OTHER: []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                group = LAST if "--help" in param.opts else SECTIONS.get(param.name or "", OTHER)
                groups.setdefault(group, []).append(record)
        last = groups.pop(LAST, [])
        for title, records in [*groups.items(), (LAST, last)]:
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples and the exit codes."""
        name = name_of(ctx)
        if name in EXAMPLES:
            with formatter.section("Examples"):
                for line, what in EXAMPLES[name]:
                    formatter.write(f"{'':>{formatter.current_indent}}$ {line}\n")
                    with formatter.indentation():
                        formatter.write_text(what)
        with formatter.section("Exit codes"):
            meaning = MEANING | OWN_MEANING.get(name, {})
            formatter.write_dl([(str(int(code)), meaning[code]) for code in codes_of(name)])


def name_of(ctx: click.Context) -> str:
    """The words of the command, like `pdb build`."""
    words: list[str] = []
    at: click.Context | None = ctx
    while at is not None and at.parent is not None:
        words.insert(0, at.info_name or "")
        at = at.parent
    return " ".join(words)


def codes_of(name: str) -> list[int]:
    """The exit codes of the command called `name`, in their order."""
    return sorted(CODES.get(name, CODES[""]))
