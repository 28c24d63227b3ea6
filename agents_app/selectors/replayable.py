"""A session as a replay needs it: its log as stored, the code that wrote it, its checkpoints."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.adapters import definitions, plugins
from agents_app.adapters.stores import log_store
from agents_app.adapters.stores.codec import unpack
from agents_app.engine.spec import AgentSpec, from_definition
from agents_app.models import AgentVersion, Checkpoint, Session
from playhead.core.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agents_app.contracts import SessionRef
    from agents_app.engine.parts import Parts
    from playhead.core.events import Event, StoredEvent


@dataclass(frozen=True, slots=True)
class Code:
    """What wrote a log: the agent with this process's tools and parts, and its other versions.

    ``missing`` are the tools whose code this process does not have, ``absent`` what the loop can't
    even begin without: a strategy or a middleware.
    """

    spec: AgentSpec
    parts: Parts
    versions: Mapping[int, AgentSpec]
    missing: Sequence[str]
    absent: Sequence[str]


def log_of(session: SessionRef, *, after: int = 0, upto: int | None = None) -> list[StoredEvent]:
    """The stored events of a session, those of its ancestors included, their blobs read."""
    return log_store().read(session.pk, after=after, upto=upto)


def code_of(events: Sequence[Event], *, session: SessionRef | None = None) -> Code:
    """The code that these events were written by, as far as this process has it."""
    definition = events[0].payload["definition"]
    spec = spec_of(definition)
    versions = {} if session is None else versions_of(events, session.pk)
    missing = [tool.name for tool in spec.tools if tool.gone]
    parts = plugins.current().parts
    absent = [] if spec.strategy in parts.strategies else [f"strategy {spec.strategy}"]
    uses = [str(use.get("use")) for use in spec.middleware]
    absent += [f"middleware {name}" for name in uses if name not in parts.middleware]
    return Code(spec, parts, versions, missing, absent)


def checkpoints_of(session: int, lineage: Iterable[Sequence[int]]) -> dict[int, bytes]:
    """Stored snapshots by the seq of their ``step_end``, inherited ones included.

    What an ancestor left behind the fork is another step, which may have the same seq.
    """
    owners: dict[int, int | None] = {session: None}
    owners.update((ancestor, upto) for ancestor, upto in lineage)
    rows = Checkpoint.objects.filter(session__in=list(owners)).values_list(
        "session_id", "seq", "state"
    )
    found = {}
    for owner, seq, state in rows:
        if (last := owners[owner]) is None or seq <= last:
            found[seq] = _readable(bytes(state))
    return found


def _readable(state: bytes) -> bytes:
    """A stored snapshot; of one that can't be read nothing, which no digest proves."""
    try:
        return unpack(state)
    except (LogError, IndexError):
        return b""


def spec_of(definition: Mapping[str, Any]) -> AgentSpec:
    """The agent that a definition says, with the code of this process."""
    return from_definition(definition, definitions.current().tools_of(definition["slug"]))


def versions_of(events: Sequence[Event], session: int) -> dict[int, AgentSpec]:
    """The other versions of a session's agent that its branches name."""
    named = {
        event.payload["overrides"].get("version")
        for event in events
        if event.event_type == "branch"
    } - {None}
    if not named:
        return {}
    agent = Session.objects.values_list("agent_version__agent", flat=True).get(pk=session)
    rows = AgentVersion.objects.filter(agent=agent, number__in=named)
    return {row.number: spec_of(json.loads(row.definition)) for row in rows}
