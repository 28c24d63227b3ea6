"""The stand-ins, in the tests that come from the first sketch of the loop (S0-36 to S0-40)."""

from __future__ import annotations

import pytest

from agents_app.engine import AgentLoop, Message, ToolCall
from agents_app.testing import (
    InMemoryStateStore,
    MockLLMAdapter,
    MockTool,
    ScriptedModel,
    ScriptExhausted,
)


def asks(tool: str, call_id: str = "1") -> Message:
    return Message("assistant", "", [ToolCall(call_id, tool, {"query": "test"})])


async def test_s0_36_a_simple_response() -> None:
    loop = AgentLoop(llm=MockLLMAdapter([Message("assistant", "Hello!")]))
    assert await loop.run("Hi") == "Hello!"


async def test_s0_37_a_tool_is_called_and_its_result_reaches_the_model() -> None:
    model = ScriptedModel([asks("search"), Message("assistant", "Found: result")])
    tool = MockTool("search", "search result")
    assert "Found" in await AgentLoop(llm=model, tools=[tool]).run("Search")
    assert tool.calls == [{"query": "test"}]
    assert model.requests[1][-1].content == "search result"


async def test_s0_38_a_loop_without_end_reaches_its_limit() -> None:
    model = ScriptedModel([asks("loop", str(i)) for i in range(20)])
    result = await AgentLoop(llm=model, tools=[MockTool("loop")], max_steps=3).run("Loop")
    assert "maximum steps" in result
    assert len(model.requests) == 3


async def test_s0_39_state_is_kept() -> None:
    store = InMemoryStateStore()
    model = ScriptedModel([Message("assistant", "Hello!")])
    await AgentLoop(llm=model, state_store=store).run("Hi", session_id="s1")
    state = await store.load("s1")
    assert state is not None
    assert len(state["messages"]) == 2


async def test_s0_40_after_hooks_run_in_list_order() -> None:
    order: list[str] = []

    class Noting:
        def __init__(self, name: str) -> None:
            self.name = name

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            order.append(f"{self.name}:before")
            return messages

        async def after_llm_call(self, response: Message) -> Message:
            order.append(f"{self.name}:after")
            return response

    model = ScriptedModel([Message("assistant", "Hello!")])
    await AgentLoop(llm=model, middlewares=[Noting("A"), Noting("B")]).run("Hi")
    assert order == ["A:before", "B:before", "A:after", "B:after"]


async def test_a_model_without_a_response_left_says_so() -> None:
    model = ScriptedModel([Message("assistant", "Once.")])
    await model.complete([Message("user", "Hi")])
    with pytest.raises(ScriptExhausted, match="its 1 response"):
        await model.complete([Message("user", "Hi")])


async def test_the_text_streams_too() -> None:
    model = ScriptedModel([Message("assistant", "Once.")])
    assert [piece async for piece in model.stream([Message("user", "Hi")])] == ["Once."]
