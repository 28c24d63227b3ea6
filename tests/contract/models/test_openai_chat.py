"""OpenAI chat completions over real HTTP, against a server that speaks the protocol."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.models.openai_chat import OpenAIChat
from agents_app.adapters.models.scripted import Reply, Rule, Script, call, reply
from agents_app.engine.messages import Message, ToolCall
from agents_app.engine.ports import Delta, ModelReply, ModelRequest
from agents_app.testing.model_server import ModelServer, serving
from playhead.core.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agents_app.adapters.models.scripted import View

TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
TOOLS = (TOOL, {"type": "function", "function": {"name": "pay", "parameters": {"type": "object"}}})


def script(answer: Reply | Callable[[View], Reply]) -> Script:
    then = answer if callable(answer) else lambda _: answer
    return Script([Rule(lambda _: True, then)], pace=0)


def asking(*messages: Message, **options: Any) -> ModelRequest:
    return ModelRequest(messages or (Message("user", "Hello?"),), TOOLS, **options)


async def ask(
    server: ModelServer, request: ModelRequest | None = None, **options: Any
) -> tuple[ModelReply, list[Delta]]:
    deltas: list[Delta] = []
    chat = OpenAIChat("gpt-test", api_key="k", base_url=server.url, idle=5, **options)
    try:
        return await chat.respond(request or asking(), deltas.append), deltas
    finally:
        await chat.aclose()


async def test_text_streams_and_usage_is_counted() -> None:
    async with ModelServer(script(reply("The order was shipped."))) as server:
        answer, deltas = await ask(server)
    assert answer.message == Message("assistant", "The order was shipped.")
    assert "".join(d.text for d in deltas) == "The order was shipped."
    assert len(deltas) > 3
    assert {d.part for d in deltas} == {"text"}
    assert answer.stop_reason == "stop"
    assert answer.usage == Usage(2, 6, 0, 0)
    assert answer.model == "openai:gpt-test"
    assert answer.ttft_ms is not None


async def test_i36_without_a_usage_chunk_usage_is_unknown() -> None:
    async with ModelServer(script(reply("Yes.")), usage=False) as server:
        answer, _ = await ask(server)
    assert answer.usage is None


async def test_parallel_calls_stream_by_index_and_keep_the_providers_ids() -> None:
    calls = [
        call("look", what="a b c d e f g"),
        call("pay", amount=3, to="Zoë"),
        call("look", what=""),
    ]
    async with ModelServer(script(reply("Let me see.", calls=calls))) as server:
        answer, deltas = await ask(server)
    assert [(c.name, c.arguments, c.raw) for c in answer.message.calls] == [
        ("look", {"what": "a b c d e f g"}, None),
        ("pay", {"amount": 3, "to": "Zoë"}, None),
        ("look", {"what": ""}, None),
    ]
    assert len({c.provider_id for c in answer.message.calls}) == 3
    assert answer.stop_reason == "tool_calls"
    parts = [d.part for d in deltas if d.part.startswith("tool:")]
    assert parts[:3] == ["tool:0", "tool:1", "tool:2"]
    assert json.loads("".join(d.text for d in deltas if d.part == "tool:1")) == calls[1].arguments


async def test_call_ids_are_mapped_back_and_the_server_accepts_the_history() -> None:
    calls = [
        ToolCall("c4.0", "look", {"what": "x"}, "call_a"),
        ToolCall("c4.1", "look", {"b": 1}, None),
    ]
    history = (
        Message("system", "Be brief."),
        Message("user", "Look."),
        Message("assistant", "", calls),
        Message("tool", "found", tool_call_id="c4.1"),
        Message("tool", "also found", tool_call_id="c4.0"),
    )
    async with ModelServer(script(reply("Done."))) as server:
        answer, _ = await ask(server, asking(*history))
        sent = json.loads(server.bodies[0])
    assert answer.message.content == "Done."
    assert sent["messages"][2]["content"] is None
    assert [c["id"] for c in sent["messages"][2]["tool_calls"]] == ["call_a", "c4.1"]
    assert [m["tool_call_id"] for m in sent["messages"][3:]] == ["c4.1", "call_a"]
    assert sent["tools"] == list(TOOLS)
    assert sent["stream_options"] == {"include_usage": True}


async def test_the_hash_is_of_the_bytes_that_arrived_and_they_are_the_same_again(
    tmp_path: Path,
) -> None:
    request = asking(
        Message("user", "Grüße, 世界 \\u0000 😀"), params={"temperature": 0, "max_tokens": 9}
    )
    async with ModelServer(script(reply("Hi.")), folder=tmp_path / "bodies") as server:
        first, _ = await ask(server, request)
        again, _ = await ask(server, request)
    written = [path.read_bytes() for path in sorted((tmp_path / "bodies").iterdir())]
    assert written[0] == written[1]
    assert json.loads(written[0])["temperature"] == 0
    digest = hashlib.sha256(written[0]).hexdigest()
    assert first.provider["body_sha256"] == again.provider["body_sha256"] == digest


async def test_params_never_replace_what_the_request_says() -> None:
    request = asking(params={"model": "other", "messages": [], "stream": False, "seed": 7})
    async with ModelServer(script(reply("Hi."))) as server:
        await ask(server, request)
        sent = json.loads(server.bodies[0])
    assert sent["model"] == "gpt-test"
    assert len(sent["messages"]) == 1
    assert sent["stream"] is True
    assert sent["seed"] == 7


async def test_reasoning_is_kept_apart_and_not_sent_back() -> None:
    async with ModelServer(script(reply("42", reasoning="six times seven"))) as server:
        answer, deltas = await ask(server)
        await ask(server, asking(Message("user", "?"), answer.message, Message("user", "Again.")))
        sent = json.loads(server.bodies[1])
    assert answer.message.content == "42"
    assert answer.message.items == ({"type": "reasoning", "text": "six times seven"},)
    assert "".join(d.text for d in deltas if d.part == "reasoning") == "six times seven"
    assert sent["messages"][1] == {"role": "assistant", "content": "42"}


@pytest.mark.parametrize(
    ("text", "arguments", "raw"),
    [
        ("", {}, None),
        ("null", {}, None),
        ("{}", {}, None),
        ('"{\\"what\\": 1}"', {"what": 1}, None),
        ("[1, 2]", {}, "[1, 2]"),
        ("7", {}, "7"),
        ('{"what": "a', {}, '{"what": "a'),
        ('{"what": 1}}', {}, '{"what": 1}}'),
        ("look for it", {}, "look for it"),
        ('"SELECT * FROM t"', {}, '"SELECT * FROM t"'),
        ("[" * 5_000, {}, "[" * 5_000),
        ('{"n": ' + "9" * 5000 + "}", {}, '{"n": ' + "9" * 5000 + "}"),
    ],
)
async def test_i9_arguments_that_are_no_object_are_kept_as_text(
    text: str, arguments: dict[str, Any], raw: str | None
) -> None:
    async with ModelServer(script(reply(calls=[call("look")], raw_arguments=text))) as server:
        answer, _ = await ask(server)
        (asked,) = answer.message.calls
        assert (asked.arguments, asked.raw) == (arguments, raw)
        result = Message("tool", "an error", tool_call_id=asked.id)
        again, _ = await ask(server, asking(Message("user", "?"), answer.message, result))
    assert again.message.calls[0].name == "look"


async def test_i1_what_no_browser_can_show_comes_as_it_was_sent() -> None:
    """The engine sanitises what it passes on and what it records, and marks it."""
    odd = "a\0b \ud800 c"
    async with ModelServer(script(reply(odd, calls=[call("look", what=odd)]))) as server:
        answer, _ = await ask(server)
    assert answer.message.content == odd
    assert answer.message.calls[0].arguments == {"what": odd}


async def test_one_adapter_serves_many_calls_at_once() -> None:
    async with ModelServer(script(lambda view: reply(f"You said {view.user}"))) as server:
        chat = OpenAIChat("gpt-test", base_url=server.url)
        requests = [asking(Message("user", f"number {i}")) for i in range(40)]
        answers = await asyncio.gather(*(chat.respond(r, lambda _: None) for r in requests))
        await chat.aclose()
        hashes = {hashlib.sha256(body).hexdigest() for body in server.bodies}
    assert [a.message.content for a in answers] == [f"You said number {i}" for i in range(40)]
    assert {a.provider["body_sha256"] for a in answers} == hashes


def test_one_adapter_serves_one_loop_after_another() -> None:
    async def once(chat: OpenAIChat) -> str:
        answer = await chat.respond(asking(), lambda _: None)
        await chat.aclose()
        return answer.message.content

    with serving(script(reply("Still here."))) as server:
        chat = OpenAIChat("gpt-test", base_url=server.url)
        assert [asyncio.run(once(chat)) for _ in range(2)] == ["Still here."] * 2


async def test_a_server_that_closes_kept_connections_is_no_failure() -> None:
    """It closes right behind an answer, as llama.cpp does: nothing was sent, nothing is lost."""
    async with ModelServer(script(reply("Yes.")), keep_alive=False) as server:
        chat = OpenAIChat("gpt-test", base_url=server.url)
        for _ in range(8):
            assert (await chat.respond(asking(), lambda _: None)).message.content == "Yes."
        await chat.aclose()
    assert len(server.bodies) == 8
