"""A call of a model: its prompt, its attempts, what passes through the wraps, what streams."""
