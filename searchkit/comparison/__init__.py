"""Comparisons: what many runs of several engines on several boards took, and what it comes to."""

from searchkit.comparison.comparison import Comparison, Spread, Summary, disagreements, summaries
from searchkit.comparison.records import Board, Contestant, Run

__all__ = [
    "Board", "Comparison", "Contestant", "Run", "Spread", "Summary", "disagreements",
    "summaries",
]  # fmt: skip
