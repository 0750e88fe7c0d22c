"""Lines that are made in bulk are those that are made one by one, or none are."""

from __future__ import annotations

import hashlib
import random
import re
from contextlib import suppress
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import AStar, UniformCost, solve
from searchkit.errors import UnsuitableError, VerificationError
from searchkit.proofs import bulk, listing
from searchkit.proofs.bulk import Pattern
from searchkit.proofs.checker import list_of, read
from searchkit.proofs.judging import verify_proof
from searchkit.proofs.kernels.twin import NEVER
from searchkit.proofs.listing import ProofFile
from searchkit.proofs.reading import Lines
from searchkit.proofs.writing import Proof, prove
from searchkit.scramble import scramble
from searchkit_pancakes import pancakes
from searchkit_peg import hoppers
from searchkit_sliding import eight_puzzle, sliding, twenty_four_puzzle
from tests.support.plain_puzzles import Jugs
from tests.support.proof_files import said


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    for module in bulk, listing:
        monkeypatch.setattr(module, "MANY", 3)


def by_pattern(rows, costs, text, at_once=1 << 20, pieces=3):
    """The lines of rows, made in bulk, if there is a pattern."""

    def slices():
        for part in np.array_split(np.arange(len(rows)), pieces):
            yield rows[part], costs[part]

    pattern = Pattern.of(slices, lambda some: [*map(text, some.view(np.uint64).tolist())])
    worded = pattern and pattern.worded(slices, at_once, int(costs.max()))
    return worded and read_from(*worded)


def one_by_one(rows, costs, text):
    """The same lines, each formatted and all sorted as texts."""
    file = ProofFile(Path("nowhere"))
    texts = map(text, rows.view(np.uint64).tolist())
    file.add([*zip(texts, costs.tolist(), strict=True)])
    return read_from(*file._worded())


def read_from(words, blocks):
    """The states and numbers of lines, and that each shares all that it can."""
    body = b"".join(block for block, _ in blocks)
    header = {"words": words, "sha256": hashlib.sha256(body).hexdigest()}
    return [*list_of(iter(body.split(b"\n")[:-1]), header)]


FORMATS = {
    "row": lambda values: " ".join(map(str, values)),
    "tuple": str,
    "negative": lambda values: ",".join(str(3 - value) for value in values),
    "named": lambda values: " ".join(f"v{place}={each}" for place, each in enumerate(values)),
    "signs": lambda values: "".join(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEF"[v] for v in values
    ),
}


@st.composite
def packed_rows(draw, most=41):
    """Rows of words that hold bounded whole numbers, and how to unpack them."""
    bounds = draw(st.lists(st.integers(0, most), min_size=1, max_size=9))
    places, word, at = [], 0, 0
    for bound in bounds:
        bits = bound.bit_length() + draw(st.integers(0, 1))
        if at + bits > draw(st.integers(40, 64)):
            word, at = word + 1, 0
        places.append((word, at, bits))
        at += bits + draw(st.integers(0, 2))
    choose = random.Random(draw(st.integers(0, 999)))
    # Some values are rare, and some go together nearly always.
    rare = draw(st.sampled_from([0.0, 0.9, 0.999]))
    values = {
        tuple(0 if choose.random() < rare else choose.randint(0, bound) for bound in bounds)
        for _ in range(draw(st.integers(5, 3000)))
    }
    rows = np.zeros((len(values), word + 1), np.uint64)
    for row, some in zip(rows, choose.sample(sorted(values), len(values)), strict=True):
        for (word, at, _), value in zip(places, some, strict=True):
            row[word] |= np.uint64(value << at)

    def unpacked(words):
        return tuple(words[word] >> at & (1 << bits) - 1 for word, at, bits in places)

    return rows.view(np.int64), unpacked


@given(
    packed_rows(),
    st.sampled_from(sorted(FORMATS)),
    st.sampled_from([50, 1 << 20]),
    st.sampled_from([13, 1013]),
)
def test_rows_of_bounded_numbers(made, name, at_once, most):
    rows, unpacked = made
    costs = np.arange(len(rows)) * 7 % most

    def text(words):
        return FORMATS[name](unpacked(words))

    found = by_pattern(rows, costs, text, at_once)
    assert found in (None, one_by_one(rows, costs, text))


@pytest.mark.parametrize("name", FORMATS)
def test_patterns_are_found(name):
    choose = random.Random(1)
    numbers = sorted(
        {tuple(choose.randrange(most) for most in (5, 16, 42, 9)) for _ in range(3000)}
    )
    rows = np.array([[a | b << 3, c << 50 | d << 59] for a, b, c, d in numbers])
    rows = rows[choose.sample(range(len(rows)), len(rows))]

    def text(words):
        one, two = words
        return FORMATS[name]((one & 7, one >> 3, two >> 50 & 63, two >> 59))

    costs = np.arange(len(rows))
    assert by_pattern(rows, costs, text) == one_by_one(rows, costs, text)


