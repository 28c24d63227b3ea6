"""What holds for the adapter of every API, over real HTTP through the real SDK."""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agents_app.adapters.models.scripted import call, reply
from agents_app.engine.errors import ModelError
from agents_app.engine.messages import Message, ToolCall
from agents_app.engine.ports import LLMPort
from agents_app.testing.model_server import ModelServer, serving
from playhead.core.usage import Usage
from tests.contract.models.apis import asking, script, sent

if TYPE_CHECKING:
    from tests.contract.models.apis import Api


async def test_text_streams_and_ends_in_the_providers_words(api: Api) -> None:
    async with ModelServer(script(reply("The order was shipped."))) as server:
        answer, deltas = await api.ask(server)
    assert answer.message == Message("assistant", "The order was shipped.")
    assert "".join(d.text for d in deltas) == "The order was shipped."
    assert len(deltas) > 3
    assert {d.part for d in deltas} == {"text"}
    assert answer.stop_reason == api.stops[0]
    assert answer.model == f"{api.adapter.provider}:some-model"
    assert answer.provider["id"]
    assert answer.provider["body_sha256"] == hashlib.sha256(server.bodies[0]).hexdigest()
    assert answer.ttft_ms is not None


async def test_a_long_stream_of_every_alphabet_is_whole(api: Api) -> None:
    text = "".join(f"{i} Grüße, 世界 \\u0000 😀\n" for i in range(300))
    async with ModelServer(script(reply(text))) as server:
        answer, deltas = await api.ask(server)
    assert answer.message.content == text
    assert "".join(d.text for d in deltas) == text
    assert len(deltas) > 2000


async def test_parallel_calls_stream_apart_and_keep_the_providers_ids(api: Api) -> None:
    calls = [call("look", what=f"{i} a b c d e f g") for i in range(3)]
    async with ModelServer(script(reply("Looking.", calls=calls))) as server:
        answer, deltas = await api.ask(server)
    assert [c.arguments for c in answer.message.calls] == [c.arguments for c in calls]
    assert len({c.provider_id for c in answer.message.calls}) == 3
    assert answer.stop_reason == api.stops[1]
    for place, each in enumerate(calls):
        text = "".join(d.text for d in deltas if d.part == f"tool:{place}")
        assert json.loads(text) == each.arguments


async def test_a_conversation_may_begin_with_an_answer(api: Api) -> None:
    """A window cuts where no call is torn from its result: it may begin with either."""
    begins = (
        (Message("system", "Be brief."), Message("assistant", "Shipped."), Message("user", "?")),
        (
            Message("assistant", "", [ToolCall("c3.0", "look", {})]),
            Message("tool", "found", tool_call_id="c3.0"),
        ),
    )
    async with ModelServer(script(reply("Yes."))) as server:
        for messages in begins:
            answer, _ = await api.ask(server, asking(*messages))
            assert answer.message.content == "Yes."


@pytest.mark.parametrize("name", ["", "functions.look", "schau nach 世界", "x" * 200])
async def test_a_call_of_what_no_tool_is_named_comes_back_as_the_server_takes_it(
    api: Api, name: str
) -> None:
    asked = Message("assistant", "", [ToolCall("c3.0", name, {}, "call_1")])
    told = Message("tool", "there is no such tool", tool_call_id="c3.0")
    async with ModelServer(script(reply("Yes."))) as server:
        for tools in (asking().tools, ()):
            request = replace(asking(Message("user", "?"), asked, told), tools=tools)
            answer, _ = await api.ask(server, request)
            assert answer.message.content == "Yes."


async def test_a_call_without_arguments_is_a_call(api: Api) -> None:
    async with ModelServer(script(reply(calls=[call("look")], raw_arguments=""))) as server:
        answer, _ = await api.ask(server)
    assert [(c.name, c.arguments, c.raw) for c in answer.message.calls] == [("look", {}, None)]


async def test_a_history_goes_back_as_the_server_wants_it(api: Api) -> None:
    """Results in another order than their calls, and what the user says between them."""
    calls = [
        ToolCall("c4.0", "look", {"what": "x"}, "call_a"),
        ToolCall("c4.1", "look", {"b": 1}, None),
    ]
    history = (
        Message("system", "Be brief."),
        Message("user", "Look."),
        Message("assistant", "I will.", calls),
        Message("tool", "found", tool_call_id="c4.1"),
        Message("tool", "", tool_call_id="c4.0"),
        Message("user", "And?"),
        Message("assistant", "Wait: "),
        Message("user", "Go on."),
    )
    async with ModelServer(script(lambda v: reply(" ".join(v.calls) or v.user))) as server:
        answer, _ = await api.ask(server, asking(*history))
    assert answer.message.content == "Go on."


@pytest.mark.parametrize("raw", ['{"what": "a', "[1, 2]", "look for it"])
async def test_i9_broken_arguments_are_kept_and_sent_back(api: Api, raw: str) -> None:
    async with ModelServer(script(reply(calls=[call("look")], raw_arguments=raw))) as server:
        answer, _ = await api.ask(server)
        (asked,) = answer.message.calls
        assert (asked.arguments, asked.raw) == ({}, raw)
        result = Message("tool", "an error", tool_call_id=asked.id)
        await api.ask(server, asking(Message("user", "?"), answer.message, result))
        assert json.dumps(raw)[1:-1] in server.bodies[-1].decode()


