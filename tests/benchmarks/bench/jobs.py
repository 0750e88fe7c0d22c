"""What is measured, against what."""

from __future__ import annotations

from functools import cache

from bench.contestants import Needed, Program, Python
from bench.instances import EASIEST, HARDEST, MOST_NODES, korf_rows, random_boards, random_stacks
from bench.job import Baseline, Job
from bench.plain_jobs import plain_jobs
from bench.process_jobs import process_jobs
from bench.repeated_jobs import repeated_jobs
from bench.samples import Clock
from bench.seam_jobs import seam_jobs

STATES_3X3 = 181_440
STATES_3X4 = 239_500_800
STATES_CUBE = 3_674_160
STATES_CUBE3 = 8_240_087
"""Positions of the 3x3x3 cube up to 6 moves from the solved one."""
ORDERS_10 = 3_628_800
"""The orders of ten things."""
PATTERNS_6_6_3 = ("1.4.5.8.9.12", "6.10.11.13.14.15", "2.3.7")
FARTHEST_8 = "867254301"
"""One of the two 8-puzzles that need 31 moves."""
NEAR_8, NEAR_8_MOVES = "012365487", 18
GOAL_8 = "123456780"
SLOWER_THAN_A_LOOP = 1.2


def _ours(function: str, **arguments: object) -> Python:
    return Python("searchkit", f"ours.{function}", arguments)


def _whole_8(name: str, repeats: int, engine: str) -> Python:
    arguments = {
        "rows": 3, "columns": 3, "states": STATES_3X3, "engine": engine, "repeats": repeats,
    }  # fmt: skip
    return Python(name, "ours.whole", arguments)


def _eight(name: str, algorithm: str, engine: str, **more: object) -> Python:
    arguments = {"algorithm": algorithm, "start": FARTHEST_8, "cost": 31, "engine": engine}
    return Python(name, "ours.eight", arguments | more)


def _simpleai(algorithm: str, start: str, cost: int | None, note: str = "") -> Python:
    arguments = {"algorithm": algorithm, "start": start, "cost": cost}
    return Python(f"simpleai {algorithm}{note}", "others.simpleai", arguments)


@cache
def all_jobs() -> tuple[Job, ...]:
    """Every job, in the order of the table."""
    return (
        *_korf_jobs(),
        *_carried_jobs(),
        *_whole_jobs(),
        *_bidirectional_jobs(),
        *_reference_jobs(),
        *_loop_jobs(),
        *_fields_jobs(),
        *_pieces_jobs(),
        *plain_jobs(),
        *process_jobs(),
        *repeated_jobs(),
        *seam_jobs(),
    )


def _korf_jobs() -> tuple[Job, ...]:
    rows, easiest = tuple(korf_rows(MOST_NODES)), {"most_nodes": EASIEST}
    compiled = {"most_nodes": MOST_NODES, "engine": "compiled"}
    hardest = {**compiled, "most_nodes": HARDEST, "least_nodes": HARDEST}
    one_thread = Python("searchkit, one thread", "ours.idastar", compiled)
    reference = {
        name: Python("reference engine", f"ours.{name}", {**easiest, "engine": "reference"})
        for name in ("idastar", "astar")
    }
    return (
        Job(
            "idastar-korf",
            "IDA*, Manhattan, 15-puzzle: Korf's 45 instances up to 40 M nodes",
            one_thread,
            (
                Baseline(Program("C++, plain", "idastar", rows=rows), 1.0),
                Baseline(Program("C++, specialised", "idastar_specialised", rows=rows)),
            ),
        ),
        Job(
            "idastar-threads",
            "the same on two threads, against one",
            Python("searchkit, two threads", "ours.idastar", {**compiled, "threads": 2}),
            (Baseline(one_thread, 1 / 1.8),),
            Clock.WALL,
        ),
        Job(
            "idastar-88-threads",
            "IDA* on Korf's hardest instance, number 88, on two threads, against one",
            Python("searchkit, two threads", "ours.idastar", {**hardest, "threads": 2}),
            (Baseline(Python("searchkit, one thread", "ours.idastar", hardest), 1 / 1.8),),
            Clock.WALL,
        ),
        Job(
            "idastar-79",
            "IDA* on Korf's easiest instance, number 79",
            _ours("idastar", **easiest, engine="compiled"),
            (Baseline(reference["idastar"]),),
        ),
        Job(
            "astar-korf",
            "A*, Manhattan, 15-puzzle: the same 45 instances",
            _ours("astar", **compiled),
            (Baseline(Program("C++", "astar", rows=rows), 1.3),),
        ),
        Job(
            "astar-79",
            "A* on Korf's easiest instance, number 79",
            _ours("astar", **easiest, engine="compiled"),
            (Baseline(reference["astar"]),),
        ),
    )


