"""An agent as a tool: another agent asks it, and it answers under its own address."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agents_app.engine.tools.function import Tool, tool

if TYPE_CHECKING:
    from agents_app.engine.spec import AgentSpec
    from agents_app.engine.tools.function import Approval


def agent_tool(
    spec: AgentSpec,
    *,
    name: str | None = None,
    description: str | None = None,
    approval: Approval = False,
    handoff: bool = False,
) -> Tool:
    """Offer an agent to another one.

    Args:
        spec: the agent that is asked; its own tools ask for approval as ever.
        name: of the tool, by default ``ask_<slug>`` (``transfer_to_<slug>`` for a hand-off).
        description: what the model reads; by default the agent's own description.
        approval: whether a person must agree before it is asked.
        handoff: its answer is the answer of the run; the agent that handed on says nothing more.
    """
    word = "transfer_to" if handoff else "ask"
    said = description or spec.description or f"Ask the agent {spec.name or spec.slug}."
    return replace(
        tool(_ask),
        name=name or f"{word}_{spec.slug.replace('-', '_')}",
        description=said,
        approval=approval,
        agent=spec,
        handoff=handoff,
    )


def _ask(task: str) -> str:  # noqa: ARG001 - the schema is made of it
    """The form of the call; the loop runs the agent itself.

    Args:
        task: what the agent is to do, with everything that it needs to know.
    """
    raise AssertionError("the loop runs the agent, not this function")
