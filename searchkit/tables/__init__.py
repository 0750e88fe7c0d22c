"""Explored spaces on disk: one file of sorted states per layer, and a manifest."""

from typing import TYPE_CHECKING

from searchkit.later import exports

if TYPE_CHECKING:
    from searchkit.tables.table import Table
    from searchkit.tables.writer import TableWriter
else:
    __getattr__ = exports(__name__, {"table": "Table", "writer": "TableWriter"})

__all__ = ["Table", "TableWriter"]
