"""What a worker would write, written by hand: a log in any state, without running a loop."""

from __future__ import annotations

from typing import Any

from agents_app.adapters.stores import Append, log_store
from agents_app.engine.log.projection import project
from agents_app.models import Session
from playhead.core import digest
from playhead.core.clock import SystemClock, stamp
from playhead.core.events import Draft, Event, store_form

ROOT = "agent:clerk"
SCHEMA = {
    "type": "object",
    "properties": {
        "to": {"type": "string"},
        "amount": {"type": "integer", "minimum": 1},
        "options": {"type": "object"},
    },
    "required": ["to", "amount"],
    "additionalProperties": False,
}


def pk_of(session_id: str) -> int:
    return Session.objects.get(public_id=session_id).pk


def work(session_id: str, *drafts: Draft, waits: bool = False) -> list[Event]:
    """Claim a session, append loop events to it and give it back, waiting for a person or not."""
    store, session = log_store(), pk_of(session_id)
    claimed = store.claim(owner="hand", limit=1, ttl=30, only=session)[0]
    prev, stored = claimed.hash, []
    ts = stamp(SystemClock().now())
    for seq, draft in enumerate(drafts, start=claimed.seq + 1):
        stored.append(store_form(session_id, prev, seq, ts, draft))
        prev = stored[-1].hash
    events = [each.event() for each in stored]
    done = project(claimed.state, events)
    state = done.state.resting("waiting", "person") if waits else done.state
    append = Append(
        session=session,
        expected=claimed.seq,
        epoch=claimed.epoch,
        events=tuple(stored),
        state=state,
        release=True,
        interrupts=done.interrupts,
        decisions=done.decisions,
        consumed=done.consumed,
    )
    assert store.append([append]) == [True]
    return events


def interrupt(number: str = "1", **changes: Any) -> Draft:
    """A question about one call of the tool ``pay``."""
    arguments = changes.pop("arguments", {"to": "Ann", "amount": 40})
    address = f"{ROOT};tool:pay:c4.{number}"
    payload = {
        "id": f"int_{number}",
        "kind": "approval",
        "address": address,
        "generation": 0,
        "parents": [{"address": ROOT, "info": None}],
        "call_id": f"c4.{number}",
        "tool": "pay",
        "arguments": arguments,
        "digest": digest.of_value(["pay", arguments, "1"]),
        "info": None,
        "consequence": f"Pays {arguments.get('amount')} to {arguments.get('to')}.",
        "allowed": ["approve", "edit", "reject", "respond"],
        "schema": SCHEMA,
        "required_role": "approver",
        "expires_at": None,
        "on_expiry": None,
    }
    return Draft("interrupt", payload | changes, f"{ROOT}/0;tool:pay:c4.{number}", 4)


def asked(session_id: str, *questions: Draft) -> list[Event]:
    """Take a fresh session to where it waits for a person."""
    request = {
        "model": "scripted:echo",
        "params": {},
        "tools": [],
        "prompt": [["n", {"role": "system", "content": "You are a clerk."}], ["m", 2]],
        "n": 2,
        "digest": "d1:00",
        "fingerprint": "d1:00",
    }
    calls = [{"name": "pay", "arguments": {"to": "Ann", "amount": 40}}]
    response = {
        "message": {"role": "assistant", "content": "", "tool_calls": calls},
        "stop_reason": "tool_calls",
        "usage": {"input": 10, "output": 5, "cached": 0, "reasoning": 0},
        "cost": "0.001",
        "price": None,
        "source": "live",
        "ms": 7,
        "ttft_ms": 3,
        "model": "scripted:echo",
        "provider": {},
        "attempt": 1,
    }
    return work(
        session_id,
        Draft("llm_request", request, f"{ROOT}/0"),
        Draft("llm_response", response, f"{ROOT}/0", 3),
        *(questions or (interrupt(),)),
        waits=True,
    )
