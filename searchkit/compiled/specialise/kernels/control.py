"""The control state, checked: what it decides is looked up without a check."""

from searchkit.compiled.specialise.names import inlined, unchecked_control


@inlined
def problem_control(P, state):
    """The control state of the state."""
    control = unchecked_control(P, state)
    if control < 0 or control >= P.number_of_controls:
        raise IndexError("control(state) is not from 0 to controls - 1", control, state)
    return control


@inlined
def compare_control(P, state, expected):
    """Ask the state for its control state, which must be what `next_control` said."""
    control = problem_control(P, state)
    if control != expected:
        raise IndexError("next_control is not control(state)", expected, state)
