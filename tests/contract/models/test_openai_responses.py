"""What is particular to OpenAI responses."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agents_app.adapters.models.openai_responses import OpenAIResponses
from agents_app.adapters.models.openai_responses.wire import from_responses, to_responses_format
from agents_app.adapters.models.scripted import call, reply
from agents_app.engine.errors import ModelError
from agents_app.engine.messages import Message, ToolCall
from agents_app.testing.model_protocol import Unacceptable
from agents_app.testing.model_server import ModelServer
from agents_app.testing.responses_request import encrypted, read
from tests.contract.models.apis import RESPONSES, asking, script, sent

ASK = Message("user", "?")
SUMMARY = [{"type": "summary_text", "text": "hm"}, {"type": "summary_text", "text": "well"}]
REASONING = {
    "id": "rs_1",
    "type": "reasoning",
    "summary": SUMMARY,
    "encrypted_content": encrypted("rs_1", SUMMARY),
}


def test_s0_21_items_become_a_message_and_go_back_where_they_stood() -> None:
    output = [
        REASONING,
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "phase": "commentary",
            "content": [{"type": "output_text", "text": "I look. "}],
        },
        {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": '{"a":1}'},
        {"type": "function_call", "call_id": "call_2", "name": "pay", "arguments": "{no"},
    ]
    message = from_responses(output)
    assert message.content == "I look. "
    assert message.items[0]["text"] == "hm\n\nwell"
    assert [(c.name, c.arguments, c.raw) for c in message.calls] == [
        ("look", {"a": 1}, None),
        ("pay", {}, "{no"),
    ]
    kept = [replace(each, id=f"c3.{place}") for place, each in enumerate(message.calls)]
    history = [
        Message("system", "Be brief."),
        replace(message, tool_calls=kept),
        Message("tool", "found", tool_call_id="c3.0"),
    ]
    assert to_responses_format(history) == [
        {"role": "system", "content": "Be brief."},
        REASONING,
        {"type": "message", "role": "assistant", "phase": "commentary", "content": "I look. "},
        *output[2:],
        {"type": "function_call_output", "call_id": "call_1", "output": "found"},
    ]


async def test_nothing_is_stored_there_and_tools_are_not_strict_by_themselves() -> None:
    assert OpenAIResponses().model == "gpt-4o"
    async with ModelServer(script(reply("Hi."))) as server:
        await RESPONSES.ask(server)
        plain = sent(server)
        await RESPONSES.ask(server, asking(params={"reasoning_effort": "low"}))
        reasoning = sent(server)
    assert plain["store"] is False
    assert "include" not in plain
    assert plain["tools"][0] == {
        "type": "function",
        "name": "look",
        "description": "",
        "parameters": {"type": "object"},
        "strict": False,
    }
    assert reasoning["reasoning"] == {"effort": "low"}
    assert reasoning["include"] == ["reasoning.encrypted_content"]


@pytest.mark.parametrize("hidden", [False, True])
async def test_reasoning_goes_back_sealed_and_the_server_knows_it_again(hidden: bool) -> None:
    looking = reply("", reasoning="what now", hidden=hidden, calls=[call("look"), call("pay")])
    async with ModelServer(script(looking, reply("Done."))) as server:
        answer, deltas = await RESPONSES.ask(server)
        calls = [replace(each, id=f"c3.{i}") for i, each in enumerate(answer.message.calls)]
        said = replace(answer.message, tool_calls=calls)
        results = [Message("tool", "x", tool_call_id=each.id) for each in calls]
        again, _ = await RESPONSES.ask(server, asking(ASK, said, *results))
        changed = {**said.items[0]["value"], "summary": [{"type": "summary_text", "text": "no"}]}
        broken = replace(said, items=({**said.items[0], "value": changed},))
        with pytest.raises(ModelError, match="could not be verified") as caught:
            await RESPONSES.ask(server, asking(ASK, broken, *results))
    assert any(d.part == "reasoning" for d in deltas) is not hidden
    assert again.message.content == "Done."
    assert caught.value.code == "bad_request"


async def test_every_event_has_its_number_and_the_last_one_holds_the_answer() -> None:
    """The stream itself, as it stands on the wire."""
    import httpx2

    looking = reply("Look.", reasoning="hm", calls=[call("look", a=1)])
    async with ModelServer(script(looking)) as server, httpx2.AsyncClient() as client:
        body = {"model": "m", "input": "?", "stream": True}
        text = (await client.post(f"{server.url}/responses", json=body)).text
    events = [block.split("\n") for block in text.strip().split("\n\n")]
    told = [json.loads(data.removeprefix("data: ")) for _, data in events]
    assert [name.removeprefix("event: ") for name, _ in events] == [each["type"] for each in told]
    assert [each["sequence_number"] for each in told] == list(range(len(told)))
    kinds = [each["type"].removeprefix("response.") for each in told]
    assert kinds[:3] == ["created", "in_progress", "output_item.added"]
    assert kinds[-1] == "completed"
    done = [each["item"] for each in told if each["type"] == "response.output_item.done"]
    assert told[-1]["response"]["output"] == done
    assert [item["type"] for item in done] == ["reasoning", "message", "function_call"]


CALL = {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "x"}
SAID = {"role": "assistant", "content": "x"}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"seed": 1}, "Unknown parameter: 'seed'"),
        ({"input": []}, "Missing required parameter: 'input'"),
        ({"input": [{"role": "tool", "content": "x"}]}, "Invalid value: 'tool'"),
        ({"input": [{"role": "user", "content": None}]}, "Invalid value"),
        ({"input": [CALL]}, "No tool output found"),
        ({"input": [OUTPUT]}, "No tool call found"),
        ({"input": [OUTPUT, CALL]}, "No tool call found"),
        ({"input": [CALL, OUTPUT, OUTPUT]}, "No tool call found"),
        ({"input": [{**CALL, "arguments": {}}, OUTPUT]}, "Invalid type"),
        ({"input": [REASONING]}, "without its required following item"),
        ({"input": [REASONING, {"role": "user", "content": "x"}]}, "required following item"),
        ({"input": [{**REASONING, "summary": []}, SAID]}, "could not be verified"),
        ({"input": [{**REASONING, "encrypted_content": None}, SAID]}, "not persisted"),
        ({"tools": [{"type": "function", "function": {"name": "look"}}]}, "tools"),
    ],
)
def test_the_server_is_as_strict_as_the_real_one(body: dict[str, Any], says: str) -> None:
    with pytest.raises(Unacceptable, match=says):
        read(json.dumps({"model": "m", "input": "Hi", **body}).encode())


def test_calls_of_an_answer_that_was_cut_are_kept_as_far_as_they_came() -> None:
    message = from_responses([{"type": "function_call", "name": "look", "arguments": '{"a'}])
    assert message.calls == (ToolCall("", "look", {}, None, '{"a'),)
