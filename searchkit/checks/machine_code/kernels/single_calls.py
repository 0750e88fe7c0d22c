"""What the kernels say of single states and steps, to be compared with what Python says.

Needs `stepping_carried` or `stepping_uncarried`.
"""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import entry, heuristic, problem, unchecked_control

if heuristic.MEMORY:
    from searchkit.checks.machine_code.kernels.stepping_with_memory import remembered
else:
    from searchkit.checks.machine_code.kernels.stepping_plain import remembered


@entry
def call_on_states(P, H, memo, states, count, goals, controls, estimates):
    """Whether each state is a goal, its control state, and its estimate."""
    for i in range(count):
        state = words.load(states, i)
        goals[i] = problem.at_goal(P, state)
        controls[i] = unchecked_control(P, state)
        estimates[i] = remembered(H, memo, state)


@entry
def call_on_steps(P, states, controls, operators, count, legal, costs, children):
    """Whether each operator is legal; if it is, its cost and the state it leads to."""
    for i in range(count):
        state = words.load(states, i)
        legal[i] = problem.ALWAYS_LEGAL or problem.legal(P, state, controls[i], operators[i])
        if legal[i]:
            costs[i] = problem.cost(P, state, controls[i], operators[i])
            words.store(children, i, problem.apply(P, state, controls[i], operators[i]))
