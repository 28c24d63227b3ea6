"""From the rows of a session to what the loop runs on: agent, record, seals, donor."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.adapters import definitions
from agents_app.adapters.stores import log_store
from agents_app.adapters.vault import VaultSeals, seals_for
from agents_app.engine.donor import Donor, taken
from agents_app.engine.record import Record
from agents_app.engine.spec import AgentSpec, Limits, from_definition
from agents_app.models import AgentVersion, Checkpoint, Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playhead.core.events import Event


@dataclass(frozen=True, slots=True)
class Assembly:
    """Everything that an entry into a session needs from the database."""

    public_id: str
    workspace: str
    spec: AgentSpec
    versions: Mapping[int, AgentSpec]
    limits: Limits
    record: Record
    states: Mapping[int, dict[str, Any]]
    donor: Donor
    seals: VaultSeals


def assemble(session: int) -> Assembly:
    """Read a session. Blocks: call it in a thread.

    Raises:
        NotFound: the session is gone.
    """
    row = Session.objects.select_related("agent_version__agent").get(pk=session)
    events = [stored.event() for stored in log_store().read(session)]
    start = events[0].payload
    donor = _donor(row, events)
    seals = seals_for(row.root_id or row.pk)  # last: it knows what all that was read has sealed
    return Assembly(
        public_id=row.public_id,
        workspace=str(row.workspace_id),
        spec=spec_of(start["definition"]),
        versions=_versions(events, row.agent_version.agent_id),
        limits=Limits().merged(start["limits"]),
        record=Record(events),
        states=_states(session, row.lineage),
        donor=donor,
        seals=seals,
    )


def spec_of(definition: Mapping[str, Any]) -> AgentSpec:
    """The agent that a definition says, with the code of this process."""
    return from_definition(definition, definitions.current().tools_of(definition["slug"]))


def _versions(events: list[Event], agent: int) -> dict[int, AgentSpec]:
    named = {
        event.payload["overrides"].get("version")
        for event in events
        if event.event_type == "branch"
    } - {None}
    if not named:
        return {}
    rows = AgentVersion.objects.filter(agent_id=agent, number__in=named)
    return {row.number: spec_of(json.loads(row.definition)) for row in rows}


def _states(session: int, lineage: list[list[int]]) -> dict[int, dict[str, Any]]:
    from agents_app.adapters.stores.codec import unpack

    owners = [session, *(ancestor for ancestor, _ in lineage)]
    rows = Checkpoint.objects.filter(session_id__in=owners).values_list("seq", "state")
    return {seq: json.loads(unpack(bytes(state))) for seq, state in rows}


def _donor(row: Session, events: list[Event]) -> Donor:
    """What the parent has after the fork, less what this branch has taken already."""
    if row.parent_id is None or row.fork_seq is None:
        return Donor()
    types = ("tool_call", "tool_result")
    theirs = [stored.event() for stored in log_store().read(row.parent_id, types=types)]
    return Donor(theirs, fork=row.fork_seq, used=taken(events, row.fork_seq))
