"""The commands that write proofs, check them, and print what checks them."""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import sqlite3
import subprocess
import sys

import attrs
import pytest

from searchkit import Status, solve
from searchkit.cli.app import app
from searchkit.proofs.checker import KEYS, read
from tests.support.cli_calls import Outcome, runner

JUGS = "examples/jugs.py"
BRIDGE = "examples/bridge.py"
LATE = ("hoppers", "--start", ".oo/oo/o.o/o./ooo")
"""A third as many states as from the start of hoppers."""


def call(*args: str) -> Outcome:
    """Call the command line in this process."""
    result = runner().invoke(app, list(args))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Outcome(result.exit_code, result.stdout, result.stderr)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "answer.proof.gz"


def checked(path, *puzzle, folder):
    """What Python without searchkit says of a proof, by the checker and the rules as printed."""
    program, rules = folder / "checker.py", folder / "rules.py"
    program.write_text(call("proof", "checker").out)
    rules.write_text(call("proof", "rules", *puzzle).out)
    return subprocess.run(
        [sys.executable, "-I", program, path, rules], capture_output=True, text=True, check=False
    )


@pytest.mark.slow_variants(
    "puzzle2-options2-is optimal; 6,549 states",
    "puzzle3-options3-is optimal",
    "puzzle0-options0-one of 72; 2,333 states",
)
@pytest.mark.parametrize(
    ("puzzle", "options", "said"),
    [
        (["hoppers"], ["--count", "--proof-heuristic", "zero"], "one of 72; 2,333 states"),
        (["hoppers", "-p", "model=jumps"], [], "everything rests on h"),
        (["8-puzzle"], ["--moves"], "is optimal; 6,549 states"),
        (["6-puzzle"], ["--proof-heuristic", "zero"], "is optimal"),
        (["15-puzzle", "--scramble", "20", "--seed", "1"], ["--proof-heuristic", "manhattan"], ""),
    ],
)
def test_a_proof_without_searchkit(puzzle, options, said, path, tmp_path):
    done = call("run", *puzzle, *options, "--proof", str(path), "-q")
    assert done.code == 0, done.err
    verified = call("verify", str(path))
    assert verified.code == 0, verified.err
    assert said in verified.lines[1]
    if puzzle != ["hoppers", "-p", "model=jumps"]:
        alone = checked(path, *puzzle, folder=tmp_path)
        assert alone.returncode == 0, alone.stdout + alone.stderr
        assert alone.stdout.splitlines()[1] == verified.lines[1].removeprefix("ok: ")


def test_rules_without_the_heuristic_of_a_proof(path, tmp_path):
    jumps = "hoppers", "-p", "model=jumps"
    call("run", *jumps, "--proof", str(path), "-q")
    alone = checked(path, "hoppers", folder=tmp_path)
    assert (alone.returncode, alone.stdout) == (2, "")
    assert "goal, h for 'pegs' if not zero" in alone.stderr


def test_what_is_left_to_believe_comes_first(path):
    run = ("run", "8-puzzle", "--scramble", "20", "--seed", "1", "--proof", str(path))
    call(*run)
    done = call("verify", str(path))
    assert done.lines[0] == "given that a move takes one tile to a cell beside its own (manhattan)"
    call(*run, "--heuristic", "linear-conflict")
    assert call("verify", str(path)).lines[0] == "assuming that linear-conflict is admissible"


def test_regions_rest_on_what_a_move_is(path):
    call("run", *LATE, "--proof", str(path), "--heuristic", "regions")
    said = "given that a move is jumps of one peg, each over a peg beside it into a hole (regions)"
    assert call("verify", str(path)).lines[0] == said
    assert call("verify", str(path), "--twin").lines[0].endswith(f"; {said}")


def test_the_twin_says_that_it_is_the_twin(path):
    call("run", *LATE, "--count", "--proof", str(path), "--proof-heuristic", "zero")
    done, plain = call("verify", str(path), "--twin"), call("verify", str(path))
    assert done.lines[0] == "by the twin, believing machine code that was made of the rules"
    assert done.lines[1:] == plain.lines[1:]
    document = path.with_name("document.json")
    document.write_text(call("run", JUGS, "--json", "-q").out)
    refused = call("verify", str(document), "--twin")
    assert (refused.code, refused.out) == (2, "")
    assert "--twin is for proofs" in refused.err


def test_a_document_of_the_check(path):
    call("run", *LATE, "--proof", str(path))
    document = json.loads(call("verify", str(path), "--json").out)
    (answer,) = document["documents"]
    assert answer["ok"]
    assert answer["not_checked"][0]["text"] == "checked by the rules alone"