def _estimates(function: str, **arguments: object) -> Python:
    return Python("searchkit", f"estimates.{function}", arguments)


def _carried_jobs() -> tuple[Job, ...]:
    rows, hundred = tuple(korf_rows(MOST_NODES)), tuple(korf_rows(HARDEST))
    drawn = {"count": 10_000, "seed": 1}
    boards = random_boards(**drawn)
    stacks = random_stacks(count=100, size=40, seed=1)

    def searching(arguments: tuple[str, ...] | Needed, repeats: int) -> Program:
        return Program("C++", "pdb_search", repeats=repeats, arguments=arguments, rows=hundred)

    return (
        Job(
            "walking-distance",
            "IDA*, walking distance, 15-puzzle: the same 45 instances",
            _estimates("walking_distance", most_nodes=MOST_NODES, repeats=2),
            (Baseline(Program("C++", "walking_distance", repeats=2, rows=rows), 1.3),),
            equal=("nodes", "counts"),
        ),
        Job(
            "pdb-6-6-3-build",
            "building the pattern databases 6-6-3 of the 15-puzzle",
            _estimates("pattern_build", patterns="6-6-3", repeats=1),
            (Baseline(Program("C++", "pdb_build", arguments=PATTERNS_6_6_3), 1.5),),
            equal=("nodes", "counts"),
        ),
        Job(
            "pdb-6-6-3",
            "IDA*, pattern databases 6-6-3 and their mirror images: Korf's hundred 15-puzzles",
            _estimates("patterns", name="6-6-3", most_nodes=HARDEST, repeats=2),
            (Baseline(searching(PATTERNS_6_6_3, 2), 1.5),),
            equal=("nodes", "counts"),
        ),
        Job(
            "pdb-7-8",
            "the same with 7-8, if `searchkit pdb build 15-puzzle 7-8` was run",
            _estimates("patterns_on_disk", name="7-8", most_nodes=HARDEST, repeats=5),
            (Baseline(searching(Needed("files", "7-8"), 5), 2.0),),
            equal=("nodes", "counts"),
        ),
        Job(
            "stages",
            "10,000 random 15-puzzles in four stages",
            _estimates("stages", **drawn, repeats=5),
            (Baseline(Program("C++", "stages", repeats=5, rows=boards)),),
            equal=("nodes",),
        ),
        Job(
            "pancakes-gap",
            "IDA*, gap heuristic: a hundred random stacks of 40 pancakes",
            _estimates("pancakes", stacks=stacks),
            (Baseline(Program("C++", "pancakes", rows=stacks)),),
            equal=("nodes", "costs", "counts"),
        ),
    )


def _whole_jobs() -> tuple[Job, ...]:
    ours = _whole_8("searchkit", 50, "compiled")
    whole_3x4 = {"rows": 3, "columns": 4, "states": STATES_3X4, "engine": "compiled"}
    near = _simpleai("bfs", NEAR_8, NEAR_8_MOVES, " (18 moves)")
    english = {"board": "english", "states": 187_636_299, "canonical": 23_475_688}
    every_board = {**english, "canonical": english["states"]}
    return (
        Job(
            "bfs-8",
            "breadth-first, whole 8-puzzle",
            ours,
            (
                Baseline(Program("C++", "bfs_3x3", repeats=200), 1.5),
                Baseline(_whole_8("reference engine", 1, "reference")),
                Baseline(Python("networkx", "others.networkx")),
                Baseline(near, 1 / 1000),
            ),
        ),
        Job(
            "bfs-8-simpleai",
            "breadth-first, whole 8-puzzle (from the goal with two tiles exchanged)",
            ours,
            (Baseline(_simpleai("bfs", "213456780", None), 1 / 1000),),
            takes_minutes=True,
        ),
        Job(
            "bfs-3x4",
            "breadth-first, whole 3x4 puzzle: 239,500,800 states",
            _ours("whole", **whole_3x4),
            (
                Baseline(Program("C++, queue", "bfs_3x4"), 1.3),
                Baseline(Program("C++, by move", "bfs_3x4_by_move")),
            ),
        ),
        Job(
            "cube2-explore",
            "breadth-first, whole 2x2x2 cube: 3,674,160 states",
            _ours("cube", states=STATES_CUBE, engine="compiled", repeats=3),
            (Baseline(Program("C++", "cube_2x2x2", repeats=10)),),
            equal=("nodes", "layers"),
        ),
        Job(
            "peg-english",
            "English peg solitaire up to symmetry: 23,475,688 boards",
            _ours("peg", **english, engine="compiled"),
            (Baseline(Program("C++", "peg_english"), 1.2),),
        ),
        Job(
            "peg-english-whole",
            "English peg solitaire without symmetry: 187,636,299 boards",
            _ours("peg", **every_board, engine="compiled", symmetry="none"),
            (
                Baseline(
                    Python("in files, two workers", "seam.english", {"workers": 2, **every_board})
                ),
                Baseline(Python("up to symmetry", "ours.peg", {**english, "engine": "compiled"})),
            ),
            takes_minutes=True,
        ),
    )


