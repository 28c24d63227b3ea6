"""Agents from files: one that can't be used is named, and takes nobody with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.adapters.definitions import load
from agents_app.engine.spec import AgentSpec, from_definition
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
from agents_app.engine.spec import AgentSpec, from_definition
from agents_app.engine.tools import Tool

pay = Tool("pay", "Pay.", {"type": "object"}, run=print, required_role="manager")
AGENTS = [AgentSpec(slug="bad", tools=[pay])]
"""
IN_TEXT = """
from agents_app.engine import AgentSpec, agent_tool, tool

@tool(secret=["moon"])
def unlock(moon: str) -> str:
    return "open"

porter = AgentSpec(slug="porter", strategy="react", tools=[unlock])
AGENTS = [{agent}]
"""


def length(text: str) -> int:
    """Measure."""
    return len(text)


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


TOOLS = """
from dataclasses import replace
from agents_app.engine import AgentSpec, agent_tool, tool

@tool
def pay(amount: int) -> str:
    return "paid"

def child(slug, *tools):
    return agent_tool(AgentSpec(slug=slug, tools=tools), name="ask")

AGENTS = [{}]
"""


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("AgentSpec(slug='a/1')", ["agent 'a/1'", "slug"]),
        ("AgentSpec(slug='')", ["agent ''", "slug"]),
        ("AgentSpec(slug='Desk')", ["agent 'Desk'", "slug"]),
        ("AgentSpec(slug='x' * 81)", ["slug", "80"]),
        ("AgentSpec(slug='root', tools=[child('a;b')])", ["'root'", "'ask'", "'a;b'", "slug"]),
        ("AgentSpec(slug='root', tools=[replace(pay, name='p;q')])", ["'root'", "'p;q'", "64"]),
        ("AgentSpec(slug='root', tools=[replace(pay, name='p' * 65)])", ["'root'", "64"]),
        (
            "AgentSpec(slug='root', tools=[child('deep', child('low', replace(pay, name='')))])",
            ["'root'", "'deep'", "'low'", "tool ''"],
        ),
        ("AgentSpec(slug='root', tools=[pay, pay])", ["'root'", "2 tools", "'pay'"]),
        (
            "AgentSpec(slug='root', tools=[child('low', pay, replace(pay, version='2'))])",
            ["'root'", "'low'", "2 tools", "'pay'"],
        ),
        ("AgentSpec(slug='root', tools=[child('low', 'pay')])", ["'low'", "'pay' is no tool"]),
    ],
)
def test_a_name_that_an_address_cannot_hold_is_told_with_agent_and_tool(
    tmp_path: Path, agent: str, said: list[str]
) -> None:
    (tmp_path / "bad.py").write_text(TOOLS.replace("{}", agent), encoding="utf-8")
    (tmp_path / "good.py").write_text(
        TOOLS.replace("{}", "AgentSpec(slug='0-good_one', tools=[pay, child('low', pay)])"),
        encoding="utf-8",
    )
    found = load([], tmp_path)
    assert list(found.specs) == ["0-good_one"]
    (problem,) = found.problems
    for part in ("bad.py", *said):
        assert part in problem


def test_a_tool_is_refused_where_its_name_is_given() -> None:
    with pytest.raises(ValueError, match="tool 'p;q': a name has"):
        tool(name="p;q")(length)

    @tool(name=None)
    def pay() -> None:
        """Pay."""

    assert pay.name == "pay"


def test_an_old_log_may_name_agents_and_tools_as_it_likes() -> None:
    """What is recorded is read, whatever is refused now."""
    odd = Tool("p;q", "Pay.", {"type": "object"}, run=print)
    spec = AgentSpec(slug="A/1", tools=[odd, odd])
    again = from_definition(spec.definition(), {"p;q": odd})
    assert (again.slug, [each.name for each in again.tools]) == ("A/1", ["p;q", "p;q"])


@pytest.mark.parametrize("agent", ["porter", 'AgentSpec(slug="bad", tools=[agent_tool(porter)])'])
def test_a_secret_argument_in_a_text_paradigm_is_told_before_a_session_meets_it(
    tmp_path: Path, agent: str
) -> None:
    (tmp_path / "bad.py").write_text(IN_TEXT.format(agent=agent), encoding="utf-8")
    (tmp_path / "good.py").write_text(GOOD, encoding="utf-8")
    found = load([], tmp_path)
    assert list(found.specs) == ["good"]
    (problem,) = found.problems
    for part in ("bad.py", "'porter'", "react", "moon", "unlock", "function-calling"):
        assert part in problem


def test_a_tool_of_an_old_log_may_ask_for_a_role_that_is_gone() -> None:
    """What is recorded is read, whatever is defined now."""
    old = Tool("pay", "Pay.", {"type": "object"}, run=print, required_role="manager")
    assert old.definition()["required_role"] == "manager"
    with pytest.raises(ValueError, match="required_role"):
        tool(required_role="manager")(length)


TELLING = """
from agents_app.engine import AgentSpec
prompt = "password: hunter2x {messages}"
AGENTS = [AgentSpec(slug="open", middleware=[
    {"use": "summarisation", "messages": 90, "prompt": prompt}])]
"""


def test_a_secret_in_the_definition_of_an_agent_is_told(tmp_path: Path) -> None:
    """What a middleware is configured with stands in ``session_start`` of every session."""
    (tmp_path / "open.py").write_text(TELLING)
    found = load([], tmp_path)
    assert list(found.specs) == ["open"]
    (problem,) = found.problems
    assert "agent 'open': middleware.0.prompt holds what looks like a secret" in problem
    assert "hunter2x" not in problem
