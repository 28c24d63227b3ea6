"""Context editing: old tool results are cleared from what the model sees, never from the history.

A result that was cleared stays cleared: the prompt changes at one place and grows behind it, so a
provider's prompt cache holds up to there, and a request still refers to the one before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from agents_app.engine.loop.hooks import current
from agents_app.engine.messages import Message
from agents_app.engine.model_calls.size import all_tokens, tokens_of
from agents_app.engine.placing import after
from agents_app.engine.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents_app.engine.messages import ToolCall
    from agents_app.engine.placing import Severity
    from agents_app.engine.spec import AgentSpec


class ContextEditingMiddleware:
    """Clears old tool results from what the model sees once the prompt is long.

    Args:
        trigger: tokens of the prompt, about, from which results are cleared.
        keep: so many of the newest results stay.
        clear_at_least: stop when about so many tokens are free; 0: clear all but the kept ones.
        clear_tool_inputs: clear the arguments of these calls too.
        exclude_tools: names of tools whose results always stay.
        placeholder: what stands in a result's place.
    """

    name = "context-editing"
    placing = (after("guard", "a guard would not see what was cleared."),)

    def __init__(
        self,
        trigger: Annotated[int, Field(ge=1)] = 100_000,
        keep: Annotated[int, Field(ge=0)] = 3,
        clear_at_least: Annotated[int, Field(ge=0)] = 0,
        clear_tool_inputs: bool = False,
        exclude_tools: tuple[str, ...] = (),
        placeholder: str = "[cleared]",
    ) -> None:
        self.trigger, self.keep, self.clear_at_least = trigger, keep, clear_at_least
        self.clear_tool_inputs = clear_tool_inputs
        self._named, self.exclude_tools = exclude_tools, frozenset(exclude_tools)
        self.placeholder = placeholder
        self._shorter: dict[object, Message] = {}

    def problems(self, spec: AgentSpec) -> Iterator[tuple[str, str, Severity]]:
        """Tools that the agent does not have."""
        for place, name in enumerate(self._named):
            if spec.tool(name) is None:
                yield (
                    f"exclude_tools.{place}",
                    Said(f"the agent has no tool {name}.", "no_such_tool", name=name),
                    "warning",
                )

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        """The prompt with what was cleared before, and with more of it when it is too long."""
        state = current().state
        results = [place for place, message in enumerate(messages) if message.role == "tool"]
        if not results:
            return messages
        done = self._done(messages, results, state.get("upto"))
        shown = self._cleared(messages, results[:done])
        if all_tokens(shown) <= self.trigger:
            return shown
        more = self._more(messages, results, done)
        if more == done:
            return shown
        state["upto"] = messages[results[more - 1]].tool_call_id
        return self._cleared(messages, results[:more])

    @staticmethod
    def _done(messages: list[Message], results: list[int], upto: str | None) -> int:
        """How many results, from the first on, were looked at before."""
        for count, place in enumerate(results, 1):
            if upto is not None and messages[place].tool_call_id == upto:
                return count
        return 0

    def _more(self, messages: list[Message], results: list[int], done: int) -> int:
        """How many are to be gone, from the first on."""
        end, freed = max(done, len(results) - self.keep), 0
        kept = self._kept(messages)
        for count in range(done, end):
            message = messages[results[count]]
            if message.tool_call_id in kept:
                continue
            freed += tokens_of(message) - tokens_of(self._short(message))
            if self.clear_at_least and freed >= self.clear_at_least:
                return count + 1
        return end if freed > 0 else done

    def _kept(self, messages: list[Message]) -> set[str | None]:
        """The ids of calls whose results always stay."""
        calls = (call for message in messages for call in message.calls)
        return {call.id for call in calls if call.name in self.exclude_tools}

    def _cleared(self, messages: list[Message], places: list[int]) -> list[Message]:
        if not places:
            return messages
        kept = self._kept(messages) if self.exclude_tools else set()
        ids = {messages[place].tool_call_id for place in places} - kept
        return [self._seen(message, ids) for message in messages[: places[-1] + 1]] + messages[
            places[-1] + 1 :
        ]

    def _seen(self, message: Message, ids: set[str | None]) -> Message:
        if message.role == "tool" and message.tool_call_id in ids:
            return self._short(message)
        if self.clear_tool_inputs and any(call.id in ids for call in message.calls):
            return self._without_inputs(message, ids)
        return message

    def _short(self, message: Message) -> Message:
        """The result without its content: no event carries it, so the request will, once."""
        known = self._shorter.get(message.key)
        if known is None:
            known = self._shorter[message.key] = Message(
                "tool", self.placeholder, tool_call_id=message.tool_call_id, name=message.name
            )
        return known

    def _without_inputs(self, message: Message, ids: set[str | None]) -> Message:
        calls = tuple(_without_input(call) if call.id in ids else call for call in message.calls)
        key = (message.key, tuple(call.id in ids for call in message.calls))
        known = self._shorter.get(key)
        if known is None:
            changed = replace(message, tool_calls=calls, origin=None, spans=())
            known = self._shorter[key] = changed
        return known


def _without_input(call: ToolCall) -> ToolCall:
    return replace(call, arguments={}, raw=None, spans=())
