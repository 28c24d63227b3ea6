"""Reading the text form of ReAct, however a model writes it: ``Thought:``, ``Action: tool[input]``.

Of several pairs the first one counts: what follows was invented, its ``Observation`` too.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents_app.engine.strategies.json_text import first_json
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_MARKS = r"[ \t>#*_`\-]*"
_COLON = r"[*_` ]*[:\uff1a][*_ \t]*"


def _label(words: str) -> re.Pattern[str]:
    return re.compile(rf"^{_MARKS}(?:{words}){_COLON}", re.IGNORECASE | re.MULTILINE)


_ACTION = _label("action|行动|动作")
_INPUT = _label(r"action[ _]input|input|arguments|参数|输入")
_THOUGHT = _label("thought|思考")
_OBSERVATION = _label("observation|观察|结果")
_ANSWER = _label(r"final[ _]answer|answer|最终答案|答案")
_ANY = re.compile(
    "|".join(each.pattern for each in (_THOUGHT, _OBSERVATION, _ACTION, _ANSWER)),
    re.IGNORECASE | re.MULTILINE,
)
_NAME = re.compile(r"[\w.\-]+")
_FENCE = re.compile(r"^```[\w]*\n?|\n?```$")
_CLOSERS = {"[": "]", "(": ")"}
_BRACKETS = {"[": re.compile(r"[\[\]]"), "(": re.compile(r"[()]")}


@dataclass(frozen=True, slots=True)
class Act:
    """A tool to run, with its input as text or JSON; ``end`` is where this act ends."""

    tool: str
    input: Any
    end: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The final answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """Nothing that can be acted on; ``why`` is told to the model."""

    why: str


def read(text: str, tools: Collection[str]) -> Act | Answer | Malformed:
    """What a reply asks for.

    Args:
        tools: names of the tools there are; a tool named ``finish`` is a tool.
    """
    if not text.strip():
        return Malformed("the reply is empty")
    action, answer = _ACTION.search(text), _ANSWER.search(text)
    if action and not (answer and answer.start() < action.start()):
        return _act(text, action.end(), tools)
    if answer:
        return Answer(_until_label(text, answer.end()))
    if _THOUGHT.search(text):
        return Malformed("there is a Thought and no Action")
    return Answer(text.strip())


def arguments_of(value: Any, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The input of an act as arguments: an object as it is, a text for the one field it can be."""
    if isinstance(value, str):
        parsed = _json(value)
        value = parsed if isinstance(parsed, dict) else value
    if isinstance(value, dict):
        return value
    if value in ("", None):
        return {}
    fields = list(schema.get("required") or schema.get("properties") or ())
    return {fields[0] if fields else "input": _typed(value, schema, fields)}


def _typed(value: Any, schema: Mapping[str, Any], fields: list[str]) -> Any:
    """A text where the field wants another JSON type is read as JSON, when it is."""
    wanted = (schema.get("properties") or {}).get(fields[0], {}).get("type") if fields else "string"
    if not isinstance(value, str) or wanted in (None, "string"):
        return value
    parsed = _json(value)
    return value if parsed is None else parsed


def _act(text: str, at: int, tools: Collection[str]) -> Act | Answer | Malformed:
    at += len(text[at:]) - len(text[at:].lstrip())
    if text.startswith("```", at):
        at = text.find("\n", at) + 1 or len(text)
    at += len(text[at:]) - len(text[at:].lstrip("`*_ "))
    name = _NAME.match(text, at)
    if name is None:
        return Malformed("the Action names no tool; write Action: tool[input]")
    value, end = _input(text, name.end())
    if name.group().lower() in ("finish", "完成") and name.group() not in tools:
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return Answer(said.strip() or _until_label(text, end) or text[: at - 1].strip())
    return Act(name.group(), value, end)


def _input(text: str, at: int) -> tuple[Any, int]:
    """The input after a tool's name, and where it ends: in brackets, under a label, or a line."""
    here = at + len(text[at:]) - len(text[at:].lstrip("`* \t"))
    if text[here : here + 1] in _CLOSERS:
        end = _closing(text, here)
        return _bare(text[here + 1 : end]), min(len(text), end + 1)
    label = _INPUT.search(text, at)
    stop = _ANY.search(text, at + 1)
    if label and not (stop and stop.start() < label.start()):
        return _bare(_until_label(text, label.end())), _label_end(text, label.end())
    line = text[here:].partition("\n")[0]
    return _bare(line.lstrip(":\uff1a ")), here + len(line)


def _closing(text: str, opening: int) -> int:
    """Where the bracket closes: nested ones are the input's, and those in quotes are text."""
    found = first_json(text, opening + 1)
    if found is not None and text[found[1] :].lstrip()[:1] == _CLOSERS[text[opening]]:
        return text.index(_CLOSERS[text[opening]], found[1])
    depth = 0
    for bracket in _BRACKETS[text[opening]].finditer(text, opening):
        depth += 1 if bracket.group() == text[opening] else -1
        if depth == 0:
            return bracket.start()
    return len(text)


def _bare(text: str) -> Any:
    text = _FENCE.sub("", text.strip()).strip()
    parsed = _json(text)
    if isinstance(parsed, (dict, list)):
        return parsed
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'`":
        return text[1:-1]
    return text


def _json(text: str) -> Any:
    try:
        value = json.loads(text)
        value = json.loads(value) if isinstance(value, str) and value[:1] in "{[" else value
        return sanitise(value)[0]
    except (ValueError, RecursionError):
        return None


def _label_end(text: str, at: int) -> int:
    found = _ANY.search(text, at)
    return found.start() if found else len(text)


def _until_label(text: str, at: int) -> str:
    return _FENCE.sub("", text[at : _label_end(text, at)].strip()).strip()
