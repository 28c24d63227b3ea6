"""Physical attempts of a model call, and the rules for when one fails (provider errors)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from agents_app.engine import hooks
from agents_app.engine.errors import ModelError, is_control
from agents_app.engine.flight import is_stopped_here
from agents_app.engine.messages import Message, from_log, stored
from agents_app.engine.ports import ModelReply
from agents_app.engine.standing import Standing, standing
from playhead.core import digest
from playhead.core.errors import PlayheadError
from playhead.core.events import Draft, Event
from playhead.core.sanitise import sanitise
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.activation import Activation
    from agents_app.engine.loop import Loop
    from agents_app.engine.ports import Delta, ModelRequest

BACKOFF = (0.5, 1.0)
RATE_LIMIT_WAITS = (5.0, 10.0, 20.0, 40.0, 60.0, 60.0)
_ONCE = frozenset({"stream_dropped", "stalled"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do about a failed attempt; ``after`` is in seconds."""

    kind: Literal["again", "wait", "ask", "final"]
    after: float | None = None


def judge(error: ModelError, failures: tuple[str, ...]) -> Verdict:
    """The rule for one more failure after ``failures`` (codes since a person last decided)."""
    if error.permanent:
        return Verdict("final")
    if error.code == "rate_limited":
        waits = failures.count("rate_limited")
        if waits >= len(RATE_LIMIT_WAITS):
            return Verdict("ask")
        return Verdict(
            "wait", error.retry_after if error.retry_after is not None else RATE_LIMIT_WAITS[waits]
        )
    tries = [code for code in failures if code != "rate_limited"]
    if len(tries) >= (1 if error.code in _ONCE else len(BACKOFF)):
        return Verdict("ask")
    return Verdict("again", BACKOFF[len(tries)])


async def perform(
    loop: Loop, activation: Activation, event: Event, request: ModelRequest, *, first: bool,
    must: bool = True,
) -> None:  # fmt: skip
    """Send the request until it is answered, or until what it waits for is written.

    Args:
        first: this process has just written the request, which is its first attempt's intent.
        must: whether a person is asked when the model does not answer; else that is final.
    """
    while True:
        now = standing(loop, event)
        number = now.attempt
        if not first:
            number = await _attempt_again(loop, event, request, now)
        first = False
        began = loop.clock.monotonic()
        try:
            reply = await _send(loop, activation, event, request, number)
        except ModelError as error:
            verdict = judge(error, now.failures)
            if verdict.kind == "ask" and not must:
                verdict = Verdict("final")
            _write_error(loop, event, error, verdict, number, _ms(loop, began))
            if verdict.kind == "ask":
                _ask_person(loop, event, error, now.questions)
            if verdict.kind != "again":
                return
            await loop.writer.commit()
            await loop.sleep(verdict.after or 0)
        else:
            _write_response(loop, event, reply, number, _ms(loop, began))
            return


async def _attempt_again(loop: Loop, event: Event, request: ModelRequest, now: Standing) -> int:
    """Write the attempt before it is sent; a request that a person edited was never sent yet."""
    number, reason = now.attempt + 1, "resume"
    if event.edited is not None and not now.tried:
        number, reason = 1, "edited"
    elif now.failed:
        reason = "retry"
    attempt = {"n": number, "model": request.model, "reason": reason}
    loop.writer.emit(Draft("llm_attempt", attempt, event.scope, event.seq))
    await loop.writer.commit()
    return number


