"""The harness itself: nothing here is timed."""

import inspect
import json
import platform
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest
from attrs import evolve
from bench.command import main
from bench.compiling import compiler
from bench.contestants import Needed, Program, Python
from bench.document import document
from bench.instances import EASIEST, MOST_NODES, korf_rows
from bench.job import Baseline, Job
from bench.jobs import all_jobs
from bench.measuring import measure
from bench.runs.pieces import PackedCube
from bench.samples import Clock, Failed, Sample, Unavailable
from bench.table import table
from bench.target import architecture, numba_environment
from click.testing import CliRunner
from rich.console import Console

from searchkit.comparison import Spread
from searchkit_cube import cube3
from tests.conftest import KEPT

FIRST_LAYERS_3X3 = [1, 2, 4, 8, 16, 20, 39, 62, 116, 152]
FIRST_LAYERS_3X4 = [1, 2, 4, 9, 20, 37, 63, 122, 232, 431, 781, 1392]


class Scripted:
    """A contestant that takes the times it is told to take, and notes its turns."""

    def __init__(self, name: str, seconds: list[float], turns: list[str]) -> None:
        self.name, self._seconds, self._turns = name, iter(seconds), turns

    def run(self) -> Sample:
        self._turns.append(self.name)
        cpu = next(self._seconds, None)
        if cpu is None:
            raise Unavailable("no time left")
        if cpu < 0:
            raise Failed("wrong answer")
        return Sample((cpu, 2 * cpu), (10 * cpu,), {"peak_bytes": 5_000_000, "stored": 3})


def scripted_job(ours: list[float], theirs: list[float], turns: list[str]) -> Job:
    baseline = Baseline(Scripted("theirs", theirs, turns), target=1.5)
    return Job("job", "a job", Scripted("ours", ours, turns), (baseline,))


@pytest.fixture(autouse=True)
def kept_programs(monkeypatch):
    """Programs are compiled once for all runs: their names say what they were made of."""
    monkeypatch.setattr("bench.compiling.BUILD", Path(f"{KEPT}-programs"))


def needs_compiler() -> None:
    try:
        compiler()
    except Unavailable as reason:
        pytest.skip(str(reason))


def test_contestants_take_turns_and_the_first_one_changes():
    turns: list[str] = []
    measure(scripted_job([1, 1, 1], [1, 1, 1], turns), rounds=3)
    assert turns == ["ours", "theirs", "theirs", "ours", "ours", "theirs"]


def test_ratio_is_of_times_of_the_same_round():
    measured = measure(scripted_job([2, 3, 8], [1, 2, 2], []), rounds=3)
    assert measured.ratio(measured.theirs[0]) == Spread.of([2, 1.5, 4])


def test_time_of_a_sample_is_its_fastest_repetition_on_the_clock():
    sample = Sample((3.0, 2.0), (5.0, 4.0), {})
    assert sample.seconds(Clock.CPU) == 2
    assert sample.seconds(Clock.WALL) == 4


def test_unavailable_contestant_is_reported():
    turns: list[str] = []
    measured = measure(scripted_job([], [1, 1, 1], turns), rounds=3)
    assert turns.count("ours") == 1
    assert measured.ours.unavailable == "no time left"
    assert measured.ratio(measured.theirs[0]) is None
    assert "n/a" in rendered(measured)


def test_failure_takes_the_samples_away_and_leaves_the_others():
    measured = measure(scripted_job([1, 1, 1], [1, -1, 1], []), rounds=3)
    assert measured.theirs[0].failed == "wrong answer"
    assert measured.theirs[0].samples == []
    assert len(measured.ours.samples) == 3
    assert "failed" in rendered(measured)


class Counting(Scripted):
    """A contestant that reports counts."""

    def __init__(self, counts: list[list[int]]) -> None:
        super().__init__("counting", [1.0] * len(counts), [])
        self._counts = iter(counts)

    def run(self) -> Sample:
        return evolve(super().run(), figures={"counts": next(self._counts)})


def test_counts_that_differ_are_a_failure():
    def measured(ours: list[list[int]], theirs: list[list[int]]) -> list[str | None]:
        job = Job("job", "a job", Counting(ours), (Baseline(Counting(theirs)),), equal=("counts",))
        found = measure(job, rounds=len(ours))
        return [runs.failed for runs in (found.ours, *found.theirs)]

    assert measured([[1, 2], [1, 2]], [[1, 2], [1, 2]]) == [None, None]
    assert measured([[1, 2]], [[1, 3]]) == [
        None,
        "counts differ from those of the one who ran first",
    ]
    assert measured([[1, 2], [1, 3]], [[1, 2], [1, 2]])[0] is not None


def test_table_and_document_hold_the_ratio():
    measured = measure(scripted_job([3.0], [2.0], []), rounds=1)
    text = rendered(measured)
    assert "1.5" in text
    assert "reached" in text
    whole = json.loads(json.dumps(document([measured], rounds=1)))
    (baseline,) = whole["jobs"][0]["baselines"]
    assert set(baseline["ratio"].values()) == {1.5}
    assert whole["machine"]["processor"]


