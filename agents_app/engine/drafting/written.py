"""The other way: a stored definition of an agent that is code, as a person would write it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.drafting.draft import KEYS, USUAL
from agents_app.engine.limits import Limits
from agents_app.engine.spec import AGENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents_app.engine.drafting.catalogue import Catalogue

_PLAIN: dict[str, Any] = {"strategy": USUAL, "order": "list", "limits": Limits().to_definition()}


def written_form(definition: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """What makes the same agent again; what is as it would be anyway is left out."""
    slug = definition["slug"]
    tools = [_tool(entry, slug, catalogue) for entry in definition.get("tools", ())]
    uses = [{"use": each["use"], **each} for each in definition.get("middleware", ())]
    usual = _PLAIN["limits"]
    limits = {k: v for k, v in definition.get("limits", {}).items() if v != usual.get(k)}
    whole = {**definition, "tools": tools, "middleware": uses, "limits": limits}
    return {
        key: whole[key]
        for key in KEYS
        if key in whole and whole[key] and whole[key] != _PLAIN.get(key)
    }


def _tool(entry: Mapping[str, Any], slug: str, catalogue: Catalogue) -> dict[str, Any]:
    if entry.get("source") == AGENTS:
        child = {"agent": entry["agent"]["slug"], "version": int(entry["version"])}
        return {**child, "name": entry["name"], "handoff": entry.get("handoff", False)}
    named = catalogue.named(entry["name"])
    source = entry.get("source") or f"agent:{slug}"
    is_clear = len(named) < 2 or source not in [each.source for each in named]
    return {"name": entry["name"]} if is_clear else {"name": entry["name"], "source": source}
