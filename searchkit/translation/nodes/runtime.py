"""Objects of memory: what kernels call."""


def grow(cells, at, size, top, limit):
    """Make room for one more item of `size` cells; where memory is free then, or -1."""
    count = cells[at]
    if count < cells[at + 2]:
        return top
    room = 2 * count + 4
    if top + room * size > limit:
        return -1
    begin = cells[at + 1]
    for i in range(count * size):
        cells[top + i] = cells[begin + i]
    cells[at + 1] = top
    cells[at + 2] = room
    return top + room * size


def shift_up(cells, begin, end, size):
    """Move cells to make room for an item."""
    for i in range(end - 1, begin - 1, -1):
        cells[i + size] = cells[i]
    return 0


def shift_down(cells, begin, end, size):
    """Move cells over an item."""
    for i in range(begin, end - size):
        cells[i] = cells[i + size]
    return 0


def turn(cells, at, count, size):
    """Reverse rows of cells."""
    for i in range(count // 2):
        for k in range(size):
            held = cells[at + i * size + k]
            cells[at + i * size + k] = cells[at + (count - 1 - i) * size + k]
            cells[at + (count - 1 - i) * size + k] = held
    return 0


def row_of(cells, at, count, stride, row, begin, size):
    """The first of `count` rows that begins with another row; -1 if there is none."""
    for i in range(count):
        same = True
        for k in range(size):
            if cells[at + i * stride + k] != row[begin + k]:
                same = False
                break
        if same:
            return i
    return -1


def write_number(number, least, cells, at):
    """Put a whole number into cells as a text, with at least some digits; how long it is."""
    count, rest, sign = 0, abs(number), 0
    if number < 0:
        cells[at] = 45
        sign = 1
    while rest != 0 or count < least:
        rest = rest // 10
        count += 1
    rest = abs(number)
    for i in range(count):
        cells[at + sign + count - 1 - i] = 48 + rest % 10
        rest = rest // 10
    return count + sign
