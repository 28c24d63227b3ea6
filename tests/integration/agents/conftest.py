"""An agent without demo data, its workspace, and the rest of the cast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.adapters import definitions
from agents_app.engine import AgentSpec, tool
from agents_app.services.agents import agents_sync
from playhead.accounts.contracts import Role, WorkspaceRef
from tests.integration.cast import Person, person

if TYPE_CHECKING:
    from collections.abc import Iterator


@tool(effectful=True, approval=True, consequence="Pays {amount} to {to}.")
def pay(to: str, amount: int, options: dict[str, object] | None = None) -> str:
    """Pay somebody."""
    return f"paid {amount} to {to}"


@tool(secret=("password",))
def open_vault(password: str) -> str:
    """Open something."""
    return "open"


CLERK = AgentSpec(
    slug="clerk",
    name="Clerk",
    description="Pays people.",
    instructions="You are a clerk.",
    tools=(pay, open_vault),
    samples=("Pay Ann 40.",),
)


@pytest.fixture
def agents(workspace: WorkspaceRef) -> Iterator[list[str]]:
    """The workspace has the agent ``clerk``."""
    definitions.use(definitions.Definitions({"clerk": CLERK}))
    yield agents_sync(workspace_id=workspace.id)
    definitions.use(None)


@pytest.fixture
def dana(workspace: WorkspaceRef) -> Person:
    """An approver."""
    return person(workspace, "dana@example.com", Role.APPROVER)


@pytest.fixture
def victor(workspace: WorkspaceRef) -> Person:
    """A viewer."""
    return person(workspace, "victor@example.com", Role.VIEWER)
