"""`searchkit info`: what a puzzle is, and what can be done with it."""

from __future__ import annotations

from typing import Any

import click

from searchkit import capabilities
from searchkit.algorithms import Bidirectional
from searchkit.authors.blame import is_ours_class
from searchkit.capabilities import HasChosenPatterns, own_heuristic
from searchkit.cli.support import output
from searchkit.cli.support.choice import BUILT_IN_HEURISTICS, Chosen, choose_problem
from searchkit.cli.support.command import new_command
from searchkit.cli.support.method import make_algorithm
from searchkit.cli.support.options import PROBLEM, RENDERER, flag
from searchkit.compiled.plan import plan_exploration, plan_search
from searchkit.errors import UnsuitableError, UsageError
from searchkit.heuristics.kinds import KINDS, PATTERNS
from searchkit.kernel_language.program import Program
from searchkit.packed import (
    PackedHeuristic,
    PackedProblem,
    ZeroHeuristic,
    has_expand,
    is_inherited,
    without_kernels,
)
from searchkit.problem import Costs
from searchkit.puzzles import DEFINED
from searchkit.running.compiler import NO_NUMBA, numba_folder
from searchkit.solving.default import default_class
from searchkit.solving.plan import plan
from searchkit.texts.amounts import memory
from searchkit.translation.lazily import Translation

GIGABYTE = 10**9
MANY = 1 << 20
"""States in a table that is large enough for its share of each to be even."""

CAPABILITIES: dict[str, tuple[type, str]] = {
    "goal_states": (capabilities.HasGoalStates, "lists its goals"),
    "predecessors": (capabilities.HasPredecessors, "can be followed backwards"),
    "parse": (capabilities.HasParse, "reads states from text"),
    "with_start": (capabilities.HasStart, "takes another start: --start"),
    "with_goal": (capabilities.HasGoal, "takes another goal: --goal"),
    "random_state": (capabilities.HasRandomState, "draws solvable states: --random"),
    "certificate": (capabilities.HasCertificate, "proves some starts unsolvable at once"),
    "slow_rules": (capabilities.HasSlowRules, "states its rules twice, to verify solutions"),
    "picture": (capabilities.HasPicture, "draws its states: --html"),
    "symmetries": (capabilities.HasSymmetries, "knows its symmetries"),
    "packed": (PackedProblem, "can be compiled: --engine"),
}


PROGRAM = flag("--program", "Print only what compilers get of the puzzle: kernels and tables.")


@new_command("info", *PROBLEM, RENDERER, PROGRAM)
def command(**options: Any) -> None:
    """Tell what PUZZLE is: its parameters, start, goal and abilities, and what suits it."""
    chosen = choose_problem(options)
    with chosen.guard():
        if options["program"]:
            _print_program(chosen)
            return
        _print_head(chosen)
        _print_boards(chosen, options["renderer"])
        if isinstance(chosen.problem, capabilities.HasFacts):
            output.print_table(["what", "value"], chosen.problem.facts(), title="Its states")
        _print_memory(chosen)
        _print_databases(chosen)
        _print_abilities(chosen)
        _print_board_sets(chosen)
        _print_algorithms(chosen)
        _print_translation(chosen)
        _print_suiting(chosen)


def _print_program(chosen: Chosen) -> None:
    from searchkit.kernel_language.program_text import text_of_program  # noqa: PLC0415  (seldom)
    from searchkit.transforms.packed_chains import PackedChains  # noqa: PLC0415
    from searchkit.translation.search import Making  # noqa: PLC0415

    problem = PackedChains.of(chosen.problem)
    heuristic: Any = own_heuristic(problem)
    if not isinstance(problem, PackedProblem):
        making = Making(problem, heuristic, list(problem.initial_states()))
        reason = making.why_not()
        if reason is not None:
            raise UnsuitableError(f"there is no program: {reason}")
        problem, heuristic = making.made()
        heuristic = None if isinstance(heuristic, ZeroHeuristic) else heuristic
    steps = ("expand",) if has_expand(problem) else ("control", "legal", "apply", "cost")
    written = [name for name in steps if not is_inherited(problem, name)]
    click.echo(text_of_program(Program.of(problem), "problem", ["at_goal", *written]))
    if isinstance(heuristic, PackedHeuristic):
        click.echo()
        click.echo(text_of_program(Program.of(heuristic), "heuristic", ["estimate"]))


