"""One lie about each law, and the smallest counterexample that must be found for it.

Of each: the problem, the state where the lie shows first, by which actions that is reached, a part
of what is told, and the method to be blamed.
"""

from __future__ import annotations

import itertools

import attrs

from searchkit import Costs, Problem, Step
from searchkit.capabilities import FieldImage, Symmetry
from searchkit.certificates import Certificate
from tests.support.honest import (
    LAST,
    AlongTheRing,
    Descent,
    Doomed,
    Lamps,
    Lists,
    Row,
    TokenPatterns,
    Tokens,
    Walk,
)


@attrs.frozen
class Mutant:
    law: str
    problem: object
    state: str | None
    actions: tuple[str, ...]
    told: str
    blamed: str


def changed(base, **members):
    """A problem of a class with other members; the class is named like the honest one."""
    return changed_class(base, **members)()


def changed_class(base, **members):
    return type(base.__name__, (base,), {"__module__": __name__, **members})


def no_starts(self):
    return []


def fickle_start(self, count=itertools.count()):  # noqa: B008  (counts all calls)
    return [4 + next(count) % 2]


def unhashable_start(self):
    return [[4]]


def fickle_successors(self, state, count=itertools.count()):  # noqa: B008
    steps = list(Row.successors(self, state))
    return steps[:: -1 if state == 6 and next(count) % 2 else 1]


def failing_successors(self, state):
    if state == 6:
        raise IndexError("there is no seven")
    return Row.successors(self, state)


def no_successors(self, state):
    return None if state == 6 else Row.successors(self, state)


def taking_in_place(self, state):
    for pile, coins in enumerate(state):
        if coins:
            state[pile] -= 1
            yield Step(pile, state)
            state[pile] += 1


def emptying(self, state):
    if state == [1, 2]:
        state[0] = 0
        return False
    return state == [0, 0]


class Cell:
    """Equal cells are different objects."""

    def __init__(self, number):
        self.number = number

    def __repr__(self):
        return f"Cell {self.number}"


def cells(self):
    return [Cell(4)]


def steps_of_cells(self, state):
    return [Step("up", Cell(state.number + 1))] if state.number < LAST else []


def is_last_cell(self, state):
    return state.number == LAST


def key_of_the_sum(self, state):
    return sum(state)


def steps_of_coins(self, state):
    for pile, coins in enumerate(state):
        if coins and (pile == 0 or sum(state) != 2 or state[0] == 1):
            after = list(state)
            after[pile] -= 1
            yield Step(pile, after)


def fraction(self, state):
    return [Step("by 1", state - 1, 0.5 if state == 7 else 1)] if state else []


def free_cycle(self, state):
    if state == 5:
        return [Step("on", 4, 0)]
    return [Step("on", state - 1, 1 if state > 4 else 0)] if state else [Step("back", 3, 0)]


def same_actions(self, state):
    for step in Row.successors(self, state):
        yield step._replace(action="move") if state == 2 else step


def same_texts(self, action):
    return "move"


def fickle_goal(self, state, count=itertools.count()):  # noqa: B008
    return state in (0, LAST) or (state == 5 and next(count) % 2 == 1)


def one_goal(self):
    return [0]


def wrong_goal(self):
    return [0, LAST, 3]


def late_predecessors(self, state):
    for step in Row.predecessors(self, state):
        if (step.action, state) != ("up", 7):
            yield step


def early_predecessors(self, state):
    yield from Row.predecessors(self, state)
    if state == 6:
        yield Step("leap", 2)


def one_way(self, state):
    for step in Row.successors(self, state):
        if (step.action, state) != ("down", 7):
            yield step


def flat_grade(self, state):
    return 6 if state == 5 else state


MIRROR = {"up": "down", "down": "up"}


def half_a_group(self):
    return [
        Symmetry("none", lambda state: state, lambda action: action),
        Symmetry("turn", lambda state: (state + 1) % 9, lambda action: action),
    ]


def crooked_mirror(self):
    return [
        Symmetry("none", lambda state: state, lambda action: action),
        Symmetry("mirror", lambda state: LAST - state, lambda action: action),
    ]


def wrong_bits(self):
    for symmetry in Lamps.symmetries(self):
        yield attrs.evolve(symmetry, bits=(1, 2, 3, 4, 5, 0))


