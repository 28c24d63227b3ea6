"""Tracing: OpenTelemetry spans of runs, model calls and tool calls, named as GenAI conventions do.

A span is begun and ended by hand, whatever happens in between (R-56). Where no SDK is configured
all of it does nothing. Wraps do not run in a replay, so nothing is traced twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from opentelemetry import context, trace
from opentelemetry.trace import SpanKind, StatusCode

import playhead
from agents_app.engine.loop.hooks import current
from agents_app.engine.messages import stored
from agents_app.engine.placing import alone
from playhead.core import canonical
from playhead.core.errors import PlayheadError
from playhead.core.ids import new_token
from playhead.core.mask import mask

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from opentelemetry.trace import Span

    from agents_app.engine.messages import Message, ToolCall, ToolResult
    from agents_app.engine.ports import ModelHandler, ModelReply, ModelRequest, ToolHandler
    from agents_app.engine.spec import Outcome

#: Of a content as much is recorded (characters).
_LONGEST = 32_000
_PARAMS = ("temperature", "top_p", "top_k", "max_tokens", "frequency_penalty", "presence_penalty")


class TracingMiddleware:
    """Makes OpenTelemetry spans of what really happens: runs, model calls and tool calls.

    Args:
        content: whether messages, arguments and results are recorded too, with personal data
            masked and secrets as their markers; else a span holds names, numbers and ids only.
    """

    name = "tracing"
    roles = ("trace",)
    placing = (alone("trace", "everything would be traced twice.", "warning"),)

    def __init__(self, content: Literal["never", "masked"] = "never") -> None:
        self.content = content
        self._key = new_token().encode()

    async def wrap_run(self, run: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """A stretch of work on a run: from taking it up to its end, or to where it waits."""
        here = current()
        span = self._begin(f"invoke_agent {here.agent}", SpanKind.INTERNAL, "invoke_agent")
        span.set_attribute("playhead.run", here.run)
        token = context.attach(trace.set_span_in_context(span))
        try:
            outcome = await run()
            span.set_attribute("playhead.outcome", outcome.kind)
            if outcome.kind == "failed":
                _failed(span, outcome.code or "failed")
            return outcome
        finally:
            context.detach(token)
            span.end()

    async def wrap_llm_call(self, request: ModelRequest, call: ModelHandler) -> ModelReply:
        """A model call, with what it used."""
        span = self._begin(f"chat {request.model}", SpanKind.CLIENT, "chat")
        provider, _, model = request.model.partition(":")
        span.set_attributes({"gen_ai.provider.name": provider, "gen_ai.request.model": model})
        for name in _PARAMS:
            if isinstance(value := request.params.get(name), int | float):
                span.set_attribute(f"gen_ai.request.{name}", value)
        self._record(span, "gen_ai.input.messages", request.messages)
        try:
            reply = await call(request)
            _answered(span, reply)
            self._record(span, "gen_ai.output.messages", [reply.message])
            return reply
        except BaseException as error:
            _failed(span, _kind(error))
            raise
        finally:
            span.end()

    async def wrap_tool_call(self, call: ToolCall, run: ToolHandler) -> ToolResult:
        """A tool call; an error result is one too."""
        span = self._begin(f"execute_tool {call.name}", SpanKind.INTERNAL, "execute_tool")
        span.set_attributes({"gen_ai.tool.name": call.name, "gen_ai.tool.call.id": call.id})
        self._record(span, "gen_ai.tool.call.arguments", call.arguments)
        try:
            result = await run(call)
            if not result.success:
                _failed(span, "tool_error")
            if self._wanted(span):  # what a tool gives back is not sealed yet
                said = current().concealed(str(result.content))
                self._record(span, "gen_ai.tool.call.result", said)
            return result
        except BaseException as error:
            _failed(span, _kind(error))
            raise
        finally:
            span.end()

    def _begin(self, name: str, kind: SpanKind, operation: str) -> Span:
        here = current()
        attributes: dict[str, Any] = {
            "gen_ai.operation.name": operation,
            "gen_ai.agent.name": here.agent,
            "gen_ai.conversation.id": here.session,
        }
        if here.seq:
            attributes["playhead.seq"] = here.seq
        tracer = trace.get_tracer("playhead", playhead.__version__)
        return tracer.start_span(name, kind=kind, attributes=attributes)

    def _wanted(self, span: Span) -> bool:
        return self.content == "masked" and span.is_recording()

    def _record(self, span: Span, name: str, value: Any) -> None:
        if self._wanted(span):
            plain = value if isinstance(value, str | dict) else _plain(value)
            masked, _ = mask(plain, key=self._key)
            text = masked if isinstance(masked, str) else canonical.dumps(masked).decode()
            span.set_attribute(name, text[:_LONGEST])


def _plain(messages: Sequence[Message]) -> list[dict[str, Any]]:
    return [stored(message) for message in messages]


def _answered(span: Span, reply: ModelReply) -> None:
    if reply.model:
        span.set_attribute("gen_ai.response.model", reply.model.partition(":")[2] or reply.model)
    if reply.stop_reason:
        span.set_attribute("gen_ai.response.finish_reasons", [reply.stop_reason])
    span.set_attribute("playhead.source", reply.source)
    if reply.usage is None or reply.source != "live":
        return
    usage = reply.usage.inclusive()
    for name, count in (
        ("input_tokens", usage.input),
        ("output_tokens", usage.output),
        ("cache_read.input_tokens", usage.cached),
        ("reasoning.output_tokens", usage.reasoning),
    ):
        if count is not None:  # unknown is no number
            span.set_attribute(f"gen_ai.usage.{name}", count)


def _kind(error: BaseException) -> str:
    return error.code if isinstance(error, PlayheadError) else type(error).__name__


def _failed(span: Span, kind: str) -> None:
    """The kind alone: what an error says may be content."""
    span.set_attribute("error.type", kind)
    span.set_status(StatusCode.ERROR)
