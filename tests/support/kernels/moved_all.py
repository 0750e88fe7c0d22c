"""The pieces that operators move."""

from searchkit.compiled.specialise.names import entry, problem_moved_from, problem_moved_to


@entry
def moved_all(P, cells):
    """Note what each operator moves."""
    for operator in range(len(cells)):
        cells[operator, 0] = problem_moved_from(P, 0, operator)
        cells[operator, 1] = problem_moved_to(P, 0, operator)