def _bidirectional_jobs() -> tuple[Job, ...]:
    return tuple(
        Job(
            f"bidirectional-8{suffix}",
            f"bidirectional, 8-puzzle {FARTHEST_8}, 31 moves ({engine} engines)",
            _eight("searchkit", "bidirectional", engine, repeats=repeats),
            (Baseline(_eight("searchkit, bfs", "bfs", engine, repeats=repeats)),),
        )
        for suffix, engine, repeats in (("", "compiled", 20), ("-ref", "reference", 3))
    )


def _reference_jobs() -> tuple[Job, ...]:
    near = {"start": NEAR_8, "cost": NEAR_8_MOVES}
    return (
        Job(
            "reference-whole-8",
            "reference engine, breadth-first, whole 8-puzzle",
            _whole_8("searchkit", 3, "reference"),
            (
                Baseline(Python("plain Python", "others.plain"), SLOWER_THAN_A_LOOP),
                Baseline(Python("networkx", "others.networkx")),
            ),
        ),
        Job(
            "reference-bfs-8",
            f"reference engine, breadth-first, 8-puzzle {NEAR_8}, {NEAR_8_MOVES} moves",
            _eight("searchkit", "bfs", "reference", **near),
            (Baseline(_simpleai("bfs", NEAR_8, NEAR_8_MOVES)),),
        ),
        Job(
            "reference-astar-8",
            f"reference engine, A*, Manhattan, 8-puzzle {FARTHEST_8}, 31 moves",
            _eight("searchkit", "astar", "reference"),
            (Baseline(_simpleai("astar", FARTHEST_8, 31)),),
        ),
    )


def _loop_jobs() -> tuple[Job, ...]:
    searches: tuple[tuple[str, str, str, int, int], ...] = (
        ("bfs", "breadth-first", FARTHEST_8, 31, 3),
        ("explore", "the whole space", GOAL_8, 31, 3),
        ("astar", "A*, Manhattan", FARTHEST_8, 31, 20),
        ("bidirectional", "from both ends", FARTHEST_8, 31, 20),
        ("iddfs", "iterative deepening", NEAR_8, NEAR_8_MOVES, 3),
        ("idastar", "IDA*, Manhattan", FARTHEST_8, 31, 10),
    )

    def job(search: str, summary: str, **arguments: object) -> Job:
        def run(name: str, function: str, search: str = search) -> Python:
            return Python(name, f"plain_loops.{function}", {"search": search, **arguments})

        baselines = [Baseline(run("the loop", "plain"), SLOWER_THAN_A_LOOP)]
        if search == "explore":
            baselines.append(Baseline(run("without steps", "plain", "without steps")))
        return Job(
            f"loop-{search}",
            f"reference engine against a plain loop over the same steps, 8-puzzle: {summary}",
            run("searchkit", "reference"),
            tuple(baselines),
            equal=("expanded",),
        )

    return tuple(
        job(search, summary, start=start, cost=cost, repeats=repeats)
        for search, summary, start, cost, repeats in searches
    )