def rendered(measured: object) -> str:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(table([measured]))
    return capture.get()


def test_korf_instances():
    rows = korf_rows(MOST_NODES)
    assert len(rows) == 45
    assert sum(int(row.rpartition(",")[2]) for row in rows) == 485_479_660
    assert [row.split(",")[0] for row in korf_rows(EASIEST)] == ["79"]


def test_jobs_have_names_of_their_own():
    names = [job.name for job in all_jobs()]
    assert len(set(names)) == len(names)


def test_python_contestants_exist_and_take_their_arguments():
    for job in all_jobs():
        for contestant in (job.ours, *(baseline.contestant for baseline in job.baselines)):
            if isinstance(contestant, Python):
                module, _, name = contestant.function.partition(".")
                function = getattr(import_module(f"bench.runs.{module}"), name)
                inspect.signature(function).bind(**contestant.arguments)


def test_jobs_are_listed():
    answer = CliRunner().invoke(main, ["--list"])
    assert answer.exit_code == 0
    assert "idastar-korf" in answer.output


def test_unknown_job_is_refused():
    answer = CliRunner().invoke(main, ["chess"])
    assert answer.exit_code == 2
    assert "chess" in answer.output


class Target(Scripted):
    """A contestant that notes what both sides are compiled for."""

    def run(self) -> Sample:
        self._turns.append(f"{architecture()} {numba_environment().get('NUMBA_CPU_NAME')}")
        return super().run()


def test_both_sides_are_compiled_for_a_named_processor(monkeypatch, tmp_path):
    needs_compiler()
    if platform.machine() != "x86_64":
        pytest.skip("the name is of x86")
    turns: list[str] = []
    job = Job("job", "a job", Target("ours", [1.0], turns), ())
    monkeypatch.setattr("bench.command.all_jobs", lambda: (job,))
    file = tmp_path / "figures.json"
    command = ["job", "--rounds", "1", "--cpu", "x86-64-v2", "--json", str(file)]
    answer = CliRunner().invoke(main, command)
    assert answer.exit_code == 0
    assert "compiled for x86-64-v2" in answer.output
    assert turns == ["-march=x86-64-v2 x86-64-v2", "ours"]
    machine = json.loads(file.read_text())["machine"]
    assert machine["compiled_for"] == "x86-64-v2"
    assert "-march=x86-64-v2" in machine["compiler_flags"]
    assert architecture() == "-march=native"


def test_an_unknown_processor_is_refused():
    needs_compiler()
    answer = CliRunner().invoke(main, ["idastar-79", "--cpu", "z80"])
    assert answer.exit_code == 2
    assert "z80" in answer.output


@pytest.mark.parametrize("source", ["idastar", "idastar_specialised"])
def test_idastar_programs_count_the_nodes_of_korf(source):
    needs_compiler()
    sample = Program(source, source, rows=tuple(korf_rows(EASIEST))).run()
    assert sample.figures["nodes"] == EASIEST


@pytest.mark.parametrize("source", ["idastar", "idastar_specialised", "astar"])
def test_programs_check_the_length(source):
    needs_compiler()
    (row,) = korf_rows(EASIEST)
    with pytest.raises(Failed, match="wrong length for instance 79"):
        Program(source, source, rows=(row.replace(",42,", ",44,"),)).run()


def test_astar_program_expands_what_a_consistent_heuristic_must():
    needs_compiler()
    sample = Program("astar", "astar", repeats=2, rows=tuple(korf_rows(EASIEST))).run()
    assert len(sample.cpu_seconds) == len(sample.wall_seconds) == 2
    assert 0 < sample.figures["expanded"] < sample.figures["stored"] < EASIEST


def test_bfs_3x3_program_counts_layers():
    needs_compiler()
    layers = Program("bfs", "bfs_3x3").run().figures["layers"]
    assert layers[: len(FIRST_LAYERS_3X3)] == FIRST_LAYERS_3X3
    assert sum(layers) == 181_440


@pytest.mark.parametrize("source", ["bfs_3x4", "bfs_3x4_by_move"])
def test_bfs_3x4_programs_count_layers(source):
    needs_compiler()
    program = Program("bfs", source, arguments=(str(len(FIRST_LAYERS_3X4)),))
    assert program.run().figures["layers"] == FIRST_LAYERS_3X4


def test_walking_distance_program_finds_the_length_with_fewer_nodes():
    needs_compiler()
    sample = Program("wd", "walking_distance", rows=tuple(korf_rows(EASIEST))).run()
    assert sample.figures["counts"] == [sample.figures["nodes"]]
    assert 42 < sample.figures["nodes"] < EASIEST


