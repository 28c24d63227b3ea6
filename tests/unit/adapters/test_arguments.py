"""What a model writes as the arguments of a call."""

from __future__ import annotations

from typing import Any

import pytest

from agents_app.adapters.models.arguments import parse_arguments


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
