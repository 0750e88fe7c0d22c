"""Runs the commands that the gallery shows, and adds the pages that they write to the site."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from searchkit.cli.app import app

COMMAND = re.compile(r"^`searchkit (run .* --html )(\S+\.html)`$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each command."""
    gallery = Path(config.docs_dir, "gallery.md").read_text(encoding="utf-8")
    for command, name in COMMAND.findall(gallery):
        with TemporaryDirectory() as folder:
            page = Path(folder, name)
            done = CliRunner().invoke(app, [*shlex.split(command), str(page)])
            if done.exit_code != 0:
                raise RuntimeError(f"searchkit {command}{name}: {done.output}")
            files.append(File.generated(config, name, content=page.read_text(encoding="utf-8")))
    return files
