"""The pure core: what an event is, and the arithmetic that makes a log trustworthy."""
