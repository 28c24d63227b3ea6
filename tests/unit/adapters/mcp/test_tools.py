"""From what a server lists to tools: names, effect classes, versions, arguments, results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from mcp.types import (
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
    ToolAnnotations,
    ToolExecution,
)

from agents_app.adapters.tools.mcp.catalogue import LONGEST_TEXT, Catalogue, Offer, offer_of
from agents_app.adapters.tools.mcp.discovery import checked
from agents_app.adapters.tools.mcp.plugin import McpPlugin
from agents_app.adapters.tools.mcp.results import text_of
from agents_app.adapters.tools.mcp.settings import McpServer
from agents_app.engine.tools.arguments import InvalidArguments

NOTHING: dict[str, Any] = {"type": "object"}
SUM = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "how": {"enum": ["up", "down"]}},
    "required": ["a"],
    "additionalProperties": False,
}


def plugin(*offers: Offer, name: str = "one", **settings: Any) -> McpPlugin:
    server = McpServer(command=("server",), **settings)
    return McpPlugin(name, server, Catalogue("One", "1.0", offers))


def named(made: McpPlugin) -> list[str]:
    return [each.removeprefix("tool.") for each in made.meta.provides]


@pytest.mark.parametrize(
    ("hints", "effectful", "idempotent"),
    [
        (None, True, False),
        (ToolAnnotations(), True, False),
        (ToolAnnotations(destructive_hint=False), True, False),
        (ToolAnnotations(read_only_hint=True), False, False),
        (ToolAnnotations(idempotent_hint=True), True, True),
        (ToolAnnotations(read_only_hint=False, destructive_hint=True), True, False),
    ],
)
def test_annotations_are_effect_classes_and_nothing_known_is_effectful(
    hints: ToolAnnotations | None, effectful: bool, idempotent: bool
) -> None:
    offer = offer_of(Tool(name="t", input_schema=NOTHING, annotations=hints))
    tool = plugin(offer).provide("tool.one__t")
    assert (tool.effectful, tool.idempotent) == (effectful, idempotent)


def test_the_settings_decide_about_effects_approval_and_what_is_taken() -> None:
    offers = [Offer("read", "", NOTHING, "read"), Offer("write", "", NOTHING), Offer("x", "", {})]
    made = plugin(
        *offers, tools=("read", "write"), effects={"read": "effectful", "write": "read"},
        approval=("write",), prefix="",
    )  # fmt: skip
    assert named(made) == ["read", "write"]
    read, write = made.provide("tool.read"), made.provide("tool.write")
    assert (read.effectful, write.effectful) == (True, False)
    assert (read.approval, write.approval) == (False, True)


def test_a_name_in_the_settings_that_the_server_does_not_have_is_told() -> None:
    made = plugin(Offer("a", "", NOTHING), approval=("wriet",), effects={"b": "read"})
    assert made.problems == [
        "mcp.servers.one.effects: the server has no tool 'b'",
        "mcp.servers.one.approval: the server has no tool 'wriet'",
    ]


def test_names_fit_every_provider_and_stay_apart() -> None:
    long = [Offer(f"{'x' * 80}{end}", "", NOTHING) for end in "ab"]
    made = plugin(Offer("a.b", "", NOTHING), Offer("a/b", "", NOTHING), *long)
    names = named(made)
    assert len(set(names)) == 4
    assert all(len(name) <= 64 and made.provide(f"tool.{name}").problem() is None for name in names)


def test_what_another_plug_in_provides_is_left_out_and_told() -> None:
    made = plugin(Offer("roll", "", NOTHING), Offer("toss", "", NOTHING), prefix="")
    made.leave_out({"tool.roll"})
    assert named(made) == ["toss"]
    assert made.problems == ["roll: another plug-in provides it; give the server a prefix"]


def test_what_can_not_be_called_is_told() -> None:
    task = Tool(name="t", input_schema=NOTHING, execution=ToolExecution(task_support="required"))
    huge = Tool(name="h", input_schema={**NOTHING, "title": "x" * 70_000})
    made = plugin(offer_of(task), offer_of(huge))
    assert named(made) == []
    assert [said.split(":")[0] for said in made.left_out] == ["t", "h"]
    assert made.problems == []


@pytest.mark.parametrize(
    "schema",
    [{"properties": {"a": {"type": "colour"}}}, {"properties": {"a": {"enum": 5}}},
     {"properties": {"a": {"type": {"x": 1}}}}],
)  # fmt: skip
def test_s3_8_a_tool_whose_schema_is_none_is_left_out(schema: dict[str, Any]) -> None:
    """A provider would refuse every request of an agent that has it."""
    made = plugin(checked(offer_of(Tool(name="t", input_schema={"type": "object", **schema}))))
    assert named(made) == []
    assert made.left_out[0].startswith("t: its schema is none: ")


def test_a_schema_with_references_and_expressions_is_one() -> None:
    said = {"type": "object", "properties": {"a": {"$ref": "#"}, "b": {"pattern": "(a+)+$"}}}
    assert named(plugin(checked(offer_of(Tool(name="t", input_schema=said))))) == ["one__t"]


def test_a_hostile_description_is_data_of_bounded_length() -> None:
    offer = offer_of(Tool(name="t", description="\0" + "x" * 100_000, input_schema=NOTHING))
    assert len(offer.description) == LONGEST_TEXT + 1
    assert "\0" not in offer.description


def test_another_schema_or_description_is_another_version() -> None:
    offer = Offer("t", "says", SUM)
    others = [replace(offer, description="says more"), replace(offer, schema=NOTHING)]
    assert len({offer.version, *(other.version for other in others)}) == 3
    assert offer.version == replace(offer, hint="read").version


@pytest.mark.parametrize(
    ("arguments", "field"),
    [({}, "a"), ({"a": "1"}, "a"), ({"a": True}, "a"), ({"a": 1, "b": 2}, "b"),
     ({"a": 1, "how": "away"}, "how")],
)  # fmt: skip
def test_arguments_are_checked_before_anybody_is_asked(
    arguments: dict[str, Any], field: str
) -> None:
    tool = plugin(Offer("t", "", SUM)).provide("tool.one__t")
    assert tool.validate({"a": 1, "how": "up"}) == {"a": 1, "how": "up"}
    with pytest.raises(InvalidArguments) as refused:
        tool.validate(arguments)
    assert refused.value.field == field


@pytest.mark.parametrize(
    "schema",
    [{"properties": {"a": {"$ref": "http://127.0.0.1:9/x"}}}, {"properties": {"a": True}},
     {"properties": {"a": {"pattern": "(a+)+$"}}}, {"required": "a"}, {"properties": []},
     {"properties": {"a": {"type": "colour"}}}, {"properties": {"a": {"type": [{}]}}},
     {"properties": {"a": {"type": []}}}, {"required": [["a"], {}]}],
)  # fmt: skip
def test_a_schema_from_outside_is_followed_no_further_than_is_safe(schema: dict[str, Any]) -> None:
    tool = plugin(Offer("t", "", schema)).provide("tool.one__t")
    assert tool.validate({"a": "a" * 40 + "!"})


def test_a_result_is_text_and_everything_else_is_described() -> None:
    page = TextResourceContents(uri="file:///a", text="the page")
    blob = BlobResourceContents(uri="file:///b", mime_type="application/zip", blob="AAAA")
    text = text_of(
        CallToolResult(
            content=[
                TextContent(type="text", text="hello"),
                ImageContent(type="image", data="AAAAAAA=", mime_type="image/png"),
                ResourceLink(type="resource_link", name="doc", uri="file:///c"),
                EmbeddedResource(type="resource", resource=page),
                EmbeddedResource(type="resource", resource=blob),
            ],
            structured_content={"n": 1},
        )
    )
    assert text.split("\n") == [
        "hello", "[image image/png, 5 bytes, not shown]", "[resource doc at file:///c]",
        "[resource file:///a]", "the page",
        "[resource file:///b application/zip, 3 bytes, not shown]", '{"n":1}',
    ]  # fmt: skip


def test_structured_content_that_the_text_says_is_not_said_twice() -> None:
    text = [TextContent(type="text", text='{"n": 1}')]
    assert text_of(CallToolResult(content=text, structured_content={"n": 1})) == '{"n": 1}'
    word = [TextContent(type="text", text="hi")]
    assert text_of(CallToolResult(content=word, structured_content={"result": "hi"})) == "hi"
    assert text_of(CallToolResult(content=[])) == "(no content)"
