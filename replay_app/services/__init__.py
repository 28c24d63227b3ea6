"""Everything that changes something: branches, links, imports."""