def _print_head(chosen: Chosen) -> None:
    entry = chosen.entry
    name, origin = entry.name, entry.origin
    if entry.origin == DEFINED.origin and "file" in chosen.named:
        name, origin = chosen.problem.definition.name, chosen.named["file"]  # type: ignore[attr-defined]
    click.echo(f"{name}: {entry.summary}" if entry.summary else name)
    click.echo(f"from {origin}; {chosen.problem.costs.value} costs")
    click.echo()
    if entry.parameters:
        output.print_table(
            ["name", "value", "default", "meaning"],
            (
                (each.name, chosen.named.get(each.name, default), default, each.help)
                for each in entry.parameters
                for default in [each.default_text]
            ),
            title="Parameters",
        )


def _print_boards(chosen: Chosen, renderer: str | None) -> None:
    starts, goal = chosen.starts(), chosen.goal()
    more = f" (one of {len(starts)})" if len(starts) > 1 else ""
    shown = {f"start{more}": start for start in starts[:1]}
    if goal is not None:
        shown["goal"] = goal
    pictures = (
        "\n".join([name, *chosen.captioned(state, renderer)]) for name, state in shown.items()
    )
    for line in output.side_by_side(pictures, output.width()):
        output.draw(line)
    if goal is None:
        click.echo("goal: several states, or given only by a test")
    click.echo()


