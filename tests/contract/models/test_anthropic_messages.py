"""What is particular to Anthropic messages."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from agents_app.adapters.models.anthropic_messages import AnthropicMessages
from agents_app.adapters.models.anthropic_messages.body import MAX_TOKENS
from agents_app.adapters.models.anthropic_messages.collect import Collected
from agents_app.adapters.models.anthropic_messages.wire import from_anthropic, to_anthropic_format
from agents_app.adapters.models.scripted import call, reply
from agents_app.engine.errors import ModelError
from agents_app.engine.messages import Message, ToolCall
from agents_app.testing.messages_request import read, sealed, signature
from agents_app.testing.model_protocol import Unacceptable
from agents_app.testing.model_server import ModelServer
from playhead.core.usage import Usage
from tests.contract.models.apis import MESSAGES, asking, script, sent

ASK = Message("user", "?")
THINKING = {"type": "thinking", "thinking": "hm 世界", "signature": signature("hm 世界")}
REDACTED = {"type": "redacted_thinking", "data": sealed("hidden")}


def with_ids(message: Message) -> Message:
    """As the engine keeps an answer: with ids of its own."""
    calls = [replace(each, id=f"c3.{place}") for place, each in enumerate(message.calls)]
    return replace(message, tool_calls=calls or None)


async def test_s0_22_claude_is_the_default_and_an_answer_has_a_bound() -> None:
    assert AnthropicMessages().model == "claude-sonnet-4-5"
    async with ModelServer(script(reply("Hi."))) as server:
        await MESSAGES.ask(server)
        await MESSAGES.ask(server, asking(params={"max_tokens": 7}))
        await MESSAGES.ask(server, asking(params=MESSAGES.thinks))
        bounds = [sent(server, place)["max_tokens"] for place in range(3)]
    assert bounds == [MAX_TOKENS, 7, MAX_TOKENS + 1024]


def test_s0_22_messages_become_turns_and_blocks_and_blocks_a_message_again() -> None:
    calls = [ToolCall("c3.0", "look", {"a": 1}), ToolCall("c3.1", "pay", {}, "toolu_9", "{no")]
    system, turns = to_anthropic_format(
        [
            Message("system", "Be brief."),
            Message("user", "Look."),
            Message("assistant", "So.", calls),
            Message("tool", "found", tool_call_id="c3.0"),
            Message("tool", " ", tool_call_id="c3.1"),
            Message("user", "And?"),
            Message("assistant", " \n"),
            Message("user", "Hello?"),
            Message("system", "Be kind."),
        ]
    )
    assert system == "Be brief.\n\nBe kind."
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert turns[1]["content"] == [
        {"type": "text", "text": "So."},
        {"type": "tool_use", "id": "c3_0", "name": "look", "input": {"a": 1}},
        {"type": "tool_use", "id": "toolu_9", "name": "pay", "input": {"INVALID_JSON": "{no"}},
    ]
    assert turns[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "c3_0", "content": "found"},
        {"type": "tool_result", "tool_use_id": "toolu_9"},
        {"type": "text", "text": "And?"},
        {"type": "text", "text": "Hello?"},
    ]
    back = from_anthropic(turns[1]["content"][:2])
    assert back == Message("assistant", "So.", [ToolCall("", "look", {"a": 1}, "c3_0")])


def test_blocks_that_only_the_provider_reads_go_back_whole_and_in_their_places() -> None:
    other = {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {"q": 1}}
    blocks = [
        THINKING,
        {"type": "text", "text": "First. "},
        REDACTED,
        {"type": "text", "text": "Then."},
        {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"a": 1}},
        other,
        {"type": "tool_use", "id": "toolu_2", "name": "pay", "input": {}},
    ]
    message = with_ids(from_anthropic(blocks))
    assert message.content == "First. Then."
    assert message.items[0]["text"] == "hm 世界"
    assert to_anthropic_format([ASK, message])[1][1:] == [{"role": "assistant", "content": blocks}]


def test_what_another_provider_kept_is_not_sent() -> None:
    item = {"type": "reasoning", "text": "x", "by": "openai-responses", "at": [0, 0], "value": {}}
    message = Message("assistant", "Yes.", items=({"type": "reasoning", "text": "y"}, item))
    turns = to_anthropic_format([ASK, message])[1]
    assert turns[1]["content"] == [{"type": "text", "text": "Yes."}]


@pytest.mark.parametrize("hidden", [False, True])
async def test_thinking_goes_back_before_the_results_and_the_server_knows_it_again(
    hidden: bool,
) -> None:
    looking = reply("", reasoning="what now", hidden=hidden, calls=[call("look"), call("pay")])
    async with ModelServer(script(looking, reply("Done."))) as server:
        answer, _ = await MESSAGES.ask(server, asking(ASK, params=MESSAGES.thinks))
        said = with_ids(answer.message)
        results = [Message("tool", "x", tool_call_id=each.id) for each in said.calls]
        request = asking(ASK, said, *results, params=MESSAGES.thinks)
        again, _ = await MESSAGES.ask(server, request)
        first = sent(server)["messages"][1]["content"][0]
        assert first["type"] == ("redacted_thinking" if hidden else "thinking")
        assert again.message.content == "Done."
        for broken in (
            replace(said, items=()),
            replace(
                said, items=({**said.items[0], "value": {**first, "signature": "x", "data": "x"}},)
            ),
        ):
            with pytest.raises(ModelError, match="thinking") as caught:
                await MESSAGES.ask(server, asking(ASK, broken, *results, params=MESSAGES.thinks))
            assert caught.value.code == "bad_request"


async def test_a_refusal_without_a_word_says_what_the_provider_says_of_it() -> None:
    async with ModelServer(script(reply("", stop="refusal"))) as server:
        answer, _ = await MESSAGES.ask(server)
    assert (answer.stop_reason, answer.message.content) == ("refusal", "This can't be answered.")


async def test_a_turn_that_pauses_says_so() -> None:
    async with ModelServer(script(reply("Searching", stop="pause"))) as server:
        answer, _ = await MESSAGES.ask(server)
    assert (answer.stop_reason, answer.message.content) == ("pause_turn", "Searching")


@pytest.mark.parametrize(("cache", "hour"), [(True, False), ("5m", False), ("1h", True)])
async def test_the_cache_is_marked_where_one_asks_for_it(cache: Any, hour: bool) -> None:
    system, question = Message("system", "Be brief. " * 40), Message("user", "Why? " * 40)
    request = asking(system, question, params={"cache": cache})
    async with ModelServer(script(reply("Yes."))) as server:
        first, _ = await MESSAGES.ask(server, request)
        again, _ = await MESSAGES.ask(server, request)
        body = sent(server)
    marker = {"type": "ephemeral", **({"ttl": "1h"} if hour else {})}
    assert body["system"][0]["cache_control"] == marker
    assert body["messages"][0]["content"][0]["cache_control"] == marker
    written = 150
    assert first.usage == Usage(1, 2, 0, 0, "cached_apart", written, written if hour else 0)
    assert again.usage == Usage(1, 2, 150, 0, "cached_apart", 0, 0)


async def test_features_that_not_all_have_yet_are_asked_for_by_name() -> None:
    params = {"betas": ["interleaved-thinking-2025-05-14", "context-1m-2025-08-07"], "stop": "END"}
    async with ModelServer(script(reply("Yes."))) as server:
        await MESSAGES.ask(server, asking(params=params))
        assert sent(server)["stop_sequences"] == ["END"]
        assert server.headers[-1]["anthropic-beta"] == ",".join(params["betas"])
        assert server.headers[-1]["x-api-key"] == "k"


async def raw_stream(lines: list[bytes], pause: float) -> Any:
    """A server whose answer is these lines, with a pause between them."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        writer.write(head)
        for line in lines:
            writer.write(line)
            await writer.drain()
            await asyncio.sleep(pause)
        writer.close()

    return await asyncio.start_server(serve, "127.0.0.1", 0)


