"""Compile the baseline programs with the system's compiler, once per change."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from bench.paths import BUILD, SOURCES
from bench.samples import Unavailable
from bench.target import architecture


def flags() -> tuple[str, ...]:
    """What every program is compiled with."""
    return "-std=c++17", "-O3", architecture(), "-Wall", "-Wextra"


@cache
def compiler() -> str:
    """The C++ compiler: `$CXX`, or the first of the usual names."""
    for name in (os.environ.get("CXX"), "c++", "g++", "clang++"):
        if name and (path := shutil.which(name)):
            return path
    raise Unavailable("no C++ compiler was found; install one, or name it in CXX")


@cache
def compiler_version() -> str:
    """The first line of what the compiler says of itself."""
    answer = subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=True)
    return answer.stdout.partition("\n")[0]


def compile_program(name: str) -> Path:
    """The executable of `baselines/{name}.cpp`, compiled if any source has changed."""
    sources = [SOURCES / f"{name}.cpp", *sorted(SOURCES.glob("*.hpp"))]
    contents = hashlib.sha256(" ".join((compiler_version(), *flags())).encode())
    for source in sources:
        contents.update(source.read_bytes())
    program = BUILD / f"{name}-{contents.hexdigest()[:16]}"
    if not program.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        unfinished = program.with_name(f"{program.name}.{os.getpid()}")
        command = [compiler(), *flags(), "-o", str(unfinished), str(sources[0])]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if answer.returncode:
            raise Unavailable(f"{name}.cpp did not compile: {answer.stderr.strip()}")
        unfinished.replace(program)
    return program
