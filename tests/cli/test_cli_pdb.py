"""`searchkit pdb`, and heuristics given as text."""

from __future__ import annotations

import errno
import json

import pytest

from searchkit import UsageError
from searchkit.heuristics.patterns.library import Library
from searchkit.pieces import write_tws
from tests.support.piece_puzzles import cube3


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))


def cost(call, *options):
    start = ("--scramble", "18", "--seed", "2")
    outcome = call("run", "8-puzzle", "--moves", *start, *options)
    assert outcome.code == 0
    return len(outcome.out.split())


def test_build_list_info(call):
    assert call("pdb", "list").out.startswith("no pattern databases in ")
    built = call("pdb", "build", "8-puzzle", "4-4")
    assert built.code == 0
    assert built.out.count("built: 3,024 entries") == 2
    again = call("pdb", "build", "8-puzzle", "4-4")
    assert again.out.count("is there: 3,024 entries") == 2
    names = Library().names()
    assert len(names) == 2
    listed = call("pdb", "list").out
    assert all(name in listed for name in names)
    info = call("pdb", "info", names[0], "--check")
    assert info.code == 0
    assert "checksum compared" in info.out
    document = json.loads(call("pdb", "info", names[0], "--json").out)
    assert sum(document["counts"]) == document["entries"] == 3024


def test_a_compressed_one_is_half_as_large(call):
    call("pdb", "build", "8-puzzle", "4", "--compressed")
    (name,) = Library().names()
    entry = Library().read(name)
    assert (entry.halved, entry.bytes) == (True, 1512)
    found = cost(call, "--heuristic", "pdb:4", "--engine", "reference")
    assert found == cost(call, "--heuristic", "manhattan")


@pytest.mark.parametrize(
    "text", ["pdb:4-4", "pdb:1.2.3/6.5", "max(pdb:4-4,manhattan)", "max(zero,max(pdb:3,problem))"]
)
@pytest.mark.parametrize("algorithm", ["idastar", "astar"])
def test_heuristics_as_text(call, text, algorithm):
    engine = "compiled" if (algorithm, text) == ("idastar", "pdb:4-4") else "reference"
    found = cost(call, "--heuristic", text, "--algo", algorithm, "--engine", engine)
    assert found == cost(call, "--heuristic", "manhattan")


def test_a_stopped_build_goes_on(call, monkeypatch):
    monkeypatch.setattr("searchkit.heuristics.patterns.compiled_build.CHUNK", 64)
    stopped = call("pdb", "build", "8-puzzle", "5", "--max-time", "0s")
    assert stopped.code == 23
    assert "the next build goes on" in stopped.err
    assert Library().names() == []
    resumed = call("pdb", "build", "8-puzzle", "5")
    assert "going on with pattern" in resumed.err
    assert list(Library().folder.glob("*.unfinished")) == []
    counts = Library().read(Library().names()[0]).counts
    Library().remove(Library().names()[0])
    call("pdb", "build", "8-puzzle", "5")
    assert Library().read(Library().names()[0]).counts == counts


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["build", "hoppers", "3"], "says nothing of patterns"),
        (["build", "8-puzzle", "9"], "have 9 pieces; there are 8"),
        (["build", "8-puzzle", "1.1"], "none in common"),
        (["build", "8-puzzle", "1.9"], "there is no tile 9"),
        (["build", "8-puzzle", "x"], "names no patterns"),
        (["build", "15-puzzle", "7-8", "--max-memory", "1GB"], "more than the 1,000 MB allowed"),
        (["info", "none"], "no database with 'none'"),
    ],
)
def test_refusals_are_one_line(call, words, message):
    outcome = call("pdb", *words)
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pdb:7-8", "have not been built"),
        ("pdb:", "names no patterns"),
        ("max(manhattan", "cannot be read"),
        ("max(manhattan)", "is the largest of one"),
        ("max(" + "zero," * 8 + "zero)", "more than 8 heuristics"),
        ("manhatan", "did you mean 'manhattan'"),
    ],
)
def test_heuristics_that_are_none(call, text, message):
    outcome = call("run", "15-puzzle", "--heuristic", text)
    assert outcome.code == 2
    assert message in outcome.err


