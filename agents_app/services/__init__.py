"""Everything that changes something. Keyword arguments, one transaction each."""
