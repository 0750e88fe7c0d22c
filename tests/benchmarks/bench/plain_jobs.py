"""Ordinary problems: translated against the reference engine, and against declared fields."""

from __future__ import annotations

from bench.contestants import Python
from bench.job import Baseline, Job

TITLES = {
    "jugs": "five jugs, every state",
    "missionaries": "thousands of missionaries, every state",
    "hanoi": "three pegs",
    "ladder": "a word ladder among 33,275 words",
    "farmer": "the farmer, with fourteen sacks",
    "first": "the first puzzle of the tutorial, nine pancakes",
    "lights": "Lights Out 5x5",
    "rush": "Rush Hour, every state",
    "sokoban": "Sokoban, every state",
    "simpleai": "8-puzzle as simpleai's users write it, uniform cost",
    "aima": "8-puzzle as aima-python's users write it, A*, misplaced tiles",
}
WITH_FIELDS = ("jugs", "missionaries", "hanoi", "lights", "rush", "sokoban")


def plain_jobs() -> tuple[Job, ...]:
    """A job for each puzzle, and one more for each that is declared by its fields, too."""

    def run(name: str, work: str, form: str, engine: str, repeats: int) -> Python:
        arguments = {"work": work, "form": form, "engine": engine, "repeats": repeats}
        return Python(name, "plain.search", arguments)

    return (
        *(
            Job(
                f"plain-{name}",
                f"plain Python translated against the reference engine: {title}",
                run("translated", name, "plain", "compiled", 3),
                (Baseline(run("reference engine", name, "plain", "reference", 1), 1 / 10),),
                equal=("nodes",),
            )
            for name, title in TITLES.items()
        ),
        *(
            Job(
                f"plain-{name}-fields",
                f"plain Python translated against declared fields: {TITLES[name]}, larger",
                run("translated", name, "large", "compiled", 3),
                (Baseline(run("fields", name, "fields", "compiled", 3), 3.0),),
                equal=("nodes",),
            )
            for name in WITH_FIELDS
        ),
    )
