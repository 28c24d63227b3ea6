"""Reading a plan, however a model writes it: JSON, a list in a fence, a numbered or dashed list."""

from __future__ import annotations

import ast
import re
from typing import Any

from agents_app.engine.strategies.json_text import first_json
from playhead.core.sanitise import sanitise

_LANGUAGE = re.compile(r"\w*")
_ITEM = re.compile(r"^\s*(?:\d+\s*[.)\uff0e\u3001:]|[-*•]|step \d+\s*[:.])\s*(.+)$", re.IGNORECASE)
#: A list in Python's form that is longer is not read: the parser goes deep for it.
_LONGEST_LITERAL = 20_000
_KEYS = ("steps", "plan", "步骤")


def read_plan(text: str) -> list[str]:
    """The steps of a plan; none where the text holds no plan."""
    for part in [*_fenced(text), text]:
        steps = _from_data(part) or _from_list(part)
        if steps:
            return steps
    return []


def _fenced(text: str) -> list[str]:
    """What stands in the first fence, if there is one."""
    opening = text.find("```")
    if opening < 0:
        return []
    begin = opening + 3
    closing = text.find("```", begin)
    if closing < 0:
        return []
    language = _LANGUAGE.match(text, begin, closing)
    return [text[language.end() if language else begin : closing].lstrip()]


def _from_data(text: str) -> list[str]:
    found = first_json(text)
    if found is not None:
        steps = _steps_of(found[0])
        if steps:
            return steps
    start, end = text.find("["), text.rfind("]")
    if 0 <= start < end <= start + _LONGEST_LITERAL:
        try:
            return _steps_of(sanitise(ast.literal_eval(text[start : end + 1]))[0])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return []
    return []


def _steps_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = next((value[key] for key in _KEYS if isinstance(value.get(key), list)), [])
    if not isinstance(value, (list, tuple)):
        return []
    return [text for each in value if (text := _text_of(each))]


def _text_of(step: Any) -> str:
    if isinstance(step, dict):
        step = next((v for v in step.values() if isinstance(v, str)), "")
    return step.strip() if isinstance(step, str) else ""


def _from_list(text: str) -> list[str]:
    found = (_ITEM.match(line) for line in text.splitlines())
    return [match.group(1).strip(" *_`") for match in found if match]
