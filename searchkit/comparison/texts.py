"""A comparison as JSON (`searchkit-comparison/1`), as CSV, a run a line, and as Markdown."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection, Sequence
from typing import Any

import attrs

from searchkit.comparison.comparison import Comparison, environment
from searchkit.comparison.records import Board, Contestant, Run
from searchkit.comparison.summary import Summary
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
    document = {
        "format": FORMAT,
        "command": comparison.command,
        "puzzle": comparison.puzzle,
        "parameters": comparison.parameters,
        "goal": comparison.goal,
        "settings": comparison.settings,
        "environment": environment(),
        "complete": comparison.complete,
        "repeats": comparison.repeats,
        "boards": [attrs.asdict(board) for board in comparison.boards],
        "contestants": [attrs.asdict(contestant) for contestant in comparison.contestants],
        "unsuitable": comparison.unsuitable,
        "common_boards": sorted(comparison.common_boards),
        "summaries": [_summary(each) for each in comparison.summaries],
        "disagreements": comparison.disagreements,
        "runs": [_plain(attrs.asdict(run)) for run in comparison.runs],
    }
    return to_json(document, indent=2) + "\n"


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        "contestant": summary.contestant.label,
        "runs": summary.runs,
        "outcomes": summary.outcomes,
        "engines": summary.engines,
        "reasons": list(summary.reasons),
        "own": {name: attrs.asdict(spread) for name, spread in summary.own.items()},
        "common": {name: attrs.asdict(spread) for name, spread in summary.common.items()},
    }


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields with what JSON does not know as null."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in fields.items()
    }


def csv_head() -> str:
    """The line with the names of the columns."""
    return _line(CSV_COLUMNS)


def csv_line(run: Run, board: Board, contestant: Contestant) -> str:
    """One run as a line of CSV (RFC 4180, lines end with a newline only); unknown is empty."""
    values = _plain(attrs.asdict(run)) | {
        "board": board.number,
        "board_name": board.name,
        "start": board.text,
        "known_cost": board.known_cost,
        "algorithm": contestant.algorithm,
        "heuristic": contestant.heuristic,
        "label": contestant.label,
    }
    return _line([_cell(values[name]) for name in CSV_COLUMNS])


def _cell(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _line(values: Sequence[Any]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(values)
    return out.getvalue()


def markdown_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[str] = ()
) -> str:
    """A table of Markdown; the columns named in `numbers` are aligned to the right."""
    marks = ["---:" if name in numbers else "---" for name in head]
    lines = [head, marks, *rows]
    escaped = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in escaped)