@pytest.mark.parametrize("name", ["values.bin", "manifest.json"])
def test_a_broken_database_is_built_again(call, name):
    call("pdb", "build", "8-puzzle", "3")
    (folder,) = (Library().folder / each for each in Library().names())
    (folder / name).write_bytes(b"broken")
    refused = call("run", "8-puzzle", "--heuristic", "pdb:3")
    assert refused.code == 2
    assert "build it again" in refused.err
    mended = call("pdb", "build", "8-puzzle", "3")
    assert mended.code == 0
    assert "built again" in mended.err
    Library().check(Library().read(folder.name), again=True)


def test_info_offers_patterns_where_there_are_some(call):
    assert "pdb:PATTERNS" in call("info", "8-puzzle").out
    assert "pdb:PATTERNS" not in call("info", "hoppers").out


def test_auto_takes_what_is_built(call):
    def heuristic(*options):
        document = json.loads(call("run", "15-puzzle", "--json", *options).out)
        return document["heuristic"], document["algorithm"], document["cost"]

    assert heuristic() == ("walking-distance", "idastar", 42)
    assert heuristic("--heuristic", "pdb:5-5-5") == ("pdb:5-5-5", "idastar", 42)
    assert heuristic() == ("pdb:5-5-5", "idastar", 42)


@pytest.mark.parametrize("limit", [(), ("--max-time", "0s")])
def test_pdb_build_on_a_full_disk(call, tmp_path, monkeypatch, limit):
    def no_space(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", no_space)
    outcome = call("pdb", "build", "8-puzzle", "3", *limit)
    assert outcome.code == 1
    assert outcome.err.count("\n") == 1
    for words in (
        "searchkit: error: ",
        str(tmp_path),
        "No space left on device",
        "MB",
        "make room",
    ):
        assert words in outcome.err
    assert list(Library().folder.iterdir()) == []


def test_pdb_build_into_a_folder_that_cannot_be_written(call, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(
        "searchkit.heuristics.patterns.compiled_build.Build", None
    )  # nothing is built
    monkeypatch.setattr("searchkit.cli.commands.pdb._check_memory", lambda *_: None)
    outcome = call("pdb", "build", "8-puzzle", "3")
    assert outcome.code == 2
    assert str(tmp_path / "file") in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_table_of_cosets(call, tmp_path):
    file = tmp_path / "two-faces.tws"
    file.write_text(write_tws(cube3("RU")))
    refused = call("pdb", "build", str(file), "cosets:9")
    assert (refused.code, "from 0 to 6" in refused.err) == (2, True)
    assert call("pdb", "build", str(file), "cosets", "--compressed").code == 2
    assert call("pdb", "build", str(file), "cosets:4", "--max-memory", "10").code == 2
    stopped = call("pdb", "build", str(file), "cosets:1", "--max-time", "0")
    assert (stopped.code, "nothing is kept" in stopped.err) == (23, True)
    built = call("pdb", "build", str(file), "cosets:1")
    assert built.code == 0
    assert built.out.startswith("cosets:1: ")
    assert call("pdb", "build", str(file), "cosets:1").out == built.out
    listed = call("pdb", "list").out
    assert "3x3x3-cosets-1" in listed
    found = call("run", str(file), "--start", "R U R", "--heuristic", "cosets:1")
    assert found.code == 0
    assert "cosets:1" in found.out


def test_a_search_that_lasts_builds_a_table_of_cosets(call, monkeypatch):
    def refuse(cosets, flips, library, **options):
        raise UsageError(f"a table of {flips} flips is wanted")

    monkeypatch.setattr("searchkit.heuristics.cosets.choose.build_table", refuse)
    monkeypatch.setattr("searchkit.cli.support.method.TRIED_AT_BOTH_ENDS", 300)
    for algorithm in ([], ["--algo", "idastar"]):
        near = call("run", "cube3", *algorithm, "--start", "R U2")
        assert near.code == 0
        assert "cosets" not in near.out
        far = call("run", "cube3", *algorithm, "--start", "R U2 F' L D2 B R' U F2")
        assert (far.code, "a table of 3 flips is wanted" in far.err) == (2, True)
    limited = call("run", "cube3", "--start", "R U2 F' L D2", "--max-time", "1min")
    assert limited.code == 0
