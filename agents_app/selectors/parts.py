"""Everything that an agent can be made of here, as a form shows it."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.conf import settings

from agents_app.adapters import definitions, plugins
from agents_app.adapters.catalogue import model_fault
from agents_app.adapters.choices import costs
from agents_app.contracts.definitions import (
    AgentOffer,
    ModelOffer,
    PartOffer,
    PartsView,
    ProviderOffer,
    ToolOffer,
)
from agents_app.engine.docstrings import summary_of
from agents_app.engine.limits import Limits
from agents_app.engine.options import options_schema
from agents_app.models import Agent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from agents_app.engine.drafting import Offer
    from agents_app.engine.ports import ModelProvider


logger = logging.getLogger(__name__)


def parts_of(workspace_id: str, *, edits: bool = False) -> PartsView:
    """Everything that an editor offers: strategies, middleware, tools, models, agents, limits.

    Args:
        edits: whether who asks makes agents, and is told which plug-ins are wrong.
    """
    problems = plugins.current().problems if edits else ()
    return PartsView(
        strategies=_parts("strategy", plugins.current().parts.strategies),
        middleware=_parts("middleware", plugins.current().parts.middleware),
        tools=[_tool(each) for each in definitions.current().offers()],
        models=list(_models()),
        providers=[ProviderOffer(name, found.paid, names is None) for name, found, names in _llm()],
        agents=_agents(workspace_id),
        limits=options_schema(Limits),
        problems=[f"{each.source}: {each.problem}" for each in problems],
    )


def _parts(point: str, factories: Mapping[str, Callable[..., Any]]) -> list[PartOffer]:
    return [
        PartOffer(
            name=name,
            summary=summary_of(factory),
            options=options_schema(factory),
            source=plugins.source_of(f"{point}.{name}"),
        )
        for name, factory in sorted(factories.items())
    ]


def _tool(offer: Offer) -> ToolOffer:
    tool = offer.tool
    said = replace(tool, agent=None).definition()
    return ToolOffer(
        name=tool.name,
        description=tool.description,
        schema=tool.schema,
        effectful=tool.effectful,
        idempotent=tool.idempotent,
        effects_known=tool.effects_known,
        approval=said["approval"],
        required_role=tool.required_role,
        consequence=said["consequence"],
        timeout=tool.timeout,
        agent=None if tool.agent is None else tool.agent.slug,
        source=offer.source,
        off=tool.labels.get("off"),
    )


def _llm() -> Iterator[tuple[str, ModelProvider, list[str] | None]]:
    """Each provider with the names of its models, ``None`` where any may be one."""
    registry = plugins.registry()
    for name in registry.names("llm"):
        try:
            provider: ModelProvider = registry.get(f"llm.{name}")
            names = provider.models()
            known = None if names is None else sorted(map(str, names))
        except Exception:  # a plug-in's own fault: the editor shows all the others
            logger.warning("llm.%s does not say its models", name, exc_info=True)
            continue
        yield name, provider, known


def _models() -> Iterator[ModelOffer]:
    """The models that are known by name; the first one of the settings is the default."""
    default = settings.PLAYHEAD_MODEL or "scripted:echo"
    known = {f"{name}:{model}": paid for name, paid, model in _named()}
    said = {name: costs(name) for name in settings.PLAYHEAD_MODELS if model_fault(name) is None}
    listed = {**said, **known}
    for name, paid in listed.items():
        yield ModelOffer(name, name.partition(":")[0], paid, name == default)


def _named() -> Iterator[tuple[str, bool, str]]:
    for name, provider, models in _llm():
        yield from ((name, provider.paid, model) for model in models or ())


def _agents(workspace_id: str) -> list[AgentOffer]:
    rows = Agent.objects.filter(workspace_id=workspace_id).order_by("slug")
    return [
        AgentOffer(row.slug, row.name, row.published, row.description)
        for row in rows
        if row.published is not None
    ]