def few_steps(problem, steps):
    return problem.with_start(scramble(problem, steps, random.Random(3)))


PUZZLES = {
    "3x3": (few_steps(eight_puzzle(), 16), AStar(), True),
    "3x3, far": (eight_puzzle(), AStar(), True),
    "3x4": (few_steps(sliding("3x4"), 10), UniformCost(), True),
    "3x4, far": (few_steps(sliding("3x4"), 14), UniformCost(), True),
    "5x5, of several words": (few_steps(twenty_four_puzzle(), 6), UniformCost(), True),
    "5x5, far": (few_steps(twenty_four_puzzle(), 9), UniformCost(), True),
    "pegs that hop": (hoppers(), UniformCost(), True),
    "pegs, by the mover": (hoppers("mover"), UniformCost(), None),
    "pancakes": (pancakes(6), UniformCost(), None),
    "more pancakes": (pancakes(7), UniformCost(), None),
    "rules in Python": (Jugs((8, 5, 3), (4, 4, 0)), UniformCost(), None),
}


@pytest.mark.slow_variants(
    "3x3, far",
    "3x4, far",
    "5x5, far",
    "pegs, by the mover",
    "more pancakes",
    "3x4",
    "pegs that hop",
)
@pytest.mark.parametrize("name", PUZZLES)
def test_the_same_file_from_both_ways(name, tmp_path, monkeypatch):
    problem, algorithm, in_bulk = PUZZLES[name]
    one, other = tmp_path / "one.proof", tmp_path / "other.proof.gz"
    found = []
    made = Pattern.of.__func__
    monkeypatch.setattr(
        Pattern, "of", classmethod(lambda *given: found.append(made(*given)) or found[-1])
    )
    result = solve(problem, algorithm, want="count")
    prove(result, Proof(path=one), engine="reference")
    assert not found
    prove(result, Proof(path=other), engine="compiled")
    assert in_bulk is None or (found[0] is not None) == in_bulk
    assert said(one) == said(other)
    assert verify_proof(other, problem) == verify_proof(one, problem)
    assert None not in (read(one)[0]["words"], read(other)[0]["words"])


@pytest.mark.parametrize(
    "text",
    [
        lambda words: str(hash(words[0] * 12345 + 7) % 10**6),
        lambda words: "x" * (words[0] % 50),
        lambda words: f"{words[0]}é",
        lambda words: str(words[0] * 1000),
    ],
    ids=["mixed up", "of no fixed parts", "not ASCII", "of too many values"],
)
def test_texts_without_a_pattern_are_left_to_the_puzzle(text):
    rows = np.arange(0, 1 << 16, 3).reshape(-1, 1)
    assert by_pattern(rows, rows[:, 0], text) is None


def test_a_state_that_breaks_the_pattern_is_met_before_anything_is_written():
    rows = np.arange(0, 1 << 13).reshape(-1, 1)

    def text(words):  # the second part is the same as the first, but for one state that is compared
        high, low = words[0] >> 7, words[0] & 127
        return f"{high} {low}" if words[0] != bulk.COMPARED else f"{high} {low + 500}"

    assert by_pattern(rows, rows[:, 0], text, pieces=1) is None


def test_bits_that_go_together_in_all_samples_are_told_apart():
    """Two lamps are alike except in states that no sample has."""
    rows = np.array([[5 * number * 4 | 3 * (number & 1)] for number in range(60_000)])
    odd = np.array([[1 << 40 | 1], [1 << 40 | 2], [1 << 41 | 2]])
    places = np.array([7, 1001, 30_011])
    rows = np.insert(rows, places, odd, axis=0)

    def text(words):
        word = words[0]
        rest = [word >> 2 & 511, word >> 11 & 511, word >> 20 & 511, word >> 29]
        return " ".join(map(str, [word & 1, word >> 1 & 1, *rest]))

    costs = np.zeros(len(rows), np.int64)
    found = by_pattern(rows, costs, text)
    assert found in (None, one_by_one(rows, costs, text))


