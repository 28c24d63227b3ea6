"""Tools chosen by JSON: for models that can be held to a schema and have no calls of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agents_app.engine.strategies.json_text import first_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents_app.engine.messages import Message
    from agents_app.engine.tools import Tool

FORM = """Answer with one JSON object: {"tool": NAME, "arguments": {…}} to use a tool, or \
{"answer": TEXT} when you know the answer. The tools:

"""
AGAIN = "That was no such JSON object. Use one of the tools, or give an answer."


def form(tools: Sequence[Tool]) -> str:
    """What the model is told about the tools."""
    lines = [
        f"- {tool.name}: {tool.description} Arguments: "
        + json.dumps(tool.schema.get("properties", {}), ensure_ascii=False, sort_keys=True)
        for tool in tools
    ]
    return FORM + "\n".join(lines)


def response_format(tools: Sequence[Tool], *, answer: bool = True) -> dict[str, Any]:
    """The parameter that holds the model to the form (OpenAI's ``json_schema``).

    Args:
        answer: whether it may answer, too.
    """
    choices: list[dict[str, Any]] = [
        {
            "type": "object",
            "properties": {"tool": {"const": tool.name}, "arguments": tool.schema},
            "required": ["tool", "arguments"],
        }
        for tool in tools
    ]
    if answer:
        said = {"answer": {"type": "string"}}
        choices.append({"type": "object", "properties": said, "required": ["answer"]})
    schema = {"name": "next", "schema": {"anyOf": choices}}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def chosen(reply: Message) -> tuple[str, dict[str, Any]] | str | None:
    """A tool's name with its arguments, an answer, or ``None``: neither."""
    found = first_json(reply.content)
    if found is None or not isinstance(found[0], dict):
        return None
    value = found[0]
    if isinstance(value.get("tool"), str):
        arguments = value.get("arguments")
        return value["tool"], arguments if isinstance(arguments, dict) else {}
    answer = value.get("answer")
    return answer if isinstance(answer, str) else None
