"""What `searchkit compare --json` prints, as one row for each run."""

import json
from typing import Any


def compared_rows(text: str) -> list[dict[str, Any]]:
    """Each run with the algorithm and the heuristic of its contestant."""
    document = json.loads(text)
    contestants = {each["label"]: each for each in document["contestants"]}
    return [
        {name: contestants[run["contestant"]][name] for name in ("algorithm", "heuristic")} | run
        for run in document["runs"]
    ]
