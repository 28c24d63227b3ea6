"""Sentences that know what they say: for who says it in another language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

#: What can be said of a definition. The console has its words for each: a new one needs them too.
Code = Literal[
    "missing", "wrong_kind", "too_long", "too_many", "none_of", "between", "has_secret",
    "unknown_field", "bad_slug", "reserved_slug", "unknown_strategy", "unknown_middleware",
    "which_middleware", "middleware_twice", "tool_twice", "unknown_tool", "too_large",
    "approval_demanded", "role_only_raised", "effect_only_stricter", "tool_off", "unknown_option",
    "at_least", "at_most", "more_than", "less_than", "whole_number", "like", "too_few",
    "stands_before", "stands_after", "not_together", "no_such_tool", "no_such_argument",
    "never_reached", "no_model", "not_twice", "failed_already", "looks_nowhere", "no_expression",
    "classifier_and_choices", "nothing_to_route", "nothing_limited", "window_too_short",
]  # fmt: skip


class Said(str):
    """A sentence in English with a stable code, and what stands in it; a plain text has no code."""

    __slots__ = ("code", "params")
    code: Code | None
    params: Mapping[str, str | int]

    def __new__(cls, text: str, code: Code | None = None, **params: str | int) -> Self:
        made = super().__new__(cls, text)
        made.code, made.params = code, params
        return made


def of(text: str) -> tuple[Code | None, dict[str, str | int]]:
    """The code of a sentence and its parameters; none for one that is only a text."""
    return (text.code, dict(text.params)) if isinstance(text, Said) else (None, {})
