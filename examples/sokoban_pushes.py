"""Sokoban in pushes: walking costs nothing, and each push of a box costs 1.

Which pushes there are depends on where the keeper can walk, so that `expand` lists the steps
itself, in place of a list of moves. Where the keeper stands within those cells makes no
difference: a state holds the first of them.

    searchkit run --plugin examples/sokoban_pushes.py pushes
    searchkit run --plugin examples/sokoban_pushes.py pushes -p level=examples/boards/microban2.txt
"""

from searchkit import INFINITY, Parameter, hookimpl
from searchkit.fields import Fields, Int, Set
from searchkit.heuristic import distances_from

WAYS = "udlr"


class Pushes(Fields):
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
        self.places = [divmod(i, width) for i in number]
        self.next = [[number.get(i + way, -1) for way in (-width, width, -1, 1)] for i in number]
        found = [distances_from(goal, self.pulls) for goal in self.goals]
        self.pushes = [min(each.get(cell, INFINITY) for each in found) for cell in number.values()]
        self.declare(keeper=Int(len(number)), boxes=Set(len(number)))
        start = self.unpack(self.pack(keeper=keeper[0], boxes=boxes))
        self.start = self.pack(keeper=min(self.reached(start)), boxes=boxes)

    def pulls(self, box):
        backs = [(self.next[box][way], way) for way in range(4)]
        return [back for back, way in backs if back >= 0 and self.next[back][way] >= 0]

    def reached(self, s):
        """The cells that the keeper can walk to: a flood fill."""
        cells, closed = [s.keeper], s.boxes | {s.keeper}
        for cell in cells:
            for other in self.next[cell]:
                if other >= 0 and other not in closed:
                    closed.add(other)
                    cells.append(other)
        return cells

    def expand(self, s):
        for cell in self.reached(s):
            for way in range(4):
                box = self.next[cell][way]
                if box >= 0 and box in s.boxes:
                    beyond = self.next[box][way]
                    if beyond >= 0 and beyond not in s.boxes:
                        child = s.copy()
                        child.boxes.remove(box)
                        child.boxes.add(beyond)
                        child.keeper = box
                        child.keeper = min(self.reached(child))
                        yield (*self.places[box], WAYS[way]), child

    def at_goal(self, s):
        return s.boxes == self.goals

    def estimate(self, s):
        """The pushes of each box to the nearest goal; none will do from a dead square."""
        return min(INFINITY, sum(self.pushes[box] for box in s.boxes))

    def move_text(self, row, column, way):
        return f"{row},{column} {way}"


@hookimpl
def searchkit_register_puzzles(register):
    microban = "####\n# .#\n#  ###\n#*@  #\n#  $ #\n#  ###\n####"
    level = Parameter("level", microban, "a file with a level", path=True)
    register("pushes", Pushes, summary="push boxes to goals, in pushes", parameters=[level])
