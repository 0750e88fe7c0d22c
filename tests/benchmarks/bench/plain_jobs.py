"""Ordinary problems: translated against the reference engine, and against declared fields."""

from __future__ import annotations

from bench.contestants import Python
from bench.job import Baseline, Job

TITLES = {
    "jugs": ("five jugs, every state", "larger ones", "smaller ones"),
    "missionaries": ("missionaries and cannibals", "25,000 of each", "10,000 of each"),
    "hanoi": ("three pegs", "14 disks", "12 disks"),
    "ladder": ("a word ladder", "102,400 words", "33,275 words"),
    "farmer": ("the farmer", "15 sacks", "14 sacks"),
    "first": ("the first puzzle of the tutorial", "ten pancakes", "nine pancakes"),
    "lights": ("Lights Out 5x5", "160,000 expansions", "60,000 expansions"),
    "pegs": ("peg solitaire from both ends", "400,000 expansions", "100,000 expansions"),
    "rush": ("Rush Hour, every state", "10 cars", "11 cars"),
    "sokoban": ("Sokoban, every state", "three boxes", "two boxes"),
    "simpleai": ("simpleai's 8-puzzle", "iterative deepening", "uniform cost"),
    "aima": ("aima's 8-puzzle", "IDA*", "A*"),
}
"""Of each puzzle: what it is, what lasts in Python, and what is soon done there."""
WITH_FIELDS = ("jugs", "missionaries", "hanoi", "lights", "rush", "sokoban")


def plain_jobs() -> tuple[Job, ...]:
    """Jobs for each puzzle: a search that lasts, a small one, and that by declared fields."""

    def run(name: str, work: str, form: str, engine: str, repeats: int) -> Python:
        arguments = {"work": work, "form": form, "engine": engine, "repeats": repeats}
        return Python(name, "plain.search", arguments)

    def translated(name: str, form: str) -> tuple[Python, tuple[Baseline, ...]]:
        reference = run("reference engine", name, form, "reference", 1)
        return run("translated", name, form, "compiled", 3), (Baseline(reference, 1 / 10),)

    heading = "plain Python translated against the reference engine"
    found: list[Job] = []
    for name, (title, lasting, small) in TITLES.items():
        for end, form, what in (("", "lasting", lasting), ("-small", "small", small)):
            ours, theirs = translated(name, form)
            said = f"{heading}: {title}, {what}"
            found.append(Job(f"plain-{name}{end}", said, ours, theirs, equal=("nodes",)))
    for name in WITH_FIELDS:
        title, lasting, _ = TITLES[name]
        fields = Baseline(run("fields", name, "fields", "compiled", 3), 3.0)
        said = f"plain Python translated against declared fields: {title}, {lasting}"
        ours = run("translated", name, "lasting", "compiled", 3)
        found.append(Job(f"plain-{name}-fields", said, ours, (fields,), equal=("nodes",)))
    return tuple(found)
