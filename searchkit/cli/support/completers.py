"""What a shell completes for an argument or an option, known by its name alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs
import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from searchkit.registry import Registry

Given = Mapping[str, Any]
"""The values of the words before, by name."""


class Completed(click.ParamType):  # type: ignore[type-arg]  # click 8.1 to 8.3 has no arguments there
    """A text of which a shell can ask what it may be."""

    name = "text"

    def __init__(self, values: Callable[[Given], Iterable[CompletionItem[Any]]]) -> None:
        self.values = values

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """The text as it is."""
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem[Any]]:
        """What begins with `incomplete`, or files; nothing where a plugin or a puzzle fails."""
        try:
            items = list(self.values(_given(ctx)))
        except Exception:
            return []
        named = [
            item for item in items if item.type == "plain" and item.value.startswith(incomplete)
        ]
        return named or [item for item in items if item.type != "plain"]


def equip(command: click.Command) -> None:
    """Let the shell complete the texts that `command` takes."""
    for param in command.params:
        if param.name in COMPLETERS and param.type is click.STRING:
            param.type = Completed(COMPLETERS[param.name])
    if isinstance(command, click.Group):
        for sub in command.commands.values():
            equip(sub)


def _given(ctx: click.Context) -> dict[str, Any]:
    given: dict[str, Any] = {}
    files: list[Any] = []
    at: click.Context | None = ctx
    while at is not None:
        given = at.params | given
        files += at.params.get("plugin") or ()
        at = at.parent
    if given.get("puzzle") is None and ctx.args:
        given["puzzle"] = ctx.args[0]  # click reads no arguments where the last option has no value
    return given | {"plugin": files}


def _registry(given: Given) -> Registry:
    from searchkit.registry import Registry  # noqa: PLC0415  (looks for all plugins)

    return Registry.load(dict.fromkeys(given["plugin"]))


def _items(entries: Iterable[Any]) -> Iterator[CompletionItem[Any]]:
    return (CompletionItem(entry.name, help=entry.summary) for entry in entries)


def _heuristics(given: Given) -> Iterator[CompletionItem[Any]]:
    from searchkit.cli.support.choice import BUILT_IN_HEURISTICS  # noqa: PLC0415  (slow to import)

    for name, summary in BUILT_IN_HEURISTICS.items():
        if name.isalpha():
            yield CompletionItem(name, help=summary)
    yield from _suiting(given, "heuristics")


def _suiting(given: Given, table: str) -> Iterator[CompletionItem[Any]]:
    """The entries that suit the puzzle, with the parameters that it has by itself."""
    registry = _registry(given)
    entries = getattr(registry, table)
    if not given.get("puzzle"):
        return _items(entries.entries)
    return _items(entries.suiting(registry.puzzles.get(given["puzzle"]).create()))


def _parameters(given: Given) -> Iterator[CompletionItem[Any]]:
    for parameter in _registry(given).puzzles.get(given["puzzle"]).parameters:
        yield CompletionItem(f"{parameter.name}={parameter.default_text}", help=parameter.help)


def _settings(given: Given) -> Iterator[CompletionItem[Any]]:
    cls = _registry(given).algorithms.get(given["algo"]).algorithm
    for field in attrs.fields(cls) if attrs.has(cls) else ():
        if field.name != "heuristic":
            yield CompletionItem(f"{field.name}=")


def _files(given: Given) -> list[CompletionItem[Any]]:
    return [CompletionItem("", type="file")]


def _puzzles(given: Given) -> Iterator[CompletionItem[Any]]:
    yield from _items(_registry(given).puzzles.entries)
    yield from _files(given)


COMPLETERS: dict[str, Callable[[Given], Iterable[CompletionItem[Any]]]] = {
    "puzzle": _puzzles,
    "param": _parameters,
    "algo": lambda given: _items(_registry(given).algorithms.entries),
    "settings": _settings,
    "heuristic": _heuristics,
    "renderer": lambda given: _suiting(given, "renderers"),
    "boards": _files,
    "file": _files,
}
"""What is offered for each argument or option of that name, in any command."""
