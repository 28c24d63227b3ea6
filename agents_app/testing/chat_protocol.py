"""The wire form of chat completions, from the side of the server."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.arguments import parse_arguments
from agents_app.adapters.models.scripted import estimate, pieces
from agents_app.engine.messages import Message, ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agents_app.adapters.models.scripted import Reply

#: The limit that a ``context_length`` error names.
CONTEXT_TOKENS = 8192
_EPOCH = 1_700_000_000

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


@dataclass(frozen=True, slots=True)
class Asked:
    """A request body, read."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[str, ...]
    stream: bool
    include_usage: bool


class Unacceptable(ValueError):
    """A body that OpenAI would answer with 400 too."""


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
    _check_results(messages)
    options = data.get("stream_options") or {}
    return Asked(
        model, messages, tools, bool(data.get("stream")), bool(options.get("include_usage"))
    )


def _message(data: dict[str, Any]) -> Message:
    calls = []
    for each in data.get("tool_calls") or ():
        arguments, raw = parse_arguments(each["function"]["arguments"])
        calls.append(ToolCall(each["id"], each["function"]["name"], arguments, each["id"], raw))
    content = data.get("content") or ""
    return Message(data["role"], content, calls or None, data.get("tool_call_id"), data.get("name"))


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


def error_body(code: str, says: str | None = None) -> tuple[int, dict[str, Any]]:
    """Status and body of an error, in the server's usual words or in others."""
    status, type_, provider_code, message = ERRORS[code]
    return status, {
        "error": {"message": says or message, "type": type_, "param": None, "code": provider_code}
    }


class Answer:
    """One answer in the server's words; ``number`` makes ids that are the same in every run."""

    def __init__(self, asked: Asked, reply: Reply, number: int) -> None:
        self.asked, self.reply, self.number = asked, reply, number

    def chunks(self, *, usage: bool) -> Iterator[dict[str, Any]]:
        """The chunks of the stream, in order; calls come by index and by turns."""
        yield self._chunk({"role": "assistant", "content": ""})
        begun: set[int] = set()
        for part, piece in pieces(self.reply):
            if part in ("text", "reasoning"):
                name = "content" if part == "text" else "reasoning_content"
                yield self._chunk({name: piece})
                continue
            place = int(part.partition(":")[2])
            if place not in begun:
                begun.add(place)
                yield self._chunk({"tool_calls": [self._call(place, "")]})
            function = {"arguments": piece}
            yield self._chunk({"tool_calls": [{"index": place, "function": function}]})
        for place in range(len(self.reply.calls)):
            if place not in begun:  # arguments that are no text at all
                yield self._chunk({"tool_calls": [self._call(place, "")]})
        yield self._chunk({}, finish=self._finish())
        if usage and self.asked.include_usage:
            yield {**self._chunk({}), "choices": [], "usage": self._usage()}

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
        return {
            **self._head("chat.completion"),
            "choices": [choice],
            "usage": self._usage(),
        }

    def _call(self, place: int, arguments: str) -> dict[str, Any]:
        function = {"name": self.reply.calls[place].name, "arguments": arguments}
        call_id = f"call_{self.number:06d}_{place}"
        return {"index": place, "id": call_id, "type": "function", "function": function}

    def _chunk(self, delta: dict[str, Any], *, finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-{self.number:06d}",
            "object": kind,
            "created": _EPOCH + self.number,
            "model": self.asked.model,
            "system_fingerprint": "fp_scripted",
        }

    def _finish(self) -> str:
        return "tool_calls" if self.reply.calls else "stop"

    def _usage(self) -> dict[str, Any]:
        counted = estimate(self.asked.messages, Message("assistant", self.reply.text))
        prompt, completion = counted.input or 0, counted.output or 0
        return {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        }
