"""`python -m bench.runs FUNCTION ARGUMENTS`: run, and print one line of JSON."""

from __future__ import annotations

import json
import sys
from importlib import import_module

from bench.samples import Unavailable


def main(function: str, arguments: str) -> None:
    """Call `module.name` of this package with keyword arguments given as JSON."""
    module, _, name = function.partition(".")
    try:
        report = getattr(import_module(f"bench.runs.{module}"), name)(**json.loads(arguments))
    except Unavailable as reason:
        report = {"unavailable": str(reason)}
    print(json.dumps(report))


main(*sys.argv[1:])
