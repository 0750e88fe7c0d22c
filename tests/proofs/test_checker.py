"""The checker stands by itself, reads files strictly, bounds its memory, and survives any rules."""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit.proofs import checker
from searchkit.proofs.checker import KEYS, Refused, Unusable, check, read
from searchkit.proofs.rules import state_of, text_of
from tests.support.proof_files import jugs, prove, sliding, written

ROOT = Path(__file__).parents[2]
SOURCE = Path(checker.__file__)
JUGS = prove(jugs(), count=1)


def test_it_needs_nothing_but_python() -> None:
    imported = set()
    for node in ast.walk(ast.parse(SOURCE.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module))
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_it_can_be_read_in_one_sitting() -> None:
    assert len(SOURCE.read_text().splitlines()) <= 300


def called(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """The file alone, by a Python that sees no packages."""
    alone = folder / "checker.py"
    alone.write_bytes(SOURCE.read_bytes())
    call = [sys.executable, "-I", "-S", str(alone), *map(str, arguments)]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def test_the_command_says_what_is_proved_and_ends_in_0_1_or_2(tmp_path: Path) -> None:
    rules = ROOT / "examples/proofs/jugs_rules.py"
    proof = ROOT / "examples/proofs/jugs.proof"
    done = called(proof, rules, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "checked by the rules alone\n"
        "no way costs less than 7; the solution of 7 steps is optimal; 14 states, 50 edges\n"
    )
    other = tmp_path / "other.py"
    other.write_text(rules.read_text().replace("(8, 5, 3)", "(8, 5, 4)"))
    refused = called(proof, other, folder=tmp_path)
    assert (refused.returncode, refused.stderr) == (1, "")
    assert refused.stdout.startswith("refused: '(")
    assert refused.stdout.count("\n") == 1
    other.write_text("import sys\nsys.exit(0)\n")
    for wrong in [(proof, other), (proof, tmp_path / "none"), (tmp_path / "none", rules)]:
        done = called(*wrong, folder=tmp_path)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
    assert called(proof, folder=tmp_path).returncode == 2


def test_the_command_says_how_it_is_called(tmp_path: Path) -> None:
    for words in [(), ("proof",), ("proof", "rules.py", "1", "2")]:
        done = called(*words, folder=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "unusable: call python checker.py PROOF RULES.py [MEGABYTES OF MEMORY]\n"
        )


def test_a_file_may_be_packed_or_plain(tmp_path: Path) -> None:
    verdicts = [
        check(*read(written(tmp_path / "proof", *JUGS, packed=packed)), jugs())
        for packed in (True, False)
    ]
    assert verdicts[0] == verdicts[1]
    assert verdicts[0].text == (
        "no way costs less than 7; the solution of 7 steps is optimal, the only one; "
        "15 states, 54 edges"
    )


HEADER_FAULTS: dict[str, Callable[[list[str]], object]] = {
    "another version": lambda lines: lines.__setitem__(0, "searchkit-proof 2"),
    "a key too few": lambda lines: lines.pop(3),
    "a key too many": lambda lines: lines.insert(3, 'claim: "cost"'),
    "another order": lambda lines: lines.insert(1, lines.pop(2)),
    "no empty line": lambda lines: lines.remove(""),
    "a key twice": lambda lines: lines.__setitem__(1, 'puzzle: {"a": 1, "a": 2}'),
    "a bool": lambda lines: lines.__setitem__(5, "below: true"),
    "a float": lambda lines: lines.__setitem__(5, "below: 7.0"),
    "less than 0": lambda lines: lines.__setitem__(5, "below: -7"),
    "no number": lambda lines: lines.__setitem__(5, "below: NaN"),
    "nothing": lambda lines: lines.__setitem__(5, "below: null"),
    "deep": lambda lines: lines.__setitem__(1, "puzzle: " + "[" * 100_000),
    "no texts": lambda lines: lines.__setitem__(3, "starts: [8]"),
    "no steps": lambda lines: lines.__setitem__(8, 'solution: [["8 to 5", "(3, 5, 0)", true]]'),
    "no from": lambda lines: lines.__setitem__(9, "from: null"),
    "another claim": lambda lines: lines.__setitem__(2, 'claim: "distances"'),
    "no claim": lambda lines: lines.__setitem__(2, 'claim: "all"'),
    "a long number": lambda lines: lines.__setitem__(13, "states: 1" + "0" * 5000),
    "another length": lambda lines: lines.__setitem__(13, "states: 16"),
    "another digest": lambda lines: lines.__setitem__(14, 'sha256: "0"'),
    "another order of a value": lambda lines: lines.__setitem__(1, 'puzzle: {"a":1}'),
    "counts without a solution": lambda lines: lines.__setitem__(8, "solution: null"),
    "no within": lambda lines: lines.__setitem__(11, "within: null"),
    "a within less than 0": lambda lines: lines.__setitem__(11, "within: -1"),
    "a number with a zero before it": lambda lines: lines.__setitem__(16, "(0, 5, 3)\t02"),
    "a negative number": lambda lines: lines.__setitem__(16, "(0, 5, 3)\t-2"),
    "another digit": lambda lines: lines.__setitem__(16, "(0, 5, 3)\t２"),
    "no tab": lambda lines: lines.__setitem__(16, "(0, 5, 3) 2"),
    "an empty line": lambda lines: lines.insert(16, ""),
}


@pytest.mark.parametrize("fault", HEADER_FAULTS)
def test_files_are_read_strictly(tmp_path: Path, fault: str) -> None:
    path = written(tmp_path / "proof", *JUGS, packed=False)
    lines = path.read_text().split("\n")
    HEADER_FAULTS[fault](lines)
    path.write_text("\n".join(lines))
    with pytest.raises(Refused):
        check(*read(path), jugs())


def test_what_unpacks_to_more_than_it_says_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "LONGEST", 1 << 16)
    head = gzip.decompress(written(tmp_path / "proof", *JUGS).read_bytes())
    path = tmp_path / "bomb"
    path.write_bytes(gzip.compress(head + b"~" * (checker.LONGEST + 1)))
    with pytest.raises(Refused, match="a line is too long"):
        check(*read(path), jugs())
    path.write_bytes(gzip.compress(head + b"~\t1\n" * 100_000))
    with pytest.raises(Refused, match="the list is longer"):
        check(*read(path), jugs())
    path.write_bytes(gzip.compress(b"~" * (checker.LONGEST + 1)))
    with pytest.raises(Refused, match="a line is too long"):
        read(path)


