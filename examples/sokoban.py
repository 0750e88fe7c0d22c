"""Sokoban: a keeper pushes boxes to goals, one box at a time, and every step costs 1.

Microban 1, by David Skinner, is built in; `-p level=FILE` reads a level from a file.

    searchkit run --plugin examples/sokoban.py sokoban
    searchkit run --plugin examples/sokoban.py sokoban -p level=examples/boards/microban2.txt
"""

from searchkit import INFINITY, Parameter, hookimpl
from searchkit.fields import Fields, Int, Set
from searchkit.heuristic import distances_from


class Sokoban(Fields):
    def __init__(self, level):
        rows = level.splitlines()
        width = max(map(len, rows)) + 1
        marks = "".join(row.ljust(width) for row in rows)
        number = {i: n for n, i in enumerate(i for i, mark in enumerate(marks) if mark != "#")}
        boxes, self.goals, keeper = (
            [number[i] for i in number if marks[i] in kinds] for kinds in ("$*", ".*+", "@+")
        )
        if len(keeper) != 1 or len(boxes) != len(self.goals):
            raise ValueError("a level has one keeper @, and as many boxes $ as goals .")
        self.next = [[number.get(i + way, -1) for way in (-width, width, -1, 1)] for i in number]
        found = [distances_from(goal, self.pulls) for goal in self.goals]
        self.pushes = [min(each.get(cell, INFINITY) for each in found) for cell in number.values()]
        self.moves = {"u": 0, "d": 1, "l": 2, "r": 3}
        self.declare(keeper=Int(len(number)), boxes=Set(len(number)))
        self.start = self.pack(keeper=keeper[0], boxes=boxes)

    def pulls(self, box):
        backs = [(self.next[box][way], way) for way in range(4)]
        return [back for back, way in backs if back >= 0 and self.next[back][way] >= 0]

    def legal(self, s, way):
        cell = self.next[s.keeper][way]
        if cell < 0 or cell not in s.boxes:
            return cell >= 0
        return self.next[cell][way] >= 0 and self.next[cell][way] not in s.boxes

    def apply(self, s, way):
        s.keeper = self.next[s.keeper][way]
        if s.keeper in s.boxes:
            s.boxes.remove(s.keeper)
            s.boxes.add(self.next[s.keeper][way])

    def at_goal(self, s):
        return s.boxes == self.goals

    def estimate(self, s):
        """The pushes of each box to the nearest goal; none will do from a dead square."""
        return min(INFINITY, sum(self.pushes[box] for box in s.boxes))


@hookimpl
def searchkit_register_puzzles(register):
    microban = "####\n# .#\n#  ###\n#*@  #\n#  $ #\n#  ###\n####"
    level = Parameter("level", microban, "a file with a level", path=True)
    register("sokoban", Sokoban, summary="push boxes to goals", parameters=[level])