def _fields_jobs() -> tuple[Job, ...]:
    def form(name: str, function: str, **arguments: object) -> Python:
        names = {
            "declared": "searchkit, fields", "packed": "packed by hand", "plain": "plain",
            "expanded": "steps by expand", "listed": "fields, steps by expand",
        }  # fmt: skip
        return Python(names[name], f"fields.{function}", {"form": name, **arguments})

    works: tuple[tuple[str, str, dict[str, object]], ...] = (
        ("lights", "Lights Out 5x5 from both ends", {"repeats": 3}),
        ("rush", "Rush Hour, every state", {"engine": "compiled", "repeats": 60}),
        ("tiles", "15-puzzle, breadth-first", {"repeats": 5, "most": 1_000_000}),
    )
    pushed: dict[str, object] = {"repeats": 2, "most": 100_000}
    pushes = ("pushes", "Sokoban's pushes, breadth-first", {"engine": "compiled", **pushed})
    slow_pushes: dict[str, object] = {"engine": "reference", "repeats": 1, "most": 5_000}
    more = ("astar", "15-puzzle, A*", {"repeats": 3, "most": 1_000_000})
    slow: dict[str, object] = {"engine": "reference", "repeats": 3}
    return (
        *(
            Job(
                f"fields-{name}",
                f"declared fields against words packed by hand: {summary}",
                form("declared", name, **arguments),
                (Baseline(form("packed", name, **arguments), 1 / 0.85),),
                equal=("nodes",),
            )
            for name, summary, arguments in works
        ),
        *(
            Job(
                f"expand-{name}",
                f"steps by expand against operators, both packed by hand: {summary}",
                form("expanded", name, **arguments),
                (Baseline(form("packed", name, **arguments), 1 / 0.85),),
                equal=("nodes",),
            )
            for name, summary, arguments in (*works, more)
        ),
        *(
            Job(
                f"listed-{name}",
                f"steps that declared fields list against those listed by hand: {summary}",
                form("listed", name, **arguments),
                (Baseline(form("expanded", name, **arguments), 1 / 0.85),),
                equal=("nodes",),
            )
            for name, summary, arguments in (*works, more, pushes)
        ),
        Job(
            "listed-pushes-reference",
            "steps that declared fields list, compiled, and in the reference engine: pushes",
            form("listed", "pushes", **{**slow_pushes, "engine": "compiled", "repeats": 5}),
            (Baseline(form("listed", "pushes", **slow_pushes), 1 / 10),),
            equal=("nodes",),
        ),
        *(
            Job(
                f"fields-boards-{call}",
                f"declared fields against words packed by hand: boards of Rush Hour, {call}",
                form("declared", "boards", call=call, repeats=20),
                (Baseline(form("packed", "boards", call=call, repeats=20), most),),
                equal=("nodes",),
            )
            for call, most in (("construct", 4.0), ("solve", 2.0), ("explore", 2.0), ("auto", 2.0))
        ),
        Job(
            "fields-reference",
            "declared fields against the plain form in the reference engine: Rush Hour",
            form("declared", "rush", **slow),
            (
                Baseline(form("plain", "rush", **slow), 2.0),
                Baseline(form("packed", "rush", **slow)),
            ),
            equal=("nodes",),
        ),
    )


def _pieces_jobs() -> tuple[Job, ...]:
    def whole(puzzle: str, size: int, states: int, repeats: int, summary: str) -> Job:
        work = {"puzzle": puzzle, "size": size, "states": states}
        return Job(
            f"{puzzle}-{size}-explore",
            f"declared pieces, breadth-first: {summary}, {states:,} states",
            Python("searchkit", "pieces.whole", {**work, "engine": "compiled", "repeats": repeats}),
            (
                Baseline(Program("C++", "permutations", repeats, (puzzle, str(size)))),
                Baseline(Python("numpy, as CayleyPy", "arrays.whole", work)),
            ),
            takes_minutes=states > ORDERS_10,
            equal=("nodes", "layers"),
        )

    cube: dict[str, object] = {"moves": 6, "states": STATES_CUBE3, "repeats": 2}
    packed = {**cube, "form": "packed", "engine": "compiled"}
    return (
        whole("pancakes", 10, ORDERS_10, 5, "10 pancakes"),
        whole("pancakes", 11, 11 * ORDERS_10, 1, "11 pancakes"),
        whole("ring", 10, ORDERS_10, 5, "Top-Spin with a ring of 10 that turns by one"),
        Job(
            "cube3-explore",
            f"declared pieces, breadth-first: 3x3x3 cube up to 6 moves, {STATES_CUBE3:,} positions",
            Python("searchkit", "pieces.cube", {**packed, "form": "declared"}),
            (
                Baseline(Python("packed by hand", "pieces.cube", packed), 1 / 0.85),
                Baseline(Program("C++", "cube_3x3x3", 2, ("6", str(STATES_CUBE3)))),
            ),
            equal=("nodes", "layers"),
        ),
    )
