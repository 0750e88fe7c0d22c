"""Writes a plugin, as a project or as one file, whole or not at all."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template

import attrs

from searchkit.errors import UsageError

FILES = {
    "pyproject.toml": "pyproject.txt",
    "README.md": "readme.txt",
    ".gitignore": "gitignore.txt",
    "tests/test_{module}.py": "tests.txt",
}
"""The template of each file; the rules are an example."""
LIKE = {"graph": "knight", "grid": "grid-map", "permutation": "pyramid", "rush": "rush-hour"}
"""The example for each kind of puzzle: the name of its puzzle, and of its file with `_` for `-`."""

_CALLS = re.compile(r"\n\n(?: {4}searchkit .*\n)+")
LEGAL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST = 40
PREFIX = "searchkit"


def _legal(instance: object, attribute: attrs.Attribute[str], puzzle: str) -> None:
    if not LEGAL.fullmatch(puzzle):
        raise UsageError(
            f"{puzzle!r} is not a name for a puzzle; begin with a small letter, and go on with "
            "small letters, digits, and single '-' between them, like 'my-puzzle'"
        )
    if len(puzzle) > LONGEST:
        raise UsageError(f"{puzzle!r} is too long a name; use {LONGEST} characters at most")


@attrs.frozen
class Names:
    """The names for a puzzle; `UsageError` if its own will not do.

    >>> Names("my-puzzle").package
    'searchkit_my_puzzle'
    >>> Names("seven-jugs").class_name
    'SevenJugsPuzzle'
    """

    puzzle: str = attrs.field(validator=_legal)

    @property
    def distribution(self) -> str:
        """The name of the project, and of its folder."""
        return f"{PREFIX}-{self.puzzle}"

    @property
    def package(self) -> str:
        """The name of the package."""
        return f"{PREFIX}_{self.module}"

    @property
    def module(self) -> str:
        """The name of a module of one file."""
        return self.puzzle.replace("-", "_")

    @property
    def words(self) -> str:
        """The words of the name, as names of classes are written."""
        return "".join(word.capitalize() for word in self.puzzle.split("-"))

    @property
    def class_name(self) -> str:
        """The name of the class, which is not a name of Python's or searchkit's."""
        name = self.words
        return name if name.endswith("Puzzle") and name != "Puzzle" else f"{name}Puzzle"

    def check_free(self) -> None:
        """Raise `UsageError` if there is such a package already."""
        if find_spec(self.package) is not None:
            raise UsageError(
                f"there is a package {self.package} already; choose another name than "
                f"{self.puzzle!r}"
            )


def new_project(name: str, into: Path, *, like: str = "graph") -> Path:
    """Write a plugin project for the puzzle called `name` into a folder of its own in `into`.

    The project holds a small puzzle that works, to be replaced, and its tests; `like` says of what
    kind it is (see `searchkit.scaffold.LIKE`). Returns the folder. O(1).

    Raises `UsageError`, with nothing written, if the name will not do, the folder exists, or
    cannot be written.
    """
    names = Names(name)
    names.check_free()
    with _written_aside(into / names.distribution) as aside:
        for path, text in rendered(names, like).items():
            file = aside / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return into / names.distribution


def new_file(name: str, into: Path, *, like: str = "graph") -> Path:
    """Write a plugin of one file for the puzzle called `name` into the folder `into`.

    Returns the file. Raises `UsageError` as `new_project` does.
    """
    names = Names(name)
    with _written_aside(into / f"{names.module}.py") as aside:
        aside.write_text(example_for(like, names), encoding="utf-8")
    return into / f"{names.module}.py"


def rendered(names: Names, like: str) -> dict[str, str]:
    """The text of each file of the project, by its path."""
    kinds = ("puzzle", "distribution", "package", "module", "class_name")
    words = {kind: getattr(names, kind) for kind in kinds}
    templates = files("searchkit.scaffold") / "templates"
    found = {f"{names.package}/__init__.py": example_for(like, names)}
    for path, template in FILES.items():
        text = (templates / template).read_text(encoding="utf-8")
        found[path.format(**words)] = Template(text).substitute(words)
    return found


@contextmanager
def _written_aside(target: Path) -> Iterator[Path]:
    """A path beside `target`; what is written there gets that name at the end."""
    if target.exists() or target.is_symlink():
        raise UsageError(f"{str(target)!r} exists already; choose another name or folder")
    if not target.parent.is_dir():
        raise UsageError(
            f"there is no folder {str(target.parent)!r}; make it, or choose another one"
        )
    try:
        aside = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        try:
            yield aside / target.name
            (aside / target.name).rename(target)
        finally:
            with suppress(OSError):
                shutil.rmtree(aside)
    except OSError as error:
        raise UsageError(
            f"cannot write to {str(target.parent)!r}: {error.strerror or error}; "
            "choose another folder"
        ) from error


def example_for(kind: str, names: Names) -> str:
    """The text of the example for a kind of puzzle, with the names of another puzzle.

    Left out is how it is called where it lies.
    """
    old = Names(LIKE[kind])
    text = _CALLS.sub("\n", _text_of(f"{old.module}.py"), count=1)
    text = text.replace(f'"{old.puzzle}"', f'"{names.puzzle}"')
    return re.sub(rf"\b{old.words}\b", names.class_name, text)


def _text_of(name: str) -> str:
    """An example, which lies beside the package in a clone, and in this one where installed."""
    installed = files("searchkit.scaffold") / "examples" / name
    in_clone = Path(__file__).parents[2] / "examples" / name
    return (installed if installed.is_file() else in_clone).read_text(encoding="utf-8")
