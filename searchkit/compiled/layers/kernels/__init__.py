"""The kernels that expand whole layers."""
