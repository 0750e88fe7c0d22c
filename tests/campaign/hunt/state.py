"""What has been done so far, in a file, so that a campaign can go on where it was stopped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Progress:
    """The trials of one group: those below `done` were made, and those `beyond` it."""

    done: int = 0
    beyond: dict[int, int] = field(default_factory=dict)
    trials: int = 0
    cpu: float = 0.0
    told: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def note(self, begin: int, end: int, told: Counter[str], cpu: float) -> None:
        self.trials += end - begin
        self.cpu += cpu
        self.told += told
        self.beyond[begin] = end
        while self.done in self.beyond:
            self.done = self.beyond.pop(self.done)

    def chunks(self, total: int, size: int) -> Iterator[tuple[int, int]]:
        """What is left to do."""
        known = dict(self.beyond)
        begin = self.done
        while begin < total:
            if begin in known:
                begin = known[begin]
                continue
            end = min([total, begin + size, *(each for each in known if each > begin)])
            yield begin, end
            begin = end


class State:
    """The progress of all groups for one seed."""

    def __init__(self, path: Path | None, seed: int) -> None:
        self.path, self.seed = path, seed
        self.groups: dict[str, Progress] = {}
        if path is not None and path.exists():
            self._read(json.loads(path.read_text(encoding="utf-8")))

    def _read(self, data: dict[str, Any]) -> None:
        if data["seed"] != self.seed:
            raise ValueError(f"{self.path} is of seed {data['seed']}, not {self.seed}")
        for name, fields in data["groups"].items():
            fields["told"] = Counter(fields["told"])
            fields["beyond"] = {int(key): value for key, value in fields["beyond"].items()}
            self.groups[name] = Progress(**fields)

    def of(self, name: str) -> Progress:
        return self.groups.setdefault(name, Progress())

    def write(self) -> None:
        if self.path is None:
            return
        groups = {name: vars(each) for name, each in self.groups.items()}
        aside = self.path.with_name(self.path.name + ".new")
        aside.write_text(json.dumps({"seed": self.seed, "groups": groups}), encoding="utf-8")
        aside.replace(self.path)
