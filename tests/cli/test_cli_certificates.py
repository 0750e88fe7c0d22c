"""What `run` says of problems without a solution, and what `verify` makes of it."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from searchkit.cli.app import app
from tests.support.cli_calls import TOYS, Call, runner
from tests.support.compared_rows import compared_rows

FRENCH = ["peg", "-p", "board=french", "-p", "vacant=18", "-p", "target=any"]
UNSOLVABLE: list[tuple[list[str], str, int]] = [
    (["8-puzzle", "--start", "123456870"], "parity", 0),
    (["15-puzzle", "--start", "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0"], "parity", 0),
    (["hoppers", "--start", "vacant 3"], "pagoda", 0),
    (["hoppers", "-p", "model=jumps", "--start", "vacant 3"], "pagoda", 0),
    (["hoppers", "-p", "model=mover", "--start", "vacant 3"], "pagoda", 0),
    (["hoppers", "--start", "pegs 1"], "peg count", 0),
    (["hoppers", "--start", "vacant 3", "--goal", "pegs 2"], "closed set", 738),
    (FRENCH, "goal by goal", 0),
    ([*FRENCH, "--count"], "goal by goal", 0),
    (["peg", "-p", "board=diamond", "-p", "vacant=20"], "position class", 0),
    (["jugs", "-p", "want=9"], "closed set", 16),
    (["jugs", "-p", "want=9", "--algo", "iddfs"], "closed set", 16),
]


@pytest.mark.slow_variants(
    "peg -p board=french -p vacant=18 -p target=any",
    "hoppers --start vacant 3",
    "peg -p board=diamond -p vacant=20",
    "hoppers -p model=jumps --start vacant 3",
    "hoppers --start vacant 3 --goal pegs 2",
    "15-puzzle --start 2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0",
)
@pytest.mark.parametrize(("args", "kind", "again"), UNSOLVABLE,
                         ids=[" ".join(case[0]) for case in UNSOLVABLE])  # fmt: skip
def test_round_trip(toys: Call, tmp_path: Path, args: list[str], kind: str, again: int) -> None:
    written = toys("run", *args, "--json", "--quiet")
    assert (written.code, written.err) == (11, "")
    document = json.loads(written.out)
    certificate = document["certificate"]
    assert list(certificate) == ["kind", "text", "data"]
    assert certificate["kind"] == kind
    assert (document["status"], document["solutions"]) == ("unsolvable", [])
    file = tmp_path / "unsolvable.json"
    file.write_text(written.out, encoding="utf-8")
    verified = toys("verify", "-q", str(file))
    assert (verified.code, verified.err) == (0, "")
    said = f"; {again:,} states expanded again" if again else ""
    assert verified.out == f"ok: no solution; the certificate, of kind '{kind}', holds{said}\n"
    assert toys("verify", "-q", "-", stdin=written.out).out == verified.out
    if "--count" not in args:
        shown = toys("run", *args, "--moves")
        assert (shown.code, shown.err) == (11, f"unsolvable: {certificate['text']}\n")


TWISTED = "UUUUUUUUF URRRRRRRR FFRFFFFFF DDDDDDDDD LLLLLLLLL BBBBBBBBB"


@pytest.mark.slow_variants("args1")
@pytest.mark.parametrize("args", [UNSOLVABLE[0][0], ["cube3", "--start", TWISTED]])
def test_another_text_than_that_of_the_puzzle_is_refused(call: Call, args: list[str]) -> None:
    document = json.loads(call("run", *args, "--json", "--quiet").out)
    verified = call("verify", "-", stdin=json.dumps(document))
    assert "\nchecked: the text of the certificate\n" in verified.out
    document["certificate"]["text"] += ", or so"
    refused = call("verify", "-", stdin=json.dumps(document))
    assert refused.code == 2
    assert "what the puzzle says of the same data" in refused.err


@pytest.mark.slow_variants("count0")
@pytest.mark.parametrize("count", [[], ["--count"]])
def test_a_closed_set_up_to_symmetry(toys: Call, count: list[str]) -> None:
    """Without the first steps that are equal, fewer states are expanded than are there."""
    args = ["run", "hoppers", "--goal", "pegs 1", "--algo", "bfs", "--json", *count]
    text = toys(*args).out
    document = json.loads(text)
    assert document["certificate"]["kind"] == "closed set"
    assert document["certificate"]["data"]["expanded"] == (1763 if count else 2344)
    assert (document["symmetry"] is None) == (not count)
    outcome = toys("verify", "-q", "-", stdin=text)
    assert outcome.code == 0
    assert "of kind 'closed set', holds; 2,344 states expanded again" in outcome.out
    if count:
        document["symmetry"] = None
        outcome = toys("verify", "-q", "-", stdin=json.dumps(document))
        assert (outcome.code, outcome.out) == (2, "")
        assert "bfs expanded 1763 states, but there are 2344" in outcome.err


@pytest.mark.slow_variants("compiled")
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_closed_set_of_one_state_of_each_class(toys: Call, engine: str) -> None:
    args = ["--algo", "bfs", "-o", "symmetry=auto", "--engine", engine, "--json"]
    text = toys("run", "hoppers", "--goal", "pegs 1", *args).out
    data = json.loads(text)["certificate"]["data"]
    assert data == {"from": "start", "expanded": 1199, "algorithm": "bfs", "symmetry": "auto"}
    outcome = toys("verify", "-q", "-", stdin=text)
    assert outcome.code == 0
    assert "2,344 states expanded again" in outcome.out


def test_a_closed_set_that_is_too_large_is_not_checked(toys: Call) -> None:
    for algorithm in ("bfs", "astar"):
        text = toys("run", "jugs", "-p", "want=9", "--algo", algorithm, "--json").out
        assert toys("verify", "-q", "-", "--max-expansions", "16", stdin=text).code == 0
        outcome = toys("verify", "-q", "-", "--max-expansions", "15", stdin=text)
        assert (outcome.code, outcome.err) == (12, "")
        assert outcome.out == (
            "not checked: the certificate, of kind 'closed set', is of more than 15 states; "
            "raise --max-expansions to explore them again\n"
        )


def test_what_nothing_can_check_is_refused(toys: Call) -> None:
    text = toys("run", "line", "--start", "-3", "--json").out
    outcome = toys("verify", "-q", "-", stdin=text)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == (
        "searchkit: error: -: its certificate, of kind 'negative', is refused: nothing can check "
        "it, for Line has no check_certificate\n"
    )


Change = Callable[[dict[str, Any]], Any]


def _set(*path: Any, to: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        inside: Any = document
        for name in path[:-1]:
            inside = inside[name]
        inside[path[-1]] = to

    return change


def _data(*path: Any, to: Any) -> Change:
    return _set("certificate", "data", *path, to=to)


def _solvable(document: dict[str, Any]) -> None:
    document["start"] = "ooo/oo/o.o/oo/ooo"


PAGODA = ["hoppers", "--start", "vacant 3"]
SEARCH = ["jugs", "-p", "want=9", "--algo", "bfs"]
FORGED: list[tuple[str, list[str], Change, list[str]]] = [
    ("weight", PAGODA, _data("weights", 0, to=2), ["'pagoda', is refused", "heavier"]),
    (
        "small weight",
        PAGODA,
        _data("weights", 0, to=-2),
        ["is refused: the jump from 0 over 1 to 2"],
    ),
    ("sum", PAGODA, _data("start", to=-3), ["start weighs -1, not -3"]),
    ("fewer weights", PAGODA, _data("weights", to=[0, 1]), ["2 weights for 13 cells"]),
    ("weights in words", PAGODA, _data("weights", to="many"), ["a list of whole numbers"]),
    ("no weights", PAGODA, _set("certificate", "data", to={}), ["must have the entries 'weights'"]),
    ("kind", PAGODA, _set("certificate", "kind", to="parity"), ["'parity' is not a kind of"]),
    ("other kind", PAGODA, _set("certificate", "kind", to="position class"), ["'cells'"]),
    (
        "closed",
        PAGODA,
        _set("certificate", "kind", to="closed set"),
        ["entries 'from', 'expanded'"],
    ),
    ("other start", PAGODA, _solvable, ["is refused", "start weighs"]),
    ("other goal", PAGODA, _set("goal", to="o../../.../../..."), ["goal weighs"]),
    ("parts", FRENCH, lambda d: d["certificate"]["data"]["parts"].pop(), ["not exclude the goal"]),
    ("cells", FRENCH, _data("parts", 0, "data", "cells", 0, to=3), ["changes the number of pegs"]),
    ("cell", FRENCH, _data("parts", 0, "data", "cells", 0, to=37), ["none of the 37 cells"]),
    ("goal", FRENCH, _data("parts", 0, "goals", 0, to="here"), ["'here'", "not a goal"]),
    ("part", FRENCH, _data("parts", 0, to=7), ["a list of objects"]),
    ("expanded", SEARCH, _data("expanded", to=17), ["bfs expanded 16 states", "something else"]),
    ("searched", SEARCH, _set("statistics", "expanded", to=17), ["bfs expanded 17 states"]),
    (
        "both",
        SEARCH,
        lambda d: (_data("expanded", to=17)(d), _set("statistics", "expanded", to=17)(d)),
        ["bfs expanded 17 states, but there are 16"],
    ),
    ("algorithm", SEARCH, _data("algorithm", to="ucs"), ["something else"]),
    ("from the goal", SEARCH, _data("from", to="goal"), ["something else"]),
    ("not searched", SEARCH, _set("certificate", "kind", to="pagoda"), ["16 states were expanded"]),
    ("solvable", SEARCH, _set("parameters", "want", to="4"), ["a way between a start and a goal"]),
    ("more", SEARCH, _set("certificate", "more", to=1), ["and nothing else"]),
    (
        "empty text",
        SEARCH,
        _set("certificate", "text", to=""),
        ["'text' of the certificate is emp"],
    ),
    ("no certificate", SEARCH, _set("certificate", to=None), ["'certificate' is null"]),
    ("solved", SEARCH, _set("status", to="interrupted"), ["'certificate' is 'closed set'"]),
]


@functools.cache
def _written(args: tuple[str, ...]) -> str:
    return runner().invoke(app, ["--plugin", TOYS, "run", *args, "--json"]).stdout


@pytest.mark.parametrize(("args", "change", "words"), [case[1:] for case in FORGED],
                         ids=[case[0] for case in FORGED])  # fmt: skip
def test_forgeries_are_refused_in_one_line(
    toys: Call, args: list[str], change: Change, words: list[str]
) -> None:
    document = json.loads(_written(tuple(args)))
    change(document)
    outcome = toys("verify", "-q", "-", stdin=json.dumps(document))
    assert (outcome.code, outcome.out) == (2, "")
    assert len(outcome.err_lines) == 1
    for word in words:
        assert word in outcome.err


def test_the_reason_is_the_text_in_compare(toys: Call) -> None:
    rows = compared_rows(toys("compare", "8-puzzle", "--start", "123456870", "--json").out)
    assert {row["reason"][:16] for row in rows} == {"odd permutation:"}


def process(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.stderr == ""
    return done.stdout


CALL = "\ntry:\n    app.main({args})\nexcept SystemExit:\n    pass\n"


@pytest.mark.slow_variants(
    "--help", "list", "info hoppers", "run peg -p board=french -p vacant=18 -p target=any"
)
@pytest.mark.parametrize(
    "args",
    [["--help"], ["list"], ["info", "hoppers"], ["run", "hoppers", "-q"], ["run", *FRENCH]],
    ids=" ".join,
)
def test_the_solver_is_not_loaded_in_vain(args: list[str]) -> None:
    code = "import sys\nfrom searchkit.cli.app import app" + CALL.format(args=args)
    out = process(f"{code}print('scipy' in sys.modules)")
    assert out.splitlines()[-1] == "False"


def test_without_the_solver_the_search_proves_it() -> None:
    args = ["run", "hoppers", "--start", "vacant 3", "--json"]
    code = "import sys\nsys.modules['scipy'] = None\nfrom searchkit.cli.app import app"
    document = json.loads(process(code + CALL.format(args=args)))
    assert document["certificate"]["kind"] == "closed set"
    assert document["statistics"]["expanded"] > 0


STEPS = """
from math import gcd

