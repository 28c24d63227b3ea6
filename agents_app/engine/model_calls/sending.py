"""One pass of a request through the wraps: whatever they send is numbered and written before.

The request itself is the intent of the first thing that is sent, where that asks its model. All
else (another try, another model) is an ``llm_attempt``; the error of a try that a wrap did not
leave at that stands before the next one.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from agents_app.engine.blame import note_place
from agents_app.engine.errors import THROTTLED, ModelError, is_control
from agents_app.engine.loop import hooks
from agents_app.engine.loop.checked import kind, reply_fault
from agents_app.engine.loop.flight import is_stopped_here
from agents_app.engine.messages import Message, from_log, stored, text_at
from agents_app.engine.model_calls.prompts import reference
from agents_app.engine.model_calls.standing import Standing, standing
from agents_app.engine.model_calls.streaming import Stream
from agents_app.engine.ports import ModelReply
from playhead.core.errors import PlayheadError
from playhead.core.events import Draft, Event
from playhead.core.sanitise import sanitise
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop
    from agents_app.engine.ports import ModelRequest


class Sending:
    """A pass of a request, which stood as ``now`` says; ``number`` is that of the last thing sent.

    ``fresh``: nothing was sent for the request yet, which this process has just written.
    ``asked`` is the model that was asked last, by its whole name; ``answered_by`` the wrap whose
    own the reply is: nothing was sent for it.
    """

    __slots__ = (
        "_activation",
        "_came",
        "_event",
        "_fresh",
        "_held",
        "_loop",
        "_now",
        "_untold",
        "answered_by",
        "asked",
        "number",
        "request",
    )

    def __init__(
        self, loop: Loop, activation: Activation, event: Event, request: ModelRequest,
        now: Standing, *, fresh: bool,
    ) -> None:  # fmt: skip
        self.number = now.attempt
        self._loop, self._activation, self._event = loop, activation, event
        self.request, self._now, self._fresh = request, now, fresh
        self.asked: str | None = None
        self._held = now.failures[-1:] == (THROTTLED,)
        self._untold: tuple[ModelError, int, int] | None = None
        self._came: tuple[ModelReply, ...] = ()
        self.answered_by: str | None = None

    async def send(self) -> ModelReply:
        """The reply that comes out of the wraps.

        Raises:
            ModelError: whatever went wrong, in a wrap or behind it.
        """
        try:
            wrapped = hooks.wrapped_model(
                self._loop, self._activation, self._port, self, self._event.seq
            )
            return self._entered(await wrapped(self.request))
        except BaseException as error:
            raise _as_model_error(error) from error

    def came_from(self, wrap: str) -> None:
        """A wrap gave a reply back; the innermost is told of first, and no model was asked yet."""
        if self.asked is None and self.answered_by is None:
            self.answered_by = wrap

    def _entered(self, reply: Any) -> ModelReply:
        """What comes out of the wraps enters the log: what they made of it is sealed too."""
        whole: ModelReply = reply
        if len(self._came) == 1 and whole is self._came[0]:  # no wrap made anything else of it
            return whole
        if any(whole.message is came.message for came in self._came):
            return whole
        forms = [stored(came.message) for came in self._came]
        return _sealed(self._loop, self._activation, whole, self._held_back(), forms)

    def _held_back(self) -> frozenset[str] | None:
        return None if self.request.internal else hooks.held_back(self._activation)

    def failures(self, model: str) -> tuple[str, ...]:
        """Codes of the errors of a model since a person last decided, those told of in the log."""
        now = standing(self._loop, self._event)
        return tuple(code for code, of in zip(now.failures, now.of, strict=True) if of == model)

    def comes_back(self) -> bool:
        """Whether it was held back before, and this is its turn; once in a pass."""
        turn, self._held = self._held, False
        return turn

    async def tell(self) -> None:
        """Make what went wrong so far durable."""
        self._tell()
        await self._loop.writer.commit()

    def last(self, error: ModelError, ms: int) -> tuple[int, int]:
        """The number and time of the try that an error is of; any other one is told of now."""
        if self._untold is not None and self._untold[0] is error:
            _, number, ms = self._untold
            self._untold = None
            return number, ms
        self._tell()
        return self.number, ms

    def _tell(self) -> None:
        if self._untold is not None:
            (error, number, ms), self._untold = self._untold, None
            write_error(self._loop, self._event, error, number, ms)

    async def _port(self, asked: ModelRequest) -> ModelReply:
        loop = self._loop
        hooks.check_handed_on(asked, self)
        await self._intend(asked)
        number, began = self.number, loop.clock.monotonic()
        secret = [name for t in loop.agent_of(self._activation).tools for name in t.secret]
        held = self._held_back()
        silent = asked.internal or held is not None
        stream = Stream(loop, self._event.seq, number, secret, silent=silent)
        try:
            port = loop.model(asked.model)
            opened = _opened(loop, asked)
            reply = _checked(asked.model, await _answer(port, asked.model, opened, stream))
        except BaseException as raised:
            error = _as_model_error(raised)
            if held is not None:
                error.partial = None  # no guard has looked at it
            self._tell()
            self._untold = (error, number, round((loop.clock.monotonic() - began) * 1000))
            raise error from raised
        finally:
            stream.finish()
        self._came += (_sealed(loop, self._activation, reply, held),)
        return self._came[-1]

    async def _intend(self, asked: ModelRequest) -> None:
        """Write what is going to be sent, unless the request says it already."""
        before, self.asked = self.asked, asked.model
        self.answered_by = None
        fresh, self._fresh = self._fresh, False
        changed = self._changed(asked)
        if fresh and asked.model == self.request.model and not changed:
            return
        self._tell()
        self.number, reason = self._reason(asked.model, before, fresh=fresh)
        attempt = {"n": self.number, "model": asked.model, "reason": reason, **changed}
        loop, event = self._loop, self._event
        loop.writer.emit(Draft("llm_attempt", sanitise(attempt)[0], event.scope, event.seq))
        await loop.writer.commit()

    def _reason(self, model: str, before: str | None, *, fresh: bool) -> tuple[int, str]:
        if fresh:
            return 1, "edited" if model == self.request.model else "route"
        if before is not None:
            return self.number + 1, "retry" if model == before else "fallback"
        if self._event.edited is not None and not self._now.tried:
            return 1, "edited"
        return self.number + 1, "retry" if self._now.failed else "resume"

    def _changed(self, asked: ModelRequest) -> dict[str, Any]:
        """What a wrap made of the request besides its model: the log says what is sent."""
        said: dict[str, Any] = {}
        mine = self.request
        if asked.messages is not mine.messages and asked.messages != mine.messages:
            said["prompt"] = [reference(message) for message in asked.messages]
        if asked.tools is not mine.tools and asked.tools != mine.tools:
            said["tools"] = list(asked.tools)
        if asked.params is not mine.params and asked.params != mine.params:
            said["params"] = dict(asked.params)
        return said


def _answer(port: Any, name: str, request: ModelRequest, stream: Stream) -> Awaitable[ModelReply]:
    """What a model is going to answer.

    Raises:
        ModelError: the provider's plug-in gave something that is no model.
    """
    respond = getattr(port, "respond", None)
    made = respond(request, stream.feed) if callable(respond) else None
    if not isawaitable(made):
        has = "its respond is no coroutine function" if callable(respond) else f"it is {kind(port)}"
        said = "expected an object with 'async def respond(request, on_delta)'"
        raise _unusable(f"the model {name}: {has}; {said}")
    return made


def _checked(name: str, reply: Any) -> ModelReply:
    fault = reply_fault(reply)
    if fault is not None:
        raise _unusable(f"the model {name} answered with {fault}")
    known: ModelReply = reply
    return known


def _unusable(said: str) -> ModelError:
    return ModelError(said, code="bad_response", permanent=True)


def write_error(
    loop: Loop, event: Event, error: ModelError, attempt: int, ms: int,
    *, final: bool = False, retry_after: float | None = None,
) -> None:  # fmt: skip
    """Write what became of a try, unless the run has closed its request meanwhile."""
    if loop.record.answer(event.seq) is not None:
        return
    payload: dict[str, Any] = {
        "code": error.code,
        "message": error.message,
        "permanent": error.permanent,
        "retry_after": retry_after,
        "final": final,
        "attempt": attempt,
        "partial": error.partial,
        "ms": ms,
    }
    if error.detail:
        payload["detail"] = error.detail
    if isinstance(error.usage, Usage):
        payload["usage"] = error.usage.to_log()
    loop.writer.carry(Draft("llm_error", sanitise(payload)[0], event.scope, event.seq))


def _as_model_error(error: BaseException) -> ModelError:
    """The one kind of error that wraps and rules know.

    Raises:
        BaseException: it is no error but control flow, or a cancel of this task.
    """
    if isinstance(error, ModelError):
        return error
    if isinstance(error, asyncio.CancelledError):
        if is_stopped_here():
            raise error
        return ModelError(f"cancelled: {error}", code="stream_dropped", permanent=False)
    if isinstance(error, PlayheadError):
        return ModelError(error.message, code=error.code, permanent=error.permanent)
    if is_control(error):
        raise error
    note_place("model provider", error)
    said = f"{type(error).__name__}: {error}"
    return ModelError(said, code="bad_response", permanent=True)


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


def _sealed(
    loop: Loop, activation: Activation, reply: ModelReply, held: frozenset[str] | None,
    came: Sequence[dict[str, Any]] = (),
) -> ModelReply:  # fmt: skip
    """The reply in the form that the loop works on: sanitised, with markers for its secrets.

    ``held``: kinds of personal data that a guard holds back; ``came``: messages that were sealed
    before: what is sealed in the reply counts as long as it stands where it stood in one.
    """
    form, notes = sanitise(stored(reply.message))
    paths = _secret_paths(loop, activation, reply.message)
    more: dict[str, Any] = {"personal": held} if held else {}
    spans = [
        span for span in reply.message.spans
        if any(text_at(was, span) == text_at(form, span) is not None for was in came)
    ]  # fmt: skip
    sealed = loop.seals.seal(form, secret_paths=paths, spans=spans, **more)
    message = from_log(sealed.value, spans=sealed.spans)
    return ModelReply(
        message, reply.stop_reason, reply.usage, reply.model, reply.provider, reply.ttft_ms,
        reply.source, reply.saved, tuple(notes),
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
