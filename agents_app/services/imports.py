"""Recorded sessions of elsewhere: stored as they are, read and branched, never written to again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from agents_app.adapters.stores import Append, log_store
from agents_app.engine.log.projection import HeadState, project
from agents_app.models import Agent, AgentVersion, Interrupt, Session
from agents_app.models import Head as HeadRow
from agents_app.services.projections import interrupts_project
from playhead.core import canonical
from playhead.core.errors import Conflict, LogError
from playhead.core.events import GENESIS, Draft, store_form
from playhead.core.header import clip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playhead.core.events import Event, StoredEvent


def session_import(
    *, workspace_id: str, events: Sequence[Event], title: str = "", tags: Sequence[str] = ()
) -> str:
    """Store a verified log under the id it was written with; returns the id.

    The same log again changes nothing. Where the run had not ended, it stands still for good.

    Raises:
        Conflict: another log has this id here.
        LogError: an event whose hash does not follow.
    """
    session_id = events[-1].session_id
    known = Session.objects.select_related("head").filter(public_id=session_id).first()
    if known is not None:
        if bytes(known.head.hash) == events[-1].hash and known.workspace_id == workspace_id:
            return session_id
        raise Conflict(f"There is another session {session_id} here.", code="exists")
    stored = _stored(events)
    done = project(HeadState(), events)
    with transaction.atomic():
        session = _rows(workspace_id, session_id, events, title=title, tags=tags)
        _append(session, stored, done.state)
        own = {event.seq for event in events if event.session_id == session_id}
        interrupts_project(session=session, projection=done, own=own)
        _stand_still(session, done.state)
    return session_id


def _stored(events: Sequence[Event]) -> list[StoredEvent]:
    prev, out = GENESIS, []
    for event in events:
        draft = Draft(
            event.event_type, event.payload, event.scope, event.cause, event.sealed, event.edited
        )
        out.append(store_form(event.session_id, prev, event.seq, event.ts, draft))
        prev = out[-1].hash
        if prev != event.hash:
            raise LogError(f"Event {event.seq} is not what was written.", code="bad_hash")
    return out


def _rows(
    workspace_id: str, session_id: str, events: Sequence[Event], *, title: str, tags: Sequence[str]
) -> Session:
    start, said = events[0].payload, _first_words(events)
    version = _version(workspace_id, start)
    session = Session.objects.create(
        public_id=session_id,
        workspace_id=workspace_id,
        agent_version=version,
        title=title or clip(said, 200),
        tags=list(tags),
        model=_model(events),
        search=f"{start['agent']['slug']} {said[:4000]}",
        imported=True,
    )
    HeadRow.objects.create(session=session)
    return session


def _first_words(events: Sequence[Event]) -> str:
    for event in events:
        if event.event_type == "user_message":
            return str(event.payload["message"].get("content") or "")
    return ""


def _model(events: Sequence[Event]) -> str:
    """The model of the last request, else the definition's."""
    for event in reversed(events):
        if event.event_type == "llm_request":
            return str(event.payload["model"])
    return str(events[0].payload["definition"]["model"])


def _version(workspace_id: str, start: dict[str, Any]) -> AgentVersion:
    """The version with that digest; one that only the import knows is never started by itself."""
    about = start["agent"]
    agent, _ = Agent.objects.get_or_create(
        workspace_id=workspace_id, slug=about["slug"], defaults={"name": about["name"]}
    )
    found = agent.versions.filter(digest=about["digest"]).order_by("-number").first()
    if found is not None:
        return found
    newest = agent.versions.order_by("-number").first()
    return AgentVersion.objects.create(
        agent=agent,
        number=newest.number + 1 if newest else 1,
        definition=canonical.dumps(start["definition"]).decode(),
        digest=about["digest"],
        imported=True,
    )


def _append(session: Session, stored: Sequence[StoredEvent], state: HeadState) -> None:
    append = Append(session=session.pk, expected=0, epoch=None, events=tuple(stored), state=state)
    if not log_store().append([append])[0]:
        raise Conflict("The session could not be stored; try again.", permanent=False)


def _stand_still(session: Session, state: HeadState) -> None:
    """What was open where it came from is asked nowhere any more, and nobody runs it."""
    Interrupt.objects.filter(session=session, status=Interrupt.Status.PENDING).update(
        status=Interrupt.Status.CANCELLED
    )
    if not state.ended:
        HeadRow.objects.filter(session=session).update(
            status="paused", waiting_for=None, due_at=None, pending=0
        )
