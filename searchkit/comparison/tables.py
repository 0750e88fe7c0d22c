"""A comparison as tables for people, as JSON (`searchkit-comparison/1`), as CSV and as Markdown."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection, Sequence
from typing import Any

import attrs

from searchkit.comparison.comparison import Comparison, Summary, environment
from searchkit.comparison.records import Run
from searchkit.texts.amounts import memory
from searchkit.texts.harmless import to_json

MOST_REASONS = 3
"""How many different reasons are given why runs of an algorithm failed."""
FORMAT = "searchkit-comparison/1"

CSV_COLUMNS = (
    "board", "board_name", "start", "known_cost", "algorithm", "heuristic", "label", "repeat",
    *(
        field.name for field in attrs.fields(Run)
        if field.name not in ("board", "contestant", "repeat", "iterations")
    ),
)  # fmt: skip
"""New columns may be added at the end; none changes its name or its meaning."""


@attrs.frozen
class ShownTable:
    """A head and rows of texts; the columns named in `numbers` are aligned to the right.

    Those named in `spare` are the first to be left out where there is no room.
    """

    head: list[str]
    rows: list[list[str]]
    numbers: tuple[str, ...]
    spare: tuple[str, ...] = ()


def summary_table(comparison: Comparison) -> ShownTable:
    """One row for each contestant: what it solved, and medians over the boards of `basis`."""
    numbers = ("solved", comparison.cost_name, "expanded", "generated", "stored", "memory",
               "seconds", "least", "most")  # fmt: skip
    rows = [_row(each, comparison.cost_name) for each in comparison.summaries]
    head = ["algorithm", "heuristic", "solved", "otherwise", *numbers[1:]]
    if not any(row["otherwise"] for row in rows):
        head.remove("otherwise")
    return ShownTable(
        head, [[row[name] for name in head] for row in rows], numbers,
        spare=("generated", "stored", "least", "most"),
    )  # fmt: skip


def _row(summary: Summary, cost_name: str) -> dict[str, str]:
    spreads, contestant = summary.common, summary.contestant
    others = [
        f"{number:,} {outcome}" for outcome, number in summary.outcomes.items()
        if outcome != "solved"
    ]  # fmt: skip
    row = {
        "algorithm": contestant.algorithm,
        "heuristic": contestant.heuristic or "",
        "solved": f"{summary.solved:,}/{summary.runs:,}",
        "otherwise": ", ".join(others),
        "memory": memory(round(spreads["peak_bytes"].median)) if "peak_bytes" in spreads else "",
    }
    for name in (cost_name, "expanded", "generated", "stored"):
        row[name] = ""
        if name in spreads:
            row[name] = f"{spreads[name].median:,.1f}".removesuffix(".0")
    seconds = spreads.get("seconds")
    times: tuple[str, ...] = ("", "", "")
    if seconds is not None:
        times = tuple(f"{each:.6f}" for each in (seconds.median, seconds.least, seconds.most))
    return row | dict(zip(("seconds", "least", "most"), times, strict=True))


def run_table(comparison: Comparison) -> ShownTable:
    """One row for each run: what it found and what that took."""
    numbers = ("expanded", "generated", "stored", "memory", "seconds")
    contestants = {each.label: each for each in comparison.contestants}
    rows = [
        [
            contestants[run.contestant].algorithm,
            contestants[run.contestant].heuristic or "",
            _found(run),
            *(f"{value:,}" for value in (run.expanded, run.generated, run.stored)),
            memory(run.stored_bytes or 0),
            f"{run.seconds:.3f}",
        ]
        for run in comparison.runs
    ]
    head = ["algorithm", "heuristic", comparison.cost_name, *numbers]
    return ShownTable(head, rows, numbers, spare=("generated", "memory"))


def _found(run: Run) -> str:
    if run.cost is None:
        return run.status if run.limit is None else f"gave up ({run.limit})"
    if run.optimal or run.within is None:
        return str(run.cost) if run.optimal else f"{run.cost}, not proved optimal"
    return f"{run.cost}, within {run.within:.10g}"


def basis(comparison: Comparison) -> str:
    """One sentence on what the medians are of."""
    common, boards = len(comparison.common_boards), len(comparison.boards)
    if not common:
        return "no medians: no board was solved by every algorithm that has solved any"
    some = "all" if common == boards else f"the {common:,} of"
    times = "one run each" if comparison.repeats == 1 else f"{comparison.repeats:,} runs each"
    if comparison.at_once > 1:
        times += f", {comparison.at_once:,} at a time"
    noun = "board" if boards == 1 else "boards"
    if boards == 1:
        return f"medians over one board, {times}"
    solved = "" if common == boards else " that every algorithm has solved which has solved any"
    return f"medians over {some} {boards:,} {noun}{solved}, {times}"


def notes(comparison: Comparison) -> list[str]:
    """What else must be said: who was left out, why runs failed, mixed engines, what is missing."""
    notes = [f"{name} left out: {reason}" for name, reason in comparison.unsuitable.items()]
    without: dict[str, list[str]] = {}
    for summary in comparison.summaries:
        label = summary.contestant.label
        for reason in summary.engine_reasons[:1]:
            without.setdefault(reason, []).append(label)
    notes += [
        f"{', '.join(labels)} ran on the reference engine, for there is no machine code: {reason}"
        for reason, labels in without.items()
    ]
    for summary in comparison.summaries:
        label = summary.contestant.label
        notes += [f"{label}: {reason}" for reason in summary.reasons[:MOST_REASONS]]
        if len(summary.engines) > 1:
            counts = ", ".join(f"{number:,} {name}" for name, number in summary.engines.items())
            notes.append(
                f"{label} ran on more than one engine ({counts}); use --engine to "
                "compare like with like"
            )
    used = {name for summary in comparison.summaries for name in summary.engines}
    if len(used) > 1 and not any(len(each.engines) > 1 for each in comparison.summaries):
        compiled = [each.contestant.label for each in comparison.summaries
                    if "compiled" in each.engines]  # fmt: skip
        notes.append(
            f"compiled engine: {', '.join(compiled)}; reference engine: the others; use --engine "
            "to compare like with like"
        )
    if any(run.memory_method == "high-water mark" for run in comparison.runs):
        notes.append("memory may be understated: this system does not put its mark back")
    if not comparison.complete:
        expected = len(comparison.boards) * len(comparison.contestants) * comparison.repeats
        notes.append(f"stopped after {len(comparison.runs):,} of {expected:,} runs")
    return notes


def json_text(comparison: Comparison) -> str:
    """The whole comparison as one JSON document."""
    fields = attrs.asdict(comparison)
    runs = [_plain(run) for run in fields.pop("runs")]
    del fields["cost_name"]
    document = {
        "format": FORMAT,
        **fields,
        "environment": environment(),
        "complete": comparison.complete,
        "common_boards": sorted(comparison.common_boards),
        "summaries": [_summary(each) for each in comparison.summaries],
        "disagreements": comparison.disagreements,
        "runs": runs,
    }
    return to_json(document, indent=2) + "\n"


def _summary(summary: Summary) -> dict[str, Any]:
    fields = attrs.asdict(summary)
    return {"contestant": fields.pop("contestant")["label"], "runs": summary.runs, **fields}


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with what JSON does not know as null."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in fields.items()
    }


def csv_head() -> str:
    """The line with the names of the columns."""
    return _line(CSV_COLUMNS)


def csv_line(run: Run, comparison: Comparison) -> str:
    """One run as a line of CSV (RFC 4180, lines end with a newline only); unknown is empty."""
    board = comparison.boards[run.board - 1]
    (contestant,) = (each for each in comparison.contestants if each.label == run.contestant)
    values = _plain(attrs.asdict(run)) | {
        "board_name": board.name,
        "start": board.text,
        "known_cost": board.known_cost,
        "algorithm": contestant.algorithm,
        "heuristic": contestant.heuristic,
        "label": contestant.label,
    }
    cells = (values[name] for name in CSV_COLUMNS)
    return _line([str(each).lower() if isinstance(each, bool) else each for each in cells])


def _line(values: Sequence[Any]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue()


def markdown(comparison: Comparison) -> str:
    """The summaries as a table of Markdown, with what must be said below it."""
    table = summary_table(comparison)
    lines = [basis(comparison), *notes(comparison)]
    return markdown_table(table.head, table.rows, table.numbers) + "".join(
        f"\n{line}\n" for line in lines
    )


def markdown_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[str] = ()
) -> str:
    """A table of Markdown; the columns named in `numbers` are aligned to the right."""
    marks = ["---:" if name in numbers else "---" for name in head]
    lines = [head, marks, *rows]
    escaped = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in escaped)
