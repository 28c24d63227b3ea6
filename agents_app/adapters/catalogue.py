"""What a definition of a workspace can name: the catalogue that the drafting reads."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agents_app.adapters import definitions, plugins
from agents_app.adapters.choices import model_check
from agents_app.engine.drafting import Catalogue, Child
from agents_app.engine.spec import from_definition
from agents_app.models import Agent
from agents_app.models.find import version_row
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping


def catalogue_of(workspace_id: str) -> Catalogue:
    """What a definition of this workspace can name, in this process."""
    return Catalogue(
        parts=plugins.current().parts,
        model_fault=model_fault,
        child=lambda slug, version: _child(workspace_id, slug, version),
        offers=definitions.current().offers(),
        why_not=plugins.current().why_not,
    )


def model_fault(name: str) -> str | None:
    """What is wrong with a model's name, if anything."""
    try:
        model_check(name)
    except InvalidInput as error:
        return error.message
    return None


def _child(workspace_id: str, slug: str, version: int | None) -> Child:
    """A stored agent as a tool of another one.

    Raises:
        NotFound: no such agent or version; ``detail["field"]`` is one of ``agent``, ``version``.
        InvalidInput: it can't be asked: a tool's code is gone.
    """
    row = version_row(workspace_id=workspace_id, slug=slug, number=version)
    definition = json.loads(row.definition)
    if row.agent.origin == Agent.Origin.CODE:
        definition = _with_source(definition, f"agent:{slug}")
    spec = from_definition(definition, definitions.current().tools_of(slug))
    gone = {tool.name for tool in spec.tools if tool.gone}
    if gone:
        said = f"the code of {', '.join(sorted(gone))}, which {slug} has as a tool, is not here"
        raise InvalidInput(said, detail={"field": "agent"})
    return Child(spec, row.number)


def _with_source(definition: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The definition of an agent that is code, as it stands below one that is not."""
    return {**definition, "tools": [{**each, "source": source} for each in definition["tools"]]}
