"""Writes a plugin project, whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from string import Template

from searchkit.errors import UsageError
from searchkit.scaffold.names import Names

FILES = {
    "pyproject.toml": "pyproject.txt",
    "README.md": "readme.txt",
    ".gitignore": "gitignore.txt",
    "{package}/__init__.py": "{variant}.txt",
    "{package}/py.typed": "empty.txt",
    "tests/test_{module}.py": "tests.txt",
}
"""The template of each file."""


def new_project(name: str, into: Path, *, compiled: bool = False) -> Path:
    """Write a plugin project for the puzzle called `name` into a folder of its own in `into`.

    The project holds a small puzzle that works, to be replaced, and its tests; with `compiled` it
    is a packed one. Returns the folder. O(1).

    Raises `UsageError`, with nothing written, if the name will not do, the folder exists, or
    cannot be written.
    """
    names = Names(name)
    names.check_free()
    target = into / names.distribution
    if target.exists() or target.is_symlink():
        raise UsageError(f"{str(target)!r} exists already; choose another name or folder")
    if not into.is_dir():
        raise UsageError(f"there is no folder {str(into)!r}; make it, or choose another one")
    try:
        _write(names, target, compiled=compiled)
    except OSError as error:
        raise UsageError(
            f"cannot write to {str(into)!r}: {error.strerror or error}; choose another folder"
        ) from error
    return target


def rendered(names: Names, *, compiled: bool) -> dict[str, str]:
    """The text of each file of the project, by its path."""
    words = {
        "puzzle": names.puzzle,
        "distribution": names.distribution,
        "package": names.package,
        "module": names.puzzle.replace("-", "_"),
        "class_name": names.class_name,
        "variant": "packed" if compiled else "plain",
    }
    templates = files("searchkit.scaffold") / "templates"
    return {
        path.format(**words): Template(
            (templates / template.format(**words)).read_text(encoding="utf-8")
        ).substitute(words)
        for path, template in FILES.items()
    }


def _write(names: Names, target: Path, *, compiled: bool) -> None:
    """Write the files into a folder beside `target`, and give it that name when all are there."""
    texts = rendered(names, compiled=compiled)
    aside = Path(tempfile.mkdtemp(prefix=f".{names.distribution}-", dir=target.parent))
    try:
        project = aside / names.distribution
        for path, text in texts.items():
            file = project / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        project.rename(target)
    finally:
        with suppress(OSError):
            shutil.rmtree(aside)
