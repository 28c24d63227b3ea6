"""Plain chat with a real small model over real HTTP. Its wisdom is not judged."""

from __future__ import annotations

from typing import Any

from agents_app.adapters.models.openai_chat import OpenAIChat
from agents_app.engine import AgentLoop, Message
from agents_app.engine.ports import Delta, ModelRequest
from agents_app.testing import InMemoryStateStore

NAME = "smollm2-135m-instruct"
PARAMS: dict[str, Any] = {"max_tokens": 24, "temperature": 0}


class Brief(OpenAIChat):
    """The model with answers of a few words."""

    async def respond(self, request: ModelRequest, on_delta: Any) -> Any:
        short = ModelRequest(request.messages, request.tools, PARAMS, request.model)
        return await super().respond(short, on_delta)


async def test_text_streams_and_usage_is_the_servers(local_model: str) -> None:
    chat = OpenAIChat(NAME, base_url=local_model)
    deltas: list[Delta] = []
    question = Message("user", "What is the capital of France?")
    answer = await chat.respond(ModelRequest((question,), params=PARAMS), deltas.append)
    await chat.aclose()
    assert answer.message.content
    assert "".join(d.text for d in deltas) == answer.message.content
    assert len(deltas) > 1
    assert answer.usage is not None
    assert answer.usage.input is not None
    assert answer.usage.input > 5
    assert answer.usage.output is not None
    assert 1 <= answer.usage.output <= 24
    assert answer.provider["body_sha256"]
    assert answer.ttft_ms is not None


async def test_a_second_turn_goes_on_from_the_first(local_model: str) -> None:
    chat = Brief(NAME, base_url=local_model)
    store = InMemoryStateStore()
    loop = AgentLoop(llm=chat, state_store=store, instructions="Answer in one sentence.")
    first = await loop.run("My name is Ann. Say hello.", session_id="s1")
    second = await loop.run("Say it again.", session_id="s1")
    await chat.aclose()
    assert first
    assert second
    state = await store.load("s1")
    assert state is not None
    assert [m["role"] for m in state["messages"]].count("user") == 2
    responses = [e.payload for e in loop.events if e.event_type == "llm_response"]
    assert responses[-1]["usage"]["input"] > 0
    assert responses[-1]["source"] == "live"
