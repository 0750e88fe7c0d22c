"""Folders that hold something else, or were damaged: one line each, and nothing is lost."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit import Limits, Problem, SearchkitError, Step, UnsuitableError, UsageError
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import VerificationError
from searchkit.explore import Checkpoint, explore
from searchkit.tables import Table
from searchkit.tables.keys import KeyFile
from searchkit.tables.manifest import NAME
from searchkit.tables.signed import digest
from searchkit_sliding import Board, SlidingPuzzle
from tests.support.key_files import machine_read, written
from tests.support.resuming import JOBS, Job, manifest
from tests.support.table_spaces import SLOTS, UndirectedScattered, one_way_ring, path, ring

pytestmark = pytest.mark.usefixtures("in_little_memory")


NOBODY = 65534
LAYER = "layer-{:04}-000.keys"


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def puzzle(size: tuple[int, int], goal: str | None = None) -> SlidingPuzzle:
    board = Board.rectangle(*size)
    text = goal or " ".join(map(str, [*range(1, board.cells), 0]))
    return SlidingPuzzle.read(board, text, text)


def one_line(refused: pytest.ExceptionInfo[SearchkitError]) -> str:
    text = str(refused.value)
    assert "\n" not in text
    assert "Traceback" not in text
    return text


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test puts the table that all others copy."""
    return tmp_path_factory.mktemp("kept") / "table"


@pytest.fixture
def folder(tmp_path: Path, kept: Path) -> Path:
    """The table of a ring up to symmetry, not complete."""
    if not kept.exists():
        explore(ring(), checkpoint=kept, symmetry="auto", limits=Limits(cost=5))
    return shutil.copytree(kept, tmp_path / "table")


def again(folder: Path | Checkpoint, **more: Any) -> Any:
    return explore(ring(), checkpoint=folder, **({"symmetry": "auto"} | more))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: explore(puzzle((2, 3)), checkpoint=folder), "problem ="),
        (lambda folder: explore(one_way_ring(), checkpoint=folder), "origin ="),
        (lambda folder: again(folder, symmetry="none"), "symmetry = 'auto' there and 'none' here"),
        (lambda folder: again(folder, backward=False), "origin = 'goal' there and 'start' here"),
        (
            lambda folder: again(Checkpoint(folder, identity={"note": 1})),
            "note = None there and 1 here",
        ),
        (
            lambda folder: explore(ring(5), checkpoint=folder, symmetry="auto"),
            "made by other rules",
        ),
    ],
)
def test_another_exploration(change: Callable[[Path], Any], words: str, folder: Path) -> None:
    before = content(folder)
    with pytest.raises(UsageError, match=words) as refused:
        change(folder)
    assert str(folder) in one_line(refused)
    assert content(folder) == before
    assert again(folder).states == 216


@plainly()
def test_another_goal_or_start(tmp_path: Path) -> None:
    explore(puzzle((2, 3)), checkpoint=tmp_path / "table", limits=Limits(cost=4))
    before = content(tmp_path / "table")
    other = puzzle((2, 3), "5 4 3 2 1 0")
    with pytest.raises(UsageError, match=r"roots = \['123450'\] there and \['543210'\] here"):
        explore(other, checkpoint=tmp_path / "table")
    with pytest.raises(UsageError, match="explored from the goal 123450, which this problem does"):
        Table.open(tmp_path / "table", other)
    assert content(tmp_path / "table") == before


