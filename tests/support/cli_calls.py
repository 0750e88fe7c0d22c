"""How the tests call the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import attrs
from click.testing import CliRunner

HERE = Path(__file__).parents[1] / "cli"
TOYS = str(HERE / "plugins" / "toys.py")


def runner() -> CliRunner:
    """What calls the command line in this process; click 8.1 is told to keep stderr apart."""
    told = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}
    return CliRunner(**told)


@attrs.frozen
class Outcome:
    """What a call of the command line gave."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def listed(self) -> list[str]:
        """The solutions that were listed: the lines before the summary."""
        return self.out.partition("\n\n")[0].splitlines()

    @property
    def err_lines(self) -> list[str]:
        return self.err.splitlines()


Call = Callable[..., Outcome]


def start_process(*args: str, module: bool = True, **more: Any) -> subprocess.Popen[str]:
    """A real process of the command line."""
    script = Path(sys.executable).with_name("searchkit")
    command = [sys.executable, "-m", "searchkit"] if module else [str(script)]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    environment = os.environ | {"COLUMNS": "120"}
    return subprocess.Popen([*command, *args], text=True, env=environment, **(pipes | more))
