"""`searchkit pdb`, and heuristics given as text."""

from __future__ import annotations

import errno
import json
import re
import shutil
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from searchkit import Limits, UnsuitableError, puzzle, solve
from searchkit.cli.commands import pdb
from searchkit.compiled.specialise.plain import plainly
from searchkit.executors.inline import Inline
from searchkit.executors.stopping import StopFile
from searchkit.heuristics.names import tables_of
from searchkit.heuristics.patterns.compiled_build import Build
from searchkit.heuristics.patterns.library import Library
from searchkit.pieces import write_tws
from searchkit.running.building import BuildStoppedError
from searchkit_sliding import eight_puzzle
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


def test_databases_are_built_at_once(call, tmp_path, monkeypatch):
    patterns = ("pdb", "build", "8-puzzle", "3-3")
    assert call(*patterns).code == 0
    alone = {name: Library().read(name) for name in Library().names()}
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path / "other"))
    with monkeypatch.context() as here:
        here.setattr("searchkit.cli.commands.pdb.executor_of", lambda *_, **__: Inline())
        stopped = call(*patterns, "--jobs", "2", "--max-time", "0")
    assert (stopped.code, "the next build goes on" in stopped.err) == (23, True)
    built = call(*patterns, "--jobs", "2")
    assert (built.code, built.out.count(" built: ")) == (0, 2)
    found = {name: Library().read(name) for name in Library().names()}
    assert {name: each.sha256 for name, each in found.items()} == {
        name: each.sha256 for name, each in alone.items()
    }
    again = call(*patterns, "--jobs", "2")
    assert (again.code, again.out.count(" is there: ")) == (0, 2)


@pytest.mark.parametrize("jobs", [(), ("--jobs", "2")])
def test_a_large_build_without_time_is_not_kept(call, monkeypatch, jobs):
    monkeypatch.setattr("searchkit.running.building.KEPT_A_SECOND", 1.0)
    monkeypatch.setattr(pdb, "executor_of", lambda *_, **__: Inline())
    stopped = call("pdb", "build", "8-puzzle", "3-3-2", "--max-time", "0", *jobs)
    assert (stopped.code, "is not kept: it takes too long to write" in stopped.err) == (23, True)
    assert not list(Library().folder.glob("*.unfinished"))


def test_ctrl_c_lets_workers_keep_what_they_have_done(call, tmp_path, monkeypatch):
    tables, stop = tables_of(eight_puzzle(), "3"), tmp_path / "stop"
    slices, run = [], Build.run

    def noted(self):
        for each in run(self):
            slices.append(each)
            stop.touch()
            yield

    monkeypatch.setattr(Build, "run", noted)
    given = {"threads": 1, "compressed": False, "others": 0}
    work = (0, Inline().share(tables), given, None, StopFile(str(stop)))
    with pytest.raises(BuildStoppedError):
        pdb._table(*work)
    assert len(slices) == 1
    assert list(Library().folder.glob("*.unfinished/state.json"))
    with pytest.raises(BuildStoppedError):  # one that was waiting does not begin
        pdb._table(*work)
    assert len(slices) == 1


def test_ctrl_c_waits_for_the_workers(call, monkeypatch):
    class Interrupted(Inline):
        waits = 0

        def wait(self, jobs, timeout):
            Interrupted.waits += 1
            if Interrupted.waits == 2:
                raise KeyboardInterrupt
            return super().wait(jobs, timeout)

    monkeypatch.setattr(pdb, "executor_of", lambda *_, **__: Interrupted())
    outcome = call("pdb", "build", "8-puzzle", "3-3-2", "--jobs", "2")
    assert (outcome.code, Interrupted.waits) == (130, 4)
    assert "keeping what was done; Ctrl-C again" in outcome.err
    assert len(Library().names()) == 1


def test_a_compressed_one_is_half_as_large(call):
    call("pdb", "build", "8-puzzle", "4", "--compressed")
    (name,) = Library().names()
    entry = Library().read(name)
    assert (entry.halved, entry.bytes) == (True, 1512)
    found = cost(call, "--heuristic", "pdb:4", "--engine", "reference")
    assert found == cost(call, "--heuristic", "manhattan")


