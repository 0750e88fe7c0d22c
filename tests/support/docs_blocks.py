"""The fenced blocks of the documents, and how those that show a run are run."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import Result

from searchkit.cli.app import app
from tests.support.cli_calls import runner

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS
ENVIRONMENT = {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
SHELL = re.compile(r"[$;&<>`*?~]")
"""What only a shell understands, in the call of searchkit itself."""
SHOW_CODE = "; echo $?"
MEASURED = re.compile(r" *\b[\d.,]+ (?:s|B|kB|MB|GB)\b|(?: +\d+\.\d{3,6})+$|─{20,}", re.MULTILINE)
"""Times and sizes, with the blanks before them, and the rules that are as long as tables."""
HEADS_OF_MEASURED = (" seconds\n", " most\n")
"""So end heads of tables whose last columns are measured, and whose blanks may differ."""


@attrs.frozen
class Block:
    """A fenced block; `line` is that of its first line of text."""

    language: str
    text: str
    path: Path
    line: int


def blocks(path: Path) -> list[Block]:
    """The blocks of a document, in order."""
    text = path.read_text(encoding="utf-8")
    return [
        Block(match[1], match[2], path, text.count("\n", 0, match.start(2)) + 1)
        for match in FENCE.finditer(text)
    ]


def run_python(block: Block, names: dict[str, Any]) -> None:
    """Run a block of Python, or of a Python session whose answers must be as shown."""
    if ">>> " not in block.text:
        code = "\n" * (block.line - 1) + block.text
        exec(compile(code, str(block.path), "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(
        block.text, names, block.path.name, str(block.path), block.line - 1
    )
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    runner.run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, "".join(told)


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a console block, and the output shown after it."""
    first, *parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not first.strip(), f"{block.path}:{block.line}: a console block begins with '$ '"
    for part in parts:
        command, _, shown = part.partition("\n")
        yield command, shown


SLOW = re.compile(r"^searchkit: note: (building .*|.* was built in [\d.,]+ s)\n", re.MULTILINE)
"""What is said of a table that takes more than a second to build, which depends on the machine."""


def output_of(command: str) -> str:
    """What a command prints in a shell at the root of the repository.

    searchkit itself is called here, for it takes long to start, unless the line needs a shell.
    """
    line = command.removesuffix(SHOW_CODE)
    parts = line.split(" | ")
    if SHELL.search(line) or not any(map(_is_call, parts)):
        return _in_shell(command)
    if line != command and not _is_call(parts[-1]):
        return _in_shell(command)
    errors, given, code = "", "", ""
    for number, part in enumerate(parts, start=1):
        if not _is_call(part):
            given = _in_shell(part, given)
        elif number == len(parts):
            done = _called(part, given)
            given, code = done.output, f"{done.exit_code}\n"
        else:
            done = _called(part, given)
            given, errors = done.stdout, errors + done.stderr
    return SLOW.sub("", errors + given) + (code if line != command else "")


def _is_call(part: str) -> bool:
    return part.startswith("searchkit ")


def _called(call: str, given: str) -> Result:
    with pytest.MonkeyPatch.context() as patches:
        patches.chdir(ROOT)
        for name, value in ENVIRONMENT.items():
            patches.setenv(name, value)
        done = runner().invoke(app, shlex.split(call)[1:], input=given)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def _in_shell(command: str, given: str = "") -> str:
    here = str(Path(sys.executable).parent)
    path = os.pathsep.join([here, os.environ["PATH"]])
    environment = os.environ | ENVIRONMENT | {"PATH": path}
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=ROOT,
        env=environment,
        input=given.encode("utf-8"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.stdout.decode("utf-8")


def is_as_shown(shown: str, got: str) -> bool:
    """Whether `got` is the output `shown`: times and sizes may differ, `...` is any text."""
    return doctest.OutputChecker().check_output(_plain(shown), _plain(got), FLAGS)


def _plain(output: str) -> str:
    lines = MEASURED.sub(" #", output).splitlines(keepends=True)
    return "".join(
        " ".join(line.split()) + "\n" if line.endswith(HEADS_OF_MEASURED) else line
        for line in lines
    )