def _print_memory(chosen: Chosen) -> None:
    """What `explore` and `bfs` keep of states, of puzzles that can be compiled."""
    problem = chosen.problem
    if not isinstance(problem, PackedProblem):
        return
    from searchkit.compiled.states.state_set import bytes_for  # noqa: PLC0415  (loads numpy)

    held = GIGABYTE * MANY // bytes_for(problem.words, MANY)
    table = f"{memory(GIGABYTE // held)} for each state; {held:,} of them in 1 GB"
    rows = [("bfs" if problem.ranks else "explore, bfs", table)]
    if problem.ranks:
        bits = memory(max(1, problem.ranks // 8))
        rows.insert(0, ("explore", f"{bits}, a bit for each of {problem.ranks:,}, and two layers"))
    output.print_table(["search", "memory"], rows, title="What it keeps, compiled")


def _print_databases(chosen: Chosen) -> None:
    """Which pattern databases fit into which memory, of puzzles that choose them."""
    if not isinstance(chosen.problem, HasChosenPatterns):
        return
    from searchkit.heuristics.patterns.choose import space_named  # noqa: PLC0415  (loads numpy)
    from searchkit.heuristics.patterns.identity import identity_of  # noqa: PLC0415
    from searchkit.heuristics.patterns.library import Library  # noqa: PLC0415

    library, rows = Library(), []
    for name in chosen.problem.patterns_by_memory():
        space = space_named(chosen.problem, name)
        for group in range(len(space.groups)):
            identity = identity_of(space, group)
            mean = "not built"
            if library.has(identity, halved=False):
                try:
                    entry = library.read(library.path_of(identity, halved=False).name)
                    mean = f"{entry.mean:.2f}"
                except UsageError:
                    mean = "cannot be read"
            shown = "" if group else f"{PATTERNS.prefix}:{name}"
            rows.append((shown, space.name_of(group), f"{space.entries(group):,}", mean))
    if rows:
        columns = ["heuristic", "pieces", "bytes", "mean"]
        output.print_table(columns, rows, title="Pattern databases by memory")


def _print_abilities(chosen: Chosen) -> None:
    problem = chosen.problem
    rows = [
        (name, meaning)
        for name, (capability, meaning) in CAPABILITIES.items()
        if isinstance(problem, capability)
    ]
    if problem.undirected:
        rows.insert(0, ("undirected", "every step can be taken back"))
    if rows:
        output.print_table(["capability", "meaning"], rows, title="What it can do")


def _print_board_sets(chosen: Chosen) -> None:
    problem = chosen.problem
    if isinstance(problem, capabilities.HasBoardSets) and (sets := problem.board_sets()):
        head, title = ["name", "what it is"], "Boards to compare on: --boards"
        output.print_table(head, sets.items(), title=title)


def _print_algorithms(chosen: Chosen) -> None:
    default = default_class(chosen.problem)
    rows = []
    lacking: dict[str, str | None] = {}
    for entry in chosen.registry.algorithms.entries:
        try:
            algorithm = make_algorithm(entry.algorithm)
            algorithm.check(chosen.problem)
        except UnsuitableError as error:
            rows.append((entry.name, f"no: {error}"))
        else:
            is_default = entry.algorithm is default
            rows.append((entry.name, "yes, the default" if is_default else "yes"))
            heuristic = own_heuristic(chosen.problem) if algorithm.uses_heuristic else None
            made = plan(chosen.problem, algorithm, heuristic or ZeroHeuristic())
            lacking[entry.name] = made.reason
    if None in lacking.values():  # some are compiled: else all would lack the same
        rows = [
            (name, f"{said}, without machine code: {lacking[name]}" if lacking.get(name) else said)
            for name, said in rows
        ]
    output.print_table(["algorithm", "suits it"], rows, title="Algorithms")


def _print_translation(chosen: Chosen) -> None:
    """Whether the rules of an ordinary problem can be made into machine code, and if not, why.

    Of rules on declared fields, only what speaks against it.
    """
    problem = chosen.problem
    if numba_folder() is None:
        click.echo(f"machine code: {NO_NUMBA}")
        click.echo()
        return
    if isinstance(problem, PackedProblem):
        for error in without_kernels(problem):
            click.echo(f"machine code: {error}")
            click.echo()
        return
    if is_ours_class(type(problem)):
        return
    planned = plan_exploration(problem, (), (), backward=False, paths=False)
    reasons = [planned.reason]
    if planned.translates:
        starts = list(problem.initial_states())
        reason = Translation(problem, None, starts).making.why_not()
        reasons = [reason] if reason is not None else _without(problem, starts)
    for each in reasons or ["can be made of its rules, where a search lasts"]:
        click.echo(f"machine code: {each}")
    click.echo()


def _without(problem: Any, starts: list[Any]) -> list[str | None]:
    """What machine code does without, where it can be made of `successors` and `is_goal`."""
    found: list[str | None] = []
    reason = Translation(problem, own_heuristic(problem), starts).making.why_not()
    if reason is not None:
        found.append(f"only without its heuristic: {reason}")
    suits = problem.costs is Costs.UNIT and isinstance(problem, capabilities.HasGoalStates)
    methods = plan_search(problem, Bidirectional()).translates if suits else ()
    if len(methods) > 1:
        reason = Translation(problem, None, starts, methods=methods).making.why_not()
        if reason is not None:
            found.append(f"only without its predecessors: {reason}")
    return found


def _print_suiting(chosen: Chosen) -> None:
    lacking = {row.form for row in KINDS.values() if not row.suits(chosen.problem)}
    known = [each for each in BUILT_IN_HEURISTICS.items() if each[0] not in lacking]
    rows = [("heuristic", *each) for each in known]
    for kind in ("heuristic", "renderer"):
        table = getattr(chosen.registry, f"{kind}s")
        rows += [(kind, entry.name, entry.summary) for entry in table.suiting(chosen.problem)]
    output.print_table(["kind", "name", "what it is"], rows, title="Heuristics and renderers")
