"""The Tower of Hanoi with four pegs (Reve's puzzle, Dudeney 1907), or any number of pegs.

All disks go to the last peg, one at a time, and never a larger one onto a smaller one.

    searchkit run --plugin examples/hanoi.py hanoi
    searchkit run --plugin examples/hanoi.py hanoi -p disks=5 --random --seed 1
"""

from searchkit import Parameter, hookimpl
from searchkit.fields import Array, Fields


class Hanoi(Fields):
    undirected = True  # a disk goes back
    ranked = True  # any disks can be on any pegs: states are numbered by their fields

    def __init__(self, disks, pegs):
        if disks < 1 or pegs < 1:
            raise ValueError("there must be one disk and one peg at least")
        self.disks, self.last = range(disks), pegs - 1
        moves = [(disk, peg) for disk in self.disks for peg in range(pegs)]
        self.moves = {f"{disk + 1}→{peg + 1}": (disk, peg) for disk, peg in moves}
        self.declare(peg=Array(disks, pegs))
        self.start = self.pack(peg=[0] * disks)
        self.goal = self.pack(peg=[self.last] * disks)

    def legal(self, s, disk, peg):
        """No smaller disk is where the disk leaves, or where it goes."""
        if s.peg[disk] == peg:
            return False
        return not any(s.peg[other] == peg or s.peg[other] == s.peg[disk] for other in range(disk))

    def apply(self, s, disk, peg):
        s.peg[disk] = peg

    def estimate(self, s):
        """A disk elsewhere must move; one on the last peg must make way for a larger one."""
        total = 0
        for disk in self.disks:
            if s.peg[disk] != self.last:
                total += 1
            elif any(s.peg[other] != self.last for other in range(disk, len(self.disks))):
                total += 2
        return total

    def random_state(self, rng):
        return self.pack(peg=[rng.randint(0, self.last) for _ in self.disks])

    def render(self, state):
        peg = self.unpack(state).peg
        towers = [
            "".join(str(i + 1) for i in self.disks if peg[i] == p) for p in range(self.last + 1)
        ]
        return " ".join(tower.rjust(len(self.disks)) + "|" for tower in towers)


@hookimpl
def searchkit_register_puzzles(register):
    sizes = [Parameter("disks", 4, "how many disks"), Parameter("pegs", 4, "how many pegs")]
    register("hanoi", Hanoi, summary="the Tower of Hanoi with four pegs", parameters=sizes)