def test_a_bound_that_is_known(path):
    done = call("run", "15-puzzle", "--proof", str(path), "--max-cost", "20", "--algo", "idastar")
    assert done.code == 12
    assert "no solution costs less than" in done.lines[-1]
    assert call("verify", str(path)).lines[1].startswith("ok: no way costs less than")


def test_a_proof_after_ctrl_c_is_told_though_quiet(path, monkeypatch):
    def interrupted(*args, **options):
        return attrs.evolve(solve(*args, **options), status=Status.INTERRUPTED, limit=None)

    monkeypatch.setattr("searchkit.cli.commands.run.solve", interrupted)
    known = "--max-cost", "20", "--algo", "idastar", "-q"
    done = call("run", "15-puzzle", "--proof", str(path), *known)
    assert done.code == 130
    assert f"note: the proof of the bound that was known by then is in {path}" in done.err
    assert call("verify", str(path)).code == 0


@pytest.mark.parametrize(
    ("start", "states", "edges"),
    [
        pytest.param("ooo/oo/o.o/oo/ooo", "2,344", "10,260", marks=pytest.mark.slow),
        (".oo/oo/o.o/o./ooo", "740", "2,565"),
    ],
)
def test_distances(start, states, edges, path, tmp_path):
    done = call("explore", "hoppers", "--start", start, "--proof", str(path))
    assert done.lines[-1].endswith(
        f"every distance to a goal; {states} states; checked by the rules alone"
    )
    assert call("verify", str(path)).lines == [
        "checked by the rules alone",
        f"ok: each distance to a goal is exact; {states} states, {edges} edges",
        "puzzle: hoppers, model chain; to .../../.o./../...",
    ]
    assert checked(path, "hoppers", folder=tmp_path).returncode == 0


def test_a_page_to_be_ticked_off():
    page = call("run", JUGS, "--moves", "--proof", "-").lines[1:]
    assert page[0] == "No solution costs less than 7; checked by the rules alone."
    assert sum("[ ]" in line for line in page) == 14
    assert page[-1] == "14 states"
    assert "        3→8: at 7 to amount=4,4,0, a goal" in page
    long = call("run", "8-puzzle", "--proof", "-")
    assert long.code == 2
    assert "6,549 states are too many to print" in long.err


def test_wrong_files_are_refused(path, tmp_path):
    plain = tmp_path / "plain.proof"
    call("run", "8-puzzle", "--scramble", "40", "--seed", "1", "--proof", str(plain))
    text = plain.read_text()
    for wrong in (
        text.replace("below: 26", "below: 28"),
        text.replace('"name": "8-puzzle"', '"name": "15-puzzle"'),
        text.replace('"name": "8-puzzle"', '"name": 8'),
        text.replace("states: 2571", "states: 2570"),
        text.replace('heuristic: "manhattan"', 'heuristic: "zero"'),
        text.replace("rests on: ", "rests upon: "),
        text[: len(text) // 2],
    ):
        assert wrong != text
        plain.write_text(wrong)
        done = call("verify", str(plain))
        assert (done.code, done.out) == (2, "")
        assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (
            ["8-puzzle", "--proof-heuristic", "zero", "--max-expansions", "10000"],
            12,
            "its list is not whole at the expansion limit",
        ),
        (["8-puzzle", "--proof-heuristic", "none-such"], 2, "no heuristic"),
        (["8-puzzle", "--boards", "-"], 2, "exclude each other"),
    ],
)
def test_what_cannot_be_proved_leaves_no_file(options, code, said, path):
    done = call("run", *options, "--proof", str(path))
    assert done.code == code
    assert not path.exists()
    assert said in done.err


def test_wrong_calls(tmp_path):
    assert call("run", "8-puzzle", "--proof-heuristic", "zero").code == 2
    assert call("run", "8-puzzle", "--proof", str(tmp_path / "no" / "folder")).code == 2
    for words in ("run", "6-puzzle", "--moves"), ("explore", "6-puzzle"):
        ended = call(*words, "--proof", str(tmp_path / "answer.xz"))
        assert (ended.code, ended.out) == (2, "")  # before it searches
        assert "give a name ending in .gz" in ended.err
    assert "give explore a file" in call("explore", "6-puzzle", "--proof", "-").err
    assert "give the proof a file" in call("run", "6-puzzle", "--json", "--proof", "-").err
    refused = call("proof", "rules", JUGS)
    assert (refused.code, refused.err.count("\n")) == (2, 1)


