"""Physical attempts of a model call, and the rules for when one fails (provider errors)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from agents_app.engine.errors import THROTTLED, ModelError
from agents_app.engine.messages import spans_under, stored
from agents_app.engine.model_calls.sending import Sending, write_error
from agents_app.engine.model_calls.standing import standing
from playhead.core import digest
from playhead.core.events import Draft, Event
from playhead.core.sanitise import sanitise
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.ports import ModelReply, ModelRequest

BACKOFF = (0.5, 1.0)
RATE_LIMIT_WAITS = (5.0, 10.0, 20.0, 40.0, 60.0, 60.0)
#: Whatever a provider says: within a day it is asked again (seconds).
LONGEST_WAIT = 86_400.0
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
    if error.code == THROTTLED:
        return Verdict("wait", _wait(error, RATE_LIMIT_WAITS[0]))
    if error.code == "rate_limited":
        waits = failures.count("rate_limited")
        if waits >= len(RATE_LIMIT_WAITS):
            return Verdict("ask")
        return Verdict("wait", _wait(error, RATE_LIMIT_WAITS[waits]))
    tries = tries_of(failures)
    if error.exhausted or tries >= allowed_retries(error.code):
        return Verdict("ask")
    return Verdict("again", BACKOFF[tries])


def _wait(error: ModelError, usual: float) -> float:
    """The seconds that an error says, where they are a time that can be waited for."""
    said = error.retry_after
    return min(said, LONGEST_WAIT) if said is not None and said >= 0 else usual


def tries_of(failures: tuple[str, ...]) -> int:
    """How many of these failures used up a try: waiting for one's turn does not."""
    return sum(code not in ("rate_limited", THROTTLED) for code in failures)


def allowed_retries(code: str) -> int:
    """How often a request may be sent again after that error before a person is asked."""
    return 1 if code in _ONCE else len(BACKOFF)


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
        sending = Sending(loop, activation, event, request, standing(loop, event), fresh=first)
        first, began = False, loop.clock.monotonic()
        try:
            reply = await sending.send()
        except ModelError as error:
            number, ms = sending.last(error, _ms(loop, began))
            now = standing(loop, event)
            verdict = judge(error, now.failures)
            if verdict.kind == "ask" and not must:
                verdict = Verdict("final")
            wait = verdict.after if verdict.kind == "wait" else None
            final = verdict.kind == "final"
            write_error(loop, event, error, number, ms, final=final, retry_after=wait)
            if verdict.kind == "ask":
                _ask_person(loop, event, error, now.questions)
            if verdict.kind != "again":
                return
            await loop.writer.commit()
            await loop.sleep(verdict.after or 0)
        else:
            _write_response(loop, event, reply, sending, _ms(loop, began))
            return


def _write_response(loop: Loop, event: Event, reply: ModelReply, sending: Sending, ms: int) -> None:
    """Write the answer, and whether a wrap gave it of its own, and asked no model."""
    if loop.record.answer(event.seq) is not None:
        return  # the run was ended meanwhile, and its request closed
    cached, by = reply.source == "cache", sending.answered_by
    cost, price = (None, None) if cached else _priced(loop, reply, None if by else sending.asked)
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
        "attempt": sending.number,
    }
    if by is not None and reply.source == "live":
        payload["answered_by"] = by
    if reply.saved is not None:
        payload["saved"] = _saved(loop, reply)
    if reply.notes:
        payload["sanitized"] = [list(note) for note in reply.notes]
    spans = spans_under("/message", reply.message.spans) or None
    draft = Draft("llm_response", payload, event.scope, event.seq, sealed=spans)
    loop.writer.carry(draft)


def _priced(loop: Loop, reply: ModelReply, asked: str | None) -> tuple[str | None, str | None]:
    """Cost and price by the model that the provider names, else by the one that it was asked for.

    A plug-in may name none, and a server of one's own calls a model by the name of its file.
    """
    found = loop.price(reply.model, reply.usage)
    return loop.price(asked, reply.usage) if found[0] is None and asked else found


def _saved(loop: Loop, reply: ModelReply) -> dict[str, Any]:
    """What a cache hit saved, with the price of today; unknown stays unknown."""
    saved = dict(reply.saved or {})
    cost, _ = loop.price(reply.model, Usage.from_log(saved.get("usage")))
    return {**saved, "cost": cost}


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
    loop.writer.carry(Draft("interrupt", sanitise(payload)[0], event.scope, event.seq))


def _ms(loop: Loop, began: float) -> int:
    return round((loop.clock.monotonic() - began) * 1000)
