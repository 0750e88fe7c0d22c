"""The JSON Schema of what the commands print with `--json`."""

from __future__ import annotations

from importlib.resources import files

NAME = "results.schema.json"


def schema_text() -> str:
    """The schema, of draft 2020-12, as JSON text.

    >>> import json
    >>> from searchkit.documents.schema import schema_text
    >>> json.loads(schema_text())["$id"]
    'urn:searchkit:results'
    """
    return (files(__name__) / NAME).read_text(encoding="utf-8")
