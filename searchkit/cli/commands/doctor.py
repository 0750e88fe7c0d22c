"""`searchkit doctor`: whether all that searches rest on is there, and works."""

from __future__ import annotations

from typing import Any

import attrs
import click

from searchkit.cli.support.command import new_command
from searchkit.cli.support.examination import FAILS, findings
from searchkit.cli.support.exit_codes import ExitCode
from searchkit.cli.support.options import JSON
from searchkit.texts.amounts import one_line
from searchkit.texts.harmless import harmless, to_json

FORMAT = "searchkit-doctor/1"


@new_command("doctor", JSON)
def command(**options: Any) -> ExitCode:
    """Show versions, machine, cache and plugins, and try one search by each kind of engine.

    A line each: ok, note (all is right, but slower, or was mended), or fails. Damaged files of the
    cache are removed.
    """
    found = []
    for each in findings(options["plugin"]):
        found.append(each)
        if not options["json"]:
            text = harmless(one_line(each.text))
            click.echo(f"{each.status:<5}  {each.name:<9}  {text}")
    is_well = all(each.status != FAILS for each in found)
    if options["json"]:
        rows = [attrs.asdict(each) for each in found]
        click.echo(to_json({"format": FORMAT, "ok": is_well, "findings": rows}, indent=2))
    return ExitCode.OK if is_well else ExitCode.BUG
