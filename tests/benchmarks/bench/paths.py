"""Where things are."""

from __future__ import annotations

from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent.parent
SOURCES = BENCHMARKS / "baselines"
KORF = BENCHMARKS / "data" / "korf100.csv"
BUILD = ROOT / "build" / "benchmarks"