def bomb(path: Path, states: int) -> Path:
    """A file of kilobytes, whose states take a megabyte each."""
    header, _ = JUGS
    word, code = "a" * 10_000, b"!"
    lines = [
        b" " + code * 100 + b'"\n',
        *(b'%c%c"\n' % (32 + 100, 35 + at) for at in range(states)),
    ]
    body = b"".join(lines)
    letters = [chr(100 + at) for at in range(states)]
    known = header | {"words": [" ", word, "\t1", *letters], "states": states + 1}
    known["sha256"] = hashlib.sha256(body).hexdigest()
    text = "searchkit-proof 1\n" + "".join(f"{key}: {json.dumps(known[key])}\n" for key in KEYS)
    path.write_bytes(gzip.compress(text.encode() + b"\n" + body))
    return path


def test_a_small_file_does_not_fill_the_disk(tmp_path: Path) -> None:
    path = bomb(tmp_path / "bomb", 40)
    assert path.stat().st_size < 2000
    with pytest.raises(Unusable, match=r"disk is full; more memory can be allowed"):
        check(*read(path), jugs(), memory=1 << 20)
    with pytest.raises(Refused):
        check(*read(path), jugs(), memory=1 << 30)
    rules = ROOT / "examples/proofs/jugs_rules.py"
    done = called(path, rules, "1", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_words_that_make_lines_of_gigabytes_are_refused(tmp_path: Path) -> None:
    path = bomb(tmp_path / "bomb", 1)
    data = gzip.decompress(path.read_bytes()).replace(b"!" * 100, b"!" * 10_000)
    path.write_bytes(data)
    with pytest.raises(Refused, match="a text is too long"):
        check(*read(path), jugs())


def test_words_that_no_file_can_hold_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "proof", JUGS[0] | {"words": ["\ud800"]}, [("  ", 0)])
    with pytest.raises(Refused, match="is no state and number"):
        check(*read(path), jugs())


def test_memory_is_bounded_by_files() -> None:
    rules = sliding("45312.")
    header, entries = prove(rules, count=1)
    header["states"] = len(entries)
    with pytest.raises(Unusable, match="to count takes more memory"):
        check(header, entries, rules, memory=10_000)


texts = st.text(st.characters(min_codepoint=0, exclude_categories=["Cs"]), max_size=3)


