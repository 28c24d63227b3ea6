"""The body of a request: nothing is stored at the provider; what comes again is in the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.openai_responses.wire import to_responses_format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents_app.engine.ports import ModelRequest

_OURS = frozenset({"model", "input", "tools", "stream"})
_TRANSLATED = frozenset(
    {"max_tokens", "tool_choice", "response_format", "reasoning_effort", "text"}
)


def body_of(request: ModelRequest, model: str) -> dict[str, Any]:
    """The arguments of ``responses.create``; other ``params`` pass as they are, last.

    ``params`` may be in the words of chat completions (``max_tokens``, ``tool_choice``,
    ``response_format``, ``reasoning_effort``).
    """
    params = request.params
    body: dict[str, Any] = {"model": model, "input": to_responses_format(request.messages)}
    if request.tools:
        body["tools"] = [_tool(each["function"]) for each in request.tools]
    body["stream"] = True
    extra: dict[str, Any] = {"store": False, **_translated(params)}
    skip = _OURS | _TRANSLATED
    extra |= {name: params[name] for name in sorted(params) if name not in skip}
    if "reasoning" in extra:  # a model that reasons can go on from it only with the sealed form
        extra.setdefault("include", ["reasoning.encrypted_content"])
    body["extra_body"] = extra
    return body


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    """A function; the provider is strict unless it is told not to be."""
    return {
        "type": "function",
        "name": function["name"],
        "description": function.get("description") or "",
        "parameters": function.get("parameters") or {"type": "object", "properties": {}},
        "strict": bool(function.get("strict")),
    }


def _translated(params: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if (most := params.get("max_tokens")) is not None:
        out["max_output_tokens"] = most
    if (effort := params.get("reasoning_effort")) is not None:
        out["reasoning"] = {"effort": effort}
    if (choice := params.get("tool_choice")) is not None:
        out["tool_choice"] = _choice(choice)
    if text := _text(params):
        out["text"] = text
    return out


def _choice(choice: Any) -> Any:
    """A tool choice in the provider's words; what is in them already stays."""
    function = None if isinstance(choice, str) else choice.get("function")
    return {"type": "function", "name": function["name"]} if function else choice


def _text(params: Mapping[str, Any]) -> dict[str, Any]:
    """How the text is written; the schema of a form stands one level higher than in chat."""
    text = dict(params.get("text") or {})
    if form := params.get("response_format"):
        text["format"] = {"type": form["type"], **(form.get("json_schema") or {})}
    return text
