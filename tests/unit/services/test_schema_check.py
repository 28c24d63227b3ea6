"""What a person changes in a call is held against a schema that a foreign server may have given."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from agents_app.services.answers import check_answer
from agents_app.services.schema_check import misfit
from playhead.core.errors import InvalidInput

#: Each reference is two, thirty times over.
DOUBLING = {
    "$defs": {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(30)}
    | {"a30": {}},
    "$ref": "#/$defs/a0",
}
ENDLESS = "(a+)+$"


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"type": {"x": 1}}}}, {"properties": []}, {"required": 5},
        {"properties": {"a": {"type": "colour"}}}, {"properties": {"a": {"pattern": "("}}},
        {"properties": {"a": {"pattern": "(?=a)a"}}}, {"$ref": "#"}, DOUBLING,
        {"patternProperties": {ENDLESS: {}}, "additionalProperties": False},
        {"properties": {"a": {"$ref": "file:///etc/passwd"}}},
        {"$ref": "#/required/0", "required": ["a"]}, {"$ref": "#/minimum/x", "minimum": 1},
        {"$ref": "#/required/x", "required": ["a"]},
    ],
    ids=lambda schema: json.dumps(schema)[:40],
)  # fmt: skip
def test_s3_8_a_schema_that_is_none_or_asks_too_much_says_nothing(schema: dict[str, Any]) -> None:
    """Who runs the call checks what they were given; the question can be decided."""
    arguments = {"a": "a" * 40 + "!", "a" * 40 + "!": 1}
    check_answer(
        {"allowed": ["edit"], "kind": "approval", "schema": schema},
        "edit",
        {"arguments": arguments},
    )


def test_nothing_is_fetched_for_a_schema() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert (
            misfit({"properties": {"a": {"$ref": f"http://127.0.0.1:{port}/x"}}}, {"a": 1}) is None
        )
        server.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()


def test_an_expression_takes_no_longer_than_its_text() -> None:
    found = misfit({"properties": {"a": {"pattern": ENDLESS}}}, {"a": "a" * 10_000 + "!"})
    assert found is not None
    assert found.validator == "pattern"


def test_items_are_not_compared_each_with_every_other() -> None:
    items: list[Any] = [{"id": number} for number in range(30_000)]
    assert misfit({"uniqueItems": True}, items) is None
    assert misfit({"uniqueItems": True}, [*items, True, 1]) is None
    found = misfit({"uniqueItems": True}, [*items, {"id": 7}])
    assert found is not None
    assert found.validator == "uniqueItems"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [({"a": "1"}, "arguments.a"), ({}, "arguments.a"), ({"a": 1, "b": 1}, "arguments.b"),
     ({"a": 1, "c": {"of": {"of": 5}}}, "arguments.c.of.of"), ({"a": 1, "d": "y"}, "arguments.d")],
)  # fmt: skip
def test_what_does_not_fit_is_named(arguments: dict[str, Any], field: str) -> None:
    node = {"type": "object", "properties": {"of": {"$ref": "#/$defs/node"}}}
    asked = {
        "allowed": ["edit"],
        "kind": "approval",
        "schema": {
            "$defs": {"node": node}, "type": "object", "required": ["a"],
            "additionalProperties": False,
            "properties": {
                "a": {"type": "integer"}, "c": {"$ref": "#/$defs/node"},
                "d": {"type": "string", "pattern": "^x$"},
            },
        },
    }  # fmt: skip
    with pytest.raises(InvalidInput) as refused:
        check_answer(asked, "edit", {"arguments": arguments})
    assert refused.value.detail["field"] == field
