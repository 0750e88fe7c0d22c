"""A hash table of states with a small number, the *mark*, for each: one line of memory a look-up.

A line holds the words of SLOTS states and then their marks (0: the slot is empty). A state
belongs into the line hash * lines / 2**32, or the first line after it that has room; there are
SPARE lines after the last. So the order of the lines is that of the hashes whatever the number
of lines, and the table grows in place: from the last line to the first, states move up.

`table` and `marks` are views of the same memory: words, and marks. A *place* is line * SLOTS +
slot.
"""

# SPECIALISED
SLOTS_SHIFT = 3
SLOT_MASK = 7


@inlined
def word_at(place):
    """Where the words of the state at `place` begin in `table`."""
    return (place >> SLOTS_SHIFT) * LINE_WORDS + (place & SLOT_MASK) * WORDS


@inlined
def mark_at(place):
    """Where the mark of the state at `place` is in `marks`."""
    return (place >> SLOTS_SHIFT) * LINE_MARKS + FIRST_MARK + (place & SLOT_MASK)


@inlined
def home_line(state, lines):
    """The line that `state` belongs into."""
    return (shift_right(mixed(state), 32) * lines) >> 32


@inlined
def find(table, marks, line, state):
    """The place of `state`, or the empty one where it is to be put; `line` is its home."""
    while True:
        for slot in range(SLOTS):
            if marks[line * LINE_MARKS + FIRST_MARK + slot] == 0:
                return (line << SLOTS_SHIFT) + slot
            if read_words(table, line * LINE_WORDS + slot * WORDS) == state:
                return (line << SLOTS_SHIFT) + slot
        line += 1


@inlined
def prefetch_line(table, line):
    """Ask for the memory of a line."""
    prefetch(table, line * LINE_WORDS)
    if LINE_WORDS > 8:
        prefetch(table, line * LINE_WORDS + LINE_WORDS - 1)


@inlined
def has_run_over(marks, lines, room):
    """Whether so few lines are left after the last that `room` more states may not fit."""
    return marks[(lines + SPARE - 1 - room) * LINE_MARKS + FIRST_MARK] != 0


@entry
def put_all(table, marks, lines, states, given, count):
    """Put states that are not in the table in, with their marks."""
    for i in range(count):
        state = read_words(states, i * WORDS)
        place = find(table, marks, home_line(state, lines), state)
        write_words(table, word_at(place), state)
        marks[mark_at(place)] = given[i]


@entry
def take_out(table, marks, line, end, states, taken):
    """Copy the states from `line` on, as many as there is room for, with their marks.

    Returns the line that follows (`end` when all are done) and how many states were copied.
    """
    count = 0
    while line < end and count + SLOTS <= len(taken):
        for slot in range(SLOTS):
            place = (line << SLOTS_SHIFT) + slot
            if marks[mark_at(place)] == 0:
                break
            write_words(states, count * WORDS, read_words(table, word_at(place)))
            taken[count] = marks[mark_at(place)]
            count += 1
        line += 1
    return line, count


@entry
def look_up(table, marks, lines, states, found):
    """The marks of `states`, 0 where they are not in the table."""
    for i in range(len(states)):
        state = load(states, i)
        found[i] = marks[mark_at(find(table, marks, home_line(state, lines), state))]


@entry
def spread(table, marks, lines, line, steps, late, late_marks, waiting):
    """Move up to `steps` lines, from `line` down, to where they belong among `lines` lines.

    States whose line is not above the one they are in wait in `late`. Returns the next line
    (-1 when all are done) and how many wait; stops early where `late` is full.
    """
    while line >= 0 and steps > 0:
        if waiting + SLOTS > len(late_marks):
            break
        for slot in range(SLOTS):
            place = (line << SLOTS_SHIFT) + slot
            mark = marks[mark_at(place)]
            if mark == 0:
                break
            marks[mark_at(place)] = 0
            state = read_words(table, word_at(place))
            home = home_line(state, lines)
            if home > line:
                there = find(table, marks, home, state)
                write_words(table, word_at(there), state)
                marks[mark_at(there)] = mark
            else:
                write_words(late, waiting * WORDS, state)
                late_marks[waiting] = mark
                waiting += 1
        line -= 1
        steps -= 1
    if line < 0:
        for i in range(waiting):
            state = read_words(late, i * WORDS)
            there = find(table, marks, home_line(state, lines), state)
            write_words(table, word_at(there), state)
            marks[mark_at(there)] = late_marks[i]
        waiting = 0
    return line, waiting
