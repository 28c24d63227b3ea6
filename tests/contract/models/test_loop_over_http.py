"""The whole loop against a server of the protocol: histories it accepts, failures it survives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from agents_app.adapters.models.scripted import call, reply
from agents_app.engine import AgentLoop, tool
from agents_app.engine.errors import RunFailed
from agents_app.engine.log.record import Record
from agents_app.engine.model_calls.prompts import unsplice
from agents_app.engine.ports import ModelRequest
from agents_app.testing.model_server import ModelServer
from tests.contract.models.apis import script

if TYPE_CHECKING:
    from tests.contract.models.apis import Api


@tool
def look(what: str, times: int = 1) -> str:
    """Look something up."""
    return json.dumps({"found": what * times}, ensure_ascii=False)


async def run(api: Api, server: ModelServer) -> tuple[str, AgentLoop]:
    chat = api.model(server)
    loop = AgentLoop(llm=chat, tools=[look], instructions="Be brief.")
    try:
        return await loop.run("Look for Zoë and the world."), loop
    finally:
        await chat.aclose()


def asked_again(loop: AgentLoop) -> list[ModelRequest]:
    """Every request of a log, rebuilt from its splices."""
    record, messages, tools, out = Record(loop.events), [], [], []
    for event in loop.events:
        if event.event_type == "llm_request":
            payload = event.payload
            messages = unsplice(messages, payload["prompt"], record.message)
            tools = payload["tools"] if isinstance(payload["tools"], list) else tools
            out.append(ModelRequest(tuple(messages), tuple(tools), payload["params"]))
    return out


LOOKING = reply("Looking.", calls=[call("look", what="Zoë", times=2), call("look", what="世界")])


async def test_parallel_calls_and_their_results_are_a_history_that_the_server_accepts(
    api: Api,
) -> None:
    found = script(LOOKING, lambda v: reply(" and ".join(r["found"] for r in v.results("look"))))
    async with ModelServer(found) as server:
        answer, loop = await run(api, server)
    assert answer == "ZoëZoë and 世界"
    responses = [e.payload for e in loop.events if e.event_type == "llm_response"]
    assert [r["usage"]["output"] > 0 for r in responses] == [True, True]


async def test_a_request_rebuilt_from_the_log_is_the_same_bytes_again(api: Api) -> None:
    async with ModelServer(script(LOOKING, reply("Done."), reply("1"), reply("2"))) as server:
        _, loop = await run(api, server)
        chat = api.model(server)
        for request in asked_again(loop):
            await chat.respond(request, lambda _: None)
        await chat.aclose()
        sent, again = server.bodies[:2], server.bodies[2:]
    assert sent == again


async def test_broken_arguments_become_an_error_that_the_model_can_act_on(api: Api) -> None:
    broken = reply(calls=[call("look")], raw_arguments='{"what": "Zo')
    wrong = reply(calls=[call("look", what="Zoë", times="many")])
    right = reply(calls=[call("look", what="Zoë")])
    async with ModelServer(script(broken, wrong, right, reply("Found."))) as server:
        answer, loop = await run(api, server)
        results = [m.content for m in asked_again(loop)[-1].messages if m.role == "tool"]
    assert answer == "Found."
    assert len(results) == 3
    assert "times" in results[1]
    assert results[2] == '{"found": "Zoë"}'


async def test_a_dropped_stream_is_tried_once_more_and_keeps_what_it_said(api: Api) -> None:
    dropped = reply("As far as I know", fail="stream_dropped")
    async with ModelServer(script(dropped, reply("Yes."))) as server:
        answer, loop = await run(api, server)
    assert answer == "Yes."
    (error,) = [e.payload for e in loop.events if e.event_type == "llm_error"]
    assert (error["code"], error["partial"], error["final"]) == (
        "stream_dropped",
        "As far as I know",
        False,
    )
    (attempt,) = [e.payload for e in loop.events if e.event_type == "llm_attempt"]
    assert (attempt["n"], attempt["reason"]) == (2, "retry")
    assert server.bodies[0] == server.bodies[1]


async def test_a_prompt_that_is_too_long_ends_the_run_and_names_the_limit(api: Api) -> None:
    async with ModelServer(script(reply(fail="context_length"))) as server:
        with pytest.raises(RunFailed, match="8192") as caught:
            await run(api, server)
    assert caught.value.code == "context_length"
    assert len(server.bodies) == 1
