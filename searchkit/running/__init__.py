"""What runs an engine: its task, the driver with its limits, memory and the clock."""
