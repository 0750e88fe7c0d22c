"""What no step changes: found by linear algebra on what steps change."""
