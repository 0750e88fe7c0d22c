"""Who runs: every run is a process of its own that prints one line of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any, Protocol

import attrs

from bench.compiling import compile_program
from bench.paths import BENCHMARKS
from bench.samples import Failed, Sample, Unavailable
from bench.target import numba_environment


class Contestant(Protocol):
    """Something that can be run, with a name for the table."""

    @property
    def name(self) -> str:
        """What it is."""

    def run(self) -> Sample:
        """Run once; `Unavailable` if it cannot, `Failed` if it did badly."""


@attrs.frozen
class Needed:
    """Arguments that only searchkit can tell: a function of `bench.runs.estimates`, a name."""

    function: str
    name: str

    def find(self) -> tuple[str, ...]:
        """The arguments; `Unavailable` if something is not there."""
        command = [
            "-m",
            "bench.runs",
            f"estimates.{self.function}",
            json.dumps({"name": self.name}),
        ]
        found = _report([sys.executable, *command], "", {"PYTHONPATH": str(BENCHMARKS)})
        if "unavailable" in found:
            raise Unavailable(found["unavailable"])
        return tuple(found["arguments"])


@attrs.frozen
class Program:
    """One of the C++ programs: repetitions, further arguments, and rows of instances to read."""

    name: str
    source: str
    repeats: int = 1
    arguments: tuple[str, ...] | Needed = ()
    rows: tuple[str, ...] = ()

    def run(self) -> Sample:
        """Compile it if need be, and run it."""
        arguments = self.arguments
        further = arguments.find() if isinstance(arguments, Needed) else arguments
        command = [str(compile_program(self.source)), str(self.repeats), *further]
        return _run(command, "".join(f"{row}\n" for row in self.rows), {})


@attrs.frozen
class Python:
    """A function of `bench.runs`, by name, with its arguments."""

    name: str
    function: str
    arguments: Mapping[str, Any] = attrs.field(factory=dict)

    def run(self) -> Sample:
        """Run it in a fresh interpreter."""
        command = [sys.executable, "-m", "bench.runs", self.function, json.dumps(self.arguments)]
        return _run(command, "", {"PYTHONPATH": str(BENCHMARKS)})


def _run(command: list[str], text: str, environment: Mapping[str, str]) -> Sample:
    return Sample.read(_report(command, text, environment))


def _report(command: list[str], text: str, environment: Mapping[str, str]) -> dict[str, Any]:
    answer = subprocess.run(
        command,
        input=text,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **numba_environment(), **environment},
    )
    if answer.returncode:
        raise Failed(f"{' '.join(command)}\n{answer.stderr.strip()}")
    report: dict[str, Any] = json.loads(answer.stdout)
    return report
