"""Answers as JSON that a person can read in any language: text in UTF-8, not in escapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ninja.renderers import JSONRenderer

if TYPE_CHECKING:
    from django.http import HttpRequest


class TextRenderer(JSONRenderer):
    """JSON as ninja writes it, unescaped."""

    json_dumps_params = {"ensure_ascii": False}

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:
        """The body of an answer."""
        return encoded(super().render(request, data, response_status=response_status))


def encoded(text: str) -> bytes:
    r"""JSON in UTF-8; half a character, which UTF-8 does not have, as the escape ``\ud800``."""
    return text.encode(errors="backslashreplace")
