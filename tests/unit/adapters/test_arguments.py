"""What a model writes as the arguments of a call."""

from __future__ import annotations

from typing import Any

import pytest

from agents_app.adapters.models.arguments import parse_arguments
from agents_app.adapters.models.fields import count_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1}', ({"a": 1}, None)),
        (' \n{"a": {}} ', ({"a": {}}, None)),
        ("", ({}, None)),
        ("  ", ({}, None)),
        ("null", ({}, None)),
        ('"null"', ({}, None)),
        ('"{\\"a\\": 1}"', ({"a": 1}, None)),
        ("[]", ({}, "[]")),
        ("0", ({}, "0")),
        ("true", ({}, "true")),
        ('{"a": 1', ({}, '{"a": 1')),
        ('{"a": 1}}', ({}, '{"a": 1}}')),
        ('"text"', ({}, '"text"')),
        ("{'a': 1}", ({}, "{'a': 1}")),
    ],
)
def test_an_object_or_the_text_itself(
    text: str, expected: tuple[dict[str, Any], str | None]
) -> None:
    assert parse_arguments(text) == expected


@pytest.mark.parametrize("said", [-1, 10**30, 2**31, True, "7", 1.5, None, [], {}])
def test_what_is_no_count_is_unknown(said: object) -> None:
    assert count_of({"input_tokens": said}, "input_tokens") is None
    assert count_of({"input_tokens": 7}, "input_tokens") == 7
