"""Explored spaces on disk: one file of sorted states per layer, and a manifest."""

from searchkit.tables.table import Table
from searchkit.tables.writer import TableWriter

__all__ = ["Table", "TableWriter"]
