"""Every step lowers the grade."""

from __future__ import annotations

from searchkit.authors.user_code import call
from searchkit.capabilities import HasGrade
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law


def needs(ground: Ground) -> str | None:
    """A method `grade`."""
    return None if isinstance(ground.problem, HasGrade) else "no method grade"


def check(ground: Ground) -> Findings:
    """Compare the grades of both ends of every step. O(steps)."""
    problem = ground.problem
    assert isinstance(problem, HasGrade)
    for visit in ground.visits():
        own = call("grade", problem.grade, visit.state)
        if not isinstance(own, int):
            yield Breach(at=visit, expected="an integer", found=f"{own!r}", blame=("grade",))
            continue
        for step in visit.steps:
            after = call("grade", problem.grade, step.state)
            if not after < own:
                yield Breach(
                    at=visit,
                    then=(ground.action_text(step.action),),
                    expected=f"a grade less than {own}, as the step begins at",
                    found=f"{ground.text(step.state)} has {after!r}",
                    blame=("grade",),
                )
                break
    return None


LAW = Law("grade", "every step lowers the grade", check, needs)
