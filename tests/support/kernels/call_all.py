"""Every kernel of a problem and a heuristic, called once for each step."""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import entry, heuristic, problem, unchecked_control


@entry
def call_all(P, H, states, operators, numbers, children):
    """Note what the kernels say of each operator in its state."""
    for i in range(len(operators)):
        state = words.load(states, i)
        control = unchecked_control(P, state)
        operator = operators[i]
        numbers[i, 0] = control
        numbers[i, 1] = problem.at_goal(P, state)
        numbers[i, 2] = problem.legal(P, state, control, operator)
        numbers[i, 3] = problem.cost(P, state, control, operator)
        numbers[i, 4] = heuristic.estimate_of(H, state)
        child = problem.apply(P, state, control, operator)
        words.store(children, i, child)
        if heuristic.INCREMENTAL:
            numbers[i, 5] = heuristic.change(H, state, control, operator, child)
