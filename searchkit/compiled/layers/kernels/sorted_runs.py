"""Which states of a layer's successors are new: what is sorted is merged."""

from searchkit.compiled.specialise.names import entry


@entry
def drop_duplicates(states):
    """Keep one each of rising words, in front; how many there are."""
    count = 0
    for i in range(len(states)):
        if i == 0 or states[i] != states[i - 1]:
            states[count] = states[i]
            count += 1
    return count


@entry
def drop_known(states, known):
    """Keep those of rising words that are not among the rising words `known`; how many."""
    count, at = 0, 0
    for i in range(len(states)):
        state = states[i]
        while at < len(known) and known[at] < state:
            at += 1
        if at == len(known) or known[at] != state:
            states[count] = state
            count += 1
    return count