async def _send(
    loop: Loop, activation: Activation, event: Event, request: ModelRequest, attempt: int
) -> ModelReply:
    secret = [name for tool in loop.agent_of(activation).tools for name in tool.secret]
    silent = bool(event.payload.get("internal"))
    stream = _Stream(loop, event.seq, attempt, secret, silent=silent)

    async def port(asked: ModelRequest) -> ModelReply:
        real = _opened(loop, asked)
        try:
            reply = await loop.model(asked.model).respond(real, stream.feed)
        finally:
            stream.finish()
        return _sealed(loop, activation, reply)

    try:
        return await hooks.wrapped_model(loop, activation, port)(request)
    except ModelError:
        raise
    except asyncio.CancelledError as error:
        if is_stopped_here():
            raise
        raise ModelError(f"cancelled: {error}", code="stream_dropped", permanent=False) from error
    except PlayheadError as error:
        raise ModelError(error.message, code=error.code, permanent=error.permanent) from error
    except BaseException as error:
        if is_control(error):
            raise
        said = f"{type(error).__name__}: {error}"
        raise ModelError(said, code="bad_response", permanent=True) from error


class _Stream:
    """Passes deltas on, with what could be part of a secret held back.

    What is ``silent`` passes nothing on: nobody reads what a middleware asks for itself.

    Text is kept as it came until somebody watches: what nobody sees need not be searched.
    ``secret`` are names of arguments: which tool a call is of is not known while it arrives.
    """

    def __init__(
        self, loop: Loop, request: int, attempt: int, secret: Sequence[str], *, silent: bool
    ) -> None:
        self._loop, self._request, self._attempt = loop, request, attempt
        self._secret, self._silent = secret, silent
        self._kept: dict[str, list[str]] = {}
        self._guards: dict[str, Any] = {}
        self._at: dict[str, int] = {}

    def feed(self, delta: Delta) -> None:
        if self._silent:
            return
        self._kept.setdefault(delta.part, []).append(delta.text)
        if self._loop.live.watched():
            self._pass_on()

    def finish(self) -> None:
        if self._loop.live.watched():
            self._pass_on()
            for part, guard in self._guards.items():
                self._publish(part, guard.finish())

    def _pass_on(self) -> None:
        for part, pieces in self._kept.items():
            if part not in self._guards:
                secret = self._secret if part.startswith("tool:") else ()
                self._guards[part] = self._loop.seals.guard(secret=secret)
            text, _ = sanitise("".join(pieces))  # the record marks what was changed; this passes
            self._publish(part, self._guards[part].feed(text))
        self._kept.clear()

    def _publish(self, part: str, text: str) -> None:
        if text:
            at = self._at.get(part, 0)
            self._at[part] = at + len(text)
            self._loop.live.delta(
                request=self._request, attempt=self._attempt, part=part, at=at, text=text
            )


def _opened(loop: Loop, request: ModelRequest) -> ModelRequest:
    """The request with real values in the place of markers, as the provider gets it.

    Sealed values come from events: where no event has one, no message is looked at.
    """
    if not loop.record.sealed:
        return request
    messages = tuple(_opened_message(loop, m) if m.spans else m for m in request.messages)
    return replace(request, messages=messages)


def _opened_message(loop: Loop, message: Message) -> Message:
    form = loop.seals.open(stored(message), message.spans)
    opened = from_log(form)
    calls = tuple(
        replace(new, id=old.id) for old, new in zip(message.calls, opened.calls, strict=True)
    )
    return replace(opened, tool_calls=calls or None)


def _sealed(loop: Loop, activation: Activation, reply: ModelReply) -> ModelReply:
    """The reply in the form that the loop works on: sanitised, with markers for its secrets."""
    form, notes = sanitise(stored(reply.message))
    sealed = loop.seals.seal(form, secret_paths=_secret_paths(loop, activation, reply.message))
    message = from_log(sealed.value, spans=sealed.spans)
    return ModelReply(
        message, reply.stop_reason, reply.usage, reply.model, reply.provider, reply.ttft_ms,
        reply.source, reply.saved, dict(sealed.rows), tuple(notes),
    )  # fmt: skip


