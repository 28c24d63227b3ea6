"""The platform's own commands, one module each."""