@pytest.mark.parametrize(
    "name",
    ["notes.txt", "film.mp4.part", "layer-cake.keys", "layer-0000.npy", LAYER.format(0), ".hidden"],
)
def test_foreign_files(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("dear diary")
    (tmp_path / "layer-0000-000.keys.123.part").write_text("")
    with pytest.raises(UsageError, match="give an empty folder") as refused:
        again(tmp_path)
    assert f"holds other files ({name})" in one_line(refused)
    assert content(tmp_path) == {name: b"dear diary", "layer-0000-000.keys.123.part": b""}


def test_foreign_files_that_come_later(folder: Path) -> None:
    """What is of no table stays, whatever its name ends in; left-over parts go."""
    foreign = ["notes.txt", "film.mp4.part", "layer-cake.keys", "run-away.part", "x.keys.1.part"]
    ours = ["layer-0006-000.keys.12.part", "layer-12345-1234.keys.1.part"]
    ours += ["manifest.json.123456.part", "run-0.77.part", "run-12.7ac.part"]
    for name in [*foreign, *ours]:
        (folder / name).write_text("dear diary")
    (folder / "a folder.part").mkdir()
    again(folder)
    assert {path.name for path in folder.iterdir()} >= {*foreign, "a folder.part"}
    assert not {path.name for path in folder.iterdir()} & {*ours}


def test_left_over_parts_do_not_make_a_folder_foreign(tmp_path: Path) -> None:
    (tmp_path / f"{NAME}.17.part").write_text("{")
    assert again(tmp_path).complete
    assert not list(tmp_path.glob("*.part"))


def damage_layer(folder: Path, change: Callable[[bytes], bytes], layer: int = 4) -> Path:
    file = folder / LAYER.format(layer)
    file.write_bytes(change(file.read_bytes()))
    return file


@pytest.mark.spread
@pytest.mark.parametrize("layer", [0, 3, 5])
@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: data[:-8],
        lambda data: data[:40],
        lambda data: b"",
        lambda data: data + b"\0" * 8,
    ],
)
def test_a_layer_file_of_another_length(
    layer: int, change: Callable[[bytes], bytes], folder: Path
) -> None:
    file = damage_layer(folder, change, layer)
    before = content(folder)
    for use in (again, lambda folder: Table.open(folder, ring())):
        with pytest.raises(SearchkitError, match=r"it has .* bytes|has changed since") as said:
            use(folder)
        assert one_line(said).startswith(str(file))
    assert content(folder) == before


def test_a_large_layer_file_is_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("searchkit.tables.keys.MAPPED_BYTES", 128)
    again(tmp_path)
    assert isinstance(Table.open(tmp_path, ring())._layers.files[4][0].coded, np.memmap)
    damage_layer(tmp_path, lambda data: data[:-8])
    with pytest.raises(VerificationError, match="has changed since"):
        Table.open(tmp_path, ring())


@pytest.mark.spread
@pytest.mark.parametrize("layer", [0, 3, 5])
@pytest.mark.parametrize("place", [-1, -8, 0, 16])
def test_a_flipped_byte(layer: int, place: int, folder: Path) -> None:
    table = Table.open(folder, ring())
    file = damage_layer(folder, lambda data: flipped(data, place), layer)
    before = content(folder)
    for use in (again, lambda _: list(table.check()), lambda _: Table.open(folder, ring())):
        with pytest.raises(VerificationError, match="has changed since it was written") as refused:
            use(folder)
        assert one_line(refused).startswith(str(file))
    assert content(folder) == before


