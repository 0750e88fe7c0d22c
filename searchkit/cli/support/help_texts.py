"""What the help of the commands says besides the options' own words."""

from __future__ import annotations

from searchkit.cli.support.exit_codes import ExitCode

PROBLEM = "The puzzle, its start and its goal"
SEARCH = "The search"
OUTPUT = "What is printed"
LIMITS = "Limits"
ALL = "Options of all commands"

SECTIONS = {
    **dict.fromkeys(
        ("param", "start", "random", "scramble", "seed", "goal", "boards", "from"), PROBLEM
    ),
    **dict.fromkeys(
        ("algo", "settings", "heuristic", "engine", "threads", "symmetry", "paths", "samples",
         "max_states", "checkpoint", "repeat", "law", "states", "jobs", "workers",
         "cluster"), SEARCH
    ),
    **dict.fromkeys(
        ("all", "count", "limit", "best", "renderer", "json", "moves", "draw", "html", "play",
         "delay", "verbose", "histogram", "plot", "format", "output", "proof",
         "proof_heuristic"), OUTPUT
    ),
    **dict.fromkeys(
        ("max_time", "search_time", "max_memory", "max_expansions", "max_cost", "within",
         "table_memory"), LIMITS
    ),
    **dict.fromkeys(("plugin", "quiet", "debug"), ALL),
}  # fmt: skip
"""Under which title an option stands in the help of any command; others are under "Options"."""

FIRST: dict[str, tuple[str, ...]] = {
    "run": (
        "param", "start", "random", "algo", "heuristic", "all", "count", "moves", "json",
        "max_time",
    ),
    "compare": (
        "param", "start", "random", "boards", "algo", "heuristic", "repeat", "json", "html",
        "max_time",
    ),
    "explore": (
        "param", "start", "from", "symmetry", "checkpoint", "workers", "json", "html", "max_time",
        "max_cost",
    ),
}  # fmt: skip
"""What `--help` shows of commands with dozens of options; `--help-all` shows all of them."""

EXAMPLES: dict[str, list[tuple[str, str]]] = {
    "run": [
        ("searchkit run 8-puzzle", "An optimal solution from the puzzle's own start."),
        ("searchkit run 8-puzzle --start 123450786 --moves", "Only the moves."),
        ("searchkit run 8-puzzle --random --seed 1 --algo idastar -v",
         "A random start, by IDA*, with its iterations."),
        ("searchkit run 8-puzzle --boards boards.txt --json",
         "All boards in a file; results as JSON, one per line."),
        ("searchkit run 6-puzzle --proof answer.gz", "With a proof that nothing is cheaper."),
    ],
    "play": [
        ("searchkit play 8-puzzle --scramble 6 --seed 1", "An easy start, to play by hand."),
    ],
    "list": [
        ("searchkit list", "Everything."),
        ("searchkit list --plugin my_puzzle.py", "With the puzzles in your own file."),
    ],
    "info": [
        ("searchkit info 8-puzzle", "How its states are written, and what suits it."),
    ],
    "compare": [
        ("searchkit compare 8-puzzle --algo astar --algo idastar", "Two algorithms on one start."),
        ("searchkit compare 8-puzzle --scramble 10 --seed 1 --json", "For another program."),
        ("searchkit compare 6-puzzle --random 2 --algo astar --engine reference",
         "Two random starts, each run in a process of its own."),
    ],
    "explore": [
        ("searchkit explore 6-puzzle", "The number of states at each distance from the goal."),
        ("searchkit explore 6-puzzle --checkpoint layers", "The same, kept in files."),
        ("searchkit explore 6-puzzle --checkpoint parts --workers 2", "The same, by 2 processes."),
    ],
    "table": [
        ("searchkit table layers --state 2154306", "How far away a state is, and a shortest path."),
    ],
    "pdb build": [
        ("searchkit pdb build 8-puzzle 5-3", "The heuristic pdb:5-3, built once and kept."),
    ],
    "pdb list": [
        ("searchkit pdb list", "What was built, and where it is."),
    ],
    "pdb info": [
        ("searchkit pdb info 1.2.3.4.5 --check", "One database, compared with its checksum."),
    ],
    "check-heuristic": [
        ("searchkit check-heuristic 6-puzzle --heuristic manhattan", "A proof: all states."),
        ("searchkit check-heuristic 8-puzzle --samples 1000 --max-states 0", "A sample."),
    ],
    "check": [
        ("searchkit check 6-puzzle --states 500", "All laws, on 500 states."),
        ("searchkit check 6-puzzle --law successors --law keys", "Two of its laws."),
    ],
    "new": [
        ("searchkit new my-puzzle", "A package to begin with."),
        ("searchkit new my-ring --like permutation --single", "One file: pieces and moves."),
    ],
    "verify": [
        ("searchkit verify solution.json", "Replay what `run --json` has written."),
        ("searchkit verify --schema", "The schema of all documents, for validators."),
    ],
    "doctor": [
        ("searchkit doctor", "Versions, machine, cache, plugins, and a search by each engine."),
        ("searchkit doctor --json", "The same, for a bug report."),
    ],
    "proof rules": [
        ("searchkit proof rules 8-puzzle", "The rules of a puzzle, as a program."),
    ],
    "proof checker": [
        ("searchkit proof checker", "The program that checks proofs by such rules."),
    ],
    "completion": [
        ("searchkit completion bash", "The script, for the shell to read."),
    ],
}  # fmt: skip
"""Calls that work as they stand, by command; tests run them."""

_ALWAYS = (
    ExitCode.OK, ExitCode.BUG, ExitCode.BAD_INPUT, ExitCode.INTERRUPTED, ExitCode.PIPE_CLOSED,
)  # fmt: skip
_LIMITS = (ExitCode.GAVE_UP, ExitCode.OUT_OF_MEMORY, ExitCode.OUT_OF_TIME)
CODES: dict[str, tuple[int, ...]] = {
    "": _ALWAYS,
    "run": (*_ALWAYS, ExitCode.NO_BOARD, ExitCode.UNSOLVABLE, *_LIMITS),
    "check": (*_ALWAYS, ExitCode.OUT_OF_TIME),
    "check-heuristic": (*_ALWAYS, ExitCode.OUT_OF_TIME),
    "compare": (*_ALWAYS, ExitCode.DISAGREEMENT, ExitCode.UNSOLVABLE, *_LIMITS),
    "explore": (*_ALWAYS, *_LIMITS),
    "pdb build": (*_ALWAYS, ExitCode.OUT_OF_TIME),
    "verify": (*_ALWAYS, *_LIMITS),
}
"""The exit codes that a command may have; "" are those of a command that is not listed."""

OWN_MEANING: dict[str, dict[int, str]] = {
    "doctor": {ExitCode.BUG: "something does not work as it should"},
    "check": {
        ExitCode.BUG: "a law is broken; or a bug",
        ExitCode.OUT_OF_TIME: "time ran out before all laws were tried",
    },
    "check-heuristic": {
        ExitCode.BUG: "a heuristic is not a lower bound, or contradicts itself; or a bug",
        ExitCode.OUT_OF_TIME: "time ran out before all heuristics were checked",
    },
}
"""What else they say in some commands."""
