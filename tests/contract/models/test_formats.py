"""OpenAI's form of messages, to and fro; and the façade with a model of each provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.adapters.models.openai_chat import OpenAIChat, from_openai, to_openai_format
from agents_app.adapters.models.scripted import call, reply
from agents_app.engine import AgentLoop, Message, ToolCall, tool
from agents_app.testing import InMemoryStateStore
from agents_app.testing.model_server import ModelServer
from tests.contract.models.apis import script

if TYPE_CHECKING:
    from tests.contract.models.apis import Api


def test_s0_21_messages_go_to_openai_and_come_back() -> None:
    assert OpenAIChat().model == "gpt-4o"
    asked = Message("assistant", "", [ToolCall("c3.0", "look", {"a": 1}, "call_1")])
    wire = to_openai_format([Message("user", "?"), asked])
    function = {"name": "look", "arguments": '{"a":1}'}
    assert wire == [
        {"role": "user", "content": "?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
        },
    ]
    assert from_openai(wire[1]).calls == (ToolCall("", "look", {"a": 1}, "call_1"),)


@tool
def look(what: str) -> str:
    """Look something up."""
    return f"{what} was found"


async def test_s0_26_a_loop_runs_on_any_of_them_and_goes_on_from_its_state(api: Api) -> None:
    """Two turns through the stored state: the history is one that the server takes."""
    answers = script(
        reply("", reasoning="look first", calls=[call("look", what="x"), call("look", what="y")]),
        lambda v: reply(" and ".join(v.results("look"))),
        lambda v: reply(f"{len(v.messages)} messages"),
    )
    async with ModelServer(answers) as server:
        model = api.model(server)
        loop = AgentLoop(llm=model, tools=[look], state_store=InMemoryStateStore())
        assert await loop.run("Look.", session_id="s1") == "x was found and y was found"
        assert await loop.run("How many?", session_id="s1") == "6 messages"
        await model.aclose()
