"""What an agent is, as data: the definition that a session starts with, and how a run can end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from agents_app.engine.limits import Limits
from agents_app.engine.policy import under_policy
from agents_app.engine.tools.agents import agent_tool
from agents_app.engine.tools.gone import gone_tool
from playhead.core import digest
from playhead.core.seal import withhold, withhold_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from agents_app.engine.tools import Tool

LOOP_VERSION = 1
ENGINE = "playhead-1"


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """An agent: strategy, model, instructions, tools, middleware in order, limits.

    ``options`` are the strategy's own. ``order`` is that of the ``after_*`` hooks: ``list``, like
    the ``before_*`` hooks, or ``onion``, the other way round. ``offers`` are what its requests have
    in common, with its tools and without: the loop makes them once for all sessions of the agent.
    """

    slug: str
    name: str = ""
    description: str = ""
    strategy: str = "function-calling"
    options: Mapping[str, Any] = field(default_factory=dict)
    model: str = "scripted:echo"
    instructions: str = ""
    tools: Sequence[Tool] = ()
    middleware: Sequence[Mapping[str, Any]] = ()
    order: Literal["list", "onion"] = "list"
    limits: Limits = field(default_factory=Limits)
    params: Mapping[str, Any] = field(default_factory=dict)
    samples: Sequence[str] = ()
    offers: dict[bool, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def tool(self, name: str) -> Tool | None:
        """The tool of that name, if the agent has it."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def definition(self) -> dict[str, Any]:
        """The whole definition as JSON: what a version stores and ``session_start`` carries."""
        data = {
            "slug": self.slug,
            "name": self.name or self.slug,
            "description": self.description,
            "strategy": self.strategy,
            "model": self.model,
            "instructions": self.instructions,
            "tools": [tool.definition() for tool in self.tools],
            "middleware": [dict(use) for use in self.middleware],
            "limits": self.limits.to_definition(),
            "params": dict(self.params),
            "samples": list(self.samples),
        }
        if self.options:
            data["options"] = dict(self.options)
        return data if self.order == "list" else {**data, "order": self.order}

    def digest(self) -> str:
        """The named digest of the definition."""
        return digest.of_value(self.definition())

    def overridden(self, changes: Mapping[str, Any]) -> AgentSpec:
        """The agent with overrides of a session or a branch: model, instructions, params."""
        known = {
            k: v for k, v in changes.items() if k in ("model", "instructions") and v is not None
        }
        if changes.get("params"):
            known["params"] = {**self.params, **changes["params"]}
        return replace(self, **known) if known else self


#: The ``source`` of a tool that is another agent, named by its slug: it has no code of its own.
AGENTS = "agents"


def from_definition(data: Mapping[str, Any], tools: Mapping[str, Tool]) -> AgentSpec:
    """The agent that a stored definition says; its code comes from ``tools``.

    A tool whose code is not there any more is offered no longer, and a call of it is an error.

    Args:
        tools: by name those of the agent itself, and by ``source/name`` those that an agent made
            in the browser takes from elsewhere.
    """
    kept = [_tool(entry, tools) for entry in data.get("tools", ())]
    return AgentSpec(
        slug=data["slug"], name=data.get("name", ""), description=data.get("description", ""),
        strategy=data["strategy"], options=data.get("options") or {}, model=data["model"],
        instructions=data.get("instructions", ""), tools=tuple(kept),
        middleware=tuple(data.get("middleware", ())), order=data.get("order", "list"),
        limits=Limits().merged(data.get("limits")), params=data.get("params") or {},
        samples=tuple(data.get("samples", ())),
    )  # fmt: skip


def without_secrets(definition: Mapping[str, Any]) -> dict[str, Any]:
    """The definition as a log carries it, for everybody who reads the log to see.

    The agent runs on that form: what a log has is what a resume and a replay have.
    """
    tools = definition.get("tools", ())
    said = withhold({name: value for name, value in definition.items() if name != "tools"})
    return {**said, "tools": withhold_texts(tools)}


def _tool(entry: Mapping[str, Any], tools: Mapping[str, Tool]) -> Tool:
    """The code of a tool under the definition's policy; of an agent, with that agent's tools."""
    source, name = entry.get("source", ""), entry["name"]
    if source == AGENTS:
        below = from_definition(entry["agent"], tools)
        asked = agent_tool(below, name=name, handoff=entry.get("handoff", False))
        return under_policy(replace(asked, version=entry["version"]), entry)
    code = tools.get(f"{source}/{name}" if source else name)
    if code is None:
        return gone_tool(entry)
    agent = code.agent
    if agent is not None and entry.get("agent"):
        agent = from_definition(entry["agent"], {tool.name: tool for tool in agent.tools})
    agents = [
        from_definition(below, code.tools_of(below["slug"])) for below in entry.get("agents", ())
    ]
    agents = agents or list(code.agents)
    return replace(under_policy(code, entry), agent=agent, agents=tuple(agents))


OutcomeKind = Literal[
    "finished", "interrupted", "paused", "waiting", "limit", "cancelled", "failed"
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, or why it stands still. A limit is not an answer and not an exception."""

    kind: OutcomeKind
    answer: str | None = None
    points: tuple[Mapping[str, Any], ...] = ()
    due: datetime | None = None
    code: str | None = None

    @property
    def ended(self) -> bool:
        """Whether the run is over (a question or a pause only suspends it)."""
        return self.kind in ("finished", "limit", "cancelled", "failed")
