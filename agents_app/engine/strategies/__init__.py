"""The strategies that ship with the engine: loop bodies, one file each."""

from agents_app.engine.strategies.function_calling import FunctionCalling
from agents_app.engine.strategies.simple import Simple

__all__ = ["FunctionCalling", "Simple"]
