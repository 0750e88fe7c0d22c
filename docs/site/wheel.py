"""Builds the wheel, which the page `try.md` loads into the browser, and adds it to the site."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the wheel, and the name of it, which has the version."""
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", BUILD, folder],
            cwd=Path(config.config_file_path or "").parent,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"the wheel cannot be built: {done.stderr}")
        name = done.stdout.split()[-1]
        files.append(File.generated(config, f"try/{name}", content=Path(folder, name).read_bytes()))
        files.append(File.generated(config, "try/wheel.txt", content=name))
    return files
