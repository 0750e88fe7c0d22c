"""All groups by name."""

from __future__ import annotations

from hunt.command_lines import CommandLines
from hunt.damages import Damages
from hunt.documents import Documents
from hunt.field_rules import FieldRules
from hunt.forgeries import Forgeries
from hunt.graph_groups import CompiledGraphs, PackedGraphs, PlainGraphs
from hunt.group import Group
from hunt.kills import Kills
from hunt.permutations import Permutations
from hunt.pieces import PieceGroup
from hunt.plugin_files import Plugins
from hunt.processes import Limits
from hunt.toggles import ToggleSpaces
from hunt.translated import Searches
from hunt.translations import Rules

GROUPS: dict[str, type[Group]] = {
    each.name: each
    for each in (
        PlainGraphs,
        PackedGraphs,
        CompiledGraphs,
        ToggleSpaces,
        Permutations,
        PieceGroup,
        Rules,
        Searches,
        FieldRules,
        CommandLines,
        Documents,
        Plugins,
        Kills,
        Damages,
        Forgeries,
        Limits,
    )
}
