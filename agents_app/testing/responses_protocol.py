"""The wire form of OpenAI responses, from the side of the server."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.scripted import pieces
from agents_app.testing import responses_request as request
from agents_app.testing.chat_protocol import Chat
from agents_app.testing.model_protocol import Asked, Sent, Unacceptable, counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agents_app.adapters.models.scripted import Reply
    from agents_app.testing.responses_request import Item
    from playhead.core.usage import Usage

_EPOCH = 1_700_000_000
_INCOMPLETE = {"length": "max_output_tokens", "content_filter": "content_filter"}
#: Codes that a response fails with while it streams; others are an event of their own.
_FAILS = {"server_error": "server_error", "rate_limited": "rate_limit_exceeded"}
#: What a response repeats of its request.
_REPEATED = ("instructions", "max_output_tokens", "reasoning", "temperature", "text", "top_p")


class Responses:
    """Responses; accounts and errors are those of chat completions."""

    last: str | None = None

    def accepts(self, headers: Mapping[str, str], key: str) -> bool:
        return Chat().accepts(headers, key)

    def read(self, headers: Mapping[str, str], body: bytes) -> Asked:
        return request.read(body)

    def counted(self, asked: Asked, reply: Reply, cached: int) -> Usage:
        return counted(asked, reply, cached)

    def answer(
        self, asked: Asked, reply: Reply, number: int, usage: Usage | None
    ) -> ResponsesAnswer:
        return ResponsesAnswer(asked, reply, number, usage)

    def error(
        self, code: str, says: str | None = None, status: int | None = None
    ) -> tuple[int, dict[str, Any]]:
        return Chat().error(code, says, status)

    def unacceptable(self, error: Unacceptable) -> dict[str, Any]:
        return Chat().unacceptable(error)


class ResponsesAnswer:
    """One answer in the server's words; ``number`` makes ids that are the same in every run."""

    def __init__(self, asked: Asked, reply: Reply, number: int, usage: Usage | None) -> None:
        self.asked, self.reply, self.number, self.usage = asked, reply, number, usage
        self._sequence = itertools.count()
        self._by_part: dict[str, list[str]] = {}
        for part, piece in pieces(reply):
            self._by_part.setdefault(part, []).append(piece)

    def events(self) -> Iterator[Sent]:
        """Item by item, each with its own events, counted from 0; the last one holds it all."""
        yield self._event("response.created", response=self._response("in_progress"))
        yield self._event("response.in_progress", response=self._response("in_progress"))
        output = list(self._output())
        for place, item in enumerate(output):
            yield from self._item(place, item)
        reason = _INCOMPLETE.get(self.reply.stop or "")
        status = "incomplete" if reason else "completed"
        response = self._response(status, output=output, reason=reason)
        told = self.usage is not None
        yield self._event(f"response.{status}", ends=True, usage=told, response=response)

    def whole(self) -> dict[str, Any]:
        """The answer to a request that does not stream."""
        reason = _INCOMPLETE.get(self.reply.stop or "")
        status = "incomplete" if reason else "completed"
        return self._response(status, output=list(self._output()), reason=reason)

    def broken_off(self, code: str, says: str | None) -> Sent:
        """How the stream ends when something fails: the response does, or an event says why."""
        said = Chat().error(code, says)[1]["error"]
        if code not in _FAILS:
            named = {"code": said["code"], "message": said["message"], "param": None}
            return self._event("error", ends=True, **named)
        failed = self._response("failed", error={"code": _FAILS[code], "message": said["message"]})
        return self._event("response.failed", ends=True, response=failed)

    def _output(self) -> Iterator[Item]:
        """The items of the answer, whole."""
        if self.reply.reasoning:
            yield self._reasoning()
        if self.reply.text:
            kind, name = (
                ("refusal", "refusal") if self.reply.stop == "refusal" else ("output_text", "text")
            )
            part: Item = {"type": kind, name: self.reply.text}
            if kind == "output_text":
                part |= {"annotations": [], "logprobs": []}
            yield {
                "id": f"msg_{self.number:06d}",
                "type": "message",
                "status": "completed",
                "content": [part],
                "role": "assistant",
            }
        for place, call in enumerate(self.reply.calls):
            yield {
                "id": f"fc_{self.number:06d}_{place}",
                "type": "function_call",
                "status": "completed",
                "arguments": "".join(self._by_part.get(f"tool:{place}", ())),
                "call_id": f"call_{self.number:06d}_{place}",
                "name": call.name,
            }

    def _reasoning(self) -> Item:
        """What was thought: a summary, where it may be read, and the sealed form."""
        shown = [] if self.reply.hidden else [self.reply.reasoning]
        summary = [{"type": "summary_text", "text": text} for text in shown]
        name = f"rs_{self.number:06d}"
        sealed = request.encrypted(name, summary)
        return {"id": name, "type": "reasoning", "encrypted_content": sealed, "summary": summary}

    def _item(self, place: int, item: Item) -> Iterator[Sent]:
        """The events of one item."""
        yield self._event("response.output_item.added", output_index=place, item=_begun(item))
        at = {"item_id": item["id"], "output_index": place}
        if item["type"] == "reasoning":
            yield from self._summary(item, at)
        elif item["type"] == "message":
            yield from self._text(item["content"][0], at)
        else:
            kind = "response.function_call_arguments"
            for piece in self._by_part.get(f"tool:{item['id'].rpartition('_')[2]}", ()):
                yield self._event(f"{kind}.delta", piece=True, **at, delta=piece)
            yield self._event(f"{kind}.done", **at, arguments=item["arguments"])
        yield self._event("response.output_item.done", output_index=place, item=item)

    def _summary(self, item: Item, at: Item) -> Iterator[Sent]:
        for number, part in enumerate(item["summary"]):
            here = {**at, "summary_index": number}
            kind, empty = "response.reasoning_summary", {"type": "summary_text", "text": ""}
            yield self._event(f"{kind}_part.added", **here, part=empty)
            for piece in self._by_part["reasoning"]:
                yield self._event(f"{kind}_text.delta", piece=True, **here, delta=piece)
            yield self._event(f"{kind}_text.done", **here, text=part["text"])
            yield self._event(f"{kind}_part.done", **here, part=part)

    def _text(self, part: Item, at: Item) -> Iterator[Sent]:
        here = {**at, "content_index": 0}
        refused = part["type"] == "refusal"
        kind = "response.refusal" if refused else "response.output_text"
        name = "refusal" if refused else "text"
        logs: Item = {} if refused else {"logprobs": []}
        yield self._event("response.content_part.added", **here, part={**part, name: ""})
        for piece in self._by_part["text"]:
            yield self._event(f"{kind}.delta", piece=True, **here, delta=piece, **logs)
        yield self._event(f"{kind}.done", **here, **{name: part[name]}, **logs)
        yield self._event("response.content_part.done", **here, part=part)

    def _event(
        self,
        kind: str,
        *,
        piece: bool = False,
        ends: bool = False,
        usage: bool = False,
        **data: Any,
    ) -> Sent:
        told = {"type": kind, "sequence_number": next(self._sequence), **data}
        return Sent(told, kind, piece, ends, usage)

    def _response(
        self,
        status: str,
        *,
        output: list[Item] | None = None,
        reason: str | None = None,
        error: Item | None = None,
    ) -> dict[str, Any]:
        body = self.asked.body
        over = status in ("completed", "incomplete")
        return {
            "id": f"resp_{self.number:06d}",
            "object": "response",
            "created_at": _EPOCH + self.number,
            "status": status,
            "background": False,
            "error": error,
            "incomplete_details": {"reason": reason} if reason else None,
            "model": self.asked.model,
            "output": output or [],
            "parallel_tool_calls": body.get("parallel_tool_calls", True),
            "previous_response_id": None,
            "service_tier": "default",
            "store": body.get("store", True),
            "tool_choice": body.get("tool_choice", "auto"),
            "tools": body.get("tools", []),
            "truncation": "disabled",
            "usage": _wire_usage(self.usage) if over and self.usage else None,
            "user": None,
            "metadata": {},
            **{name: body.get(name) for name in _REPEATED},
        }


def _wire_usage(usage: Usage) -> dict[str, Any]:
    read = {"cached_tokens": usage.cached, "cache_write_tokens": usage.written or 0}
    return {
        "input_tokens": usage.input,
        "input_tokens_details": read,
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": (usage.input or 0) + (usage.output or 0),
    }


def _begun(item: Item) -> Item:
    """An item as it begins: empty, and what is sealed is not complete yet."""
    if item["type"] == "reasoning":
        return {**item, "encrypted_content": "gAAAA", "summary": []}
    empty: Item = {"arguments": ""} if item["type"] == "function_call" else {"content": []}
    return {**item, "status": "in_progress", **empty}
