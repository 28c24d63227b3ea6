"""What a docstring says of a part: its summary, and a sentence for each option (``Args:``)."""

from __future__ import annotations

import inspect
import re
from typing import Any

_SECTION = re.compile(r"^(Args|Arguments|Parameters|Attributes|Returns|Raises|Yields)\s*:\s*$")
_ARGUMENT = re.compile(r"^(\w+)(?: \([^)]*\))?:\s*(.*)$")


def summary_of(part: Any) -> str:
    """The first paragraph, on one line; of a class without one, its module's."""
    docs = (part.__doc__ and inspect.getdoc(part), inspect.getdoc(inspect.getmodule(part)))
    for doc in docs:
        first = (doc or "").split("\n\n")[0]
        if first and not _SECTION.match(first.splitlines()[0]):
            return _plain(" ".join(first.split()))
    return ""


def options_of(part: Any) -> dict[str, str]:
    """What ``Args:`` says of each parameter: of the class, or of its constructor."""
    found: dict[str, str] = {}
    for each in (getattr(part, "__init__", None), part):
        found |= _arguments(inspect.getdoc(each) or "")
    return {name: _plain(text) for name, text in found.items()}


def _plain(text: str) -> str:
    """Without the signs that mark code in a docstring: people read it in a form."""
    return text.replace("``", "")


def _arguments(doc: str) -> dict[str, str]:
    found: dict[str, str] = {}
    inside, name = False, ""
    for line in _indented(doc):
        if not line.startswith(" "):
            section = _SECTION.match(line)
            inside = bool(section and section[1] in ("Args", "Arguments", "Parameters"))
            continue
        if not inside:
            continue
        depth = len(line) - len(line.lstrip())
        begins = _ARGUMENT.match(line.strip()) if depth <= 4 else None
        if begins:
            name = begins[1]
            found[name] = begins[2]
        elif name:
            found[name] = f"{found[name]} {line.strip()}".strip()
    return found


def _indented(doc: str) -> list[str]:
    """The lines; a docstring that begins with ``Args:`` has lost the indent of what follows."""
    first, *others = doc.splitlines() or [""]
    if _SECTION.match(first):
        others = [f"    {line}" for line in others]
    return [first, *others]
