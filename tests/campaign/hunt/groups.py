"""All groups by name."""

from __future__ import annotations

from hunt.graph_groups import CompiledGraphs, PackedGraphs, PlainGraphs
from hunt.group import Group

GROUPS: dict[str, type[Group]] = {
    each.name: each for each in (PlainGraphs, PackedGraphs, CompiledGraphs)
}
