"""Documents: what is written is read and verified; what was changed is found out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.documents.document import FORMAT
from searchkit.documents.reading import read_document
from searchkit.errors import ParseError
from tests.support.cli_calls import TOYS, Call, runner

PUZZLES = [
    ["jugs"],
    ["jugs", "--all", "-p", "a=4", "-p", "b=9", "-p", "want=6"],
    ["line", "--start", "7", "--goal", "2"],
    ["line", "--start", "0"],
    ["line", "--random", "--seed", "4"],
    ["costly"],
    ["costly", "--all"],
    ["star", "--all"],
    ["hoppers"],
    ["hoppers", "--all"],
    ["hoppers", "--all", "--symmetry", "none", "--algo", "bidirectional"],
    ["hoppers", "--limit", "3"],
    ["hoppers", "-p", "model=jumps"],
    ["hoppers", "-p", "model=mover"],
    ["8-puzzle"],
    ["8-puzzle", "--all", "--start", "647850321", "--algo", "bidirectional"],
    ["8-puzzle", "--random", "--seed", "3", "--goal", "012345678"],
    ["6-puzzle", "--random", "--seed", "3", "--algo", "idastar"],
    ["15-puzzle", "--scramble", "30", "--seed", "3", "--heuristic", "linear-conflict"],
    ["sliding", "-p", "size=2x4", "--random", "--seed", "1", "--all"],
    ["hoppers", "--scramble", "4", "--seed", "1"],
]


@pytest.mark.slow_variants(
    "hoppers --all --symmetry none --algo bidirectional",
    "8-puzzle --all --start 647850321 --algo bidirectional",
    "hoppers --all",
)
@pytest.mark.parametrize("args", PUZZLES, ids=" ".join)
def test_round_trip(toys: Call, tmp_path: Path, args: list[str]) -> None:
    written = toys("run", *args, "--json", "--quiet")
    assert (written.code, written.err) == (0, "")
    document = json.loads(written.out)
    assert document["format"] == FORMAT
    file = tmp_path / "solution.json"
    file.write_text(written.out, encoding="utf-8")
    verified = toys("verify", str(file))
    assert (verified.code, verified.err) == (0, "")
    number = len(document["solutions"])
    assert verified.out.startswith(f"ok: {number} solution")
    assert toys("verify", "-", stdin=written.out).out == verified.out


SQUARES = """
from searchkit import Costs, Problem, Step

class Squares(Problem):
    costs = Costs.INTEGER

    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step(f"to {j}", j, (j - state) ** 2) for j in range(state + 1, 13)]

    def is_goal(self, state):
        return state == 12