def _secret_paths(loop: Loop, activation: Activation, message: Message) -> list[str]:
    """Arguments that a tool declares secret, as JSON pointers into the stored message."""
    agent = loop.agent_of(activation)
    paths = []
    for i, call in enumerate(message.calls):
        tool = agent.tool(call.name)
        if tool and tool.secret and call.raw is not None:
            paths.append(f"/tool_calls/{i}/raw")  # nobody can tell what of it is secret
        for name in tool.secret if tool else ():
            if name in call.arguments:
                escaped = name.replace("~", "~0").replace("/", "~1")
                paths.append(f"/tool_calls/{i}/arguments/{escaped}")
    return paths


def _write_response(loop: Loop, event: Event, reply: ModelReply, attempt: int, ms: int) -> None:
    if loop.record.answer(event.seq) is not None:
        return  # the run was ended meanwhile, and its request closed
    cached = reply.source == "cache"
    cost, price = (None, None) if cached else loop.price(reply.model, reply.usage)
    payload: dict[str, Any] = {
        "message": stored(reply.message),
        "stop_reason": reply.stop_reason,
        "usage": reply.usage.to_log() if reply.usage and not cached else None,
        "cost": cost,
        "price": price,
        "source": reply.source,
        "ms": ms,
        "ttft_ms": reply.ttft_ms,
        "model": reply.model,
        "provider": dict(reply.provider),
        "attempt": attempt,
    }
    if reply.saved is not None:
        payload["saved"] = _saved(loop, reply)
    if reply.notes:
        payload["sanitized"] = [list(note) for note in reply.notes]
    spans = [[f"/message{s[0]}", *s[1:]] for s in reply.message.spans] or None
    draft = Draft("llm_response", payload, event.scope, event.seq, sealed=spans)
    loop.writer.carry(draft, rows=reply.rows)


def _saved(loop: Loop, reply: ModelReply) -> dict[str, Any]:
    """What a cache hit saved, with the price of today; unknown stays unknown."""
    saved = dict(reply.saved or {})
    cost, _ = loop.price(reply.model, Usage.from_log(saved.get("usage")))
    return {**saved, "cost": cost}


def _write_error(
    loop: Loop, event: Event, error: ModelError, verdict: Verdict, attempt: int, ms: int
) -> None:
    if loop.record.answer(event.seq) is not None:
        return
    payload: dict[str, Any] = {
        "code": error.code,
        "message": error.message,
        "permanent": error.permanent,
        "retry_after": verdict.after if verdict.kind == "wait" else None,
        "final": verdict.kind == "final",
        "attempt": attempt,
        "partial": error.partial,
        "ms": ms,
    }
    if error.detail:
        payload["detail"] = error.detail
    sealed = loop.seals.seal(sanitise(payload)[0])
    draft = Draft("llm_error", sealed.value, event.scope, event.seq, sealed=sealed.spans or None)
    loop.writer.carry(draft, rows=sealed.rows)


def final_error(code: str, message: str, *, attempt: int = 1) -> dict[str, Any]:
    """The payload of an ``llm_error`` that no attempt brought: a person or the run's end did."""
    return {
        "code": code,
        "message": message,
        "permanent": True,
        "retry_after": None,
        "final": True,
        "attempt": attempt,
        "partial": None,
        "ms": None,
    }


def _ask_person(loop: Loop, event: Event, error: ModelError, generation: int) -> None:
    address = (event.scope or "").rsplit("/", 1)[0]
    payload = {
        "id": loop.question_id(f"{event.scope};request:{event.seq}", generation),
        "kind": "retries",
        "address": address,
        "generation": generation,
        "parents": [],
        "digest": digest.of_value([event.seq, generation]),
        "info": f"The model did not answer: {error.message}",
        "allowed": ["retry", "give_up"],
        "required_role": "operator",
        "expires_at": None,
        "on_expiry": None,
    }
    sealed = loop.seals.seal(sanitise(payload)[0])
    draft = Draft("interrupt", sealed.value, event.scope, event.seq, sealed=sealed.spans or None)
    loop.writer.carry(draft, rows=sealed.rows)


def _ms(loop: Loop, began: float) -> int:
    return round((loop.clock.monotonic() - began) * 1000)
