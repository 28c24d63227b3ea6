"""The body of a request: what the provider's own names for parameters are, and cache markers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.adapters.models.anthropic_messages.wire import to_anthropic_format
from agents_app.adapters.models.call_ids import names_called

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agents_app.engine.ports import ModelRequest

#: Tokens of an answer where nobody says how many: the provider wants a bound.
MAX_TOKENS = 8192
_OURS = frozenset({"model", "messages", "system", "tools", "stream"})
#: Parameters that are translated below; ``cache`` and ``betas`` are ours.
_TRANSLATED = frozenset(
    {"max_tokens", "cache", "betas", "tool_choice", "response_format", "output_config", "stop"}
)
_CHOICES = {"none": {"type": "none"}, "auto": {"type": "auto"}, "required": {"type": "any"}}


def body_of(request: ModelRequest, model: str) -> dict[str, Any]:
    """The arguments of ``messages.create``; other ``params`` pass as they are, last.

    ``params`` may be in the words of OpenAI where those are usual (``max_tokens``,
    ``tool_choice``, ``response_format``, ``stop``). ``cache`` (``true``, ``"5m"`` or ``"1h"``)
    marks the prompt for the provider's cache, ``betas`` names features that not all have yet.
    """
    params = request.params
    system, messages = to_anthropic_format(request.messages)
    body: dict[str, Any] = {"model": model, "max_tokens": _bound(params), "messages": messages}
    if system:
        body["system"] = [{"type": "text", "text": system}]
    if tools := _tools(request.tools, names_called(request.messages)):
        body["tools"] = tools
    if params.get("cache"):
        _mark(body, params["cache"])
    body["stream"] = True
    extra = _translated(params)
    if tools and not request.tools:  # what was called has to be known, and is not offered
        extra["tool_choice"] = {"type": "none"}
    skip = _OURS | _TRANSLATED
    extra |= {name: params[name] for name in sorted(params) if name not in skip}
    body["extra_body"] = extra
    if params.get("betas"):
        body["extra_headers"] = {"anthropic-beta": ",".join(params["betas"])}
    return body


def _bound(params: Mapping[str, Any]) -> int:
    """The bound of an answer; thinking counts within it."""
    thinking = params.get("thinking")
    budget = thinking.get("budget_tokens", 0) if isinstance(thinking, dict) else 0
    return params.get("max_tokens") or MAX_TOKENS + budget


def _tools(offered: Sequence[Mapping[str, Any]], called: Sequence[str]) -> list[dict[str, Any]]:
    if not offered:
        return [{"name": name, "input_schema": {"type": "object"}} for name in called]
    return [_tool(each["function"]) for each in offered]


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    schema = {"type": "object", **(function.get("parameters") or {})}
    tool = {"name": function["name"], "input_schema": schema}
    known = ("description", "strict")
    return tool | {name: function[name] for name in known if function.get(name)}


def _translated(params: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if (choice := params.get("tool_choice")) is not None:
        out["tool_choice"] = _choice(choice)
    if output := _output(params):
        out["output_config"] = output
    if stop := params.get("stop"):
        out["stop_sequences"] = [stop] if isinstance(stop, str) else stop
    return out


def _choice(choice: Any) -> Any:
    """A tool choice in the provider's words; what is in them already stays."""
    if isinstance(choice, str):
        return _CHOICES.get(choice, {"type": choice})
    function = choice.get("function")
    return {"type": "tool", "name": function["name"]} if function else choice


def _output(params: Mapping[str, Any]) -> dict[str, Any]:
    """The form of an answer; ``json_object`` has no counterpart and is left to the prompt."""
    output = dict(params.get("output_config") or {})
    asked = (params.get("response_format") or {}).get("json_schema")
    if asked:
        output["format"] = {"type": "json_schema", "schema": asked["schema"]}
    return output


def _mark(body: dict[str, Any], wanted: Any) -> None:
    """Mark the ends of what comes again: tools and system prompt, and the conversation so far."""
    marker = {"type": "ephemeral", **({"ttl": "1h"} if wanted == "1h" else {})}
    fixed = body.get("system") or body.get("tools")
    if fixed:
        fixed[-1]["cache_control"] = marker
    for block in reversed(body["messages"][-1]["content"] if body["messages"] else ()):
        if block["type"] in ("text", "tool_use", "tool_result"):  # thinking can't be marked
            block["cache_control"] = marker
            return
