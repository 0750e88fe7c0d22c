"""What runs in processes of its own: our engines and other Python libraries, timed."""
