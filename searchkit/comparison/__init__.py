"""Comparisons: what many runs of several engines on several boards took, and what it comes to."""

from searchkit.comparison.comparison import Comparison
from searchkit.comparison.records import Board, Contestant, Run
from searchkit.comparison.summary import Spread, Summary, disagreements, summaries

__all__ = [
    "Board", "Comparison", "Contestant", "Run", "Spread", "Summary", "disagreements",
    "summaries",
]  # fmt: skip
