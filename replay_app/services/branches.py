"""Branching: from a plan to the events that a branch begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from agents_app import facade
from playhead.accounts.contracts import Principal, Role
from playhead.core import catalogue
from playhead.core.errors import InvalidInput, NotFound, PlayheadError
from playhead.core.events import Draft
from replay_app.engine.branch import abandoned, edited_payload

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agents_app.contracts import BranchPlan, SessionRef
    from playhead.core.events import Event

Span = list[Any]
#: Where in an edited payload the values lie that a person may have typed a secret into.
_TYPED = ("message", "arguments", "value", "answer", "params")


def branch_start(*, by: Principal, session_id: str, plan: BranchPlan) -> str:
    """Run on from a moment of a session, changed or not, without touching it; returns its id.

    Raises:
        NotFound: no such session, event or version.
        InvalidInput: an edit that does not fit; ``detail["field"]`` names where.
        PlayheadError: an edited decision takes its question's role (``forbidden``).
    """
    session = facade.session_ref(workspace_id=facade.workspace_of(by), session_id=session_id)
    tail = _tail(session, plan.at)
    edited, entered = None, None
    if plan.replace is not None:
        edited, entered = _edited(by, session, plan.replace, plan.at)
    return facade.branch_write(
        by=by,
        session_id=session_id,
        plan=plan,
        edited=edited,
        vault=entered.vault if entered else (),
        abandoned=abandoned(tail, edited),
    )


def _tail(session: SessionRef, at: int) -> list[Event]:
    """What is inherited since the last step that ended: nothing older can be open."""
    begin = facade.step_begin(session=session.pk, lineage=session.lineage, before=at)
    if begin >= at - 1:
        return []
    return [row.event() for row in facade.log_of(session, after=begin, upto=at - 1)]


def _edited(
    by: Principal, session: SessionRef, given: Mapping[str, Any], at: int
) -> tuple[Draft, facade.Entered]:
    rows = facade.log_of(session, after=at - 1, upto=at)
    if not rows:
        raise NotFound(f"The session has no event {at}.", detail={"field": "at"})
    event = rows[0].event()
    meant, kept = facade.given_back(
        by=by,
        given=dict(given["payload"]),
        real=_as_read(session, event, given["payload"]),
        field="replace.payload",
        spans=event.sealed or (),
    )
    payload = edited_payload(event, str(given["event_type"]), meant)
    if event.event_type == "llm_request":
        facade.check_request(meant)
    if event.event_type == "decision":
        _check_decision(by, session, event, payload)
        payload["by"] = by.by
    typed = {name: payload.pop(name) for name in _TYPED if name in payload}
    kept += facade.spans_kept(before=event.payload, after=typed, spans=event.sealed or ())
    entered = facade.payload_enter(
        root=session.root,
        given=typed,
        fixed=payload,
        kept=_once(span for span in kept if _member_of(span) in typed),
    )
    _check(event.event_type, entered.payload)
    mark = {"by": by.by, "of": event.seq}
    draft = Draft(event.event_type, entered.payload, event.scope, event.cause, entered.sealed, mark)
    return draft, entered


def _as_read(session: SessionRef, event: Event, given: Mapping[str, Any]) -> dict[str, Any]:
    """The payload that a person had before them; a request is read with its whole messages."""
    if event.event_type != "llm_request" or "messages" not in given:
        return event.payload
    prompt = facade.prompt_get(session=session, eyes=facade.OPEN, seq=event.seq)
    return {**event.payload, "messages": [each.message for each in prompt.messages]}


def _member_of(span: Span) -> str:
    return str(span[0]).removeprefix("#").split("/")[1]


def _once(spans: Iterable[Span]) -> list[Span]:
    return list({tuple(span): span for span in spans}.values())


def _check(event_type: str, payload: dict[str, Any]) -> None:
    try:
        catalogue.check(event_type, payload)
        if "message" in payload and event_type != "decision":
            _check_message(payload["message"])
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(["replace.payload", *map(str, first["loc"])])
        raise InvalidInput(f"{field}: {first['msg']}", detail={"field": field}) from None


def _check_message(message: Mapping[str, Any]) -> None:
    """The texts and calls of an edited message, which the catalogue leaves open."""
    if not isinstance(message.get("content"), str):
        _refuse("message.content", "content is text")
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        _refuse("message.tool_calls", "tool_calls is a list")
    for place, call in enumerate(calls):
        where = f"message.tool_calls.{place}"
        if not isinstance(call, dict) or not isinstance(call.get("name"), str):
            _refuse(f"{where}.name", "a call has a name")
        if not isinstance(call.get("arguments", {}), dict):
            _refuse(f"{where}.arguments", "arguments is an object")


def _refuse(field: str, message: str) -> None:
    raise InvalidInput(f"{message}.", detail={"field": f"replace.payload.{field}"})


def _check_decision(
    by: Principal, session: SessionRef, event: Event, payload: dict[str, Any]
) -> None:
    """An edited decision takes its question's role, and answers it."""
    of = event.payload["of"]
    asked = facade.log_of(session, after=of - 1, upto=of)[0].event()
    role = Role.needed(asked.payload["required_role"])
    if not by.has(role):
        raise PlayheadError(
            f"Deciding this takes the role {role}.",
            code="forbidden",
            detail={"required_role": role.value},
        )
    answer = ("arguments", "message", "value")
    given: dict[str, Any] = {name: payload[name] for name in answer if name in payload}
    try:
        facade.check_answer(asked.payload, payload["decision"], given)
    except InvalidInput as error:
        field = f"replace.payload.{error.detail['field']}"
        raise InvalidInput(error.message, detail={"field": field}) from None
