"""What a docstring says of each parameter, in the forms of Google, NumPy and Sphinx."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_GOOGLE = re.compile(r"(?:args|arguments|parameters|params):", re.IGNORECASE)
_NUMPY = re.compile(r"(?:other )?parameters", re.IGNORECASE)
_RULE = re.compile(r"-{3,}")
#: ``name (type): text``: the type is the annotation's affair.
_ENTRY = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NAMES = re.compile(r"\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*(?=\s*(?::|$))")
_FIELD = re.compile(
    r":(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*\s)?\*{0,2}(\w+):(.*)"
)


def parameters(doc: str) -> dict[str, str]:
    """Descriptions by the name of the parameter; one that the docstring leaves out is not there."""
    lines = _lines(doc)
    found: dict[str, list[str]] = {}
    for place, line in enumerate(lines):
        if _GOOGLE.fullmatch(line.strip()):
            found |= _google(lines[place + 1 :], _indent(line))
        elif _NUMPY.fullmatch(line.strip()) and _RULE.fullmatch(_line(lines, place + 1).strip()):
            found |= _numpy(lines[place + 2 :])
        elif field := _FIELD.match(line.strip()):
            found[field[1]] = [field[2], *_deeper(lines[place + 1 :], _indent(line))]
    said = {name: " ".join(" ".join(text).split()) for name, text in found.items()}
    return {name: text for name, text in said.items() if text}


def _lines(doc: str) -> list[str]:
    """Without the margin; what stands below an ``Args:`` in the first line has lost its own."""
    first, *others = inspect.cleandoc(doc).splitlines() or [""]
    lost = bool(others and _GOOGLE.fullmatch(first.strip()) and _ENTRY.match(others[0]))
    return [first, *(f"    {line}" for line in others)] if lost else [first, *others]


def _google(lines: Sequence[str], outside: int) -> dict[str, list[str]]:
    """Entries that are indented below ``Args:``, all as deep as the first."""
    section = _deeper(lines, outside)
    deep = next((_indent(line) for line in section if line.strip()), 0)
    found: dict[str, list[str]] = {}
    text: list[str] = []
    for line in section:
        entry = _ENTRY.match(line.strip()) if _indent(line) == deep else None
        if entry:
            text = found[entry[1]] = [entry[2]]
        else:
            text.append(line)
    return found


def _numpy(lines: Sequence[str]) -> dict[str, list[str]]:
    """``name : type`` at the margin, the text below it; the next section ends it."""
    found: dict[str, list[str]] = {}
    for place, line in enumerate(lines):
        if _RULE.fullmatch(_line(lines, place + 1).strip()):
            break
        named = _NAMES.match(line) if line.strip() and not _indent(line) else None
        if named:
            text = _deeper(lines[place + 1 :], 0)
            found |= {name.strip(" *"): text for name in named[0].split(",")}
    return found


def _deeper(lines: Sequence[str], outside: int) -> list[str]:
    """The lines from here on that are indented more than that, blank ones between included."""
    kept: list[str] = []
    for line in lines:
        if line.strip() and _indent(line) <= outside:
            break
        kept.append(line)
    return kept


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _line(lines: Sequence[str], place: int) -> str:
    return lines[place] if place < len(lines) else ""
