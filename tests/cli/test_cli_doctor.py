"""`searchkit doctor`: what it finds, what it mends, and that it notices what does not work."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from searchkit.cli.commands import doctor
from searchkit.cli.commands.doctor import FAILS, NOTE, OK, Doubling, self_test
from searchkit.compiled.specialise.code_files import NOTES, PREFIX, CodeFiles, take_inventory
from searchkit.compiled.specialise.own_folder import ENVIRONMENT_VARIABLE, HAS_OWNERS
from searchkit.engine import EngineChoice
from searchkit.errors import NoCompilerError
from tests.support.cli_calls import HERE, Call

NAMES = [
    "searchkit", "python", "packages", "extras", "machine", "memory", "cache", "tables", "plugins",
    "reference", "compiled",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _few_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests keep machine code in one folder, and to look through that takes half a second."""
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, f"{os.environ[ENVIRONMENT_VARIABLE]}-doctor")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of machine code with one whole file, and a note."""
    place = tmp_path / "cache"
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(place))
    CodeFiles.write(f"{PREFIX}whole", b"machine code")
    (place / f"{NOTES}some").touch(0o600)
    return place


def found(call: Call, *words: str) -> dict[str, tuple[str, str]]:
    rows = [line.split(maxsplit=2) for line in call("doctor", *words).lines]
    return {name: (status, text) for status, name, text in rows}


def test_all_is_well(call: Call) -> None:
    outcome = call("doctor")
    assert outcome.code == 0
    assert [line.split()[:2] for line in outcome.lines] == [[OK, name] for name in NAMES]
    assert not outcome.err


def test_json_says_the_same(call: Call) -> None:
    document = json.loads(call("doctor", "--json").out)
    assert document["ok"] is True
    assert [each["name"] for each in document["findings"]] == NAMES
    assert {each["status"] for each in document["findings"]} == {OK}


def test_plugins_that_are_left_out_have_a_line_each(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import nothing_of_this_name\n")
    outcome = call("doctor", "--plugin", str(file), "--plugin", str(HERE / "plugins" / "toys.py"))
    assert outcome.code == 1
    lines = [line for line in outcome.lines if line.startswith(FAILS)]
    assert len(lines) == 1
    assert "nothing_of_this_name'; left out" in lines[0]
    assert f"{file}:1 cannot be imported" in lines[0]


@pytest.mark.parametrize("damage", [b"", b"short", bytes(100)])
def test_damaged_files_are_removed(call: Call, folder: Path, damage: bytes) -> None:
    path = folder / f"{PREFIX}damaged"
    path.write_bytes(damage)
    path.chmod(0o600)
    (folder / "notes of somebody").write_text("not ours")
    status, text = found(call)["cache"]
    assert (status, text.partition("; ")[2]) == (NOTE, "1 damaged file removed")
    assert not path.exists()
    kept = {each.name for each in folder.iterdir()}
    assert kept >= {f"{PREFIX}whole", f"{NOTES}some", "notes of somebody"}
    assert not any("probe" in name or "part" in name for name in kept)
    status, text = found(call)["cache"]
    assert status == OK
    assert "damaged file" not in text


@pytest.mark.skipif(not HAS_OWNERS, reason="files have no owners here")
def test_files_that_others_could_have_written_are_removed(folder: Path, tmp_path: Path) -> None:
    (folder / f"{PREFIX}whole").chmod(0o666)
    outside = tmp_path / "outside"
    outside.write_text("of somebody")
    (folder / f"{PREFIX}link").symlink_to(outside)
    inventory = take_inventory()
    assert (inventory.files, inventory.removed, inventory.refusal) == (1, 2, None)
    assert outside.read_text() == "of somebody"


def test_to_look_at_files_does_not_keep_them_for_longer(folder: Path) -> None:
    path = folder / f"{PREFIX}whole"
    os.utime(path, (1e9, 1e9))
    inventory = take_inventory()
    assert (inventory.files, inventory.bytes) == (2, path.stat().st_size)
    assert path.stat().st_mtime == 1e9


@pytest.mark.skipif(not HAS_OWNERS, reason="files have no owners here")
def test_a_folder_that_is_not_ours_alone_fails(call: Call, folder: Path) -> None:
    folder.chmod(0o777)
    try:
        status, text = found(call)["cache"]
    finally:
        folder.chmod(0o700)
    assert status == FAILS
    assert "others can write to" in text
    assert "machine code is made again in every run, unless SEARCHKIT_CACHE_DIR" in text
    assert (folder / f"{PREFIX}whole").exists()


def test_a_folder_that_cannot_be_made_fails(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, str(tmp_path / "file" / "cache"))
    status, text = found(call)["cache"]
    assert status == FAILS
    assert "it cannot be written to: Not a directory" in text


@pytest.mark.parametrize("engine", ["reference", "checked"])
def test_a_wrong_answer_is_noticed(engine: EngineChoice, monkeypatch: pytest.MonkeyPatch) -> None:
    assert self_test(engine).status == OK
    monkeypatch.setattr(Doubling, "legal", lambda self, state, control, operator: operator == 0)
    finding = self_test(engine)
    assert finding.status == FAILS
    assert "WRONG: 999 steps, 1 solution; it is 14 steps, 2 solutions" in finding.text


def test_rules_that_fail_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> bool:
        raise ValueError("no answer")

    monkeypatch.setattr(Doubling, "at_goal", fail)
    finding = self_test("reference")
    assert (finding.status, "no answer" in finding.text) == (FAILS, True)


def test_a_compiler_that_cannot_be_loaded_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def lack(*arguments: object, **options: object) -> None:
        raise NoCompilerError("machine code cannot be used here: libLLVM cannot be loaded")

    monkeypatch.setattr(doctor, "solve", lack)
    finding = self_test("compiled")
    assert finding.status == FAILS
    assert "libLLVM cannot be loaded" in finding.text


def test_a_copy_that_is_not_installed_is_noticed(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "PROGRAM", "another:main")
    status, text = found(call)["packages"]
    assert status == FAILS
    assert "searchkit is not installed" in text


def test_a_package_that_is_missing_is_noticed(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    version = doctor.version_of
    monkeypatch.setattr(
        doctor, "version_of", lambda name: None if name == "pluggy" else version(name)
    )
    status, text = found(call)["packages"]
    assert status == FAILS
    assert text.endswith("; missing: pluggy")
