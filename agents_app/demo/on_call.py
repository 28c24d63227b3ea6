"""``on-call``: plans, executes and replans an incident; what changes a service asks a person."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from agents_app.demo import operations
from agents_app.engine import AgentSpec, Limits, ToolContext, tool
from agents_app.engine.errors import ToolError

INSTRUCTIONS = """\
You are on call for a small shop's services.
Find out what is wrong before you change anything, and follow the runbook.
Say in a few sentences what was wrong, what was done, and how it stands now."""

Name = Annotated[str, Field(description="The name of a service, as in checkout")]


@tool
def list_alerts() -> Any:
    """Services with more errors than they may have."""
    return operations.alerts()


@tool
def service_status(service: Name) -> Any:
    """A service: its version, the one before, its error rate in per cent, since when it runs."""
    return _found(service)


@tool
def search_runbooks(query: Annotated[str, Field(description="Words to look for")]) -> Any:
    """Search the runbooks."""
    return operations.runbooks(query)


@tool(
    effectful=True,
    approval=True,
    consequence="Rolls {service} back to {version} for every customer, now.",
)
def roll_back(
    service: Name,
    version: Annotated[str, Field(description="The version to go back to")],
    context: ToolContext,
) -> Any:
    """Put the version before in the place of the one that runs."""
    if _found(service)["previous"] != version:
        raise ToolError(f"{version} is not the version before of {service}")
    return operations.roll_back(key=context.key, name=service, version=version)


def _found(name: str) -> dict[str, Any]:
    found = operations.service(name)
    if found is None:
        raise ToolError(f"there is no service {name!r}")
    return found


ON_CALL = AgentSpec(
    slug="on-call",
    name="On call",
    description="Plans what to do about an incident, does it step by step, and replans.",
    strategy="plan-execute-replan",
    model="scripted:on-call",
    instructions=INSTRUCTIONS,
    tools=(list_alerts, service_status, search_runbooks, roll_back),
    middleware=({"use": "guardrail", "injection": "block"},),
    limits=Limits(max_steps=8),
    samples=("Customers can't pay. Please look into it.", "Is everything well this morning?"),
)
