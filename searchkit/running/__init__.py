"""What runs an engine: its task, the driver and its limits, memory, and the conclusion."""
