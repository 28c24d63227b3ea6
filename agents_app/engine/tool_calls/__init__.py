"""A call of a tool: its gate, its one execution, what it tells while it runs."""