@pytest.mark.slow_variants("idastar-pdb:4-4")
@pytest.mark.spread
@pytest.mark.parametrize(
    "text", ["pdb:4-4", "pdb:1.2.3/6.5", "max(pdb:4-4,manhattan)", "max(zero,max(pdb:3,problem))"]
)
@pytest.mark.parametrize("algorithm", ["idastar", "astar"])
def test_heuristics_as_text(call, text, algorithm):
    engine = "compiled" if (algorithm, text) == ("idastar", "pdb:4-4") else "reference"
    with plainly() if engine == "compiled" else nullcontext():
        found = cost(call, "--heuristic", text, "--algo", algorithm, "--engine", engine)
    assert found == cost(call, "--heuristic", "manhattan")


def test_a_stopped_build_goes_on(call, monkeypatch):
    monkeypatch.setattr("searchkit.heuristics.patterns.compiled_build.CHUNK", 64)
    stopped = call("pdb", "build", "8-puzzle", "4", "--max-time", "0s")
    assert stopped.code == 23
    assert "the next build goes on" in stopped.err
    assert Library().names() == []
    resumed = call("pdb", "build", "8-puzzle", "4")
    assert "going on with pattern" in resumed.err
    assert list(Library().folder.glob("*.unfinished")) == []
    counts = Library().read(Library().names()[0]).counts
    shutil.rmtree(Library().folder / Library().names()[0])
    call("pdb", "build", "8-puzzle", "4")
    assert Library().read(Library().names()[0]).counts == counts


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["build", "hoppers", "3"], "has no patterns"),
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
        ("pdb:", "lacks its patterns"),
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
        near = ("--scramble", "18", "--seed", "2", "--engine", "reference")
        document = json.loads(call("run", "15-puzzle", *near, "--json", *options).out)
        return document["heuristic"], document["algorithm"]

    assert heuristic() == ("walking-distance", "idastar")
    assert heuristic("--heuristic", "pdb:5-5-5") == ("pdb:5-5-5", "idastar")
    assert heuristic() == ("pdb:5-5-5", "idastar")


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


@plainly()
def test_a_table_of_cosets(call, tmp_path):
    file = tmp_path / "two-faces.tws"
    file.write_text(write_tws(cube3("RU")))
    refused = call("pdb", "build", str(file), "cosets:9")
    assert (refused.code, "from 0 to 6" in refused.err) == (2, True)
    assert call("pdb", "build", str(file), "cosets", "--compressed").code == 2
    assert call("pdb", "build", str(file), "cosets:4", "--max-memory", "10").code == 2
    stopped = call("pdb", "build", str(file), "cosets:1", "--max-time", "0")
    assert (stopped.code, "the next build goes on" in stopped.err) == (23, True)
    built = call("pdb", "build", str(file), "cosets:1")
    assert built.code == 0
    assert "going on with pattern cosets-1 where it was stopped" in built.err
    assert built.out.startswith("cosets:1 built: ")
    assert call("pdb", "build", str(file), "cosets:1").out == built.out.replace("built", "is there")
    listed = call("pdb", "list").out
    assert "3x3x3-cosets-1" in listed
    found = call("run", str(file), "--start", "R U R", "--heuristic", "cosets:1")
    assert found.code == 0
    assert "cosets:1" in found.out


@pytest.mark.slow_variants("algorithm1")
@pytest.mark.parametrize("algorithm", [[], ["--algo", "idastar"]])
def test_a_search_that_lasts_builds_a_table_of_cosets(call, monkeypatch, algorithm):
    def refuse(cosets, flips, threads):
        raise UnsuitableError(f"a table of {flips} flips is wanted")

    monkeypatch.setattr("searchkit.pieces.cosets.choose.CosetBuild", refuse)
    monkeypatch.setattr("searchkit.solving.default.TRIED_AT_BOTH_ENDS", 300)
    near = call("run", "cube3", *algorithm, "--start", "R U2")
    assert near.code == 0
    assert "cosets" not in near.out
    for limit, flips in ((), 3), (("--max-time", "1min"), 3), (("--max-memory", "100MB"), 1):
        far = call("run", "cube3", *algorithm, "--start", "R U2 F' L D2 B R' U F2", *limit)
        assert (far.code, f"a table of {flips} flips is wanted" in far.err) == (2, True)
    problem = puzzle("cube3", start="R U2 F' L D2 B R' U F2")
    with pytest.raises(UnsuitableError, match="a table of 1 flips is wanted"):
        solve(problem, limits=Limits(memory=100_000_000))
    for limit in (["--max-expansions", "290"], ["--max-time", "0"], ["--max-cost", "4"]):
        assert call("run", "cube3", "--start", "R U2 F' L D2 B R' U F2", *limit).code in (12, 23)