@given(st.dictionaries(texts, st.none() | st.integers(0, 10**30)), st.lists(texts))
def test_what_a_list_says_is_found(known: Any, others: list[str]) -> None:
    header = dict(JUGS[0]) | {"claim": "distances", "states": len(known)}
    with ExitStack() as stack:
        proof = checker.Check(header, jugs(), stack)
        ask = proof.stored(sorted(known.items()), 1 << 20, stack)
        for text in (*known, *others):
            row = ask("SELECT g FROM list WHERE state = ?", (text,)).fetchone()
            number = known.get(text, -1)
            assert (row and -int(row[0])) == {None: checker.NEVER, -1: None}.get(number, number)
        assert [text for (text,) in ask("SELECT state FROM list")] == sorted(known)


def failing(**changes: Any) -> SimpleNamespace:
    return SimpleNamespace(**(vars(jugs()) | changes))


def endless(_: object) -> Any:
    while True:
        yield "on", "(8, 0, 0)", 1


def stuck(_: object) -> Any:
    while True:
        try:
            time.sleep(0.01)
        except Exception:
            continue


def raising(error: BaseException) -> Callable[[object], Any]:
    def rule(_: object) -> Any:
        raise error

    return rule


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (failing(successors=raising(KeyError(3))), r"'\(8, 0, 0\)|makes the rules fail: KeyError"),
        (failing(successors=raising(SystemExit(0))), r"makes the rules fail: SystemExit\(0\)"),
        (failing(goal=raising(RecursionError("deep"))), "RecursionError"),
        (failing(starts=lambda: 3), "a start' makes the rules fail: TypeError"),
        (failing(starts=list), "the rules start elsewhere"),
        (failing(starts=lambda: ["(8, 0, 0)"] * 2), "the rules start elsewhere or twice"),
        (failing(starts=lambda: [(8, 0, 0)]), "makes the rules fail|which cannot be"),
        (failing(successors=endless), "or too many steps"),
        (failing(successors=stuck), "Slow"),
        (failing(successors=lambda _: [("on", "(8, 0, 0)")]), "ValueError"),
        (failing(successors=lambda _: [("on", "(8, 0, 0)", True)]), "costs True"),
        (failing(successors=lambda _: [("on", "(8, 0, 0)", 1.0)]), "costs 1.0"),
        (failing(successors=lambda _: [("on", "(8, 0, 0)", -1)]), "costs -1"),
        (failing(successors=lambda _: [("on", "(8, 0, 0)", 10**4000)]), "costs 1000"),
        (failing(successors=lambda _: [("on", "(8, 0, 0)", 10**5000)]), "ValueError"),
        (failing(goal=lambda _: None), "goal None"),
        (failing(goal=lambda _: 0), "goal 0"),
        (failing(successors=lambda _: [("on", 3, 1)]), "3 is no text"),
        (failing(successors=lambda _: [("on", "\ud800", 1)]), "UnicodeEncodeError"),
    ],
)
def test_rules_that_go_wrong_are_refusals(
    rules: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "PATIENCE", 1)
    monkeypatch.setattr(checker, "MOST_STEPS", 1000)
    header, entries = JUGS
    with pytest.raises(Refused, match=why):
        check(header | {"states": len(entries)}, entries, rules)


@pytest.mark.parametrize("h", [-1, True, 1.0, None])
def test_heuristics_that_go_wrong_are_refusals(h: Any) -> None:
    header, entries = JUGS
    known = header | {"states": len(entries), "heuristic": "wild"}
    with pytest.raises(Refused, match=r", h (-1|True|1.0|None), which"):
        check(known, entries, failing(heuristics={"wild": lambda _: h}))


@pytest.mark.parametrize("lacks", ["starts", "successors", "goal"])
def test_rules_that_lack_something_are_unusable(lacks: str) -> None:
    header, entries = JUGS
    known = header | {"states": len(entries)}
    rules = jugs()
    delattr(rules, lacks)
    with pytest.raises(Unusable):
        check(known, entries, rules)
    with pytest.raises(Unusable):
        check(known | {"heuristic": "lost"}, entries, jugs())


