"""Everything that reads: comparisons, proofs, links, exports."""
