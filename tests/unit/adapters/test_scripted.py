"""The scripted model: rules over what it reads, in small pieces, and failures on purpose."""

from __future__ import annotations

import json

import pytest

from agents_app.adapters.models.scripted import (
    ECHO,
    Reply,
    Rule,
    Script,
    ScriptedChat,
    View,
    call,
    reply,
)
from agents_app.engine.errors import ModelError
from agents_app.engine.messages import Message, ToolCall
from agents_app.engine.ports import Delta, ModelReply, ModelRequest

LOOK = {"type": "function", "function": {"name": "look", "parameters": {}}}


async def ask(script: Script, *messages: Message) -> tuple[ModelReply, list[Delta]]:
    deltas: list[Delta] = []
    request = ModelRequest(messages, (LOOK,), model="scripted:x")
    return await ScriptedChat(script).respond(request, deltas.append), deltas


def always(answer: Reply) -> Script:
    return Script([Rule(lambda _: True, lambda _: answer)], pace=0)


def said(text: str) -> Message:
    return Message("user", text)


async def test_it_streams_in_small_pieces_and_estimates_its_usage() -> None:
    answer, deltas = await ask(
        always(reply("A token like sk-0123456789abcdef 订单")), said("Hello")
    )
    assert "".join(d.text for d in deltas) == answer.message.content
    assert max(len(d.text.strip()) for d in deltas) <= 8
    assert answer.usage is not None
    assert answer.usage.semantics == "estimated"
    assert answer.model == "scripted:x"


async def test_calls_are_streamed_by_turns() -> None:
    calls = [call("look", what="one two three"), call("look", what="four")]
    answer, deltas = await ask(always(reply(calls=calls)), said("Look"))
    assert [c.arguments for c in answer.message.calls] == [c.arguments for c in calls]
    assert answer.stop_reason == "tool_calls"
    assert [d.part for d in deltas][:4] == ["tool:0", "tool:1", "tool:0", "tool:1"]
    assert json.loads("".join(d.text for d in deltas if d.part == "tool:0")) == calls[0].arguments


async def test_broken_arguments_come_as_from_any_model() -> None:
    answer, _ = await ask(
        always(reply(calls=[call("look")], raw_arguments='{"what": ')), said("Look")
    )
    assert (answer.message.calls[0].arguments, answer.message.calls[0].raw) == ({}, '{"what": ')


async def test_a_cut_stream_keeps_what_was_said() -> None:
    with pytest.raises(ModelError) as caught:
        await ask(always(reply("one two three", cut=2)), said("Count"))
    assert (caught.value.code, caught.value.partial) == ("stream_dropped", "one two ")


async def test_the_first_rule_that_holds_answers() -> None:
    script = Script(
        [
            Rule(lambda v: v.result("look") == {"found": False}, lambda _: reply("Nothing there.")),
            Rule(
                lambda v: v.results("look"), lambda v: reply(f"Found {v.result('look')['name']}.")
            ),
            Rule(
                lambda v: "look" in v.user and "look" in v.tools,
                lambda _: reply(calls=[call("look")]),
            ),
        ],
        pace=0,
    )
    history = [said("look for it")]
    asked, _ = await ask(script, *history)
    assert asked.message.calls[0].name == "look"
    history.append(Message("assistant", "", [ToolCall("c1.0", "look")]))
    for content, answer in (
        ('{"found": false}', "Nothing there."),
        ('{"name": "Zoë"}', "Found Zoë."),
        ('A person changed the arguments.\n{"name": "Zoë"}', "Found Zoë."),
    ):
        result = Message("tool", content, tool_call_id="c1.0")
        assert (await ask(script, *history, result))[0].message.content == answer
    assert "no rule" in (await ask(script, said("hello")))[0].message.content


def test_a_view_speaks_of_the_last_turn() -> None:
    view = View(
        (
            said("first"),
            Message("assistant", "", [ToolCall("c1.0", "look", {}, "p1")]),
            Message("tool", "1", tool_call_id="c1.0"),
            said("second"),
            Message("assistant", "", [ToolCall("c4.0", "look", {}, "p1")]),
            Message("tool", "two", tool_call_id="c4.0"),
        ),
        ("look",),
    )
    assert view.user == "second"
    assert view.calls == ("look",)
    assert view.results("look") == ["two"]
    assert view.result("nothing") is None


async def test_echo_says_what_it_is_and_calls_a_tool_only_when_one_is_named() -> None:
    answer, _ = await ask(ECHO, said("Where is my order?"))
    assert "scripted model" in answer.message.content
    assert not answer.message.calls
    answer, _ = await ask(ECHO, said('/look {"what": "order 1042"}'))
    assert [(c.name, c.arguments) for c in answer.message.calls] == [
        ("look", {"what": "order 1042"})
    ]
    answer, _ = await ask(ECHO, said("/look {not json}"))
    assert answer.message.calls[0].raw == "{not json}"
    answer, _ = await ask(ECHO, said("/nothing {}"))
    assert not answer.message.calls
    called = Message("assistant", "", [ToolCall("c1.0", "look")])
    answer, _ = await ask(
        ECHO, said("/look"), called, Message("tool", "found", tool_call_id="c1.0")
    )
    assert "found" in answer.message.content
