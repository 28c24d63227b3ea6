"""The page about agents says what works: its code is loaded, its YAML makes an agent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from agents_app.adapters import definitions
from agents_app.engine import AgentSpec, tool
from agents_app.services.agents import agents_sync

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person


@tool
def roll(sides: int) -> int:
    """Roll a die."""
    return sides


@pytest.fixture
def guide(root: Path, tmp_path: Path, workspace: WorkspaceRef) -> Iterator[str]:
    """The guide, with the agents that it speaks of."""
    text = (root / "docs/agents.md").read_text(encoding="utf-8")
    (tmp_path / "mailer.py").write_text(block(text, "python"), encoding="utf-8")
    found = definitions.load([], tmp_path)
    assert found.problems == ()
    others = {"researcher": AgentSpec("researcher"), "dice": AgentSpec("dice", tools=[roll])}
    definitions.use(definitions.Definitions({**found.specs, **others}))
    agents_sync(workspace_id=workspace.id)
    yield text
    definitions.use(None)


def block(text: str, language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)[0]


def test_the_yaml_of_the_page_makes_the_agent(guide: str, erin: Person) -> None:
    made = erin.browser().post("/agents/import", {"yaml": block(guide, "yaml")})
    assert made.status_code == 201, made.content
    tools = {each["name"]: each for each in made.json()["tools"]}
    assert list(tools) == ["send_email", "roll", "transfer_to_researcher"]
    assert (tools["send_email"]["required_role"], tools["roll"]["approval"]) == ("editor", True)


def test_the_faults_of_the_page_are_those_that_are_told(guide: str, erin: Person) -> None:
    wrong = block(guide, "yaml").replace("name: roll", "name: rol").replace("steps: 12", "steps: 0")
    refused = erin.browser().post("/agents/import", {"yaml": wrong}).json()["errors"]
    told = [f"night-desk.yaml: {each['field']}: {each['message']}" for each in refused]
    shown = [line for line in guide.splitlines() if line.startswith("night-desk.yaml: ")]
    assert [line.split(" (there")[0] for line in shown] == [
        line.split(" (there")[0] for line in told
    ]