def flipped(data: bytes, place: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= 16
    return bytes(changed)


def forged(folder: Path, layer: int, change: Callable[[Any], Any]) -> None:
    """Change the words of a layer file, and its checksum in the manifest."""
    file = folder / LAYER.format(layer)
    words = np.array(np.frombuffer(file.read_bytes(), "<i8"))
    data = np.asarray(change(words), "<i8").tobytes()
    file.write_bytes(data)

    def sign(found: Any) -> None:
        found["layers"][layer]["parts"][0]["sha256"] = hashlib.sha256(data).hexdigest()

    changed_manifest(folder, sign)


@pytest.mark.spread
@pytest.mark.parametrize("place", [-1, -2, -3, -4, 0])
@pytest.mark.parametrize("value", [-1, 0, 1, 7, 2**62])
def test_a_footer_that_cannot_be(place: int, value: int, folder: Path) -> None:
    before = list(Table.open(folder, ring())._layers.files[4][0])

    def change(words: Any) -> Any:
        words[place] = value
        return words

    forged(folder, 4, change)
    try:  # a block may hold more rows, if there is one
        assert list(Table.open(folder, ring())._layers.files[4][0]) == before
    except UsageError as error:
        assert str(folder / LAYER.format(4)) in str(error)  # noqa: PT017


@given(st.data())
def test_damaged_blocks_read_as_other_states_or_not_at_all(data: Any) -> None:
    """By machine code and by numpy alike: whatever is in a block, nothing else is touched."""
    with TemporaryDirectory() as place:
        far, close = st.integers(0, 2**64 - 1), st.integers(2**63 - 40, 2**63 + 60)
        states = data.draw(st.sets(far, min_size=2, max_size=60) | st.sets(close, min_size=20))
        path, words = written(Path(place), sorted(states))
        at = data.draw(st.integers(1, len(words) - 1))
        words[at] = data.draw(st.sampled_from([0, -1, 2**40]) | st.integers(-(2**63), 2**63 - 1))
        path.write_bytes(words.tobytes())
        found = []
        for read in (list, machine_read):
            try:
                found.append(read(KeyFile.open(path, len(states), 1)))
            except UsageError as error:
                found.append("damaged")
                assert str(path) in str(error)  # noqa: PT017
        assert found[0] == found[1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize("name", [LAYER.format(3), NAME])
def test_a_pipe_is_not_waited_for(name: str, folder: Path) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)
    for use in (again, lambda folder: Table.open(folder, ring())):
        with pytest.raises(UsageError, match="it is not a regular file") as refused:
            use(folder)
        assert one_line(refused).startswith(str(folder / name))


def test_a_layer_file_is_missing(folder: Path) -> None:
    (folder / LAYER.format(3)).unlink()
    for use in (again, lambda folder: Table.open(folder, ring())):
        with pytest.raises(UsageError, match=r"layer-0003-000.keys cannot be read.*No such file"):
            use(folder)


def changed_manifest(folder: Path, change: Callable[[Any], Any]) -> None:
    """Change what the manifest says, its checksum included."""
    found = json.loads(manifest(folder))
    found = change(found) or found
    if isinstance(found, dict):
        found.pop("check", None)
        found["check"] = digest(found)
    (folder / NAME).write_text(json.dumps(found))


def set_entry(**values: Any) -> Callable[[Any], None]:
    return lambda found: found["layers"][2].update(values)


def set_part(**values: Any) -> Callable[[Any], None]:
    return lambda found: found["layers"][2]["parts"][0].update(values)


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


WRONG: dict[str, Callable[[Any], Any]] = {
    "a list": lambda found: [found],
    "a text": lambda found: "manifest",
    "a number": lambda found: 17,
    "another format": lambda found: found.update(format="searchkit-table/3"),
    "format as nested lists": lambda found: found.update(format=nested(300)),
    "no format": lambda found: found.pop("format"),
    "no layers": lambda found: found.pop("layers") and found,
    "layers as a number": lambda found: found.update(layers=5),
    "layers as texts": lambda found: found.update(layers=["a", "b"]),
    "layers as a dict": lambda found: found.update(layers={"a": 1}),
    "identity as a text": lambda found: found.update(identity="ring"),
    "identity as null": lambda found: found.update(identity=None),
    "identity as pairs": lambda found: found.update(identity=[["roots", []]]),
    "deep identity": lambda found: found["identity"].update(note=nested(40)),
    "complete as a number": lambda found: found.update(complete=1),
    "complete as a text": lambda found: found.update(complete="false"),
    "another order": lambda found: found["layers"].reverse(),
    "a layer left out": lambda found: found["layers"].pop(1) and None,
    "a layer twice": lambda found: found["layers"].append(found["layers"][2]),
    "true count": set_entry(canonical=True),
    "fraction": set_entry(states=4.0),
    "no states": set_entry(canonical=0, states=0),
    "fewer states than are kept": set_entry(states=1),
    "checksum as null": set_part(sha256=None),
    "checksum as a number": set_part(sha256=7),
    "short checksum": set_part(sha256="abc"),
    "a number of a thousand digits": lambda found: found["identity"].update(note=10**1200),
    "parts as a text": set_entry(parts="all"),
    "no part": set_entry(parts=[]),
    "a part twice": lambda found: found["layers"][2]["parts"].append(
        found["layers"][2]["parts"][0]
    ),
    "an empty part": lambda found: found["layers"][2]["parts"].append(
        {**found["layers"][2]["parts"][0], "canonical": 0, "first": [2**64 - 1]}
    ),
    "another first state": set_part(first=[5]),
    "a first state of two words": set_part(first=[0, 5]),
    "a negative first state": set_part(first=[-1]),
    "a first state as a text": set_part(first="5"),
    "a first state as null": set_part(first=None),
    "no first state": lambda found: found["layers"][2]["parts"][0].pop("first") and None,
    "another number of words": lambda found: found.update(words=2),
    "negative count of a part": set_part(canonical=-1),
    "a name of a file": set_part(file="/etc/passwd"),
    "count as a text": set_entry(canonical="many"),
    "endless count": set_entry(canonical=float("inf")),
    "no count": set_entry(states=float("nan")),
    "count as null": set_entry(canonical=None),
    "one more field": set_entry(colour="red"),
    "negative count": set_entry(canonical=-1),
    "huge count": set_entry(canonical=10**30),
    "another count": lambda found: found["layers"][2].update(
        canonical=found["layers"][2]["canonical"] + 1
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_manifests(name: str, folder: Path) -> None:
    changed_manifest(folder, WRONG[name])
    before = content(folder)
    for use in (again, lambda folder: Table.open(folder, ring())):
        with pytest.raises((UsageError, VerificationError)) as refused:
            use(folder)
        assert str(folder) in one_line(refused)
    assert content(folder) == before


@pytest.mark.parametrize(
    "data",
    [b"", b"garbage", b"{", b"\xff\xfe", b"\0" * 100, b"[" * 200_000, b'{"format": 1e99999}'],
)
def test_garbage_as_manifest(data: bytes, folder: Path) -> None:
    (folder / NAME).write_bytes(data)
    for use in (again, lambda folder: Table.open(folder, ring())):
        with pytest.raises(UsageError) as refused:
            use(folder)
        one_line(refused)
    assert (folder / NAME).read_bytes() == data


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda found: found["identity"].pop("problem"), "holds states of None"),
        (lambda found: found["identity"].update(problem="Jugs"), "holds states of 'Jugs'"),
        (lambda found: found["identity"].pop("roots") and None, "where the exploration began"),
        (lambda found: found["identity"].update(roots=[1]), "where the exploration began"),
        (lambda found: found["identity"].update(origin="top"), "where the exploration began"),
        (lambda found: found["identity"].update(roots=["nonsense"]), "explored from the goal"),
    ],
)
def test_identities_that_no_table_has(change: Any, words: str, folder: Path) -> None:
    changed_manifest(folder, lambda found: (change(found), found)[1])
    with pytest.raises(UsageError, match=words) as refused:
        Table.open(folder, ring())
    one_line(refused)


