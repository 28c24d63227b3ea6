"""What the demands share: sessions to write to, events that chain, threads that start at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from django.apps import apps
from django.db import connections

from agents_app.adapters.stores import Append, LogStore, log_store
from agents_app.engine.log.lineage import fork
from agents_app.engine.log.projection import HeadState, project
from agents_app.models import Agent, AgentVersion, Head, Session
from playhead.core.events import Draft, Event, StoredEvent, store_form
from playhead.core.ids import new_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")

ANA = {"kind": "user", "id": "user_ana", "name": "Ana"}
TS = "2026-11-30T10:22:31.102345Z"
SCOPE = "agent:desk/1"
ADDRESS = "agent:desk/1;tool:issue_refund:c4.0"


@dataclass(frozen=True, slots=True)
class Seat:
    """A session as a writer knows it."""

    pk: int
    public_id: str


class Scene:
    """The base of each part of the suite."""

    def make_store(self) -> LogStore:
        """The store that is tried; the configured one unless a test says otherwise."""
        return log_store()

    @property
    def store(self) -> LogStore:
        """The store under test."""
        return self.make_store()

    def seat(self, *, parent: Seat | None = None, fork_seq: int | None = None) -> Seat:
        """A new session with nothing in its log, or a branch of ``parent`` at ``fork_seq``."""
        session = Session(public_id=new_id("sess"))
        if parent is None:
            session.agent_version = _version()
            session.workspace_id = session.agent_version.agent.workspace_id
        else:
            self._below(session, parent.pk, fork_seq or 1)
        session.save()
        head = Head(session=session)
        if parent is not None:
            head.seq = session.fork_seq - 1 if session.fork_seq else 0
            inherited = self.store.read(parent.pk, upto=head.seq)
            head.hash = inherited[-1].hash if inherited else bytes(32)
        head.save()
        return Seat(session.pk, session.public_id)

    @staticmethod
    def _below(session: Session, parent: int, fork_seq: int) -> None:
        above = Session.objects.get(pk=parent)
        session.agent_version, session.workspace_id = above.agent_version, above.workspace_id
        session.parent, session.root_id, session.fork_seq = above, above.root_id, fork_seq
        session.lineage = fork(above.lineage, parent, fork_seq)

    def append(self, seat: Seat, *drafts: Draft, **changes: Any) -> Append:
        """An append of events behind the head as it is now (or behind ``expected``, ``prev``)."""
        head = self.store.head(seat.pk)
        expected = changes.pop("expected", head.seq)
        prev = changes.pop("prev", head.hash)
        events = chain(seat.public_id, prev, expected, drafts)
        result = project(head.state, [event.event() for event in events])
        append = Append(
            seat.pk, expected, changes.pop("epoch", None), events, result.state,
            interrupts=result.interrupts, decisions=result.decisions, consumed=result.consumed,
        )  # fmt: skip
        return replace(append, **changes)

    def write(self, seat: Seat, *drafts: Draft, **changes: Any) -> tuple[StoredEvent, ...]:
        """Append and insist that it was stored."""
        append = self.append(seat, *drafts, **changes)
        assert self.store.append([append]) == [True]
        return append.events

    def started(self, *more: Draft) -> Seat:
        """A session that has begun its first run."""
        seat = self.seat()
        self.write(seat, start(), message("What about order 7?"), *more)
        return seat

    def resting(self, seat: Seat, status: str, **changes: Any) -> Append:
        """Going to wait: an append without events that gives the lease back."""
        head = self.store.head(seat.pk)
        state = head.state.resting(
            status, changes.pop("waiting_for", None), changes.pop("due", None)
        )
        return Append(seat.pk, head.seq, changes.pop("epoch", None), (), state, release=True)


def chain(
    public_id: str, prev: bytes, after: int, drafts: Iterable[Draft]
) -> tuple[StoredEvent, ...]:
    """Drafts as stored events behind the event ``after`` with hash ``prev``."""
    out: list[StoredEvent] = []
    for seq, draft in enumerate(drafts, after + 1):
        out.append(store_form(public_id, prev, seq, TS, draft))
        prev = out[-1].hash
    return tuple(out)


def start() -> Draft:
    return Draft("session_start", {"agent": {"slug": "desk", "version": 1}})


def message(text: str) -> Draft:
    body = {"role": "user", "content": text}
    return Draft(
        "user_message", {"message": body, "by": ANA, "to": "agent:desk", "policy": "start"}
    )


def response(text: str) -> Draft:
    payload = {
        "message": {"role": "assistant", "content": text}, "source": "live", "ms": 12,
        "usage": {"input": 10, "output": 2, "cached": 0, "reasoning": 0}, "cost": "0.0000125",
    }  # fmt: skip
    return Draft("llm_response", payload, SCOPE, 2)


def request() -> Draft:
    return Draft("llm_request", {"model": "scripted:desk", "prompt": [["m", 2]], "n": 1}, SCOPE)


def question(name: str, *, expires_at: str | None = None) -> Draft:
    payload: dict[str, Any] = {
        "id": name, "kind": "approval", "address": ADDRESS, "generation": 1, "parents": [],
        "tool": "issue_refund", "digest": "d1:00", "info": None, "required_role": "approver",
        "allowed": ["approve", "reject"], "expires_at": expires_at, "on_expiry": "reject",
    }  # fmt: skip
    return Draft("interrupt", payload, SCOPE, 3)


def decision(name: str, choice: str = "approve", *, who: dict[str, str] | None = None) -> Draft:
    payload = {"interrupt": name, "of": 3, "decision": choice, "by": who or ANA, "to": ADDRESS}
    return Draft("decision", payload)


def call(decided: int | None = None) -> Draft:
    payload: dict[str, Any] = {
        "call_id": "c4.0",
        "tool": "issue_refund",
        "arguments": {},
        "decision": decided,
    }
    return Draft("tool_call", payload, SCOPE, 3)


def end(answer: str | None = "done", outcome: str = "finished") -> Draft:
    payload = {"run": 1, "outcome": outcome, "answer": answer, "steps": 1}
    return Draft("session_end", payload, SCOPE)


def running() -> HeadState:
    return HeadState(status="running", run=1)


def at_once(count: int, work: Callable[[int], T]) -> list[T]:
    """Run ``work(i)`` in ``count`` threads that start together; each closes its connection."""
    barrier = threading.Barrier(count)

    def run(number: int) -> T:
        try:
            barrier.wait(timeout=30)
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def parsed(events: Iterable[StoredEvent]) -> list[Event]:
    return [event.event() for event in events]


def _version() -> AgentVersion:
    workspace, _ = apps.get_model("accounts", "Workspace").objects.get_or_create(name="conformance")
    agent, _ = Agent.objects.get_or_create(workspace=workspace, slug="desk", name="Desk")
    version, _ = AgentVersion.objects.get_or_create(
        agent=agent, number=1, definition="{}", digest="d1:00"
    )
    return version
