"""From the rows of a session to what the loop runs on: agent, record, seals, donor."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.adapters.stores import log_store
from agents_app.adapters.vault import VaultSeals, seals_for
from agents_app.engine.log.donor import Donor, taken
from agents_app.engine.log.record import Record
from agents_app.models import Session
from agents_app.selectors.replayable import checkpoints_of, versions_of
from agents_app.worker.holding import code
from agents_app.worker.shared import agent_of, limits_of, share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents_app.engine.limits import Limits
    from agents_app.engine.spec import AgentSpec
    from playhead.core.events import Event


#: It has nothing to give, and so nothing that changes.
_NO_DONOR = Donor()


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
        Unfit: the code of its agent can't be had.
    """
    row = Session.objects.select_related("agent_version__agent").get(pk=session)
    events = [stored.event() for stored in log_store().read(session)]
    share(events)
    donor = _donor(row, events)
    checkpoints = checkpoints_of(row.pk, row.lineage)
    seals = seals_for(row.root_id or row.pk)  # last: it knows what all that was read has sealed
    with code():
        spec, versions = agent_of(events[0]), versions_of(events, row.pk)
    return Assembly(
        public_id=row.public_id,
        workspace=str(row.workspace_id),
        spec=spec,
        versions=versions,
        limits=limits_of(events[0]),
        record=Record(events),
        states={seq: _state(state) for seq, state in checkpoints.items()},
        donor=donor,
        seals=seals,
    )


def _state(stored: bytes) -> Any:
    """The state of a checkpoint; an empty one of what is none, which no digest proves."""
    try:
        return json.loads(stored)
    except ValueError:
        return {}


def _donor(row: Session, events: list[Event]) -> Donor:
    """What the parent has after the fork, less what this branch has taken already."""
    if row.parent_id is None or row.fork_seq is None:
        return _NO_DONOR
    types = ("tool_call", "tool_result")
    theirs = [stored.event() for stored in log_store().read(row.parent_id, types=types)]
    fork = log_store().read(row.parent_id, after=row.fork_seq - 1, upto=row.fork_seq)
    at = fork[0].scope if fork else None
    elders = [
        ([stored.event() for stored in log_store().read(ancestor, types=types)], upto)
        for ancestor, upto in reversed(row.lineage)
        if ancestor != row.parent_id
    ]
    used = taken(events, row.fork_seq)
    return Donor(theirs, fork=row.fork_seq, used=used, at=at, elders=elders)
