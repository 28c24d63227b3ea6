"""The log of a session: events, headers, prompts, states."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from agents_app.api.asking import asking, json_text
from agents_app.api.schemas import READING, EventOut, EventsOut
from agents_app.contracts import HeadColumns, PromptView, StateView
from agents_app.selectors import events as selectors
from agents_app.selectors.prompts import prompt_get
from agents_app.selectors.states import state_get

router = Router(tags=["events"])
Seq = Annotated[int, Query(ge=0, le=2**31 - 1)]


@router.get(
    "/sessions/{session_id}/events",
    response={200: EventsOut, **READING},
    operation_id="list_events",
)
def list_events(
    request: HttpRequest,
    session_id: str,
    after: Seq = 0,
    limit: Annotated[int, Query(ge=1, le=selectors.MOST)] = 200,
    types: str | None = None,
    bodies: Annotated[int, Query(ge=0, le=1)] = 1,
) -> HttpResponse:
    """Events after a seq, in order, inherited ones included; bodies over 256 kB as their stubs."""
    who = asking(request)
    text = selectors.event_page(
        session=who.session(session_id),
        eyes=who.eyes,
        after=after,
        limit=limit,
        types=selectors.types_of(types),
        bodies=bool(bodies),
    )
    return json_text(request, text)


@router.get(
    "/sessions/{session_id}/events/{seq}",
    response={200: EventOut, **READING},
    operation_id="get_event",
)
def get_event(request: HttpRequest, session_id: str, seq: int) -> HttpResponse:
    """One event with its whole body."""
    who = asking(request)
    session = who.session(session_id)
    return json_text(request, selectors.event_text(session=session, eyes=who.eyes, seq=seq))


@router.get(
    "/sessions/{session_id}/heads",
    response={200: HeadColumns, **READING},
    operation_id="list_heads",
)
def list_heads(
    request: HttpRequest,
    session_id: str,
    after: Seq = 0,
    limit: Annotated[int, Query(ge=1, le=selectors.MOST_HEADERS)] = selectors.MOST_HEADERS,
    format: Literal["columns"] = "columns",
) -> HttpResponse:
    """Headers of events as columns."""
    who = asking(request)
    found = selectors.head_columns(
        session=who.session(session_id), eyes=who.eyes, after=after, limit=limit
    )
    # Written at once: a hundred thousand values need no look at each by a schema.
    members = {field.name: getattr(found, field.name) for field in fields(found)}
    return json_text(request, json.dumps(members, ensure_ascii=False, separators=(",", ":")))


@router.get(
    "/sessions/{session_id}/events/{seq}/prompt",
    response={200: PromptView, **READING},
    operation_id="get_prompt",
)
def get_prompt(request: HttpRequest, session_id: str, seq: int) -> PromptView:
    """What the model saw at a request, whole."""
    who = asking(request)
    return prompt_get(session=who.session(session_id), eyes=who.eyes, seq=seq)


@router.get(
    "/sessions/{session_id}/state", response={200: StateView, **READING}, operation_id="get_state"
)
def get_state(
    request: HttpRequest,
    session_id: str,
    at: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> StateView:
    """What the session was after an event; by default after the newest."""
    who = asking(request)
    return state_get(session=who.session(session_id), eyes=who.eyes, at=at)
