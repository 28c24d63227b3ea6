"""Messages without the calls and results that stand in them as text: what text paradigms write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.strategies.json_text import first_json
from agents_app.engine.strategies.text_form import Act, read
from agents_app.engine.tool_calls.performing import CHANGED_TO

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Stands where something was taken out; which field it was, ``hidden`` says.
GONE = "…"
#: How strategies for models without calls of their own tell them a result.
_RESULTS = ("Observation:", "Result of ")


def without_arguments(message: Mapping[str, Any], *, calls: bool = False) -> dict[str, Any]:
    """The message without the arguments of its calls, and of the sentence that a person changed.

    Args:
        calls: a call is known to have come from it, in whatever words.
    """
    if message.get("tool_calls"):
        names = [{"name": call["name"]} for call in message["tool_calls"]]
        return {**message, "tool_calls": names}
    content = message.get("content")
    if not isinstance(content, str):
        return dict(message)
    head, changed, told = content.partition(CHANGED_TO)
    if changed and (not head or head.startswith(_RESULTS)):
        result = told.partition("\n")[2]
        return {**message, "content": f"{head}{CHANGED_TO}{GONE}\n{result}"}
    if message.get("role") == "assistant" and (calls or _calls(content)):
        return {**message, "content": GONE}
    return dict(message)


def inline(entries: Sequence[Any], show: Mapping[str, bool]) -> list[Any]:
    """Message references, of which those that are messages themselves lose what is hidden.

    Each keeps its place: requests refer to one another's messages by their place.
    """
    return [
        ["n", _shown(entry[1], show)] if entry[0] == "n" and isinstance(entry[1], dict) else entry
        for entry in entries
    ]


def _shown(message: Mapping[str, Any], show: Mapping[str, bool]) -> dict[str, Any]:
    content = str(message.get("content") or "")
    told = message.get("role") == "user" and content.startswith(_RESULTS)
    if not show.get("results") and (told or message.get("role") == "tool"):
        return {**message, "content": GONE}
    return dict(message) if show.get("arguments") else without_arguments(message)


def _calls(content: str) -> bool:
    """Whether the text asks for a tool, in ReAct's words or as the JSON of a choice."""
    if isinstance(read(content, ()), Act):
        return True
    found = first_json(content)
    value = None if found is None else found[0]
    return isinstance(value, dict) and isinstance(value.get("tool"), str)