async def test_a_model_that_only_pings_is_at_work_and_has_not_stalled() -> None:
    def event(kind: str, **data: Any) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()

    lines = [
        event("message_start", message={"id": "m", "model": "x", "usage": {"input_tokens": 3}}),
        *[event("ping")] * 6,
        event("something_new", whatever=[1]),
        event("content_block_start", index=0, content_block={"type": "text", "text": "At "}),
        event("content_block_delta", index=0, delta={"type": "text_delta", "text": "last."}),
        event("content_block_delta", index=0, delta={"type": "novel_delta", "x": 1}),
        event("content_block_stop", index=0),
        event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 2}),
        event("message_stop"),
    ]
    server = await raw_stream(lines, 0.2)
    port = server.sockets[0].getsockname()[1]
    answer, deltas = await MESSAGES.ask(f"http://127.0.0.1:{port}", idle=0.9)
    server.close()
    assert answer.message.content == "At last."
    assert [d.text for d in deltas] == ["At ", "last."]
    assert answer.usage == Usage(3, 2)


def test_counts_are_cumulative_and_what_a_later_event_leaves_out_stays() -> None:
    said = Collected()
    start = {"input_tokens": 5, "cache_read_input_tokens": 7, "output_tokens": 1}
    for event in (
        {"type": "message_start", "message": {"usage": start}},
        {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 9}},
        {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 12, "input_tokens": 6}},
    ):
        assert list(said.feed(event)) == []
    assert said.usage == Usage(6, 12, 7, None, "cached_apart", 0)
    assert said.usage.inclusive().input == 13


