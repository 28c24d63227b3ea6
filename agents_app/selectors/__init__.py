"""Everything that reads. What comes back is a contract, never a row."""
