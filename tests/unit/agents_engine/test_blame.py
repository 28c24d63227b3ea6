"""An author finds the line of a plug-in that failed; the process does not repeat what it said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.engine import AgentSpec, tool
from agents_app.testing import RuleModel, Session, calls, says

if TYPE_CHECKING:
    import pytest


@tool
async def look(colour: str) -> str:
    """Look."""
    found: dict[str, str] = {}
    return found[colour]


def rule(request):
    if request.messages[-1].role == "tool":
        return says("Done.")
    return calls(("look", {"colour": "hunter2-is-secret"}))


async def test_the_place_of_what_a_tool_raises_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    session = Session(AgentSpec(slug="a", tools=(look,)), RuleModel(rule))
    await session.start("Look.").run()
    assert "tool look failed with KeyError" in caplog.text
    assert "return found[colour]" in caplog.text
    assert "hunter2" not in caplog.text
