"""Run the benchmarks: see README.md."""

from bench.command import main

main(prog_name="python tests/benchmarks")
