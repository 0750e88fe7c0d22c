"""Classes of values that take little to make: a process begins with dozens of them."""