def test_large_numbers_are_exact() -> None:
    large = 10**3000
    steps: Any = {"0": [("on", "1", large)], "1": [("on", "2", 1), ("by", "2", 1)]}
    rules = SimpleNamespace(
        starts=lambda: ["0"], successors=steps.__getitem__, goal=lambda state: state == "2"
    )
    header = dict.fromkeys(KEYS) | {
        "claim": "cost",
        "starts": ["0"],
        "below": large + 1,
        "heuristic": "zero",
        "solution": [["on", "1", large], ["by", "2", 1]],
        "from": "0",
        "count": 2,
        "within": 0,
        "states": 2,
    }
    assert check(header, [("0", 0), ("1", large)], rules).kind == "count"
    with pytest.raises(Refused, match="number of solutions is 2"):
        check(header | {"count": 3}, [("0", 0), ("1", large)], rules)
    with pytest.raises(Refused, match="where the list lacks it"):
        check(header, [("0", 0), ("1", large + 1)], rules)


def test_a_circle_that_costs_nothing_makes_solutions_endless() -> None:
    steps: Any = {"0": [("on", "1", 1)], "1": [("on", "1", 0), ("on", "2", 1)]}
    rules = SimpleNamespace(
        starts=lambda: ["0"], successors=steps.__getitem__, goal=lambda state: state == "2"
    )
    header = dict.fromkeys(KEYS) | {
        "claim": "cost",
        "starts": ["0"],
        "below": 2,
        "heuristic": "zero",
        "solution": [["on", "1", 1], ["on", "2", 1]],
        "from": "0",
        "within": 0,
        "states": 2,
    }
    for count in 0, 1:
        with pytest.raises(Refused, match="a circle of cost 0"):
            check(header | {"count": count}, [("0", 0), ("1", 1)], rules)
    near = header | {"count": 1, "within": 1}  # of those that meet no state twice
    assert check(near, [("0", 0), ("1", 1)], rules).kind == "count"


def test_what_rests_on_h_alone_is_said() -> None:
    rules = sliding("45312.")
    rules.heuristics = {"too much": lambda state: 100 * rules.h(state)}
    header, _ = prove(rules)
    claim = header | {"heuristic": "too much", "states": 0, "below": 50, "solution": None}
    verdict = check(claim | {"from": None}, [], rules)
    assert verdict.rests_on == "assuming that h, too much, is admissible"
    assert verdict.text == "no way costs less than 50; 0 states, 0 edges; everything rests on h"


def test_inconsistent_edges_are_counted_and_do_no_harm() -> None:
    rules = sliding("45312.")
    rules.heuristics = {"now and then": lambda state: rules.h(state) * (state.index(".") % 2)}
    header, entries = prove(rules)
    known = header | {"heuristic": "now and then", "states": len(entries)}
    h = rules.heuristics["now and then"]
    edges = [(state, after) for state, _ in entries for _, after, _ in rules.successors(state)]
    falls = sum(h(state) > 1 + h(after) for state, after in edges)
    assert falls > 100
    told = f"; h falls by more than the cost on {falls:,} of them, which it may"
    assert told in check(known, entries, rules).text
    assert check(known, entries, rules).edges == len(edges)
    header, entries = prove(rules, heuristic="h")
    consistent = check(header | {"states": len(entries)}, entries, rules).text
    assert consistent.endswith(" edges; h falls by more than the cost on 0 of them, which it may")


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda parts: st.lists(parts, max_size=4).map(tuple) | st.frozensets(parts, max_size=4),
    max_leaves=6,
)


@given(values, values)
def test_texts_are_read_back_and_tell_values_apart(one: Any, other: Any) -> None:
    assert state_of(text_of(one)) == one
    assert text_of(state_of(text_of(one))) == text_of(one)
    assert (text_of(one) == text_of(other)) <= (one == other)
    assert min(text_of(one)) >= " "


@pytest.mark.parametrize(
    "state", [[1], {1: 2}, b"a", 1j, float("nan"), float("inf"), SimpleNamespace(), (1, [2])]
)
def test_what_is_not_plain_has_no_text(state: Any) -> None:
    with pytest.raises(TypeError):
        text_of(state)


def test_texts_are_as_the_format_says() -> None:
    state = (1, (-2,), (), frozenset(), frozenset({"b", "a"}), None, True, 0.5)
    assert text_of(state) == "(1, (-2,), (), {}, {'a', 'b'}, None, True, 0.5)"


def test_what_is_said_of_a_long_text_says_why(tmp_path: Path) -> None:
    header, entries = JUGS
    path = written(tmp_path / "answer.proof", header, sorted([*entries, ("9" * 10_000_000, 0)]))
    with pytest.raises(Refused, match=r"^'9{400,} makes the rules fail: ") as refused:
        check(*read(path), jugs())
    assert len(str(refused.value)) <= 2000
