"""The wire form of Anthropic messages, from the side of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.scripted import pieces
from agents_app.testing import messages_request as request
from agents_app.testing.model_protocol import CONTEXT_TOKENS, Asked, Sent, Unacceptable, counted
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agents_app.adapters.models.scripted import Reply
    from agents_app.testing.messages_request import Block

_ERRORS: dict[str, tuple[int, str, str]] = {
    "rate_limited": (429, "rate_limit_error", "This request would exceed your rate limit."),
    "server_error": (500, "api_error", "Internal server error"),
    "auth": (401, "authentication_error", "invalid x-api-key"),
    "bad_request": (400, "invalid_request_error", "Invalid value."),
    "refused": (400, "invalid_request_error", "Output blocked by content filtering policy"),
    "context_length": (
        400,
        "invalid_request_error",
        f"prompt is too long: 9001 tokens > {CONTEXT_TOKENS} maximum",
    ),
}
_BY_STATUS = {
    413: ("request_too_large", "Request exceeds the maximum size"),
    529: ("overloaded_error", "Overloaded"),
}
_STOPS = {
    "length": "max_tokens",
    "refusal": "refusal",
    "content_filter": "refusal",
    "pause": "pause_turn",
}
#: What an answer has used before its first word.
_FIRST = 1


class Messages:
    """Messages."""

    last: str | None = None

    def accepts(self, headers: Mapping[str, str], key: str) -> bool:
        bearer = headers.get("authorization") == f"Bearer {key}"
        return bearer or headers.get("x-api-key") == key

    def read(self, headers: Mapping[str, str], body: bytes) -> Asked:
        return request.read(headers, body)

    def counted(self, asked: Asked, reply: Reply, cached: int) -> Usage:
        """Nothing is cached without a marker; with one, all that is not cached yet is written."""
        lifetime = request.lifetime(asked.body)
        thinks = request.thinks(asked.body)
        plain = counted(asked, reply, cached if lifetime else 0)
        written = max(0, (plain.input or 0) - (plain.cached or 0) - 1) if lifetime else 0
        hidden = 0 if thinks else plain.reasoning or 0
        return Usage(
            plain.input,
            (plain.output or 0) - hidden,
            plain.cached,
            (plain.reasoning or 0) - hidden,
            written=written,
            written_1h=written if lifetime == "1h" else 0,
        )

    def answer(
        self, asked: Asked, reply: Reply, number: int, usage: Usage | None
    ) -> MessagesAnswer:
        return MessagesAnswer(asked, reply, number, usage)

    def error(
        self, code: str, says: str | None = None, status: int | None = None
    ) -> tuple[int, dict[str, Any]]:
        usual, kind, message = _ERRORS[code]
        kind, message = _BY_STATUS.get(status or usual, (kind, message))
        return status or usual, _error(kind, says or message)

    def unacceptable(self, error: Unacceptable) -> dict[str, Any]:
        return _error("invalid_request_error", str(error))


def _error(kind: str, message: str) -> dict[str, Any]:
    error = {"details": None, "type": kind, "message": message}
    return {"type": "error", "error": error, "request_id": "req_scripted"}


class MessagesAnswer:
    """One answer in the server's words; ``number`` makes ids that are the same in every run."""

    def __init__(self, asked: Asked, reply: Reply, number: int, usage: Usage | None) -> None:
        self.asked, self.reply, self.number, self.usage = asked, reply, number, usage

    def events(self) -> Iterator[Sent]:
        """Block by block; a ping after the first has begun, and counts that are cumulative."""
        told = {} if self.usage is None else {"usage": self._usage(first=True)}
        start = {**self._head(), "content": [], **told}
        yield _sent("message_start", message=start)
        for index, (block, said) in enumerate(self._blocks()):
            yield _sent("content_block_start", index=index, content_block=_empty(block))
            if index == 0:
                yield _sent("ping")
            for delta in said:
                yield _sent("content_block_delta", piece=True, index=index, delta=delta)
            yield _sent("content_block_stop", index=index)
        ends = {"stop_reason": self._stop(), "stop_sequence": None, "stop_details": self._details()}
        told = {} if self.usage is None else {"usage": self._usage()}
        last = {"type": "message_delta", "delta": ends, **told}
        yield Sent(last, "message_delta", ends=True, usage=self.usage is not None)
        yield _sent("message_stop", ends=True)

    def whole(self) -> dict[str, Any]:
        """The answer to a request that does not stream."""
        blocks = [block for block, _ in self._blocks()]
        ends = {"stop_reason": self._stop(), "stop_details": self._details()}
        return {**self._head(), "content": blocks, **ends, "usage": self._usage()}

    def broken_off(self, code: str, says: str | None) -> Sent:
        """The event of an error in the middle of the stream: a failing server is overloaded."""
        status = 529 if code == "server_error" else None
        return Sent(Messages().error(code, says, status)[1], "error")

    def _head(self) -> dict[str, Any]:
        return {
            "model": self.asked.model,
            "id": f"msg_{self.number:06d}",
            "type": "message",
            "role": "assistant",
            "stop_reason": None,
            "stop_sequence": None,
            "stop_details": None,
        }

    def _blocks(self) -> Iterator[tuple[Block, list[dict[str, Any]]]]:
        """Each block, whole, and the deltas that make it."""
        by_part: dict[str, list[str]] = {}
        for part, piece in pieces(self.reply):
            by_part.setdefault(part, []).append(piece)
        if request.thinks(self.asked.body):
            yield self._thought(by_part.get("reasoning") or ["Let me see."])
        if said := by_part.get("text"):
            text = {"type": "text", "text": self.reply.text}
            yield text, [{"type": "text_delta", "text": piece} for piece in said]
        for place, call in enumerate(self.reply.calls):
            call_id = f"toolu_{self.number:06d}_{place}"
            use = {"type": "tool_use", "id": call_id, "name": call.name, "input": call.arguments}
            said = ["", *by_part.get(f"tool:{place}", ())]
            yield use, [{"type": "input_json_delta", "partial_json": piece} for piece in said]

    def _thought(self, said: list[str]) -> tuple[Block, list[dict[str, Any]]]:
        text = "".join(said)
        if self.reply.hidden:
            return {"type": "redacted_thinking", "data": request.sealed(text)}, []
        signed = request.signature(text)
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in said]
        deltas.append({"type": "signature_delta", "signature": signed})
        return {"type": "thinking", "thinking": text, "signature": signed}, deltas

    def _stop(self) -> str:
        return _STOPS.get(self.reply.stop or "", "tool_use" if self.reply.calls else "end_turn")

    def _details(self) -> dict[str, Any] | None:
        if self._stop() != "refusal":
            return None
        said = {"category": "general_harms", "explanation": "This can't be answered."}
        return {"type": "refusal", **said}

    def _usage(self, *, first: bool = False) -> dict[str, Any]:
        """Counts as this provider tells them: what the cache read and took stands apart."""
        usage = self.usage or Usage(0, 0, 0, 0, written=0)
        cached, written = usage.cached or 0, usage.written or 0
        hour = usage.written_1h or 0
        told: dict[str, Any] = {
            "input_tokens": (usage.input or 0) - cached - written,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": cached,
            "output_tokens": _FIRST if first else usage.output,
        }
        if first:
            kept = {"ephemeral_5m_input_tokens": written - hour, "ephemeral_1h_input_tokens": hour}
            return {**told, "cache_creation": kept, "service_tier": "standard"}
        return {**told, "output_tokens_details": {"thinking_tokens": usage.reasoning or 0}}


def _sent(kind: str, *, piece: bool = False, ends: bool = False, **data: Any) -> Sent:
    return Sent({"type": kind, **data}, kind, piece, ends)


def _empty(block: Block) -> Block:
    """A block as it begins."""
    kind = block["type"]
    if kind == "tool_use":
        return {**block, "input": {}}
    if kind == "redacted_thinking":
        return block
    return {**block, **{name: "" for name in ("text", "thinking", "signature") if name in block}}
