"""Puzzles on fields that tests share: each has a shape of its own."""

from searchkit.fields import Array, Fields, Int, Set

N = 6
BOARD = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"


class Lights(Fields):
    """Flags, one goal, moves that are labels."""

    undirected = True

    def __init__(self, size=4):
        cells = range(size * size)
        self.cross = [
            [o for o in cells if abs(c // size - o // size) + abs(c % size - o % size) <= 1]
            for c in cells
        ]
        self.moves = cells
        self.declare(lit=Array(size * size, 2))
        self.start = self.pack(lit=[int(c in (0, 5, 6)) for c in cells])
        self.goal = self.pack(lit=[0] * size * size)

    def apply(self, s, cell):
        for other in self.cross[cell]:
            s.lit[other] ^= 1


class Rush(Fields):
    """Two words, an array and a set; loops, and helpers that change the state."""

    undirected = True

    def __init__(self, board=BOARD):
        self.letters = sorted(set(board) - set("ox"))
        where = [[i for i, mark in enumerate(board) if mark == x] for x in self.letters]
        self.length = [len(cells) for cells in where]
        self.stride = [cells[1] - cells[0] for cells in where]
        self.line = [
            c[0] // N * N if k == 1 else c[0] % N for c, k in zip(where, self.stride, strict=True)
        ]
        self.moves = [(car, k) for car in range(len(where)) for k in range(-4, 5) if k]
        self.exit = N - self.length[0]
        self.declare(offset=Array(len(where), 5), full=Set(N * N))
        self.start = self.pack(
            offset=[
                (c[0] - line) // k for c, line, k in zip(where, self.line, self.stride, strict=True)
            ],
            full=[i for i, mark in enumerate(board) if mark != "o"],
        )

    def cell(self, car, k):
        return self.line[car] + self.stride[car] * k

    def legal(self, s, car, slide):
        tail = s.offset[car]
        nose = tail + self.length[car] - 1
        if tail + slide < 0 or nose + slide >= N:
            return False
        for k in range(1, abs(slide) + 1):
            if self.cell(car, nose + k if slide > 0 else tail - k) in s.full:
                return False
        return True

    def lift(self, s, car):
        for k in range(self.length[car]):
            s.full.remove(self.cell(car, s.offset[car] + k))

    def apply(self, s, car, slide):
        self.lift(s, car)
        s.offset[car] += slide
        for k in range(self.length[car]):
            s.full.add(self.cell(car, s.offset[car] + k))

    def at_goal(self, s):
        return s.offset[0] == self.exit

    def estimate(self, s):
        if self.at_goal(s):
            return 0
        return 1 + sum(self.cell(0, k) in s.full for k in range(s.offset[0] + self.length[0], N))

    def move_text(self, car, slide):
        return f"{self.letters[car]}{slide:+d}"


class Sokoban(Fields):
    """A set whose members are looped over, moves by label, dead ends."""

    def __init__(self, level="####  /# .#  /#  ###/#*@  #/#  $ #/#  ###/####  "):
        rows = level.split("/")
        width = len(rows[0])
        marks = "".join(rows)
        cells = range(len(marks))
        self.wall = [mark == "#" for mark in marks]
        self.moves = {"u": (-width,), "d": (width,), "l": (-1,), "r": (1,)}
        self.goals = [i for i in cells if marks[i] in ".*+"]
        self.far = [
            min(abs(i // width - g // width) + abs(i % width - g % width) for g in self.goals)
            for i in cells
        ]
        self.declare(player=Int(len(marks)), boxes=Set(len(marks)))
        player = next(i for i in cells if marks[i] in "@+")
        self.start = self.pack(player=player, boxes=[i for i in cells if marks[i] in "$*"])

    def legal(self, s, way):
        to = s.player + way
        if self.wall[to]:
            return False
        return to not in s.boxes or not (self.wall[to + way] or to + way in s.boxes)

    def apply(self, s, way):
        s.player += way
        if s.player in s.boxes:
            s.boxes.remove(s.player)
            s.boxes.add(s.player + way)

    def at_goal(self, s):
        return s.boxes == self.goals

    def estimate(self, s):
        return sum(self.far[box] for box in s.boxes)


class Tiles(Fields):
    """The number of a field is looked for; a swap."""

    undirected = True

    def __init__(self, rows=2, columns=3):
        self.rows, self.columns = rows, columns
        count = rows * columns
        self.declare(tiles=Array(count, count))
        self.moves = {"up": (0, -1), "left": (-1, 0), "right": (1, 0), "down": (0, 1)}
        self.start = self.pack(tiles=[*range(3, count), 1, 0, 2])
        self.goal = self.pack(tiles=[*range(1, count), 0])

    def legal(self, s, dx, dy):
        blank = s.tiles.index(0)
        x, y = blank % self.columns + dx, blank // self.columns + dy
        return 0 <= x < self.columns and 0 <= y < self.rows

    def apply(self, s, dx, dy):
        blank = s.tiles.index(0)
        to = blank + dx + self.columns * dy
        s.tiles[blank], s.tiles[to] = s.tiles[to], s.tiles[blank]

    def estimate(self, s):
        return sum(
            abs(cell % self.columns - (tile - 1) % self.columns)
            + abs(cell // self.columns - (tile - 1) // self.columns)
            for cell, tile in enumerate(s.tiles)
            if tile
        )


class Jugs(Fields):
    """Costs, and numbers of a class."""

    sizes = (8, 5, 3)

    def __init__(self):
        self.declare(litres=Array(3, 9))
        self.moves = [(i, j) for i in range(3) for j in range(3) if i != j]
        self.start = self.pack(litres=[8, 0, 0])

    def poured(self, s, i, j):
        return min(s.litres[i], self.sizes[j] - s.litres[j])

    def legal(self, s, i, j):
        return self.poured(s, i, j) > 0

    def apply(self, s, i, j):
        poured = self.poured(s, i, j)
        s.litres[i] -= poured
        s.litres[j] += poured

    def cost(self, s, i, j):
        return self.poured(s, i, j)

    def at_goal(self, s):
        return s.litres[0] == s.litres[1] == 4


ALL = [Lights, Rush, Sokoban, Tiles, Jugs]
