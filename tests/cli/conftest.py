from __future__ import annotations

import json
from functools import cache

import pytest
from jsonschema import Draft202012Validator

from searchkit.cli.app import app
from searchkit.documents.schema import schema_text
from searchkit.executors.inline import Inline
from tests.support.cli_calls import TOYS, Call, Outcome, runner

SCHEMA = json.loads(schema_text())
"""It names every field, and allows no others."""


@cache
def valid(kind: str) -> Draft202012Validator:
    """The part for documents of a kind: to try all kinds takes several times as long."""
    definition = {"solution": "run"}.get(kind, kind)
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]})


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
        kind = document["format"].removeprefix("searchkit-").removesuffix("/1")
        valid(kind).validate(document)


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
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are done in this process, which takes no time to start, one after another."""
    place = "searchkit.cli.commands.comparing.measure.executor_of"
    monkeypatch.setattr(place, lambda *_, **__: Inline())


@pytest.fixture
def toys(call: Call) -> Call:
    """Call the command line with the toy puzzles loaded."""
    return lambda *args, **more: call("--plugin", TOYS, *args, **more)