def test_pattern_programs_build_and_look_up():
    needs_compiler()
    small = ("1.2.3", "4.8.12", "5.6.7", "9.10.11", "13.14.15")
    built = Program("build", "pdb_build", arguments=small).run()
    assert built.figures["nodes"] == 5 * 16 * 15 * 14 == sum(built.figures["counts"])
    rows = tuple(korf_rows(EASIEST))
    found = Program("search", "pdb_search", arguments=small, rows=rows).run()
    assert 42 < found.figures["nodes"] < EASIEST


def test_pancake_program_counts_the_root_and_finds_the_cost():
    needs_compiler()
    sample = Program("pancakes", "pancakes", rows=("1 2 3", "3 1 2", "2 4 1 3")).run()
    assert sample.figures["costs"] == [0, 2, 4]
    assert sample.figures["counts"][0] == 1


def test_cube_program_counts_layers():
    needs_compiler()
    layers = Program("cube", "cube_2x2x2").run().figures["layers"]
    assert layers[:5] == [1, 9, 54, 321, 1847]
    assert sum(layers) == 3_674_160


@pytest.mark.parametrize("puzzle", ["pancakes", "ring"])
def test_programs_and_arrays_count_the_same_layers(puzzle):
    needs_compiler()
    layers = Program("orders", "permutations", 1, (puzzle, "8")).run().figures["layers"]
    arrays = Python("arrays", "arrays.whole", {"puzzle": puzzle, "size": 8, "states": 40320})
    assert layers == arrays.run().figures["layers"]
    assert sum(layers) == 40_320


def test_cube_3x3x3_program_counts_layers():
    needs_compiler()
    layers = Program("cube", "cube_3x3x3", 1, ("4", "46741")).run().figures["layers"]
    assert layers == [1, 18, 243, 3240, 43239]


def test_a_cube_packed_by_hand_has_the_steps_of_the_pieces():
    cube, declared = PackedCube(), cube3()
    state, other = cube.tables.goal, declared.goal
    for name in ["R", "U2", "F'", "L", "D", "B'"]:
        (state,) = (step.state for step in cube.successors(state) if step.action == name)
        (other,) = (step.state for step in declared.successors(other) if step.action == name)
    moves = cube.operators(0)
    assert [cube.apply(state, 0, move)[::-1] for move in moves] == [
        declared.apply(other, 0, move) for move in moves
    ]


def test_databases_that_are_not_there_are_named(monkeypatch, tmp_path):
    needs_compiler()
    monkeypatch.setenv("SEARCHKIT_DATA_DIR", str(tmp_path))
    with pytest.raises(Unavailable, match="pdb build 15-puzzle 7-8"):
        Needed("files", "7-8").find()


def test_runs_of_the_reference_engine_check_their_answer():
    sample = Python("ours", "ours.eight", {
        "algorithm": "bidirectional", "start": "012345786", "cost": 16, "engine": "reference",
    }).run()  # fmt: skip
    assert sample.figures["stored"] > 0
    with pytest.raises(Failed, match="cost 16, not 18"):
        Python("ours", "ours.eight", {
            "algorithm": "bidirectional", "start": "012345786", "cost": 18, "engine": "reference",
        }).run()  # fmt: skip


@pytest.mark.slow_variants("bfs")
@pytest.mark.parametrize("algorithm", ["bfs", "astar"])
def test_whole_processes_check_their_answer(algorithm):
    near = {"algorithm": algorithm, "start": "123456078", "cost": 2, "repeats": 1}
    for function, more in (("first", {"engine": "reference"}), ("loop", {})):
        sample = Python("process", f"processes.{function}", near | more).run()
        assert len(sample.cpu_seconds) == 1
        assert sample.cpu_seconds[0] > 0.005
    with pytest.raises(Failed, match="finds 2, not 3"):
        Python("process", "processes.loop", near | {"cost": 3}).run()


def test_a_process_that_fails_is_a_failure():
    with pytest.raises(Failed, match="no_such_module"):
        Python(
            "process", "processes.statement", {"text": "import no_such_module", "repeats": 1}
        ).run()


@pytest.mark.slow_variants("seam-layers-ray")
@pytest.mark.parametrize("name", ["seam-search-ray", "seam-layers-ray"])
def test_without_ray_its_jobs_say_why_they_are_not_measured(name, tmp_path, monkeypatch):
    (tmp_path / "ray.py").write_text("raise ImportError('there is none')")
    monkeypatch.chdir(tmp_path)  # where modules are looked for first
    (job,) = (each for each in all_jobs() if each.name == name)
    alone = Baseline(Scripted("alone", [1.0], []))
    measured = measure(evolve(job, baselines=(alone,), equal=()), 1, lambda _: None)
    assert measured.ours.unavailable == (
        "a cluster needs Ray; pip install 'searchkit-statespace[cluster]'"
    )
    console = Console(width=200, record=True, file=StringIO())
    console.print(table([measured]))
    assert "n/a" in console.export_text()