def stopped_lines(outcome, code, what):
    assert outcome.code == code
    (line,) = [line for line in (outcome.out + outcome.err).splitlines() if "gave up" in line]
    assert what in line
    return line


def test_what_is_built_before_a_search_keeps_its_limits(call, monkeypatch):
    """The lines say what has used them up, and how to build it beforehand."""
    how = "; `searchkit pdb build PUZZLE 4-4` builds it beforehand"
    words = ("8-puzzle", "--heuristic", "pdb:4-4", "--max-time", "0")
    for more in ([], ["--algo", "astar"], ["--moves"]):
        line = stopped_lines(call("run", *words, *more), 23, " went into building pdb:4-4 (")
        assert how in line
    told = call("run", *words, "--json")
    assert (json.loads(told.out)["limit"], how in told.err) == ("time", True)
    stopped_lines(call("run", *words, "--boards", "-", stdin="."), 23, how)
    compared = call("compare", *words, "--algo", "astar", "--algo", "bfs")
    assert (compared.code, compared.err) == (23, "")
    assert compared.out.count(how) == 1
    rows = [line.split()[0] for line in compared.out.splitlines() if "gave up (time)" in line]
    assert rows == ["astar", "bfs"]
    small = ("--heuristic", "pdb:4-4", "--max-memory", "20B")
    stopped_lines(call("run", "8-puzzle", *small), 22, "building pdb:4-4 takes ")
    assert Library().names() == []


def test_what_is_built_before_a_search_is_told(call, monkeypatch):
    monkeypatch.setattr("searchkit.cli.support.progress.PATIENCE", -1)
    words = ("run", "8-puzzle", "--heuristic", "pdb:3", "--engine", "reference", "--scramble", "3")
    words = (*words, "--seed", "1")
    begun, ended = call(*words).err.splitlines()
    assert begun == "searchkit: note: building pdb:3 (3.5 kB)"
    assert re.fullmatch(r"searchkit: note: pdb:3 was built in [0-9.]+ s", ended)
    assert call(*words).err == ""
    shutil.rmtree(Library().folder / Library().names()[0])
    assert call(*words, "--quiet").err == ""


def test_a_first_look_that_succeeds_is_the_answer(call, monkeypatch):
    searches = []

    def counted(problem, algorithm, **options):
        searches.append(options["limits"].expansions)
        return solve(problem, algorithm, **options)

    monkeypatch.setattr("searchkit.cli.commands.run.solve", counted)
    assert call("run", "cube3", "--start", "R U2 F", "--count").out == "1\n"
    assert searches == [500_000]


def test_a_table_that_takes_longer_than_there_is_time_is_not_built(call, monkeypatch):
    def finished(build, identity, library, watch):
        watch(SimpleNamespace(about=lambda: "far", left=lambda: 3600.0, kept_bytes=0))
        raise AssertionError

    monkeypatch.setattr("searchkit.pieces.cosets.choose.finished", finished)
    monkeypatch.setattr("searchkit.solving.default.TRIED_AT_BOTH_ENDS", 100)
    outcome = call("run", "cube3", "--start", "R U2 F' L D2", "--max-time", "30min")
    assert (outcome.code, "bidirectional" in outcome.out) == (0, True)
    assert outcome.err == (
        "searchkit: note: the table cosets:3 is not built: it takes some 3,600.0 s more; "
        "`searchkit pdb build PUZZLE cosets:3` builds it beforehand\n"
    )
