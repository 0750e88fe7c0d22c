"""What can be wrong with an estimate that is carried along a step."""

RIGHT, CHANGE, DEAD_ENDS, RECALL, BOUNDED, FOLLOW, OTHER_WORDS = range(7)