"""
"""Each expansion reaches all states that are open at a smaller cost."""


@pytest.mark.parametrize(
    "search",
    ["--algo ucs", "--algo anytime", "--algo astar -o ties=first-in", "--best 9", "--within 2",
     "--count --within +4", "--limit 9 --within +4 --max-expansions 40"],
)  # fmt: skip
def test_open_lists_and_counts_of_what_costs_more(call: Call, tmp_path: Path, search: str) -> None:
    file = tmp_path / "squares.py"
    file.write_text(SQUARES, encoding="utf-8")
    text = call("run", str(file), *search.split(), "--json", "-q").out
    verified = call("--plugin", str(file), "verify", "-", stdin=text)
    if "--count" in search:
        assert "holds only a count" in verified.err
    else:
        assert verified.out.startswith("ok: ")


@pytest.mark.slow_variants("-o incumbents=beam --max-expansions 45000")
@pytest.mark.parametrize("more", ["--within any", "-o incumbents=beam --max-expansions 45000"])
def test_what_beams_beside_a_deepening_search_expand_is_no_contradiction(
    call: Call, more: str
) -> None:
    search = ["run", "24-puzzle", "--random", "--seed", "1", "--algo", "idastar"]
    text = call(*search, "--engine", "reference", *more.split(), "--json", "-q").out
    work = json.loads(text)["statistics"]
    assert sum(row["expanded"] for row in work["iterations"]) < work["expanded"]
    assert call("verify", "-", stdin=text).out.startswith("ok: 1 solution verified")


@pytest.mark.parametrize(("heuristic", "code"), [("pdb:4-4", 0), ("linear-conflict", 2)])
def test_what_was_expanded_before_there_were_databases_is_no_contradiction(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, heuristic: str, code: int
) -> None:
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    search = ["run", "8-puzzle", "--start", "413726580", "--algo", "idastar"]
    text = call(*search, "--heuristic", heuristic, "--engine", "reference", "--json", "-q").out
    document = json.loads(text)
    for name in ("expanded", "generated"):
        document["statistics"][name] += 400
    assert call("verify", "-", stdin=json.dumps(document)).code == code


def test_what_the_layers_of_a_perimeter_expand_is_no_contradiction(call: Call) -> None:
    text = call("run", "8-puzzle", "--algo", "bida", "--engine", "reference", "--json", "-q").out
    work = json.loads(text)["statistics"]
    assert sum(row["expanded"] for row in work["iterations"]) < work["expanded"]
    assert call("verify", "-", stdin=text).out.startswith("ok: 1 solution verified")


@pytest.mark.parametrize(
    "more",
    ["--algo widastar --heuristic zero --max-cost 3", "--heuristic pdb:4-4 --max-time 0"],
    ids=["a last round without weight", "tables that are not built"],
)
def test_what_a_limit_leaves_is_no_contradiction(call: Call, more: str) -> None:
    text = call("run", "8-puzzle", "--engine", "reference", *more.split(), "--json", "-q").out
    assert json.loads(text)["status"] == "limit reached"
    verified = call("verify", "-", "--search", "--max-expansions", "100", stdin=text)
    assert "ok: no solution is listed" in verified.out


def test_verify_says_how_many_and_how_long(toys: Call) -> None:
    text = toys("run", "hoppers", "--all", "--json").out
    said = "ok: 18 solutions verified (7 moves each)\n"
    assert toys("verify", "-", "-q", stdin=text).out == said
    assert toys("verify", "-", stdin=text).out.startswith(said)
    text = toys("run", "costly", "--json").out
    assert toys("verify", "-", "-q", stdin=text).out == "ok: 1 solution verified (cost 7)\n"


def test_unsolvable_has_no_infinity_in_it(toys: Call) -> None:
    document = json.loads(toys("run", "jugs", "-p", "want=9", "--json").out)
    assert document["lower_bound"] is None
    assert document["status"] == "unsolvable"
    assert document["certificate"]["text"].startswith("every state")


def test_iterations_are_written(toys: Call) -> None:
    document = json.loads(toys("run", "jugs", "--algo", "iddfs", "--json").out)
    assert [row["bound"] for row in document["statistics"]["iterations"]] == list(range(7))


Change = Callable[[dict[str, Any]], Any]


def _set(path: list[Any], value: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        inside: Any = document
        for name in path[:-1]:
            inside = inside[name]
        inside[path[-1]] = value

    return change


def _both(*changes: Change) -> Change:
    def change(document: dict[str, Any]) -> None:
        for each in changes:
            each(document)

    return change


def _unsolvable(document: dict[str, Any]) -> None:
    document |= {
        "status": "unsolvable", "cost": None, "lower_bound": None, "optimal": False, "count": 0,
        "certificate": {"kind": "closed set", "text": "why", "data": {
            "from": "start", "expanded": document["statistics"]["expanded"], "algorithm": "astar",
            "symmetry": "none",
        }},
    }  # fmt: skip


TAMPERED: list[tuple[str, Change, list[str]]] = [
    ("action", _set(["solutions", 0, "actions", 2], "[10,0,2]"), ["solution 1", "step 3"]),
    ("later", _set(["solutions", 4, "actions", 6], "[1,11]"), ["solution 5", "step 7"]),
    ("state", lambda d: d["solutions"][1]["states"].reverse(), ["solution 2", "reads"]),
    ("shorter", lambda d: d["solutions"][2]["actions"].pop(), ["solution 3", "states"]),
    ("cost", _set(["cost"], 6), ["lower bound 7 is above its cost 6"]),
    ("costs", _both(_set(["cost"], 6), _set(["lower_bound"], 6)), ["solution 1", "cost"]),
    ("solution cost", _set(["solutions", 3, "cost"], 6), ["solution 4", "cost"]),
    ("start", _set(["solutions", 0, "start"], ".oo/oo/ooo/oo/ooo"), ["solution 1", "starts"]),
    ("both starts", _set(["start"], "ooo/oo/ooo/oo/oo."), ["solution 1", "starts"]),
    ("other goal", _set(["goal"], "o../../.../../..."), ["solution 1"]),
    ("wrong goal", _set(["goal"], "nonsense"), ["goal", "nonsense"]),
    ("twice", lambda d: d["solutions"].append(d["solutions"][0]), ["count of 18", "holds 19"]),
    ("count", _set(["count"], 17), ["17", "18"]),
    ("missing", lambda d: d["solutions"].pop(), ["18", "17"]),
    ("none", lambda d: d["solutions"].clear(), ["no solution"]),
    ("puzzle", _set(["puzzle"], "hopers"), ["hopers", "did you mean 'hoppers'"]),
    ("parameter", _set(["parameters", "model"], "odd"), ["odd"]),
    ("parameter name", _set(["parameters", "size"], "3"), ["size"]),
    ("parameter type", _set(["parameters", "model"], 3), ["parameter", "text"]),
    ("status", _set(["status"], "fine"), ["status", "fine"]),
    ("format", _set(["format"], "searchkit-solution/9"), ["searchkit-solution/9", FORMAT]),
    ("no field", lambda d: d.pop("engine"), ["no field 'engine'"]),
    ("no actions", lambda d: d["solutions"][0].pop("actions"), ["solution 1", "'actions'"]),
    ("wrong type", _set(["count"], "18"), ["'count'", "whole number"]),
    ("true is not a number", _set(["cost"], True), ["'cost'", "whole number"]),
    ("inner type", _set(["solutions", 0, "actions", 0], 7), ["'actions'", "text"]),
    ("solutions", _set(["solutions"], {}), ["'solutions'", "list"]),
    ("solution", _set(["solutions", 0], []), ["solution 1", "object"]),
    # what contradicts something else
    ("unsolvable", _set(["status"], "unsolvable"), ["'unsolvable'", "'certificate' is null"]),
    ("quite unsolvable", _unsolvable, ["'unsolvable'", "18 solutions"]),
    ("stopped", _set(["status"], "interrupted"), ["'interrupted'", "complete"]),
    ("limit", _set(["limit"], "time"), ["'solved'", "'limit' is 'time'"]),
    ("no limit", _set(["status"], "limit reached"), ["'limit reached'", "'limit' is null"]),
    (
        "strange limit",
        _both(_set(["status"], "limit reached"), _set(["limit"], "banana")),
        ["'banana'", "time, memory, expansions, cost"],
    ),
    (
        "reason",
        _set(["certificate"], {"kind": "why", "text": "so", "data": {}}),
        ["'solved'", "'why'"],
    ),
    ("no certificate", _set(["certificate"], "why"), ["'certificate'", "an object or null"]),
    ("no kind", _set(["certificate"], {"text": "so"}), ["certificate has no field 'kind'"]),
    (
        "empty kind",
        _set(["certificate"], {"kind": " ", "text": "so", "data": {}}),
        ["'kind' of the certificate is empty"],
    ),
    ("no cost", _set(["cost"], None), ["'solved'", "no cost"]),
    ("negative cost", _set(["cost"], -7), ["-7", "0 or more"]),
    ("bound above", _set(["lower_bound"], 8), ["lower bound 8", "cost 7"]),
    ("bound below", _set(["lower_bound"], 6), ["lower bound 6", "optimal"]),
    ("no bound", _set(["lower_bound"], None), ["'lower_bound' is null"]),
    ("negative bound", _set(["lower_bound"], -1), ["-1", "0 or more"]),
    ("not optimal", _set(["optimal"], False), ["cost is 7", "not optimal"]),
    (
        "no proof",
        _both(_set(["optimal"], False), _set(["lower_bound"], 6)),
        ["complete, but not optimal"],
    ),
    ("no count", _set(["count"], None), ["complete", "'count' is null"]),
    (
        "no count at all",
        _both(_set(["count"], None), _set(["complete"], False), _set(["symmetry"], None)),
        ["no count", "18 solutions"],
    ),
    ("negative count", _set(["count"], -1), ["-1", "0 or more"]),
    ("no solution", _set(["count"], 0), ["count is 0", "cost is 7"]),
    ("symmetry", _set(["symmetry"], {"fixed": "first step"}), ["'symmetry'", "total"]),
    ("what is fixed", _set(["symmetry", "fixed"], "all"), ["'symmetry'", "first step"]),
    ("total", _set(["symmetry", "total"], 73), ["73", "it is 72"]),
    ("small total", _set(["symmetry", "total"], 17), ["17", "18"]),
    ("total in words", _set(["symmetry", "total"], "many"), ["'total'", "'many'"]),
    (
        "not kept",
        lambda d: d["solutions"][0]["actions"].__setitem__(0, "[12,6]"),
        ["solution 1"],
    ),
    ("algorithm", _set(["algorithm"], ""), ["'algorithm'", "not a name"]),
    ("engine", _set(["engine"], "two words"), ["'two words'", "not a name"]),
    ("no heuristic", _set(["heuristic"], None), ["astar uses a heuristic", "null"]),
    ("a heuristic", _set(["algorithm"], "bfs"), ["bfs uses no heuristic", "'problem'"]),
    ("statistic", _set(["statistics", "expanded"], "x"), ["'expanded'", "whole number", "x"]),
    ("half a state", _set(["statistics", "stored"], 0.5), ["'stored'", "0.5"]),
    ("negative statistic", _set(["statistics", "seconds"], -1), ["'seconds'", "-1"]),
    ("no statistics", _set(["statistics"], {}), ["statistics has no field 'expanded'"]),
    ("iterations", _set(["statistics", "iterations"], None), ["'iterations'", "list"]),
    ("iteration", _set(["statistics", "iterations"], [{"bound": 1}]), ["iteration 1"]),
    ("start is null", _set(["start"], None), ["'symmetry' is set", "'start' is null"]),
    ("goal is null", _set(["goal"], None), ["'goal' is null"]),
]


@pytest.fixture(scope="module")
def genuine() -> str:
    from searchkit.cli.app import app  # noqa: PLC0415

    return runner().invoke(app, ["run", "hoppers", "--all", "--json"]).stdout


@pytest.mark.parametrize(("change", "words"), [case[1:] for case in TAMPERED],
                         ids=[case[0] for case in TAMPERED])  # fmt: skip
def test_tampering_is_found(call: Call, genuine: str, change: Change, words: list[str]) -> None:
    document = json.loads(genuine)
    change(document)
    outcome = call("verify", "-", stdin=json.dumps(document))
    assert outcome.code == 2
    assert outcome.out == ""
    assert len(outcome.err_lines) == 1
    for word in words:
        assert word in outcome.err


MANGLED: list[tuple[str, Callable[[str], str | bytes], list[str]]] = [
    ("empty", lambda text: "", ["not JSON", "line 1"]),
    ("half", lambda text: text[: len(text) // 2], ["not JSON", "line"]),
    ("no brace", lambda text: text.rstrip()[:-1], ["not JSON"]),
    ("list", lambda text: "[]", ["must be an object"]),
    ("text", lambda text: '"hoppers"', ["must be an object"]),
    ("number", lambda text: "7", ["must be an object"]),
    ("other", lambda text: '{"a": 1}', ["format", FORMAT]),
    ("NaN", lambda text: '{"format": NaN}', ["NaN"]),
    ("binary", lambda text: b"\xff\xfe\x00\x01\x80", ["not JSON"]),
    ("Latin-1", lambda text: '{"ä": 1}'.encode("latin-1"), ["not JSON", "UTF-8"]),
    ("deep", lambda text: "[" * 100_000, ["not JSON"]),
    ("digits", lambda text: "1" * 5000, ["must be an object"]),
    ("infinite", lambda text: '{"format": 1e999}', ["'1e999' is too large"]),
    ("twins", lambda text: '{"format": 1, "format": 2}', ["'format' is there twice"]),
    ("inner twins", lambda text: text.replace('"cost"', '"start"'), ["'start' is there twice"]),
]


@pytest.mark.parametrize(("mangle", "words"), [case[1:] for case in MANGLED],
                         ids=[case[0] for case in MANGLED])  # fmt: skip
def test_mangled_files(
    call: Call, genuine: str, tmp_path: Path, mangle: Callable[[str], Any], words: list[str]
) -> None:
    file = tmp_path / "mangled.json"
    content = mangle(genuine)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    outcome = call("verify", str(file))
    assert outcome.code == 2
    assert outcome.out == ""
    assert len(outcome.err_lines) == 1
    assert str(file) in outcome.err
    for word in words:
        assert word in outcome.err


def test_read_document_is_for_the_library_too(genuine: str) -> None:
    document, solutions = read_document(genuine)
    assert (document.puzzle, document.cost, len(solutions)) == ("hoppers", 7, 18)
    with pytest.raises(ParseError, match="format"):
        read_document("{}")


def test_plugin_is_needed_to_verify_its_puzzle(call: Call) -> None:
    text = call("run", "jugs", "--json", "--plugin", TOYS).out
    outcome = call("verify", "-", stdin=text)
    assert outcome.code == 2
    assert "no puzzle named 'jugs'" in outcome.err
