"""Each row of the table of provider errors, provoked over real HTTP."""

from __future__ import annotations

import asyncio
import socket
from datetime import UTC, datetime
from typing import Any

import pytest

from agents_app.adapters.models.errors import from_status, retry_after
from agents_app.adapters.models.scripted import Rule, Script, ScriptedChat, call, reply
from agents_app.engine.errors import ModelError
from agents_app.engine.messages import Message, ToolCall
from agents_app.engine.ports import ModelRequest
from agents_app.testing.model_protocol import CONTEXT_TOKENS
from agents_app.testing.model_server import ModelServer
from playhead.core.clock import FrozenClock
from tests.contract.models.apis import CHAT, RESPONSES, Api

CLOCK = FrozenClock(datetime(2026, 11, 30, 10, 0, tzinfo=UTC))
REQUEST = ModelRequest((Message("user", "Hello?"),))


def failing(**options: Any) -> Script:
    return Script([Rule(lambda _: True, lambda _: reply(**options))], pace=0)


async def failure(api: Api, script: Script, *, idle: float = 5, **options: Any) -> ModelError:
    async with ModelServer(script, **options) as server:
        with pytest.raises(ModelError) as caught:
            await api.ask(server, REQUEST, idle=idle, clock=CLOCK)
    return caught.value


@pytest.mark.parametrize(
    ("code", "permanent"),
    [
        ("rate_limited", False),
        ("server_error", False),
        ("stalled", False),
        ("stream_dropped", False),
        ("unreachable", False),
        ("context_length", True),
        ("auth", True),
        ("bad_request", True),
        ("refused", True),
        ("bad_response", True),
    ],
)
async def test_every_code_over_http_and_from_the_scripted_model(
    api: Api, code: str, permanent: bool
) -> None:
    script = failing(fail=code)
    error = await failure(api, script, idle=1 if code == "stalled" else 5)
    assert (error.code, error.permanent, error.partial) == (code, permanent, None)
    with pytest.raises(ModelError) as caught:
        await ScriptedChat(script).respond(REQUEST, lambda _: None)
    scripted = caught.value
    assert (scripted.code, scripted.permanent, scripted.partial) == (code, permanent, None)


@pytest.mark.parametrize("code", ["server_error", "stalled", "stream_dropped", "rate_limited"])
async def test_what_was_said_before_the_failure_is_kept(api: Api, code: str) -> None:
    error = await failure(
        api, failing(text="As far as I", fail=code), idle=1 if code == "stalled" else 5
    )
    assert (error.code, error.partial) == (code, "As far as I")


async def test_a_stream_that_is_cut_in_the_middle_of_calls_is_no_answer(api: Api) -> None:
    script = failing(text="Wait: ", calls=[call("look", what="a b c d e f g h")], cut=5)
    error = await failure(api, script)
    assert (error.code, error.partial) == ("stream_dropped", "Wait: ")


async def test_a_model_that_does_not_begin_has_stalled(api: Api) -> None:
    error = await failure(api, failing(text="late", stall=30), idle=0.3)
    assert error.code == "stalled"
    assert "0.3 seconds" in error.message


async def test_429_says_how_long_to_wait(api: Api) -> None:
    error = await failure(api, failing(fail="rate_limited", retry_after=17))
    assert error.retry_after == 17


async def test_the_message_names_the_context_limit(api: Api) -> None:
    error = await failure(api, failing(fail="context_length"))
    assert error.detail["limit"] == CONTEXT_TOKENS
    assert str(CONTEXT_TOKENS) in error.message


async def test_a_key_that_is_not_accepted(api: Api) -> None:
    error = await failure(api, failing(text="Hi."), key="another")
    assert (error.code, error.permanent) == ("auth", True)


async def test_without_a_key_and_without_an_address_nothing_is_sent(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key that lies in the environment is spent by nobody who was not given it."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(name, "sk-left-lying-about")
    with pytest.raises(ModelError, match=api.adapter.key_name) as caught:
        await api.adapter("some-model").respond(REQUEST, lambda _: None)
    assert caught.value.code == "auth"


async def test_nobody_listens(api: Api) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ModelError) as caught:
        await api.ask(f"http://127.0.0.1:{port}/v1", REQUEST)
    assert (caught.value.code, caught.value.permanent) == ("unreachable", False)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:42 GMT"}, 42.0),
    ],
)
async def test_429_in_other_forms(api: Api, headers: dict[str, str], seconds: float) -> None:
    error = await failure(api, failing(fail="rate_limited", headers=headers))
    assert error.retry_after == seconds


