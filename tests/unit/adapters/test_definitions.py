"""Agents from files: one that can't be used is named, and takes nobody with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.adapters.definitions import load
from agents_app.engine.tools import Tool, tool
from agents_app.engine.tools.function import ROLES
from playhead.accounts.contracts import Role

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """
from agents_app.engine import AgentSpec
AGENTS = [AgentSpec(slug="good")]
"""
BY_DECORATOR = """
from agents_app.engine import AgentSpec, tool

@tool(approval=True, required_role="manager")
def pay(amount: int) -> str:
    return "paid"

AGENTS = [AgentSpec(slug="bad", tools=[pay])]
"""
BY_HAND = """
from agents_app.engine import AgentSpec
from agents_app.engine.tools import Tool

pay = Tool("pay", "Pay.", {"type": "object"}, run=print, required_role="manager")
AGENTS = [AgentSpec(slug="bad", tools=[pay])]
"""


def test_roles_are_those_of_the_accounts() -> None:
    assert tuple(Role) == ROLES


@pytest.mark.parametrize("source", [BY_DECORATOR, BY_HAND], ids=["decorated", "by hand"])
def test_a_role_that_nobody_has_is_told_with_file_tool_and_field(
    tmp_path: Path, source: str
) -> None:
    """It would be a question that nobody may answer, in a list that nobody can read."""
    (tmp_path / "bad.py").write_text(source, encoding="utf-8")
    (tmp_path / "good.py").write_text(GOOD, encoding="utf-8")
    found = load([], tmp_path)
    assert list(found.specs) == ["good"]
    (problem,) = found.problems
    for part in ("bad.py", "'pay'", "required_role", "'manager'", "approver"):
        assert part in problem


def test_a_tool_of_an_old_log_may_ask_for_a_role_that_is_gone() -> None:
    """What is recorded is read, whatever is defined now."""
    old = Tool("pay", "Pay.", {"type": "object"}, run=print, required_role="manager")
    assert old.definition()["required_role"] == "manager"
    with pytest.raises(ValueError, match="required_role"):
        tool(required_role="manager")(len)
