"""Machine code that is compared with what the same kernels do in plain Python."""
