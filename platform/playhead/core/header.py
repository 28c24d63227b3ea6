"""The header of an event: what a list shows without reading a body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from playhead.core.immutable import immutable
from playhead.core.usage import Usage

LABEL_BYTES = 120


@immutable(frozen=True, slots=True)
class Header:
    """Columns beside the body; ``None`` is unknown or does not apply, never 0.

    ``ms`` is the duration in milliseconds, ``cost`` is money in US dollars.
    """

    label: str = ""
    tool: str | None = None
    status: str | None = None
    ms: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: Decimal | None = None
    error: bool = False


def clip(text: str, limit: int = LABEL_BYTES) -> str:
    """The first line of ``text``, cut to ``limit`` bytes of UTF-8 without splitting a character."""
    line = " ".join(text[: limit * 2].split())
    data = line.encode("utf-8", "replace")
    if len(data) <= limit:
        return line
    return data[: limit - 3].decode("utf-8", "ignore") + "…"


def _text(message: Any) -> str:
    return str(message.get("content") or "") if isinstance(message, Mapping) else ""


def _arguments(payload: Mapping[str, Any]) -> str:
    arguments = payload.get("arguments") or {}
    return ", ".join(f"{name}={value}" for name, value in list(arguments.items())[:6])


def _message(payload: Mapping[str, Any]) -> Header:
    return Header(clip(_text(payload.get("message"))))


def _request(payload: Mapping[str, Any]) -> Header:
    return Header(clip(str(payload.get("model", ""))), status=f"{payload.get('n', 0)} messages")


def _response(payload: Mapping[str, Any]) -> Header:
    message = payload.get("message") or {}
    calls = message.get("tool_calls") or []
    label = _text(message) or "→ " + ", ".join(str(call.get("name")) for call in calls)
    usage = Usage.from_log(payload.get("usage")) or Usage()
    counted, cost = usage.inclusive(), payload.get("cost")
    status = "middleware" if payload.get("answered_by") else payload.get("source")
    return Header(
        clip(label), status=status, ms=payload.get("ms"),
        tokens_in=counted.input, tokens_out=counted.output,
        cost=None if cost is None else Decimal(cost),
    )  # fmt: skip


def _failure(payload: Mapping[str, Any]) -> Header:
    counted = (Usage.from_log(payload.get("usage")) or Usage()).inclusive()
    return Header(
        clip(str(payload.get("message", ""))), status=payload.get("code"), ms=payload.get("ms"),
        tokens_in=counted.input, tokens_out=counted.output, error=True,
    )  # fmt: skip


def _call(payload: Mapping[str, Any]) -> Header:
    status = "effectful" if payload.get("effectful") else None
    return Header(clip(_arguments(payload)), tool=payload.get("tool"), status=status)


def _result(payload: Mapping[str, Any]) -> Header:
    failed = not payload.get("success", True)
    return Header(
        clip(_text(payload.get("message"))), tool=payload.get("tool"), status=payload.get("source"),
        ms=payload.get("ms"), error=failed,
    )  # fmt: skip


def _interrupt(payload: Mapping[str, Any]) -> Header:
    info = payload.get("info")
    label = payload.get("consequence") or (info if isinstance(info, str) else None)
    return Header(
        clip(label or _arguments(payload) or str(payload.get("kind"))),
        tool=payload.get("tool"), status=payload.get("kind"),
    )  # fmt: skip


def _decision(payload: Mapping[str, Any]) -> Header:
    by = payload.get("by") or {}
    label = " ".join(str(part) for part in (by.get("name"), payload.get("message")) if part)
    return Header(clip(label), status=payload.get("decision"))


def _end(payload: Mapping[str, Any]) -> Header:
    outcome = payload.get("outcome")
    label = str(payload.get("answer") or payload.get("reason") or outcome)
    return Header(clip(label), status=outcome, error=outcome == "failed")


def _guard(payload: Mapping[str, Any]) -> Header:
    verdict = payload.get("verdict")
    return Header(
        clip(f"{payload.get('guard')}: {payload.get('category')}"),
        status=verdict,
        error=verdict == "block",
    )


def _field(name: str, status: str | None = None) -> Callable[[Mapping[str, Any]], Header]:
    def header(payload: Mapping[str, Any]) -> Header:
        value = payload.get(status) if status else None
        return Header(
            clip(str(payload.get(name) or "")), status=None if value is None else str(value)
        )

    return header


def _start(payload: Mapping[str, Any]) -> Header:
    agent = payload.get("agent") or {}
    return Header(clip(f"{agent.get('slug')} v{agent.get('version')}"))


def _plan(payload: Mapping[str, Any]) -> Header:
    steps = [str(step) for step in payload.get("steps") or ()]
    return Header(clip(" → ".join(steps)), status=f"{payload.get('done', 0)} done")


def _child(payload: Mapping[str, Any]) -> Header:
    agent = payload.get("agent") or {}
    return Header(clip(f"{agent.get('slug')}: {_text(payload.get('message'))}"))


_BY_TYPE: dict[str, Callable[[Mapping[str, Any]], Header]] = {
    "session_start": _start,
    "user_message": _message,
    "steer": _message,
    "llm_request": _request,
    "llm_attempt": _field("reason", "model"),
    "llm_response": _response,
    "llm_error": _failure,
    "error": _failure,
    "tool_call": _call,
    "tool_result": _result,
    "resume": _field("call_id"),
    "interrupt": _interrupt,
    "decision": _decision,
    "session_end": _end,
    "child_start": _child,
    "plan": _plan,
    "child_end": _end,
    "guardrail": _guard,
    "limit": _field("what", "limit"),
    "effect": _field("kind"),
    "edit": _field("by"),
    "pause": _field("reason", "on"),
    "cancel": _field("reason"),
    "branch": _field("why"),
    "step_end": _field("summary"),
    "lease": _field("owner"),
}


def header_of(event_type: str, payload: Mapping[str, Any]) -> Header:
    """The header of an event; an unknown type has an empty one."""
    make = _BY_TYPE.get(event_type)
    return make(payload) if make else Header()
