"""The point ``event``: what is durable in the log, told to whoever wants to know, outside."""
