"""The wire form of chat completions, from the side of the server."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.arguments import parse_arguments
from agents_app.adapters.models.scripted import pieces
from agents_app.engine.messages import Message, ToolCall
from agents_app.testing.model_protocol import CONTEXT_TOKENS, Asked, Sent, Unacceptable, counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agents_app.adapters.models.scripted import Reply
    from playhead.core.usage import Usage

#: What OpenAI takes as the name of a function.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_EPOCH = 1_700_000_000
_STOPS = {"length": "length", "content_filter": "content_filter"}

#: For each code of the port that is an answer of the server: status, type, code and message.
ERRORS: dict[str, tuple[int, str, str | None, str]] = {
    "rate_limited": (429, "requests", "rate_limit_exceeded", "Rate limit reached for requests."),
    "server_error": (500, "server_error", None, "The server had an error."),
    "auth": (401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided."),
    "bad_request": (400, "invalid_request_error", "invalid_value", "Invalid value."),
    "refused": (400, "invalid_request_error", "content_filter", "The prompt was filtered."),
    "context_length": (
        400,
        "invalid_request_error",
        "context_length_exceeded",
        f"This model's maximum context length is {CONTEXT_TOKENS} tokens. However, your messages "
        "resulted in 9001 tokens. Please reduce the length of the messages.",
    ),
}


def read_request(body: bytes) -> Asked:
    """Read and check a body as strictly as the real server does.

    Raises:
        Unacceptable: no JSON object, no model or messages, or calls without their results.
    """
    try:
        data = json.loads(body)
        raw = data["messages"]
        messages = tuple(_message(each) for each in raw)
        model = data["model"]
        tools = tuple(each["function"]["name"] for each in data.get("tools") or ())
    except (ValueError, KeyError, TypeError) as error:
        raise Unacceptable(f"not a chat completion request: {error!r}") from error
    if not messages:
        raise Unacceptable("[] is too short - 'messages'")
    _check_names(messages)
    _check_results(messages)
    return Asked(model, messages, tools, bool(data.get("stream")), data)


def _message(data: dict[str, Any]) -> Message:
    calls = []
    for each in data.get("tool_calls") or ():
        arguments, raw = parse_arguments(each["function"]["arguments"])
        calls.append(ToolCall(each["id"], each["function"]["name"], arguments, each["id"], raw))
    content = data.get("content") or ""
    return Message(data["role"], content, calls or None, data.get("tool_call_id"), data.get("name"))


def _check_names(messages: Sequence[Message]) -> None:
    for place, message in enumerate(messages):
        for at, call in enumerate(message.calls):
            if not _NAME.fullmatch(call.name):
                raise Unacceptable(
                    f"Invalid 'messages[{place}].tool_calls[{at}].function.name': string does not "
                    "match pattern. Expected a string that matches the pattern "
                    "'^[a-zA-Z0-9_-]+$'."
                )


def _check_results(messages: Sequence[Message]) -> None:
    """Each call has exactly one result before the next message that is none."""
    waiting: set[str] = set()
    for message in messages:
        if message.role == "tool":
            if message.tool_call_id not in waiting:
                raise Unacceptable(
                    "messages with role 'tool' must be a response to a preceding message with "
                    f"'tool_calls': {message.tool_call_id!r}"
                )
            waiting.remove(message.tool_call_id)
            continue
        if waiting:
            break
        waiting = {call.id for call in message.calls}
    if waiting:
        raise Unacceptable(
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            f"to each 'tool_call_id'. Without a response: {sorted(waiting)}"
        )


class Chat:
    """Chat completions."""

    last: str | None = "[DONE]"

    def accepts(self, headers: Mapping[str, str], key: str) -> bool:
        return headers.get("authorization") == f"Bearer {key}"

    def read(self, headers: Mapping[str, str], body: bytes) -> Asked:
        return read_request(body)

    def counted(self, asked: Asked, reply: Reply, cached: int) -> Usage:
        return counted(asked, reply, cached)

    def answer(self, asked: Asked, reply: Reply, number: int, usage: Usage | None) -> ChatAnswer:
        return ChatAnswer(asked, reply, number, usage)

    def error(
        self, code: str, says: str | None = None, status: int | None = None
    ) -> tuple[int, dict[str, Any]]:
        usual, type_, provider_code, message = ERRORS[code]
        said = {"message": says or message, "type": type_, "param": None, "code": provider_code}
        return status or usual, {"error": said}

    def unacceptable(self, error: Unacceptable) -> dict[str, Any]:
        says = {"message": str(error), "type": "invalid_request_error"}
        return {"error": {**says, "param": error.param, "code": error.code}}


class ChatAnswer:
    """One answer in the server's words."""

    def __init__(self, asked: Asked, reply: Reply, number: int, usage: Usage | None) -> None:
        self.asked, self.reply, self.number, self.usage = asked, reply, number, usage

    def events(self) -> Iterator[Sent]:
        """The chunks of the stream, in order; calls come by index and by turns."""
        yield self._chunk({"role": "assistant", "content": "", "refusal": None})
        begun: set[int] = set()
        for part, piece in pieces(self.reply):
            if part in ("text", "reasoning"):
                yield self._chunk({self._field(part): piece}, piece=True)
                continue
            place = int(part.partition(":")[2])
            if place not in begun:
                begun.add(place)
                yield self._chunk({"tool_calls": [self._call(place, "")]})
            function = {"arguments": piece}
            yield self._chunk({"tool_calls": [{"index": place, "function": function}]}, piece=True)
        for place in range(len(self.reply.calls)):
            if place not in begun:  # arguments that are no text at all
                yield self._chunk({"tool_calls": [self._call(place, "")]})
        yield self._chunk({}, finish=self._finish())
        options = self.asked.body.get("stream_options") or {}
        if self.usage is not None and options.get("include_usage"):
            last = {**self._chunk({}).data, "choices": [], "usage": _wire_usage(self.usage)}
            yield Sent(last, ends=True, usage=True)

    def whole(self) -> dict[str, Any]:
        """The answer to a request that does not stream."""
        calls = [
            self._call(place, self.reply.arguments_text(place))
            for place in range(len(self.reply.calls))
        ]
        message: dict[str, Any] = {"role": "assistant", "content": self.reply.text or None}
        if calls:
            message["tool_calls"] = [{k: v for k, v in c.items() if k != "index"} for c in calls]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": self._finish()}
        usage = None if self.usage is None else _wire_usage(self.usage)
        return {**self._head("chat.completion"), "choices": [choice], "usage": usage}

    def broken_off(self, code: str, says: str | None) -> Sent:
        """The event of an error in the middle of the stream."""
        return Sent(Chat().error(code, says)[1])

    def _field(self, part: str) -> str:
        if part == "reasoning":
            return "reasoning_content"
        return "refusal" if self.reply.stop == "refusal" else "content"

    def _call(self, place: int, arguments: str) -> dict[str, Any]:
        function = {"name": self.reply.calls[place].name, "arguments": arguments}
        call_id = f"call_{self.number:06d}_{place}"
        return {"index": place, "id": call_id, "type": "function", "function": function}

    def _chunk(
        self, delta: dict[str, Any], *, finish: str | None = None, piece: bool = False
    ) -> Sent:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        data = {**self._head("chat.completion.chunk"), "choices": [choice]}
        return Sent(data, piece=piece, ends=finish is not None)

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-{self.number:06d}",
            "object": kind,
            "created": _EPOCH + self.number,
            "model": self.asked.model,
            "system_fingerprint": "fp_scripted",
        }

    def _finish(self) -> str:
        return _STOPS.get(self.reply.stop or "", "tool_calls" if self.reply.calls else "stop")


def _wire_usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": (usage.input or 0) + (usage.output or 0),
        "prompt_tokens_details": {"cached_tokens": usage.cached, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning, "audio_tokens": 0},
    }
