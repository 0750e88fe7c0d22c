from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from searchkit.cli.app import app
from searchkit.documents.schema import schema_text
from tests.support.cli_calls import TOYS, Call, Outcome, runner

VALID = Draft202012Validator(json.loads(schema_text()))
"""It names every field, and allows no others."""


def _whole(digits: str) -> int:
    return int(digits[:20])  # counts may have thousands of digits


def fit_the_schema(out: str) -> None:
    """Whatever a test has printed with --json fits the schema: one document, or one a line."""
    try:
        documents = [json.loads(out, parse_int=_whole)]
    except json.JSONDecodeError:
        try:
            documents = [json.loads(line, parse_int=_whole) for line in out.splitlines()]
        except json.JSONDecodeError:
            return  # cut off, as the test may want it
    for document in documents:
        VALID.validate(document)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Call:
    """Call the command line in this process."""
    monkeypatch.setenv("COLUMNS", "120")

    def run(*args: str, stdin: str | bytes | None = None) -> Outcome:
        result = runner().invoke(app, list(args), input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        if "--json" in args and "pdb" not in args:
            fit_the_schema(result.stdout)
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def toys(call: Call) -> Call:
    """Call the command line with the toy puzzles loaded."""
    return lambda *args, **more: call("--plugin", TOYS, *args, **more)