def test_bits_that_no_text_has_are_left_to_the_puzzle():
    """It finds out whether two states are written alike."""
    rows = np.array([[number % 100 | number // 100 << 30] for number in range(4000)])
    assert by_pattern(rows, rows[:, 0], lambda words: f"at {words[0] & 127}") is None


def test_two_states_of_one_text_are_refused():
    rows = np.array([[number % 100] for number in range(4000)])
    with pytest.raises(UnsuitableError, match="two states are written 'at "):
        by_pattern(rows, rows[:, 0], lambda words: f"at {words[0]}")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "is no state and number"),
        (b" ", "is no state and number"),
        (b" \xfe", "is no state and number"),
        (b" x\t1", "is no state and number"),
        (b"\xff", "is not in order"),
    ],
)
def test_a_list_that_repeats_wrongly_is_refused(line, why, tmp_path):
    path, problem = tmp_path / "jugs.proof", Jugs((8, 5, 3), (4, 4, 0))
    solve(problem, UniformCost(), proof=path)
    assert verify_proof(path, problem).states == 14
    head, body = path.read_bytes().split(b"\n\n")
    lines = body.split(b"\n")
    lines[5] = line
    forged = b"\n".join(lines)
    old, new = (hashlib.sha256(each).hexdigest().encode() for each in (body, forged))
    path.write_bytes(head.replace(old, new) + b"\n\n" + forged)
    with pytest.raises(VerificationError, match=re.escape(why)):
        verify_proof(path, problem)


def test_lists_longer_than_the_memory_is_for(tmp_path, monkeypatch):
    paths = [tmp_path / "one.proof", tmp_path / "other.proof"]
    for path in paths:
        solve(hoppers(), UniformCost(), engine="compiled", proof=path)
        monkeypatch.setattr(bulk, "BYTES_OF_ROW", 1 << 60)
        monkeypatch.setattr(listing, "MANY", 100)  # lines at once, then
    assert paths[0].read_bytes() == paths[1].read_bytes()


SIX = re.compile("[0-9]( [0-9]){5}")


def rows_of_six(texts):
    """Six figures in a word; no others are states."""
    assert all(map(SIX.fullmatch, texts))
    figures = [[*map(int, text.split())] for text in texts]
    return np.array([[sum(each << 4 * at for at, each in enumerate(six))] for six in figures])


def texts_of_six(rows):
    return [" ".join(str(row >> 4 * at & 15) for at in range(6)) for row in rows[:, 0].tolist()]


def forged_lines(words, body, choose):
    """Other words or bytes, some of them as they are in a list."""
    words, body = list(words), bytearray(body)
    for _ in range(choose.choice([1, 1, 2])):
        at, other = (choose.randrange(len(body)) for _ in range(2))
        match choose.randrange(6):
            case 0:
                body[at] = body[other]
            case 1:
                body[at:at] = body[other : other + choose.randrange(1, 12)]
            case 2:
                del body[at : at + choose.randrange(1, 12)]
            case 3:
                body[at] = choose.randrange(256)
            case 4:
                at, other = (choose.randrange(len(words)) for _ in range(2))
                words[at], words[other] = words[other], words[at]
            case 5:
                given = [
                    *words,
                    "",
                    "\t",
                    "-",
                    "\t-",
                    "0",
                    "7",
                    "\t07",
                    "5\t",
                    "x",
                    "3 4\t5\t6",
                    "9 ",
                ]
                words[choose.randrange(len(words))] = choose.choice(given)
    return words, bytes(body)


@pytest.mark.parametrize("forged", [50, pytest.param(150, marks=pytest.mark.slow)])
@pytest.mark.parametrize("most", [9, 500], ids=["ends of lines as words", "digits"])
def test_lines_are_read_in_bulk_as_the_checker_reads_them(most, forged, monkeypatch):
    choose = random.Random(most)
    figures = [*permutations(range(6))]
    rows = rows_of_six([" ".join(map(str, each)) for each in choose.sample(figures, 150)])
    costs = np.array([choose.randint(0, most) for _ in rows])
    pattern = Pattern.of(lambda: [(rows, costs)], texts_of_six)
    words, blocks = pattern.worded(lambda: [(rows, costs)], 1 << 20, most)
    assert any(word.find("\t") > 0 for word in words) == (most == 9)
    honest, accepted = b"".join(block for block, _ in blocks), 0
    for number in range(forged):
        changed, body = forged_lines(words, honest, choose) if number else (words, honest)
        lines = Lines(np.frombuffer(body, np.uint8), changed, 150, rows_of_six, texts_of_six)
        found = None
        with suppress(AssertionError):  # of no state
            found = lines.read()
        if found is None:
            assert number
            continue
        header = {"words": changed, "sha256": hashlib.sha256(body).hexdigest()}
        expected = [*list_of(iter(body.split(b"\n")[:-1]), header)]
        numbers = [None if each == NEVER else each for each in found[1].tolist()]
        in_bulk = [*zip(texts_of_six(found[0]), numbers, strict=True)]
        accepted += in_bulk == expected == sorted({*expected}) or pytest.fail(f"{body!r}")
    assert accepted > 3