@pytest.mark.parametrize(
    ("status", "code"), [(503, "server_error"), (529, "server_error"), (413, "context_length")]
)
async def test_other_statuses(api: Api, status: int, code: str) -> None:
    error = await failure(api, failing(fail="server_error", status=status))
    assert (error.code, error.detail["status"]) == (code, status)


async def test_what_the_filter_stopped_is_no_answer() -> None:
    for api in (CHAT, RESPONSES):
        error = await failure(api, failing(text="As far", stop="content_filter"))
        assert (error.code, error.permanent, error.partial) == ("refused", True, "As far")


async def test_a_failing_response_and_an_error_event_are_both_understood() -> None:
    """A response fails for some reasons, and the stream breaks off with an event for others."""
    for code in ("server_error", "auth"):
        error = await failure(RESPONSES, failing(text="As far", fail=code))
        assert (error.code, error.partial) == (code, "As far")


CALL = Message("assistant", "", [ToolCall("c1.0", "look", {}, "call_1")])
RESULT = Message("tool", "x", tool_call_id="c1.0")
ASK = Message("user", "?")


@pytest.mark.parametrize(
    "messages",
    [
        (ASK, RESULT),
        (ASK, CALL),
        (ASK, CALL, ASK),
        (ASK, CALL, RESULT, RESULT),
        (ASK, CALL, Message("tool", "x", tool_call_id="c9.9")),
    ],
)
async def test_calls_and_results_that_are_no_pairs_are_refused_by_the_server(
    api: Api, messages: tuple[Message, ...]
) -> None:
    async with ModelServer(failing(text="Hi.")) as server:
        with pytest.raises(ModelError) as caught:
            await api.ask(server, ModelRequest(messages))
    assert caught.value.code == "bad_request"


@pytest.mark.parametrize(
    "chunks",
    [
        b"data: {not json}\n\n",
        b'data: {"id": "x", "choices": null}\n\n',
        b"",
        b"data: [DONE]\n\n",
        b'event: message_start\ndata: {"type": "message_start", "message": 7}\n\n',
        b'event: x\ndata: {"type": "content_block_delta", "index": 4, "delta": {}}\n\n',
        b'event: x\ndata: {"type": "response.output_item.done", "item": 7}\n\n',
        b"event: x\ndata: [1]\n\n",
        b'data: {"id": "x", "choices": [{"index": 0, "delta": null, "finish_reason": null}]}\n\n',
    ],
)
async def test_a_stream_that_makes_no_sense_is_an_error_and_no_crash(
    api: Api, chunks: bytes
) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        writer.write(head + chunks)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(ModelError) as caught:
        await api.ask(f"http://127.0.0.1:{port}/v1", REQUEST)
    server.close()
    assert caught.value.code in ("bad_response", "stream_dropped")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:42 GMT"}, 42.0),
        ({"retry-after": "Mon, 30 Nov 2026 09:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_retry_after_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, CLOCK) == seconds


@pytest.mark.parametrize(
    ("status", "body", "code", "limit"),
    [
        (
            400,
            {
                "error": {
                    "code": 400,
                    "type": "exceed_context_size_error",
                    "n_ctx": 4096,
                    "message": "x",
                }
            },
            "context_length",
            4096,
        ),
        (
            400,
            {"object": "error", "message": "This model's maximum context length is 2,048 tokens."},
            "context_length",
            2048,
        ),
        (413, "Payload Too Large", "context_length", None),
        (429, {"error": {"code": "insufficient_quota", "message": "You exceeded"}}, "auth", None),
        (403, None, "auth", None),
        (
            404,
            {"error": {"code": "model_not_found", "message": "no such model"}},
            "bad_request",
            None,
        ),
        (400, {"error": {"code": "content_policy_violation", "message": "no"}}, "refused", None),
        (503, "<html>busy</html>", "server_error", None),
        (408, None, "server_error", None),
        (529, {"error": "overloaded"}, "server_error", None),
    ],
)
def test_bodies_of_other_servers(status: int, body: object, code: str, limit: int | None) -> None:
    error = from_status(status, body, "message", {}, CLOCK)
    assert error.code == code
    assert error.detail.get("limit") == limit
    assert error.detail["status"] == status
