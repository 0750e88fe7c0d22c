"""Every kernel of a problem and a heuristic, called once for each step."""

from searchkit.compiled.specialise.kernels.heuristic import heuristic_estimate
from searchkit.compiled.specialise.kernels.words import load, store
from searchkit.compiled.specialise.names import (
    INCREMENTAL,
    entry,
    heuristic_change,
    problem_apply,
    problem_at_goal,
    problem_cost,
    problem_legal,
    unchecked_control,
)


@entry
def call_all(P, H, states, operators, numbers, children):
    """Note what the kernels say of each operator in its state."""
    for i in range(len(operators)):
        state = load(states, i)
        control = unchecked_control(P, state)
        operator = operators[i]
        numbers[i, 0] = control
        numbers[i, 1] = problem_at_goal(P, state)
        numbers[i, 2] = problem_legal(P, state, control, operator)
        numbers[i, 3] = problem_cost(P, state, control, operator)
        numbers[i, 4] = heuristic_estimate(H, state)
        child = problem_apply(P, state, control, operator)
        store(children, i, child)
        if INCREMENTAL:
            numbers[i, 5] = heuristic_change(H, state, control, operator, child)
