"""The command line: a thin layer that parses, calls the library and prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from searchkit.running import starting


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit with one of `searchkit.cli.support.exit_codes.ExitCode`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # pictures must not fail on a terminal without Unicode
            stream.reconfigure(errors="replace")
    try:
        from searchkit.cli.app import app  # noqa: PLC0415  (so that Ctrl-C is caught by now)

        is_process = starting.unguard()
        try:
            app.main(args=args)
        finally:
            if is_process:
                starting.guard()
    except KeyboardInterrupt:
        sys.exit(starting.INTERRUPTED)
