"""The log as the engine sees it: what it says, the seam that compares, and the writing side."""
