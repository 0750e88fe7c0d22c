"""The pieces that operators move."""

from searchkit.compiled.specialise.names import entry, problem


@entry
def moved_all(P, cells):
    """Note what each operator moves."""
    for operator in range(len(cells)):
        cells[operator, 0] = problem.moved_from(P, 0, operator)
        cells[operator, 1] = problem.moved_to(P, 0, operator)