async def test_calls_of_another_model_fit_too(api: Api) -> None:
    """What that one called its calls is no id here: too long, with odd signs, or given twice."""
    ids = ("call/ü " + "x" * 90, "same", "same")
    history: list[Message] = [Message("user", "?")]
    for seq, provider_id in enumerate(ids):
        asked = ToolCall(f"c{seq}.0", "look", {}, provider_id)
        history += [
            Message("assistant", "", [asked]),
            Message("tool", "found", tool_call_id=f"c{seq}.0"),
        ]
    async with ModelServer(script(lambda v: reply(str(len(v.results("look")))))) as server:
        answer, _ = await api.ask(server, asking(*history))
    assert answer.message.content == "3"


async def test_i41_one_id_for_two_calls_of_an_answer_is_sent_back_as_two(api: Api) -> None:
    """Each with its own result, in its place: the server refuses an id that stands twice."""
    asked = [ToolCall(f"c1.{n}", "look", {"n": n}, "same") for n in range(2)]
    results = [Message("tool", f"found {n}", tool_call_id=f"c1.{n}") for n in range(2)]
    history = [Message("user", "?"), Message("assistant", "", asked), *results]
    async with ModelServer(script(lambda v: reply(" ".join(v.results("look"))))) as server:
        answer, _ = await api.ask(server, asking(*history))
        body = server.bodies[0].decode()
    assert answer.message.content == "found 0 found 1"
    assert body.count('"same"') == 2  # the first call and its result
    assert body.index("found 0") < body.index("found 1")


async def test_no_tools_are_offered_where_a_strategy_offers_none(api: Api) -> None:
    asked = Message("assistant", "", [ToolCall("c1.0", "look", {})])
    history = (Message("user", "?"), asked, Message("tool", "x", tool_call_id="c1.0"))
    async with ModelServer(script(lambda v: reply(f"offered: {v.tools}"))) as server:
        answer, _ = await api.ask(server, replace(asking(*history), tools=()))
    assert answer.message.content == "offered: ()"


async def test_usage_is_the_servers_own_with_cached_and_reasoning_tokens(api: Api) -> None:
    used = Usage(120, 40, 70, 25, written=0)
    async with ModelServer(script(reply("Yes.", reasoning="so", usage=used))) as server:
        answer, _ = await api.ask(server, asking(params=api.thinks))
    assert answer.usage is not None
    counted = answer.usage.inclusive()
    assert (counted.input, counted.output, counted.cached, counted.reasoning) == (120, 40, 70, 25)
    assert server.used == [used]


async def test_i36_where_nothing_was_counted_usage_is_unknown(api: Api) -> None:
    async with ModelServer(script(reply("Yes.")), usage=False) as server:
        answer, _ = await api.ask(server)
    assert answer.usage is None


async def test_a_prompt_that_comes_again_was_cached(api: Api) -> None:
    first = Message("user", "A long question. " * 20)
    history = (first, Message("assistant", "Yes."), Message("user", "More?"))
    cached = api.stops[0] == "end_turn"
    params = {"cache": True} if cached else {}
    async with ModelServer(script(reply("Yes."))) as server:
        before, _ = await api.ask(server, asking(first, params=params))
        after, _ = await api.ask(server, asking(*history, params=params))
    assert before.usage is not None
    assert after.usage is not None
    assert (before.usage.cached, bool(before.usage.written)) == (0, cached)
    assert after.usage.cached == 85


async def test_reasoning_is_streamed_apart_and_sent_back_as_it_came(api: Api) -> None:
    """The server refuses it where one character is another one, or where it stands elsewhere."""
    thinking = reply("Look.", reasoning="six times 世界", calls=[call("look", what=1)])
    history = asking(Message("user", "?"), params=api.thinks)
    async with ModelServer(script(thinking, reply("42"))) as server:
        answer, deltas = await api.ask(server, history)
        (asked,) = answer.message.calls
        result = Message("tool", "found", tool_call_id=asked.id)
        messages = (Message("user", "?"), answer.message, result)
        again, _ = await api.ask(server, asking(*messages, params=api.thinks))
    assert "".join(d.text for d in deltas if d.part == "reasoning") == "six times 世界"
    assert [i["text"] for i in answer.message.items] == ["six times 世界"]
    assert again.message.content == "42"


async def test_a_refusal_says_so_and_keeps_what_was_said(api: Api) -> None:
    async with ModelServer(script(reply("I can't help with that.", stop="refusal"))) as server:
        answer, _ = await api.ask(server)
    assert answer.stop_reason == "refusal"
    assert answer.message.content == "I can't help with that."


async def test_a_truncated_answer_says_so_and_keeps_what_was_said(api: Api) -> None:
    async with ModelServer(script(reply("Once upon a", stop="length"))) as server:
        answer, _ = await api.ask(server, asking(params={"max_tokens": 16}))
        bound = {"max_tokens", "max_output_tokens"} & sent(server).keys()
        assert [sent(server)[name] for name in bound] == [16]
    assert answer.stop_reason == api.stops[2]
    assert answer.message.content == "Once upon a"