def wrong_fields(self):
    for symmetry in Lamps.symmetries(self):
        places = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0))
        fields = tuple(FieldImage(0, place, 1, 0, to, (0, 1)) for place, to in places)
        yield attrs.evolve(symmetry, bits=None, fields=fields)


def forgetful_parse(self, text):
    return 6 if text == "cell 7" else Row.parse(self, text)


def careless_parse(self, text):
    return int(text.split()[1])


def letters_unknown(self, text):
    if len(text) != 6 or not text.startswith("cell "):
        raise ValueError(text)
    return {str(cell): cell for cell in range(9)}[text[5]]


def no_picture(self, state):
    return None if state == 2 else "a row"


def keeps_start(self, state):
    return Row(self.start if state == 7 else state, self.goals)


def moves_start(self, state):
    self.start = state
    return self


def two_goals(self, state):
    return Row(self.start, (state, 0))


def own_dice(self, rng, count=itertools.count()):  # noqa: B008
    return next(count) % 9


def lost_state(self, rng):
    return 7


def deep_certificate(self, state):
    return Certificate("wrong", "cell 7 is a trap", {}) if state == 7 else None


def no_certificate(self, state):
    return None if state == 8 else Doomed.certificate(self, state)


def objection(self, start, certificate):
    return "never"


class OtherRow(Row):
    def successors(self, state):
        for step in Row.successors(self, state):
            yield step if state != 6 else step._replace(action=f"far {step.action}")


def other_rules(self):
    return OtherRow()


def too_large(self, state, control, operator):
    return -1 if state == 3 and operator == 1 else (state + operator) % 12


def too_few(self, state):
    return state


def plain_successors(self, state):
    steps = list(Walk.successors(self, state))
    return steps[:1] if state == 2 else steps


def wrong_next(self, control, operator):
    return (control + operator + (control == 3)) % 12


def wrong_inverse(self, control, operator):
    return operator if control == 3 else 12 - operator


def twins(self, control):
    return 0x3211


def wrong_toggles(self):
    return [7, 14, 28, 60, 49, 35]


def wrong_rank(self, state):
    return 5 if state == 3 else state


def wrong_unrank(self, index):
    return 0 if index == 3 else index


def wrong_rank_after(self, index, control, operator):
    child = self.apply(index, control, operator)
    return 5 if child == 3 else child


def large(self, state):
    return 3 if state == 6 else Row.heuristic(self, state)


def lying_space(**members):
    """The tokens with a pattern space of which some methods lie."""

    def pattern_space(self, groups):
        return changed_class(TokenPatterns, **members)(groups)

    return changed(Tokens, pattern_space=pattern_space)


def shared_rank(self, word, group):
    return min(TokenPatterns.rank(self, word, group), 10)


def few_entries(self, group):
    return TokenPatterns.entries(self, group) - 1


def wrong_number(self, entry, group):
    return TokenPatterns.unrank(self, entry ^ 1, group)


def far_goals(self, group):
    return [(self.unrank(0 if group else 1, group), 1)]


def blind_locate(self, state, image, group):
    return TokenPatterns.locate(self, 0x0132 if state == 0x0312 else state, image, group)


def late_moved(self, word, step, image, group):
    return word


def first_touched(self, step, image):
    return 0


def no_way_back(self, word, group, operator, choice):
    return TokenPatterns.previous(self, word, group, min(operator, 1), choice)


def one_identity(self, group):
    return {"puzzle": "tokens", "pattern": "one"}


def nameless(self, group):
    return {"puzzle": "tokens"}


def free_move(self, word, group, mask, operator):
    return 1 << 63


class Torn(AlongTheRing):
    def change(self, state, control, operator, child):
        return 0


def torn_heuristic(self):
    return Torn()


class Overflowing(Walk):
    """In Python numbers are as long as they need be; in machine code they have 64 bits."""

    def at_goal(self, state):
        return (state << 61) >> 61 == 7


class Detour(Problem):
    """Two ways, and a heuristic that scares off the shorter one."""

    def initial_states(self):
        return [0]

    def successors(self, state):
        ways = {0: (1, 2), 1: (9,), 2: (3,), 3: (9,), 9: ()}
        return [Step(f"to {after}", after) for after in ways[state]]

    def is_goal(self, state):
        return state == 9

    def heuristic(self, state):
        return 9 if state == 1 else 0