def test_the_puzzle_of_a_file(path):
    call("run", JUGS, "--proof", str(path))
    refused = call("verify", str(path))
    assert (refused.code, refused.out) == (2, "")
    assert f"it is from '{JUGS}', give that by --plugin" in refused.err
    done = call("verify", str(path), "--plugin", JUGS)
    assert done.lines[0] == "checked by the rules alone"


def test_which_board_it_is_about_is_said(path):
    call("run", "8-puzzle", "--start", "123456708", "--proof", str(path))
    _, proved, puzzle = call("verify", str(path)).lines
    assert "the solution of 1 step is optimal; 0 states, 0 edges; everything rests on h" in proved
    assert puzzle == "puzzle: 8-puzzle, moves tile; from 123456708; to 123456780"


def test_a_page_of_a_count_has_the_rule_of_goals():
    page = call("run", JUGS, "--count", "--proof", "-", "-q").lines
    assert "        3→8: at 7 to amount=4,4,0, a goal" in page
    assert "  - or to a goal, at 7 or later," in page
    assert "  - or to any other state, at 8 or later." in page
    assert page[-1] == "15 states"


def test_a_page_says_why_it_does_not_begin():
    page = call("run", "8-puzzle", "--start", "123456708", "--proof", "-", "--moves").lines
    assert "It does not begin with 123456708, which is 1 or more from a goal by h." in page
    page = call("run", "8-puzzle", "--start", "123456780", "--proof", "-", "--moves").lines
    assert "It does not begin with 123456780, which is a goal." in page
    page = call("run", JUGS, "--proof", "-", "--moves").lines
    assert "  - to a state that is on the page at the same cost or at a smaller one," in page
    assert "  - or to any state, even a goal, at 7 or later." in page
    assert "It begins at 0 with amount=8,0,0. No state of the page may be a goal." in page


def test_one_is_one(path):
    call("run", JUGS, "-p", "goal=3 5 0", "--proof", str(path))
    assert call("verify", str(path), "--plugin", JUGS).lines[1] == (
        "ok: no way costs less than 1; the solution of 1 step is optimal; 1 state, 2 edges"
    )


@pytest.mark.slow_variants("options1")
@pytest.mark.parametrize("options", [["--search"], ["--max-time", "1s"]])
def test_a_proof_is_checked_without_a_search(options, path):
    call("run", *LATE, "--proof", str(path))
    done = call("verify", str(path), *options)
    assert (done.code, done.out) == (2, "")
    assert "a proof is checked without a search" in done.err


@pytest.mark.slow_variants("states that are read")
@pytest.mark.parametrize(
    ("puzzle", "said"),
    [
        ((BRIDGE, "--plugin", BRIDGE), ["more memory than is allowed"] * 2),
        (("6-puzzle",), ["database or disk is full; more memory", "more memory than is allowed"]),
    ],
    ids=["states of no text", "states that are read"],
)
def test_a_few_bytes_do_not_take_all_memory(puzzle, said, path):
    """Each line repeats a megabyte of the one before."""
    call("run", puzzle[0], "--proof", str(path), "--proof-heuristic", "zero")
    header, _ = read(path)
    letters = [chr(256 + number) for number in range(150)]
    header["words"] = [" ", "a" * 10_000, "\t0", *letters]
    lines = [b" " + b"!" * 100 + b'"\n', *(b'\x84%c"\n' % (35 + at) for at in range(150))]
    body = b"".join(lines)
    header |= {"states": len(lines), "sha256": hashlib.sha256(body).hexdigest()}
    head = "".join(f"{key}: {json.dumps(header[key])}\n" for key in KEYS)
    path.write_bytes(gzip.compress(f"searchkit-proof 1\n{head}\n".encode() + body))
    assert path.stat().st_size < 3000
    memory = "50MB" if puzzle[1:] else "5MB"
    for options, why in zip([[], ["--twin"]], said, strict=True):
        done = call("verify", str(path), *puzzle[1:], "--max-memory", memory, *options)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert why in done.err


def test_memory_for_a_count_can_be_allowed(path):
    call("run", *LATE, "--count", "--proof", str(path), "--proof-heuristic", "zero")
    done = call("verify", str(path), "--max-memory", "20KB")
    assert (done.code, done.out) == (2, "")
    assert "to count takes more memory; more memory can be allowed (--max-memory)" in done.err
    assert call("verify", str(path), "--max-memory", "100MB").code == 0


