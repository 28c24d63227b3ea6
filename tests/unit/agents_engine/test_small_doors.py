"""The small ports of the loop: what is given is used, and what hooks return is what counts (S0)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agents_app.engine import AgentLoop, Message, ToolCall, ToolResult, tool
from agents_app.engine.middleware import CachingMiddleware, MemoryCache
from agents_app.engine.strategies import Simple
from agents_app.testing import InMemoryStateStore, MockTool, RuleModel, ScriptedModel, calls, says
from playhead.core.errors import InvalidInput

TAKES = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
FUNCTION = {"name": "find", "description": "Find it.", "parameters": TAKES}


class Port:
    """A tool of the small form."""

    name = "find"

    def __init__(self, schema: dict[str, Any], result: ToolResult) -> None:
        self.schema, self.result = schema, result
        self.given: list[dict[str, Any]] = []

    async def execute(self, arguments: dict[str, Any]) -> ToolResult:
        self.given.append(arguments)
        return self.result


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "function", "function": FUNCTION},
        FUNCTION,
        {"name": "find", "description": "Find it.", "input_schema": TAKES},
        {**TAKES, "description": "Find it."},
    ],
    ids=["openai", "function", "anthropic", "bare"],
)
async def test_s0_18_whichever_way_a_tool_says_what_it_takes_the_model_is_told(
    schema: dict[str, Any],
) -> None:
    port = Port(schema, ToolResult("", "here", success=True))
    model = RuleModel(lambda r: calls(("find", {"q": "x"})) if len(r.messages) < 2 else says("ok"))
    assert await AgentLoop(model, [port]).run("Find x.") == "ok"
    (offered,) = model.requests[0].tools
    assert offered["function"]["name"] == "find"
    assert offered["function"]["description"] == "Find it."
    assert offered["function"]["parameters"]["properties"] == TAKES["properties"]
    assert offered["function"]["parameters"]["required"] == ["q"]
    assert port.given == [{"q": "x"}]


async def test_s0_15_s0_18_a_tool_that_says_it_failed_has_failed() -> None:
    port = Port(FUNCTION, ToolResult("", "nothing there", success=False))
    told: list[tuple[str, bool]] = []

    class Noting:
        async def after_tool_call(self, result: ToolResult) -> ToolResult:
            told.append((result.content, result.success))
            return result

    model = ScriptedModel([calls(("find", {"q": "x"})), says("Sorry.")])
    loop = AgentLoop(model, [port], middlewares=[Noting()])
    assert await loop.run("Find x.") == "Sorry."
    assert told == [("nothing there", False)]
    assert model.requests[1][-1].content == "nothing there"
    assert [e.payload["success"] for e in loop.events if e.event_type == "tool_result"] == [False]


class Changing:
    """Changes everything that passes through its hooks."""

    async def before_llm_call(self, messages: list[Message]) -> list[Message]:
        return [*messages[:-1], replace(messages[-1], content=messages[-1].content + "!")]

    async def after_llm_call(self, response: Message) -> Message:
        return replace(response, content=response.content.upper())

    async def before_tool_call(self, call: ToolCall) -> ToolCall:
        return replace(call, arguments={"query": "y"})

    async def after_tool_call(self, result: ToolResult) -> ToolResult:
        return replace(result, content=f"<{result.content}>")


async def test_s0_20_what_each_of_the_four_hooks_returns_is_what_counts() -> None:
    search = MockTool("search", "found")
    model = ScriptedModel([calls(("search", {"query": "x"})), says("done")])
    loop = AgentLoop(model, [search], middlewares=[Changing()])
    assert await loop.run("Find x.") == "DONE"
    assert search.calls == [{"query": "y"}]
    assert model.requests[0][-1].content == "Find x.!"
    assert model.requests[1][-1].content == "<found>!"
    assert model.requests[1][0].content == "Find x."  # what a hook sees of it is not kept


async def test_e34_a_hook_may_handle_a_tool_that_the_model_invented() -> None:
    class Mending:
        async def before_tool_call(self, call: ToolCall) -> ToolCall:
            return replace(call, name="search") if call.name == "serch" else call

    search = MockTool("search", "found")
    model = ScriptedModel([calls(("serch", {"query": "x"})), says("done")])
    assert await AgentLoop(model, [search], middlewares=[Mending()]).run("Find x.") == "done"
    assert search.calls == [{"query": "x"}]
    assert model.requests[1][-1].content == "found"


async def test_s0_3_s0_26_what_is_given_to_the_constructor_is_what_is_used() -> None:
    store, search, hooked = InMemoryStateStore(), MockTool("search"), []

    class Noting:
        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            hooked.append(len(messages))
            return messages

    model = ScriptedModel([calls(("search", {"query": "x"}))] * 3)
    loop = AgentLoop(model, [search], store, [Noting()], 2)
    assert "maximum steps" in await loop.run("Find x.", session_id="s1")
    assert (len(model.requests), len(search.calls), hooked) == (2, 2, [1, 3])
    assert await store.load("s1") is not None
    other = AgentLoop(ScriptedModel([says("plain")]), [search], store, [], 2, Simple())
    assert await other.run("Again.", session_id="s2") == "plain"
    assert len(search.calls) == 2
    assert other.event_bus is not loop.event_bus
    unsaid = AgentLoop(ScriptedModel([says("hi")]))
    assert isinstance(unsaid.state_store, InMemoryStateStore)
    assert unsaid.strategy.name == "function-calling"


async def test_s0_29_hooks_and_events_of_a_step_come_in_the_order_that_is_promised() -> None:
    said: list[str] = []

    class Noting:
        def __init__(self, name: str) -> None:
            self.name = name

        async def before_llm_call(self, messages: list[Message]) -> list[Message]:
            said.append(f"{self.name} before")
            return messages

        async def after_llm_call(self, response: Message) -> Message:
            said.append(f"{self.name} after")
            return response

    class Store(InMemoryStateStore):
        async def save(self, session_id: str, state: dict[str, Any]) -> None:
            said.append("save")
            await super().save(session_id, state)

    def rule(request: Any) -> Message:
        said.append("model")
        return says("Done.") if any(m.role == "tool" for m in request.messages) else asks

    @tool
    async def search(query: str) -> str:
        """Search."""
        said.append("tool")
        return "here"

    asks = calls(("search", {"query": "x"}))
    loop = AgentLoop(RuleModel(rule), [search], Store(), [Noting("A"), Noting("B")])
    data: dict[str, Any] = {}

    def hear(event: dict[str, Any]) -> None:
        said.append(event["name"])
        data.setdefault(event["name"], event)

    for name in ("before_llm_call", "after_llm_call", "tool_executed"):
        loop.event_bus.on(name, hear)
    await loop.run("Find x.", session_id="s1")
    asking = ["A before", "B before", "before_llm_call", "model", "A after", "B after"]
    assert said == [
        *asking, "after_llm_call", "tool", "tool_executed", *asking, "after_llm_call", "save",
    ]  # fmt: skip
    assert data["after_llm_call"]["step"] == 0
    assert data["after_llm_call"]["response"].calls[0].name == "search"


async def test_s0_34_another_prompt_is_asked_of_the_model() -> None:
    cache = MemoryCache()
    model = ScriptedModel([says("one"), says("two")])
    loops = [AgentLoop(model, middlewares=[CachingMiddleware(cache)]) for _ in range(3)]
    said = [await loop.run(text) for loop, text in zip(loops, ("a", "b", "a"), strict=True)]
    assert said == ["one", "two", "one"]
    assert len(model.requests) == 2


@pytest.mark.parametrize("steps", [0, -1, "3", 2.0, True, None])
def test_s0_27_a_bound_that_is_none_is_refused_where_it_is_given(steps: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^max_steps: use a whole number") as refused:
        AgentLoop(ScriptedModel([]), max_steps=steps)
    assert refused.value.detail == {"field": "max_steps"}


def test_s0_26_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^tools: two are named 'search'"):
        AgentLoop(ScriptedModel([]), [MockTool("search"), MockTool("look"), MockTool("search")])
