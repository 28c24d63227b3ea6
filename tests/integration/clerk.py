"""An agent for the tests: it pays people, after somebody has said yes."""

from __future__ import annotations

from agents_app.engine import AgentSpec, tool


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