from searchkit import Parameter, Problem, Step, hookimpl
from searchkit.certificates import Certificate
from searchkit.certificates import entries


class Steps(Problem):
    def __init__(self, lengths, target):
        self.lengths, self.target = [int(each) for each in lengths.split(",")], target

    def initial_states(self):
        return [0]

    def successors(self, state):
        for length in self.lengths:
            if state + length < 100:
                yield Step(f"step {length}", state + length)

    def is_goal(self, state):
        return state == self.target

    def parse(self, text):
        return int(text)

    def certificate(self, state):
        unit = gcd(*self.lengths)
        if (self.target - state) % unit:
            return Certificate("common divisor", f"{unit} divides all steps", {"divisor": unit})

    def check_certificate(self, start, certificate):
        (divisor,) = entries(certificate.data, {"divisor": int})
        if divisor < 1 or any(length % divisor for length in self.lengths):
            return f"{divisor} does not divide all steps"
        return None if (self.target - start) % divisor else f"{divisor} divides the way"


@hookimpl
def searchkit_register_puzzles(register):
    lengths = Parameter("lengths", "4,6", "what steps there are")
    target = Parameter("target", 9, "the number to come to")
    register("steps", Steps, summary="come to a number", parameters=[lengths, target])
"""


def test_a_plugin_may_check_its_own(call: Call, tmp_path: Path) -> None:
    plugin = tmp_path / "steps.py"
    plugin.write_text(STEPS)
    text = call("--plugin", str(plugin), "run", "steps", "--json").out
    outcome = call("--plugin", str(plugin), "verify", "-q", "-", stdin=text)
    assert outcome.out == "ok: no solution; the certificate, of kind 'common divisor', holds\n"
    forged = text.replace('"divisor": 2', '"divisor": 4')
    outcome = call("--plugin", str(plugin), "verify", "-q", "-", stdin=forged)
    assert (outcome.code, outcome.out) == (2, "")
    assert "4 does not divide all steps" in outcome.err


def test_a_check_that_fails_is_the_fault_of_the_puzzle(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(Path(TOYS).read_text().replace(
        "    def certificate(", "    def check_certificate(self, start, certificate):\n"
        "        raise KeyError('mine')\n\n    def certificate(", 1,
    ))  # fmt: skip
    text = call("--plugin", str(file), "run", "line", "--start", "-3", "--json").out
    outcome = call("--plugin", str(file), "verify", "-q", "-", stdin=text)
    assert (outcome.code, len(outcome.err_lines)) == (1, 1)
    assert "puzzle line: Line failed: KeyError: 'mine' at" in outcome.err