def test_a_full_disk_is_not_the_puzzle(path, monkeypatch):
    call("run", *LATE, "--proof", str(path))

    def full(path):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("sqlite3.connect", full)
    done = call("verify", str(path))
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "searchkit: error: the list cannot be kept in a file: database or disk is full; "
        "more memory can be allowed (--max-memory)\n"
    )


TWO_TEXTS = """
from searchkit import Problem, Step, hookimpl

class Two(Problem):
    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step(str(after), after) for after in (state + 1, state + 2) if after <= 4]

    def is_goal(self, state):
        return state == 4

    def format_state(self, state):
        return str(state % 4 // 3)

    def slow_rules(self):
        return self

@hookimpl
def searchkit_register_puzzles(register):
    register("two", Two, summary="states of one text")
"""


@pytest.mark.parametrize("is_interrupted", [False, True])
def test_the_page_is_there_whatever_becomes_of_the_proof(is_interrupted, tmp_path, monkeypatch):
    def stopped(*args, **options):
        raise KeyboardInterrupt

    plugin, page, path = (tmp_path / name for name in ("two.py", "page.html", "answer.proof"))
    plugin.write_text(TWO_TEXTS)
    if is_interrupted:
        monkeypatch.setattr("searchkit.cli.commands.running.proof.prove", stopped)
    done = call("run", str(plugin), "--moves", "--proof", str(path), "--html", str(page), "-q")
    assert done.code == (130 if is_interrupted else 2)
    assert is_interrupted or "two states are written" in done.err
    assert done.lines == ["2 4"]
    assert page.exists()
    assert not path.exists()


def test_a_proof_from_the_standard_input(path, tmp_path):
    run = ("run", *LATE, "--proof")
    call(*run, str(path))
    plain = tmp_path / "plain"
    call(*run, str(plain))
    for proof in path, plain:
        given = runner().invoke(app, ["verify", "-"], input=proof.read_bytes())
        assert given.exit_code == 0
        assert given.stdout == call("verify", str(proof)).out
    assert b"below: 5" in plain.read_bytes()
    forged = plain.read_bytes().replace(b"below: 5", b"below: 6")
    given = runner().invoke(app, ["verify", "-"], input=forged)
    assert given.exit_code == 2
    assert given.stderr.startswith("searchkit: error: -: the proof is refused: ")


NOTHING = """
from searchkit import Problem, Step


class NoWay(Problem):
    def initial_states(self):
        return [0]

    def successors(self, state):
        return [Step("on", state + 1)] if state < 5 else []

    def is_goal(self, state):
        return state == 9


class Wrong(NoWay):
    def is_goal(self, state):
        return state == 5

    def heuristic(self, state):
        return 3 * (5 - state)
"""


@pytest.mark.parametrize(("name", "code"), [("NoWay", 11), ("Wrong", 2)])
def test_what_was_not_interrupted_does_not_say_so(name, code, path, tmp_path):
    file = tmp_path / "nothing.py"
    file.write_text(NOTHING)
    done = call("run", f"{file}:{name}", "--proof", str(path), "-q")
    assert (done.code, done.err.count("\n")) == (code, 1)
    assert "no proof was written: " in done.err
    assert not path.exists()


def test_distances_that_were_not_reached(path):
    done = call("explore", "8-puzzle", "--max-memory", "1MB", "--proof", str(path), "-q")
    assert done.code == 22
    assert done.err == "searchkit: error: no proof was written: not every state was reached\n"
    assert not path.exists()


def test_a_link_to_a_file_that_is_to_be(path, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(path)
    done = call("run", JUGS, "--moves", "--proof", str(link))
    assert (done.code, link.is_symlink()) == (0, True)
    assert path.read_bytes() == link.read_bytes() != b""


@pytest.mark.parametrize(
    ("puzzle", "proof", "said"),
    [
        ("examples/jugs.py", "-", "[ ] amount=8,0,0\n        8→5: at 1"),
        ("examples/jugs.py", "jugs.proof", "[ ] amount=8,0,0\n        8→5: at 1"),
        ("8-puzzle", "eight.proof.gz", "searchkit verify eight.proof.gz"),
    ],
)
def test_the_page_that_plays_shows_the_proof(puzzle, proof, said, tmp_path):
    page = tmp_path / "page.html"
    given = proof if proof == "-" else str(tmp_path / proof)
    outcome = call("run", puzzle, "--html", str(page), "--proof", given)
    assert outcome.code == 0, outcome.err
    assert said in html.unescape(page.read_text(encoding="utf-8"))
