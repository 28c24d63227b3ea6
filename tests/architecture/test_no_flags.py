"""S3-2: the loop does not grow by flags, and names no part that stands in it."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from typing import TYPE_CHECKING

from agents_app.engine import AgentLoop
from agents_app.engine.actor import Actor
from agents_app.engine.loop.kernel import Kernel
from agents_app.engine.loop.shared import Loop

if TYPE_CHECKING:
    from pathlib import Path

#: What every agent runs on, whatever its parts are.
SKELETON = ("loop", "log", "tool_calls", "model_calls", "children", "budgets")


def imported(path: Path) -> set[str]:
    """The modules that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_s3_2_the_skeleton_names_no_strategy_and_no_middleware(root: Path) -> None:
    wrong = {
        f"{path.stem}: {name}"
        for room in SKELETON
        for path in (root / "agents_app/engine" / room).glob("*.py")
        for name in imported(path)
        if name.startswith(("agents_app.engine.strategies", "agents_app.engine.middleware"))
    }
    assert wrong == set()


def test_s3_2_an_agent_is_made_of_parts_and_no_switches() -> None:
    """Seven flags would be eight arrangements to test, and then more."""
    given = {
        "AgentLoop": inspect.signature(AgentLoop).parameters.values(),
        "Kernel": inspect.signature(Kernel).parameters.values(),
        "Actor": inspect.signature(Actor).parameters.values(),
    }
    switches = {
        f"{name}.{each.name}"
        for name, parameters in given.items()
        for each in parameters
        if isinstance(each.default, bool)
    }
    assert switches <= {"Kernel.from_start"}  # resume or replay: which mode, not which feature
    assert {each.name for each in dataclasses.fields(Loop) if each.type == "bool"} == set()