MUTANTS = [
    Mutant("starts", changed(Row, initial_states=no_starts), None, (), "no state", "no_starts"),
    Mutant("starts", changed(Row, initial_states=fickle_start), None, (), "cell", "fickle_start"),
    Mutant("starts", changed(Row, initial_states=unhashable_start), None, (),
           "unhashable", "unhashable_start"),
    Mutant("successors", changed(Row, successors=fickle_successors), "cell 6", ("up", "up"),
           "down to cell 5", "fickle_successors"),
    Mutant("successors", changed(Row, successors=failing_successors), "cell 6", ("up", "up"),
           "raises IndexError: there is no seven", "failing_successors"),
    Mutant("successors", changed(Row, successors=no_successors), "cell 6", ("up", "up"),
           "returns None", "no_successors"),
    Mutant("mutation", changed(Lists, successors=taking_in_place), "[2, 2]", (),
           "when the next step was made", "taking_in_place"),
    Mutant("mutation", changed(Lists, is_goal=emptying), "[1, 2]", ("0",), "[0, 2]", "emptying"),
    Mutant("keys", changed(Row, initial_states=cells, successors=steps_of_cells,
                           is_goal=is_last_cell, heuristic=lambda self, state: 0,
                           format_state=lambda self, state: str(state.number)),
           "4", (), "compares by identity", "cells"),
    Mutant("keys", changed(Lists, key=key_of_the_sum, successors=steps_of_coins),
           "[1, 2]", ("0",), "[1, 1] has one", "key_of_the_sum"),
    Mutant("costs", changed(Descent, successors=fraction), "7", ("by 1", "by 1"), "0.5",
           "fraction"),
    Mutant("costs", changed(Descent, successors=free_cycle), "3",
           ("on", "on", "on", "on", "on", "on"), "3 to 2 to 1 to 0 to 3", "free_cycle"),
    Mutant("costs", changed(Descent, costs=Costs.ZERO_ONE), "9", (), "a cost of 2", "successors"),
    Mutant("actions", changed(Row, successors=same_actions), "cell 2", ("down", "down"), "'move'",
           "same_actions"),
    Mutant("actions", changed(Row, format_action=same_texts), "cell 4", (), "'move'",
           "same_texts"),
    Mutant("goals", changed(Row, is_goal=fickle_goal), "cell 5", ("up",), "goal", "fickle_goal"),
    Mutant("goal-states", changed(Row, goal_states=one_goal), "cell 8", ("up",) * 4,
           "does not list", "one_goal"),
    Mutant("goal-states", changed(Row, goal_states=wrong_goal), None, (), "false", "wrong_goal"),
    Mutant("predecessors", changed(Row, predecessors=late_predecessors), "cell 6", ("up", "up"),
           "down with cell 8 at cost 1", "late_predecessors"),
    Mutant("predecessors", changed(Row, predecessors=early_predecessors), "cell 6", ("up", "up"),
           "up with cell 3", "early_predecessors"),
    Mutant("undirected", changed(Row, successors=one_way), "cell 6", ("up", "up"),
           "no step leads back", "undirected"),
    Mutant("grade", changed(Descent, grade=flat_grade), "6", ("by 1", "by 2"), "5 has 6",
           "flat_grade"),
    Mutant("symmetries", changed(Row, symmetries=half_a_group), None, (), "no symmetry",
           "half_a_group"),
    Mutant("symmetries", changed(Row, symmetries=crooked_mirror), "cell 4", (),
           "that step leads to cell 5", "crooked_mirror"),
    Mutant("symmetries", changed(Lamps, symmetries=wrong_bits), "56", ("0",), "56", "wrong_bits"),
    Mutant("symmetries", changed(Lamps, symmetries=wrong_fields), "56", ("0",), "56",
           "wrong_fields"),
    Mutant("texts", changed(Row, parse=forgetful_parse), "cell 7", ("up",) * 3, "6",
           "forgetful_parse"),
    Mutant("texts", changed(Row, parse=careless_parse), None, (), "IndexError", "careless_parse"),
    Mutant("texts", changed(Row, parse=letters_unknown), None, (), "KeyError", "letters_unknown"),
    Mutant("pictures", changed(Row, render=no_picture), "cell 2", ("down",) * 2, "None",
           "no_picture"),
    Mutant("new-starts", changed(Row, with_start=keeps_start), "cell 7", ("up",) * 3, "cell 4",
           "keeps_start"),
    Mutant("new-starts", changed(Row, with_start=moves_start), "cell 5", ("up",), "changed",
           "moves_start"),
    Mutant("new-goals", changed(Row, with_goal=two_goals), "cell 4", (), "cell 0 is a goal",
           "two_goals"),
    Mutant("random-states", changed(Row, random_state=own_dice), None, (), "cell", "own_dice"),
    Mutant("random-states", changed(Row, random_state=lost_state, certificate=deep_certificate),
           None, (), "trap", "lost_state"),
    Mutant("certificates", changed(Row, certificate=deep_certificate), "cell 7", ("up",) * 3,
           "trap", "deep_certificate"),
    Mutant("certificates", changed(Doomed, certificate=no_certificate), "8", ("on",), "none",
           "no_certificate"),
    Mutant("certificates", changed(Doomed, check_certificate=objection), "6", (), "never",
           "objection"),
    Mutant("slow-rules", changed(Row, slow_rules=other_rules), "cell 6", ("up",) * 2, "none",
           "other_rules"),
    Mutant("words", changed(Walk, apply=too_large), "3", ("left",) * 3, "-1", "too_large"),
    Mutant("controls", changed(Walk, controls=11), "11", ("right",), "11", "control"),
    Mutant("controls", changed(Walk, next_control=wrong_next), "3", ("left",) * 3, "is 4",
           "wrong_next"),
    Mutant("kernels", changed(Walk, successors=plain_successors), "2", ("left",) * 2, "no more",
           "plain_successors"),
    Mutant("inverses", changed(Walk, inverse=wrong_inverse), "3", ("left",) * 3,
           "lead back: 11", "wrong_inverse"),
    Mutant("witness", changed(Tokens, witness=twins), "0312", (), "the operators 0 and no step",
           "twins"),
    Mutant("toggles", changed(Lamps, toggles=wrong_toggles), "63", (), "0b111000",
           "wrong_toggles"),
    Mutant("ranks", changed(Walk, rank=wrong_rank), "3", ("left",) * 3, "5", "wrong_rank"),
    Mutant("ranks", changed(Walk, unrank=wrong_unrank), "3", ("left",) * 3, "0", "wrong_unrank"),
    Mutant("ranks", changed(Walk, rank_after=wrong_rank_after), "2", ("left",) * 2, "it is 5",
           "wrong_rank_after"),
    Mutant("ranks", changed(Walk, ranks=11), None, (), "ranks is 11", "ranks"),
    Mutant("heuristics", changed(Row, heuristic=large), "cell 6", ("up",) * 2, "3; it is",
           "large"),
    Mutant("names", changed(Row, sucessors=no_successors), None, (),
           "sucessors, which searchkit never calls", "no_successors"),
    Mutant("patterns", lying_space(rank=shared_rank), None, (),
           "of which that is the rank as well", "shared_rank"),
    Mutant("patterns", lying_space(entries=few_entries), None, (),
           "3", "rank"),
    Mutant("patterns", lying_space(unrank=wrong_number), None, (),
           "unrank(0) to be the goal, 0x0", "wrong_number"),
    Mutant("patterns", lying_space(goals=far_goals), "3210",
           ("swap 0", "swap 2", "swap 1", "swap 0"), "0x0", "far_goals"),
    Mutant("patterns", lying_space(locate=blind_locate), "0312", (),
           "none does", "previous"),
    Mutant("patterns", lying_space(moved=late_moved), "0312", (),
           "0x1", "late_moved"),
    Mutant("patterns", lying_space(touched=first_touched), "0312", (),
           "0", "first_touched"),
    Mutant("patterns", lying_space(previous=no_way_back), "0312", (),
           "none does", "no_way_back"),
    Mutant("patterns", lying_space(identity=one_identity), None, (),
           "the same identity", "one_identity"),
    Mutant("patterns", lying_space(identity=nameless), None, (),
           "under the key 'pattern'", "nameless"),
    Mutant("patterns", lying_space(choices=free_move), None, (),
           "9223372036854775808", "free_move"),
    Mutant("patterns", lying_space(additive=True), "0132", ("swap 1",),
           "which would count 2 times", "locate"),
    Mutant("estimates", changed(Walk, default_heuristic=torn_heuristic), "0", (), "5", "change"),
]  # fmt: skip

MACHINE_CODE = Mutant("machine-code", Overflowing(), "7", ("right",) * 5, "machine code gives",
                      "at_goal")  # fmt: skip

ENGINES = Mutant("engines", Detour(), None, (), "at cost 3", "heuristic")
