"""Forged documents: what can be refused without a search is refused, and the rest is told."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from searchkit.cli.app import app
from searchkit.documents.schema import schema_text
from tests.support.cli_calls import TOYS, Call, runner

VALID = Draft202012Validator(json.loads(schema_text()))

NEAR = "run 8-puzzle --start 413726580 --all --within +6"
HONEST = [
    "run hoppers --all --algo astar",
    "run hoppers --all --symmetry none --algo bfs",
    "run hoppers --limit 2",
    "run 8-puzzle --start 123450786",
    "run 8-puzzle --start 413726580 --algo idastar",
    "run costly --all",
    "run star --all",
    "run jugs",
    "run line --start 7 --goal 2",
    "run 8-puzzle --start 123456870",
    "run jugs -p want=9 --algo bfs",
    "run jugs -p want=9 --algo iddfs",
    "run 8-puzzle --algo wastar -o weight=1.5 --start 341208765",
    "run hoppers --algo beam -o width=50",
    NEAR,
]


@functools.cache
def honest(line: str) -> str:
    """What the command prints with --json, which its schema holds."""
    text = runner().invoke(app, ["--plugin", TOYS, *line.split(), "--json", "-q"]).stdout
    VALID.validate(json.loads(text))
    return text


def verified(document: Any) -> tuple[int, Any]:
    """The exit code of verify, and what it prints with --json."""
    text = document if isinstance(document, str) else json.dumps(document)
    done = runner().invoke(app, ["--plugin", TOYS, "verify", "-", "--json"], input=text)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    if done.exit_code not in (0, 12):
        assert done.exit_code == 2
        assert len(done.stderr.splitlines()) == 1
        return done.exit_code, done.stderr
    answer = json.loads(done.stdout)
    VALID.validate(answer)
    return done.exit_code, answer


@pytest.mark.slow_variants("run hoppers --all --symmetry none --algo bfs")
@pytest.mark.parametrize("line", HONEST)
def test_what_is_honest_is_verified(line: str) -> None:
    code, answer = verified(honest(line))
    assert code == 0, answer
    (told,) = answer["documents"]
    assert told["ok"]
    assert told["checked"]
    assert told["not_checked"]


Change = Callable[[dict[str, Any]], None]


def _turned(document: dict[str, Any], moves: list[str], states: list[str]) -> None:
    """Put a detour in front of the only solution, and let all numbers fit."""
    (solution,) = document["solutions"]
    solution["actions"][:0] = moves
    solution["states"][1:1] = states
    cost = solution["cost"] + len(moves)
    solution["cost"] = document["cost"] = document["lower_bound"] = cost
    document["statistics"] |= {"expanded": 100, "generated": 300}


def _left_out(document: dict[str, Any], number: int) -> None:
    del document["solutions"][number]
    document["count"] -= 1
    if document["symmetry"] is not None:
        document["symmetry"]["total"] -= 4


def _only(document: dict[str, Any], most: int) -> None:
    del document["solutions"][most:]
    document["count"] = most


def _to_and_fro(document: dict[str, Any]) -> None:
    """Let the last solution begin with two more moves, which undo each other."""
    solution = document["solutions"][0]
    solution = copy.deepcopy(solution)
    solution["actions"][:0] = solution["actions"][:1] * 2
    solution["states"][1:1] = [solution["states"][1], solution["states"][0]]
    solution["cost"] += 2
    document["solutions"][-1] = solution


LIES: list[tuple[str, str, Change, str]] = [
    (
        "back to its own start", "run 8-puzzle --start 123450786",
        lambda d: _turned(d, ["3", "3"], ["120453786", "123450786"]),
        "said to be optimal, but their own states show one that costs 1: 6",
    ),
    (
        "a detour", "run 8-puzzle --start 123450786",
        lambda d: _turned(
            d, ["3", "2", "5", "3", "2", "5", "3", "2", "5", "3", "2", "5"],
            ["120453786", "102453786", "152403786", "152430786", "150432786", "105432786",
             "135402786", "135420786", "130425786", "103425786", "123405786", "123450786"],
        ),
        "costs 1: 6",
    ),
    ("one of 18 left out", "run hoppers --all --algo astar", lambda d: _left_out(d, 3),
     "said to be complete, but their own states show another one: "),
    ("18 of 72", "run hoppers --all --algo astar",
     lambda d: d.update(symmetry=None), "equal to it by symmetry"),
    ("one, complete, of many", "run hoppers --all --symmetry none --algo bfs",
     lambda d: _only(d, 1), "equal to it by symmetry"),
    ("a limit, complete", "run hoppers --limit 2",
     lambda d: d.update(complete=True), "total of 8 is null"),
    ("parallel actions", "run star --all",
     lambda d: (_only(d, 1), d["symmetry"].update(total=2)), "another one"),
    ("unknown symmetry", "run jugs -p want=9 --algo bfs",
     lambda d: d["certificate"]["data"].update(symmetry="nonex"), "must be one of none, auto"),
    ("fewer states than there are", "run jugs -p want=9 --algo iddfs",
     lambda d: (d["certificate"]["data"].update(expanded=2),
                d["statistics"].update(expanded=2, iterations=[])), "expanded 2 states, but"),
    ("no expansions", "run jugs", lambda d: d["statistics"].update(expanded=0, reopened=0),
     "6 moves, but only 0 states were expanded"),
    ("more expanded than generated", "run jugs",
     lambda d: d["statistics"].update(expanded=10**6), "expanded is never more"),
    ("more on the frontier than stored", "run jugs",
     lambda d: d["statistics"].update(max_frontier=10**6), "max_frontier is never more"),
    ("iterations that do not add up", "run 8-puzzle --start 413726580 --algo idastar",
     lambda d: d["statistics"]["iterations"].clear() or d["statistics"]["iterations"].append(
         {"bound": 8, "expanded": 1, "generated": 1, "seconds": 0.0}), "iterations expanded 1"),
    ("iterations of bfs", "run hoppers --all --symmetry none --algo bfs",
     lambda d: d["statistics"]["iterations"].append(
         {"bound": 8, "expanded": 1, "generated": 1, "seconds": 0.0}), "bfs has no iterations"),
    ("unknown algorithm", "run jugs", lambda d: d.update(algorithm="magic"), "no algorithm"),
    ("unknown engine", "run jugs", lambda d: d.update(engine="steam"), "no engine 'steam'"),
    ("unknown heuristic", "run 8-puzzle --start 123450786",
     lambda d: d.update(heuristic="crystal-ball"), "named 'crystal-ball'"),
    ("unknown part of a heuristic", "run 8-puzzle --start 123450786",
     lambda d: d.update(heuristic="max(manhattan,crystal-ball)"), "named 'crystal-ball'"),
    ("start in other words", "run 8-puzzle --start 123450786",
     lambda d: d.update(start="1 2 3 4 5 _ 7 8 6"), "the start is written '123450786'"),
    ("goal in other words", "run 8-puzzle --start 123450786",
     lambda d: d.update(goal="1 2 3 4 5 6 7 8 _", start="123450786"), "is written '123456780'"),
    ("board of another start", "run 8-puzzle --start 123450786",
     lambda d: d.update(board="413726580", line=1), "'board' is another state"),
    ("line without board", "run jugs", lambda d: d.update(line=1), "no field 'board'"),
    ("unsolvable, uncounted", "run 8-puzzle --start 123456870",
     lambda d: d.update(count=None, complete=False), "its count is None"),
    ("count, not optimal", "run 8-puzzle --algo wastar -o weight=1.5 --start 341208765",
     lambda d: d.update(count=1), "said not to be optimal"),
    ("nearer than it is", NEAR, lambda d: d.update(near="+1"), "near is '+1', and solutions"),
    ("not near", NEAR, lambda d: d.pop("near"), "but that of the document is 8"),
    ("near nothing", NEAR, lambda d: d.update(near="far"), "must be like '+2'"),
    ("near null", NEAR, lambda d: d.update(near=None), "'near' is null; leave it out"),
    ("not by their cost", NEAR, lambda d: d["solutions"].reverse(), "come by their cost"),
    ("without the optimal ones", NEAR,
     lambda d: (d["solutions"].pop(0), d.update(count=d["count"] - 1)), "solution 1: its cost is"),
    ("to and fro", NEAR, _to_and_fro, "it meets a state twice"),
    *((f"one field more in {where}", "run jugs",
       lambda d, where=where: _inside(d, where).update(more=1), "has a field 'more'")  # type: ignore[misc]
      for where in ("", "statistics", "solution")),
]  # fmt: skip


def _inside(document: dict[str, Any], where: str) -> dict[str, Any]:
    inside: dict[str, Any] = {
        "": document, "statistics": document["statistics"], "solution": document["solutions"][0],
    }[where]  # fmt: skip
    return inside


@pytest.mark.parametrize(("line", "change", "words"), [case[1:] for case in LIES],
                         ids=[case[0] for case in LIES])  # fmt: skip
def test_lies_are_refused(line: str, change: Change, words: str) -> None:
    document = json.loads(honest(line))
    change(document)
    code, said = verified(document)
    assert code == 2, said
    assert words in said


def test_a_count_alone_is_refused_with_the_reason(call: Call) -> None:
    text = call("run", "hoppers", "--count", "--json", "-q").out
    outcome = call("verify", "-", stdin=text)
    assert outcome.code == 2
    assert "holds only a count, 18, and no solution to verify; write it with --all" in outcome.err


@pytest.mark.slow_variants(
    "run 8-puzzle --start 123456870",
    "run hoppers --all --algo astar",
    "run hoppers --all --symmetry none --algo bfs",
    "run 8-puzzle --start 341208765 --max-expansions 50",
    "run hoppers --limit 2",
)
@pytest.mark.parametrize(
    "line", [*HONEST, "run hoppers --count", "run 8-puzzle --start 341208765 --max-expansions 50"]
)
def test_what_is_honest_is_proved_again(call: Call, line: str) -> None:
    text = honest(line)
    outcome = call("--plugin", TOYS, "verify", "-", "--search", "--json", stdin=text)
    assert outcome.code == 0, outcome.err
    (told,) = json.loads(outcome.out)["documents"]
    unchecked = {name for claim in told["not_checked"] for name in claim["fields"]}
    assert "lower_bound" not in unchecked
    assert json.loads(text)["complete"] is False or ("complete" in unchecked) == (line == NEAR)


SEARCHED: list[tuple[str, str, Change, str]] = [
    ("longer than the optimum", "run 8-puzzle --algo wastar -o weight=1.5 --start 413726580",
     lambda d: d.update(lower_bound=9), "is above its cost 8"),
    ("one of 18", "run hoppers --all --algo astar",
     lambda d: (_only(d, 1), d["symmetry"].update(total=4)), "total of 4, but there are 72"),
    ("count", "run hoppers --count",
     lambda d: (d.update(count=17), d["symmetry"].update(total=68)), "there are 72"),
    ("a bound that is too high", "run 8-puzzle --start 341208765 --max-expansions 50",
     lambda d: d.update(lower_bound=40), "no solution costs less than 40, but one costs 20"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "change", "words"), [case[1:] for case in SEARCHED],
                         ids=[case[0] for case in SEARCHED])  # fmt: skip
def test_a_search_refuses_the_rest(call: Call, line: str, change: Change, words: str) -> None:
    document = json.loads(honest(line))
    change(document)
    outcome = call("verify", "-", "--search", stdin=json.dumps(document))
    assert outcome.code == 2
    assert words in outcome.err


def test_a_search_may_be_too_large(call: Call) -> None:
    text = honest("run hoppers --limit 2")
    outcome = call("verify", "-", "--search", "--max-expansions", "100", stdin=text)
    assert outcome.code == 12
    assert outcome.out.startswith("nothing below 4; the rest was not searched: the expansion limit")
    assert "; ok: 2 solutions verified" in outcome.out
    assert "not checked: that no solution costs less" in outcome.out


def test_a_count_may_be_too_large(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("searchkit.cli.commands.verify.MOST_EXPANSIONS", 100)
    monkeypatch.setattr("searchkit.documents.cheapest_paths.TELL_EVERY", 50)
    text = honest("run hoppers --all")
    outcome = call("verify", "-", "--search", stdin=text)
    assert outcome.code == 12
    assert outcome.out.startswith("not counted to the end: more than 100 states; no solution costs")
    assert "checked: that no solution costs less" in outcome.out
    monkeypatch.setattr("searchkit.cli.commands.verify.search_clock", iter([0.0, 61.0]).__next__)
    outcome = call("verify", "-", "--search", "--max-time", "60s", stdin=text)
    assert outcome.code == 23
    assert outcome.out.startswith("not counted to the end: the time limit was reached; no solution")


HOSTILE = {
    "digits": '{"format": 1' + "0" * 1_000_000 + "}",
    "digits of a fraction": '{"format": 1.' + "0" * 1_000_000 + "}",
    "many digits, cost": "COST",
    "deep": '{"format": ' + "[" * 1_000_000,
    "deep objects": '{"a":' * 300_000,
    "long name": '{"' + "x" * 5_000_000 + '": 1, "format": "searchkit-solution/1"}',
    "twins": '{"' + "x" * 1_000_000 + '": 1, "' + "x" * 1_000_000 + '": 1}',
    "long start": "START",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_too_large_is_refused_at_once(kind: str) -> None:
    from time import process_time  # noqa: PLC0415

    text = HOSTILE[kind]
    if text == "COST":
        text = honest("run jugs").replace('"cost": 6', '"cost": ' + "6" * 9_999)
    elif text == "START":
        text = honest("run 8-puzzle --start 123450786").replace("123450786", "1" * 10_000_000)
    began = process_time()
    code, said = verified(text)
    assert process_time() - began < 5  # it was 38
    assert code == 2
    assert len(said) < 400


def _leaves(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(content, dict) and content:
        for name, each in content.items():
            yield from _leaves(each, (*path, name))
    elif isinstance(content, list) and content:
        for at, each in enumerate(content):
            yield from _leaves(each, (*path, at))
    else:
        yield path


OTHERS: dict[type, list[Callable[[Any], Any]]] = {
    bool: [lambda value: not value, lambda value: None, lambda value: 1],
    int: [lambda v: v + 1, lambda v: v - 1, lambda v: -v, lambda v: 0, lambda v: v * 10**6,
          float, lambda v: None, str, lambda v: True],
    float: [lambda v: v + 0.5, lambda v: -v, lambda v: 0, lambda v: None, lambda v: 1e300],
    str: [lambda v: v + "x", lambda v: v[:-1], lambda v: "", lambda v: v.upper(),
          lambda v: v[::-1], lambda v: None, lambda v: 7, lambda v: f" {v}", lambda v: [v]],
    type(None): [lambda v: 0, lambda v: 1, lambda v: "x", lambda v: {}, lambda v: True],
    list: [lambda v: None, lambda v: [1], lambda v: {}],
    dict: [lambda v: None, lambda v: {"x": 1}, lambda v: []],
}  # fmt: skip
NAMES: dict[str, list[Any]] = {
    "algorithm": ["bfs", "astar", "ucs", "iddfs", "bidirectional", "stages", "wastar"],
    "heuristic": ["zero", "problem", "pdb:5-3"],
    "engine": ["compiled", "reference"],
    "status": ["solved", "unsolvable", "interrupted", "limit reached"],
    "limit": ["time", "memory", "expansions", "cost"],
    "symmetry": [None, {"fixed": "first step", "total": None}],
    "kind": ["closed set", "start by start"],
}
"""Values that are known, for fields with such names: blind changes end at the first check."""


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """An honest document with one leaf changed: where, and what it says now."""
    line = draw(st.sampled_from(HONEST))
    document = json.loads(honest(line))
    path = draw(st.sampled_from(list(_leaves(document))))
    inside: Any = document
    for name in path[:-1]:
        inside = inside[name]
    before = copy.deepcopy(inside[path[-1]])
    values = [change(before) for change in OTHERS[type(before)]] + NAMES.get(path[-1], [])
    inside[path[-1]] = draw(st.sampled_from(values))
    return line, path, document


def _names(path: tuple[Any, ...]) -> set[str]:
    words = [str(name) for name in path]
    return {".".join(words[:length]) for length in range(1, len(words) + 1)}


def _read(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the spaces around parameters left out: " 3" is the number 3, too."""
    given = document.get("parameters")
    if not isinstance(given, dict):
        return document
    plain = {name: each.strip() if isinstance(each, str) else each for name, each in given.items()}
    return document | {"parameters": plain}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(changed())
def test_every_change_of_a_leaf_is_refused_or_told(
    case: tuple[str, tuple[Any, ...], dict[str, Any]],
) -> None:
    line, path, document = case
    if _read(document) == _read(json.loads(honest(line))):
        return
    code, answer = verified(document)
    if code == 2:
        return
    (told,) = answer["documents"]
    unchecked = {name for claim in told["not_checked"] for name in claim["fields"]}
    assert _names(path) & unchecked, (path, told)
