"""The compiled engine of solving in stages."""
