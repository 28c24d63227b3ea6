"""What every app of Playhead stands on. Importing it imports nothing else."""

__version__ = "0.1.0"
