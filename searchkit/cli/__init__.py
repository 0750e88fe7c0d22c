"""The command line: a thin layer that parses, calls the library and prints."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from searchkit.running import starting

YOUNG = 50_000
"""How many objects are made, beyond those freed, before Python looks for circles among them.

By default 700 are: to import the compiler then takes a tenth longer, and so does a search that
stores states in tables.
"""


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit with one of `searchkit.cli.support.exit_codes.ExitCode`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # pictures must not fail on a terminal without Unicode
            stream.reconfigure(errors="replace")
    if starting.is_command():
        gc.set_threshold(YOUNG, 20, 20)
    try:
        from searchkit.cli.app import app  # noqa: PLC0415  (so that Ctrl-C is caught by now)

        is_process = starting.unguard()
        try:
            with starting.lost_ctrl_c_again():
                app.main(args=args)
        finally:
            if is_process:
                starting.guard()
                gc.freeze()  # nothing is looked through once more at the end
    except KeyboardInterrupt:
        sys.exit(starting.INTERRUPTED)
