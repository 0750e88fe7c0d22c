"""One page of HTML that needs no other file: headings, tables and plots, for light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from searchkit.plots.figure import Plot

_CSS = """
:root { color-scheme: light dark; --ink: #1f2328; --paper: #ffffff; --faint: #8b949e;
  --line: #d0d7de; --shade: #f6f8fa; --bad: #b42318; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #15191f; --line: #3a424c;
  --shade: #1e242c; --bad: #ff8f80; } }
body { color: var(--ink); background: var(--paper); margin: 2rem auto; max-width: 72rem;
  padding: 0 1rem; font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
figure { margin: 1rem 0; } figure svg { width: 100%; height: auto; }
figcaption, .note { font-size: .9rem; opacity: .85; }
pre, code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--shade); padding: .6rem .8rem; overflow-x: auto; border-radius: 6px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: left; }
th { background: var(--shade); } .number { text-align: right; white-space: nowrap; }
.bad { color: var(--bad); font-weight: 600; } summary { cursor: pointer; }
"""


def page(title: str, parts: Iterable[str]) -> str:
    """The whole page; `parts` are elements of HTML. The same parts give the same page."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_CSS}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
    )


def heading(text: str) -> str:
    """The heading of a section."""
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph; `kind` is "note", "bad" or nothing."""
    marked = f' class="{kind}"' if kind else ""
    return f"<p{marked}>{escape(text)}</p>"


def code(text: str) -> str:
    """Text as it would be typed."""
    return f"<pre><code>{escape(text)}</code></pre>"


def picture(plot: Plot, prefix: str) -> str:
    """A plot, with its description below; `prefix` is one that no other plot of the page has."""
    said = escape(plot.description)
    return f"<figure>\n{plot.inline(prefix)}\n<figcaption>{said}</figcaption>\n</figure>"


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], numbers: Iterable[str] = ()) -> str:
    """A table; the columns named in `numbers` are aligned to the right."""
    kinds = [' class="number"' if name in set(numbers) else "" for name in head]
    names = "".join(
        f'<th scope="col"{kind}>{escape(name)}</th>' for name, kind in zip(head, kinds, strict=True)
    )
    lines = [
        "<tr>"
        + "".join(
            f"<td{kind}>{escape(str(cell))}</td>" for cell, kind in zip(row, kinds, strict=True)
        )
        + "</tr>"
        for row in rows
    ]
    body = "\n".join(lines)
    return (
        f'<div class="wide"><table>\n<thead><tr>{names}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def pairs(values: Mapping[str, Any]) -> str:
    """Names with their values; those that are unknown are left out."""
    lines = [(name, value) for name, value in values.items() if value is not None]
    return table(["what", "value"], lines)


def folded(summary: str, content: str) -> str:
    """Content that is shown when it is asked for."""
    return f"<details><summary>{escape(summary)}</summary>\n{content}\n</details>"
