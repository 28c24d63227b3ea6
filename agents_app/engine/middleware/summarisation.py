"""Summarisation: a long conversation goes on with a summary of its beginning.

The model sees the summary, the history keeps everything. The summary is asked for once, beside the
conversation, and stands in the state: it replays like any answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from agents_app.engine.loop.hooks import current
from agents_app.engine.messages import Message
from agents_app.engine.middleware.places import head_of, mark_of, place_of, safe_cut
from agents_app.engine.middleware.summary_text import PROMPT, asked, told
from agents_app.engine.model_calls.size import all_tokens, tokens_of
from agents_app.engine.placing import after
from agents_app.engine.said import Said
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agents_app.engine.placing import Severity
    from agents_app.engine.spec import AgentSpec

#: A summary is cut here (characters): a state has 64 kB for everything.
_LONGEST = 12_000
#: After a summary that did not come, so many requests go out as they are before the next try.
_PATIENCE = 5


class SummarisationMiddleware:
    """Replaces the beginning of a long conversation by a summary in what the model sees.

    Args:
        tokens: summarise when the prompt has about so many tokens.
        messages: summarise when it has so many messages.
        fraction: summarise when it takes such a part of ``context_tokens``.
        context_tokens: how many tokens the model can read.
        keep: so many of the newest messages stay as they are; a call stays with its results.
        model: who summarises, ``provider:name``; by default the agent's own model.
        prompt: what it is told; ``{messages}`` is what is to be summarised.
        trim: of what is summarised at once only the newest tokens, about so many, are read.
    """

    name = "summarisation"
    placing = (after("guard", "a guard would see the summary and not what was said."),)

    def __init__(
        self,
        tokens: Annotated[int, Field(ge=1)] | None = None,
        messages: Annotated[int, Field(ge=1)] | None = None,
        fraction: Annotated[float, Field(gt=0, le=1)] | None = None,
        context_tokens: Annotated[int, Field(ge=1)] = 128_000,
        keep: Annotated[int, Field(ge=1)] = 20,
        model: str | None = None,
        prompt: str = PROMPT,
        trim: Annotated[int, Field(ge=1)] = 4000,
    ) -> None:
        if tokens is None and messages is None and fraction is None:
            raise _wrong("tokens", "say when to summarise: give tokens, messages or fraction")
        if messages is not None and messages <= keep:
            raise _wrong("messages", f"must be more than keep, which is {keep}")
        limits = [tokens, None if fraction is None else int(fraction * context_tokens)]
        self.tokens = min((limit for limit in limits if limit is not None), default=None)
        self.messages, self.keep, self.model = messages, keep, model
        self.prompt, self.trim = prompt, trim
        self._made: Message | None = None

    def problems(self, spec: AgentSpec) -> Iterator[tuple[str, str, Severity]]:
        """A model that is none, and a window that never gets so long."""
        if self.model is not None and ":" not in self.model:
            yield (
                "model",
                Said(f"{self.model!r} names no model; say provider:model.", "no_model"),
                "problem",
            )
        window = spec.limits.window
        if window is not None and self.messages is not None and window < self.messages:
            text = f"the agent's window of {window} messages never gets so long."
            said = Said(text, "window_too_short", window=window)
            yield "messages", said, "warning"

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        """The prompt with a summary in the place of its beginning, once it was too long."""
        state = current().state
        head = head_of(messages)
        start = self._start(messages, head, state)
        shown = self._shown(messages, head, start, state)
        cut = safe_cut(messages, len(messages) - self.keep)
        if not self._is_long(shown) or cut <= max(start, head):
            return shown
        if state.get("patience", 0) > 0:
            state["patience"] -= 1
            return shown
        before = state["summary"] if start > -1 and "summary" in state else None
        text = await self._summary(before, messages[max(start, head) : cut])
        if text is None:
            state["patience"] = _PATIENCE
            return shown
        seqs = [m.origin[0] for m in messages[head:cut] if m.origin]
        floor = max([*seqs, state.get("floor", 0)])
        state.update(summary=text, last=mark_of(messages, cut - 1), floor=floor)
        return self._shown(messages, head, cut, state)

    @staticmethod
    def _start(messages: Sequence[Message], head: int, state: dict[str, Any]) -> int:
        """Where what the summary does not cover begins; -1 when this prompt is of something else.

        A window may have moved on behind the summary: then it covers nothing that is left.
        """
        last = place_of(messages, state.get("last"))
        if last is not None:
            return last + 1
        seqs = [m.origin[0] for m in messages if m.role == "assistant" and m.origin]
        return head if "summary" in state and seqs and min(seqs) > state["floor"] else -1

    def _shown(
        self, messages: list[Message], head: int, start: int, state: dict[str, Any]
    ) -> list[Message]:
        if start < 0:
            return messages
        text = told(state["summary"])
        if self._made is None or self._made.content != text:
            self._made = Message("user", text)
        return [*messages[:head], self._made, *messages[start:]]

    def _is_long(self, messages: list[Message]) -> bool:
        if self.messages is not None and len(messages) >= self.messages:
            return True
        return self.tokens is not None and all_tokens(messages) >= self.tokens

    async def _summary(self, before: str | None, messages: Sequence[Message]) -> str | None:
        """A summary of all that was summarised before and of these messages."""
        room, first = self.trim, len(messages)
        while first > 0 and room > 0:
            first -= 1
            room -= tokens_of(messages[first])
        text = asked(self.prompt, before, messages[first:], self.trim)
        reply = await current().try_model([Message("user", text)], model=self.model)
        said = reply.content.strip()[:_LONGEST] if reply else ""
        return said or None


def _wrong(field: str, why: str) -> InvalidInput:
    return InvalidInput(why, detail={"field": field})