async def test_a_form_is_asked_for_in_the_providers_words(api: Api) -> None:
    schema = {"type": "object", "properties": {"answer": {"type": "string"}}}
    form = {"type": "json_schema", "json_schema": {"name": "next", "schema": schema}}
    async with ModelServer(script(reply("{}"))) as server:
        await api.ask(server, asking(params={"response_format": form, "tool_choice": "none"}))
    asked = sent(server)
    assert asked["tool_choice"] in ("none", {"type": "none"})
    assert schema in (
        asked.get("response_format", {}).get("json_schema", {}).get("schema"),
        asked.get("output_config", {}).get("format", {}).get("schema"),
        asked.get("text", {}).get("format", {}).get("schema"),
    )


async def test_params_never_replace_what_the_request_says(api: Api) -> None:
    params = {"model": "other", "messages": [], "input": [], "stream": False, "top_p": 0.5}
    if api.path.endswith("completions"):
        del params["input"]
    elif api.path.endswith("responses"):
        del params["messages"]
    else:
        del params["input"]
    async with ModelServer(script(reply("Hi."))) as server:
        answer, _ = await api.ask(server, asking(params=params))
    assert answer.message.content == "Hi."
    assert sent(server)["model"] == "some-model"
    assert (sent(server)["stream"], sent(server)["top_p"]) == (True, 0.5)


async def test_the_same_request_is_the_same_bytes(api: Api) -> None:
    request = asking(params={"temperature": 0, **api.thinks})
    async with ModelServer(script(reply("Hi."))) as server:
        first, _ = await api.ask(server, request)
        again, _ = await api.ask(server, request)
    assert server.bodies[0] == server.bodies[1]
    assert first.provider["body_sha256"] == again.provider["body_sha256"]


async def test_a_cancelled_call_lets_go_of_its_connection(api: Api) -> None:
    async with ModelServer(script(reply("Slowly " * 50, pace=0.05))) as server:
        model = api.model(server)
        begun = asyncio.Event()
        task = asyncio.create_task(model.respond(asking(), lambda _: begun.set()))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        async with asyncio.timeout(5):
            await server.until_disconnected()
        server.script = script(reply("Here again."))
        answer = await model.respond(asking(), lambda _: None)
        await model.aclose()
    assert answer.message.content == "Here again."


async def test_one_adapter_serves_many_calls_at_once(api: Api) -> None:
    async with ModelServer(script(lambda view: reply(f"You said {view.user}"))) as server:
        model = api.model(server)
        requests = [asking(Message("user", f"number {i}")) for i in range(40)]
        answers = await asyncio.gather(*(model.respond(r, lambda _: None) for r in requests))
        await model.aclose()
    assert [a.message.content for a in answers] == [f"You said number {i}" for i in range(40)]


def test_one_adapter_serves_one_loop_after_another(api: Api) -> None:
    async def once() -> str:
        answer = await model.respond(asking(), lambda _: None)
        await model.aclose()
        return answer.message.content

    with serving(script(reply("Still here."))) as server:
        model = api.model(server)
        assert [asyncio.run(once()) for _ in range(2)] == ["Still here."] * 2


async def test_s0_16_the_small_form_gives_the_whole_message(api: Api) -> None:
    async with ModelServer(script(reply("Looking.", calls=[call("look", what="x")]))) as server:
        model = api.model(server)
        assert isinstance(model, LLMPort)
        message = await model.complete([Message("user", "?")], [asking().tools[0]])
        await model.aclose()
    (asked,) = message.calls
    assert (message.content, asked.name, asked.arguments) == ("Looking.", "look", {"what": "x"})
    assert asked.id == asked.provider_id


async def test_s0_17_the_small_form_streams_the_text(api: Api) -> None:
    async with ModelServer(script(reply("The order was shipped.", pace=0.001))) as server:
        model = api.model(server)
        pieces = [piece async for piece in model.stream([Message("user", "?")])]
        await model.aclose()
    assert "".join(pieces) == "The order was shipped."
    assert len(pieces) > 3


async def test_s0_17_a_stream_that_fails_says_why_after_what_was_said(api: Api) -> None:
    pieces: list[str] = []
    async with ModelServer(script(reply("As far as I", fail="stream_dropped"))) as server:
        model = api.model(server)
        with pytest.raises(ModelError) as caught:
            pieces += [piece async for piece in model.stream([Message("user", "?")])]
        await model.aclose()
    assert caught.value.code == "stream_dropped"
    assert caught.value.partial == "As far as I"


async def test_s0_17_who_stops_listening_lets_go_of_the_connection(api: Api) -> None:
    async with ModelServer(script(reply("Slowly " * 50, pace=0.05))) as server:
        model = api.model(server)
        pieces = model.stream([Message("user", "?")])
        assert await anext(pieces) == "Slowly "
        await pieces.aclose()  # type: ignore[attr-defined]
        async with asyncio.timeout(5):
            await server.until_disconnected()
        await model.aclose()
