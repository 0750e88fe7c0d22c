from __future__ import annotations

import pytest
from calls import TOYS, Call, Outcome
from click.testing import CliRunner

from searchkit.cli.app import app


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Call:
    """Call the command line in this process."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*args: str, stdin: str | bytes | None = None) -> Outcome:
        result = CliRunner().invoke(app, list(args), input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def toys(call: Call) -> Call:
    """Call the command line with the toy puzzles loaded."""
    return lambda *args, **more: call("--plugin", TOYS, *args, **more)
