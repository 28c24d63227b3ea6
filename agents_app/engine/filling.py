"""Filling a template: braces in the data stay data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def fill(template: str, values: Mapping[str, Any]) -> str:
    """The template with each ``{name}`` replaced by its value, read once from left to right.

    A name without a value shows ``—``.
    """
    pieces = []
    rest = template
    while (start := rest.find("{")) >= 0 and (end := rest.find("}", start)) >= 0:
        pieces += [rest[:start], str(values.get(rest[start + 1 : end], "—"))]
        rest = rest[end + 1 :]
    return "".join(pieces) + rest
