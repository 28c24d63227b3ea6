"""Define, run, observe and control agents."""
