"""Every document that a command prints fits the schema, and the schema is not too wide."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from searchkit.documents.schema import schema_text
from tests.support.cli_calls import HERE, Call

SCHEMA = json.loads(schema_text())
VALID = Draft202012Validator(SCHEMA)
BOUNDS = str(HERE / "plugins" / "bounds.py")

DOCUMENTS = [
    # run: every status, and every way to ask
    "run jugs",
    "run costly --all",
    "run star --all",
    "run hoppers --all",
    "run hoppers --count",
    "run hoppers --limit 2",
    "run hoppers --all --symmetry none",
    "run 8-puzzle --algo idastar",
    "run 8-puzzle --algo anytime",
    "run 8-puzzle --algo wastar -o weight=1.5",
    "run 8-puzzle --algo greedy",
    "run 8-puzzle --start 123456870",
    "run hoppers --goal 'pegs1' --max-expansions 5",
    "run 15-puzzle --max-expansions 100",
    "run 15-puzzle --max-time 0",
    "run hoppers --max-cost 3",
    "run hoppers --algo beam -o width=1",
    "run line --start -5",
    # the others
    "compare 6-puzzle",
    "compare 8-puzzle --start 123456870",
    "compare line",
    "compare 8-puzzle --max-expansions 10",
    "explore 6-puzzle",
    "explore 6-puzzle --limit 0",
    "explore 8-puzzle --max-expansions 100",
    "explore hoppers --paths --symmetry auto -p model=jumps",
    "compare 6-puzzle --algo astar --algo idastar --repeat 1 --engine reference",
    "check 6-puzzle --states 20 --engine reference",
    "check line --states 20",
    "check-heuristic 6-puzzle",
    "check-heuristic 8-puzzle --heuristic manhattan --max-states 0 --samples 500 --seed 1",
    "check-heuristic row --heuristic large",
    "doctor",
]


@pytest.fixture
def document(toys: Call, here: None, request: pytest.FixtureRequest) -> Any:
    words = [word.strip("'").replace("pegs1", "pegs 1") for word in request.param.split()]
    outcome = toys("--plugin", BOUNDS, *words, "--json", "--quiet")
    assert outcome.out, outcome.err
    return json.loads(outcome.out)


def of_its_kind(document: Any) -> Draft202012Validator:
    """To try all kinds takes several times as long."""
    kind = document["format"].removeprefix("searchkit-").removesuffix("/1")
    definition = {"solution": "run"}.get(kind, kind)
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": SCHEMA["$defs"]})


def errors(document: Any) -> list[str]:
    return [error.message for error in of_its_kind(document).iter_errors(document)]


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.slow_variants(
    "compare 6-puzzle --algo astar --algo idastar --repeat 1 --engine reference",
    "compare 8-puzzle --start 123456870",
    "check-heuristic 6-puzzle",
    "compare 6-puzzle",
    "check 6-puzzle --states 20 --engine reference",
    "run hoppers --all --symmetry none",
)
@pytest.mark.parametrize("document", DOCUMENTS, indirect=True)
def test_documents_fit(document: Any) -> None:
    assert errors(document) == []
    assert VALID.is_valid(document)


def test_every_line_of_a_run_over_boards_fits(call: Call) -> None:
    boards = "123450786\n123456870\n"
    outcome = call("run", "8-puzzle", "--boards", "-", "--json", "-q", stdin=boards)
    documents = [json.loads(line) for line in outcome.lines]
    assert len(documents) == 2
    for document in documents:
        assert errors(document) == []
        del document["line"]
        assert errors(document) == ["'line' is a dependency of 'board'"]


@pytest.mark.slow_variants("compare 6-puzzle --algo bfs --algo idastar")
@pytest.mark.parametrize(
    "document",
    ["run 8-puzzle --algo idastar", "run 8-puzzle --start 123456870",
     "compare 6-puzzle --algo bfs --algo idastar",
     "compare 6-puzzle --algo idastar --repeat 1 --engine reference", "check raising",
     "explore hoppers --paths -p model=jumps", "check-heuristic row --heuristic large"],
    indirect=True,
)  # fmt: skip
def test_every_field_is_needed_and_no_other_is_known(document: Any) -> None:
    assert VALID.is_valid(document)
    assert not VALID.is_valid(document | {"format": "another"})
    part = of_its_kind(document)
    for path in paths(document):
        smaller = copy.deepcopy(document)
        *way, name = path
        holder = at(smaller, way)
        value = holder.pop(name)
        assert not part.is_valid(smaller), f"{path} is not needed"
        holder[name] = [value]
        assert not part.is_valid(smaller), f"{path} may be anything"
        holder[name], holder["surplus"] = value, 1
        assert not part.is_valid(smaller), f"{path[:-1]} may have a field 'surplus'"


FREE = {
    "parameters",
    "data",
    "unsuitable",
    "histogram",
    "environment",
    "engines",
    "outcomes",
    "own",
    "common",
}
"""Objects with names of their own."""


def paths(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to all fields that the schema names; of lists, those of the first item."""
    if isinstance(value, list):
        return paths(value[0], (*way, 0)) if value else []
    if not isinstance(value, dict) or (way and way[-1] in FREE):
        return []
    return [each for name in value for each in [(*way, name), *paths(value[name], (*way, name))]]


def at(value: Any, way: list[Any]) -> Any:
    for name in way:
        value = value[name]
    return value


@pytest.mark.parametrize(
    ("args", "changes"),
    [
        ("run 8-puzzle --start 123450786", {"cost": None}),
        ("run 8-puzzle --start 123450786", {"status": "done"}),
        ("run 8-puzzle --start 123450786", {"cost": 1.5}),
        ("run 8-puzzle --start 123450786", {"limit": "time"}),
        ("run 8-puzzle --start 123450786", {"status": "unsolvable"}),
        ("run 8-puzzle --start 123456870", {"certificate": None}),
        ("run 8-puzzle --start 123456870", {"cost": 3}),
        ("run 8-puzzle --max-expansions 1", {"limit": None}),
        ("explore line --max-expansions 5", {"origin": "middle"}),
    ],
)
def test_what_contradicts_itself_does_not_fit(
    toys: Call, args: str, changes: dict[str, Any]
) -> None:
    document = json.loads(toys(*args.split(), "--json").out)
    assert VALID.is_valid(document)
    assert not VALID.is_valid(document | changes)


def test_the_command_prints_it(call: Call) -> None:
    outcome = call("verify", "--schema")
    assert (outcome.code, outcome.out, outcome.err) == (0, schema_text(), "")
