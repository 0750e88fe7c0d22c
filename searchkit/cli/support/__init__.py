"""What the commands share: options, choices, output, exit codes."""