def test_another_problem_is_not_asked(folder: Path) -> None:
    with pytest.raises(UsageError, match="holds states of 'UndirectedTokens', not of SlidingPuz"):
        Table.open(folder, puzzle((2, 3)))


def test_a_folder_in_which_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file" / "table"):
        with pytest.raises(SearchkitError, match="give a folder that can be written to") as refused:
            again(place)
        assert str(place) in one_line(refused)
    assert (tmp_path / "file").read_text() == "mine"


@contextmanager
def without_privileges() -> Iterator[None]:
    """Root may write anywhere: be nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_read_only_folder(folder: Path) -> None:
    before = content(folder)
    with TemporaryDirectory() as place:  # those of pytest are closed to others
        theirs = Path(place)
        theirs.chmod(0o755)
        for name, data in before.items():
            (theirs / name).write_bytes(data)
        with without_privileges():
            with pytest.raises(SearchkitError, match="Permission denied; give a folder that can"):
                again(theirs)
            assert Table.open(theirs, ring()).distance(ring().start) == 0
        assert content(theirs) == before


class Plain(Problem[tuple[int, ...], int]):
    """Its rules cannot be translated."""

    def initial_states(self) -> list[tuple[int, ...]]:
        return [(0, 0)]

    def successors(self, state: tuple[int, ...]) -> list[Step[tuple[int, ...], int]]:
        return [Step(1, (state[0] ^ eval("1"), 0))]

    def is_goal(self, state: tuple[int, ...]) -> bool:
        return False


def test_problems_that_tables_do_not_hold(tmp_path: Path) -> None:
    with pytest.raises(
        UnsuitableError, match=r"no table can be written: .*Plain\.successors.*eval"
    ):
        explore(Plain(), checkpoint=tmp_path / "table")
    with pytest.raises(UnsuitableError, match="a symmetry does not say where it moves bits"):
        explore(puzzle((2, 3)), checkpoint=tmp_path / "table", symmetry="auto")
    with pytest.raises(UnsuitableError, match="the reference engine was asked for"):
        explore(ring(), checkpoint=tmp_path / "table", engine="reference")
    with pytest.raises(UnsuitableError, match=r"no table can be written"):
        explore(JOBS["jumps"].problem, checkpoint=tmp_path / "table", paths=True)
    assert not (tmp_path / "table").exists()


@pytest.mark.parametrize("symmetry", ["none", "auto"])
def test_states_of_no_word_are_in_no_layer(symmetry: Any, tmp_path: Path) -> None:
    explore(ring(), checkpoint=tmp_path, symmetry=symmetry)
    table = Table.open(tmp_path, ring())
    for state in (-1, 2**64, 2**70, ring().start + 2**64, ring().start - 2**64):
        assert table.distance(state) is None
        assert table.solution(state) is None


def with_rules(job: Job, target: int) -> Job:
    """The same problem by name and start, with one step more, or one there and back."""
    problem = job.problem
    rows = [list(row) for row in problem.tables.following]
    rows[2][rows[2].index(-1)] = target
    if problem.undirected:
        rows[target][rows[target].index(-1)] = 2
    return Job(type(problem)(rows, problem.tables.words, [0]), backward=job.backward)


@pytest.mark.parametrize("cost", [3, 12])
@pytest.mark.parametrize("undirected", [False, True])
def test_changed_rules(undirected: bool, cost: int, tmp_path: Path) -> None:
    job = Job(path(20, undirected=undirected))
    job.into(tmp_path, Limits(cost=cost))
    before = content(tmp_path)
    with pytest.raises(UsageError, match="was made by other rules, or forged: it lacks") as refused:
        with_rules(job, 17).into(tmp_path, Limits(cost=30))
    words = job.problem.tables.words
    assert f"it lacks {words[17]}, a successor of {words[2]}; explore into" in one_line(refused)
    assert content(tmp_path) == before
    assert job.into(tmp_path).depth == 19


def test_steps_that_are_there_no_more_in_the_first_layers(tmp_path: Path) -> None:
    job = Job(path(20, undirected=False))
    job.into(tmp_path, Limits(cost=12))
    rows, words = [list(row) for row in job.problem.tables.following], job.problem.tables.words
    rows[2] = [-1] * len(rows[2])
    with pytest.raises(UsageError, match=f"no step leads from layer 2 to {words[3]} of layer 3"):
        Job(type(job.problem)(rows, words, [0])).into(tmp_path, Limits(cost=30))


def test_rules_that_have_changed_since_are_noticed_on_the_way(tmp_path: Path) -> None:
    """A way down that ends is not an endless loop and no exception of Python."""
    job = Job(path(20, undirected=True))
    job.into(tmp_path)
    problem = UndirectedScattered([[-1] * SLOTS for _ in range(20)], job.problem.tables.words, [0])
    with pytest.raises(VerificationError, match="made by other rules, or has changed: no step"):
        Table.open(tmp_path, problem).solution(problem.tables.words[9])


def test_distances_alone_where_no_way_leads_back(tmp_path: Path) -> None:
    problem = path(9, undirected=False)
    explore(problem, checkpoint=tmp_path)
    table = Table.open(tmp_path, problem)
    words = problem.tables.words
    assert [table.distance(word) for word in words] == list(range(9))
    with pytest.raises(UnsuitableError, match="tells distances only"):
        table.solution(words[4])
