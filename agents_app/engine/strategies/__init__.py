"""The strategies that ship with the engine: loop bodies, one file each."""

from agents_app.engine.strategies.chain_of_thought import ChainOfThought
from agents_app.engine.strategies.function_calling import FunctionCalling
from agents_app.engine.strategies.plan_and_solve import PlanAndSolve
from agents_app.engine.strategies.plan_execute import PlanExecuteReplan
from agents_app.engine.strategies.react import React
from agents_app.engine.strategies.reflection import Reflection
from agents_app.engine.strategies.simple import Simple
from agents_app.engine.strategies.workflow import InTurn, Rounds, SideBySide

__all__ = [
    "ChainOfThought",
    "FunctionCalling",
    "InTurn",
    "PlanAndSolve",
    "PlanExecuteReplan",
    "React",
    "Reflection",
    "Rounds",
    "SideBySide",
    "Simple",
]
