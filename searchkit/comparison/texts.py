"""A comparison as JSON (`searchkit-comparison/1`), as CSV, a run a line, and as Markdown."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection, Sequence
from typing import Any

import attrs

from searchkit.comparison.comparison import Comparison, environment
from searchkit.comparison.records import Run
from searchkit.comparison.summary import Summary
from searchkit.comparison.tables import basis, notes, summary_table
from searchkit.texts.harmless import to_json

FORMAT = "searchkit-comparison/1"

CSV_COLUMNS = (
    "board", "board_name", "start", "known_cost", "algorithm", "heuristic", "label", "repeat",
    *(
        field.name for field in attrs.fields(Run)
        if field.name not in ("board", "contestant", "repeat", "iterations")
    ),
)  # fmt: skip
"""New columns may be added at the end; none changes its name or its meaning."""


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
