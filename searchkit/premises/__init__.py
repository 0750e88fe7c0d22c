"""What an answer rests on, asked of the problem before the answer is given.

"Optimal", "unsolvable" and every bound are statements about the author's rules, and hold only if
these keep the protocol. That cannot be checked as a whole (`searchkit check` tries more of it),
but what is cheap is asked each time: see "What a proof rests on" in docs/reference/protocol.md.
"""
