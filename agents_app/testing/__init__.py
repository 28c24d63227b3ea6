"""What tests of agents and of adapters need; a supported API."""
