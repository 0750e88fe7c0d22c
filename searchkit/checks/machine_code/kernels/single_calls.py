"""What the kernels say of single states, to be compared with what Python says."""

from searchkit.checks.machine_code.kernels import stepping
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import entry, problem, unchecked_control


@entry
def call_on_states(P, H, memo, states, count, goals, controls, estimates):
    """Whether each state is a goal, its control state, and its estimate."""
    for i in range(count):
        state = words.load(states, i)
        goals[i] = problem.at_goal(P, state)
        controls[i] = unchecked_control(P, state)
        estimates[i] = stepping.from_scratch(H, memo, 0, state)
