"""The kernels that call those of a problem one by one."""