GOOD: dict[str, Any] = {
    "model": "m",
    "max_tokens": 5,
    "messages": [{"role": "user", "content": "Hi"}],
}
USE = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}


def turns(*blocks: Any) -> dict[str, Any]:
    roles = ("user", "assistant")
    messages = [{"role": roles[i % 2], "content": each} for i, each in enumerate(blocks)]
    return {
        **GOOD,
        "messages": messages,
        "tools": [{"name": "look", "input_schema": {"type": "object"}}],
    }


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({k: v for k, v in GOOD.items() if k != "max_tokens"}, "max_tokens: Field required"),
        ({**GOOD, "seed": 1}, "seed: Extra inputs are not permitted"),
        ({**GOOD, "messages": []}, "at least one message"),
        ({**GOOD, "messages": [{"role": "system", "content": "x"}]}, "'user' or 'assistant'"),
        ({**GOOD, "messages": [{"role": "assistant", "content": "x"}]}, "first message"),
        ({**GOOD, "messages": [{"role": "user", "content": " "}]}, "non-whitespace"),
        (turns("a", [USE], "b"), "without `tool_result` blocks"),
        (turns("a", [USE]), "without `tool_result` blocks"),
        (turns("a", "b", [RESULT]), "unexpected `tool_use_id`"),
        (turns("a", [USE], [RESULT, RESULT]), "unexpected `tool_use_id`"),
        (turns("a", [USE], [{"type": "text", "text": "x"}, RESULT]), "without `tool_result`"),
        (turns("a", [USE], [RESULT], [USE], [RESULT]), "must be unique"),
        (turns("a", [{**USE, "id": "c3.0"}], "b"), "tool_use"),
        (turns("a", [{**USE, "input": "{}"}], "b"), "valid dictionary"),
        ({**turns("a", [USE], [RESULT]), "tools": []}, "must define tools"),
        (turns("a", [{**THINKING, "thinking": "hm"}], "b"), "Invalid `signature`"),
        (turns("a", [{**REDACTED, "data": "abcd"}], "b"), "redacted_thinking"),
        (
            {**turns("a", [USE], [RESULT]), "max_tokens": 2000, **MESSAGES.thinks},
            "Expected `thinking`",
        ),
        ({**GOOD, **MESSAGES.thinks}, "must be greater than"),
    ],
)
def test_the_server_is_as_strict_as_the_real_one(body: dict[str, Any], says: str) -> None:
    with pytest.raises(Unacceptable, match=says):
        read({"anthropic-version": "2023-06-01"}, json.dumps(body).encode())
    with pytest.raises(Unacceptable, match="anthropic-version"):
        read({}, json.dumps(GOOD).encode())


async def test_i36_what_was_counted_before_a_stream_broke_off_is_kept() -> None:
    async with ModelServer(script(reply("As far as I", fail="stream_dropped"))) as server:
        with pytest.raises(ModelError) as caught:
            await MESSAGES.ask(server)
    assert caught.value.code == "stream_dropped"
    assert caught.value.usage is not None
    assert caught.value.usage.input
    assert caught.value.usage.reasoning is None
