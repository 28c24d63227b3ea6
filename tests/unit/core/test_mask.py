"""What is personal leaves a value at the door, wherever it hides, and nothing else changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from playhead.core.mask import mask
from tests.unit.core.secret_texts import texts

KEY = b"d" * 32
CARD = "4111 1111 1111 1111"


@pytest.mark.parametrize(
    ("value", "hidden"),
    [
        ("mail ann@example.com now", "ann@example.com"),
        ({"a": [{"b": f"card {CARD}"}]}, CARD),
        ({"ann@example.com": 1}, "ann@example.com"),
        ({"card": 4111111111111111}, "4111111111111111"),
        ({"phone": "5552671234"}, "5552671234"),
        ({"phone": 5552671234}, "5552671234"),
        ({"phones": ["+44 20 7946 0958"]}, "+44 20 7946 0958"),
        ({"body": json.dumps({"to": "ann@example.com"})}, "ann@example.com"),
        ({"body": json.dumps({"in": json.dumps({"card": CARD})})}, CARD),
        ({"body": '{"to": "ann\\u0040example.com"}'}, "ann\\u0040example.com"),
        ({"error": "no such user: ann@example.com (401)"}, "ann@example.com"),
        ({"iban": "DE89 3704 0044 0532 0130 00"}, "DE89"),
        ("Bearer abc123def456ghi789", "abc123def456ghi789"),
        ('{"x": {"api_key": "abc-123456"}}', "abc-123456"),
    ],
)
def test_r53_it_is_gone_wherever_it_hides(value: Any, hidden: str) -> None:
    masked, counts = mask(value, key=KEY)
    assert hidden not in json.dumps(masked, ensure_ascii=False)
    assert "[REDACTED:" in json.dumps(masked)
    assert sum(counts.values()) >= 1


def test_only_the_kinds_that_are_asked_for() -> None:
    value = {"a": "ann@example.com", "b": CARD}
    masked, counts = mask(value, key=KEY, kinds={"card"})
    assert masked["a"] == "ann@example.com"
    assert counts == {"card": 1}


def test_the_same_datum_has_the_same_marker_within_a_door_only() -> None:
    masked, _ = mask(["ann@example.com", "x ann@example.com", "bob@example.com"], key=KEY)
    assert masked[1] == "x " + masked[0]
    assert masked[2] != masked[0]
    assert mask("ann@example.com", key=b"e" * 32)[0] != masked[0]


def test_members_keep_apart() -> None:
    marker = next(iter(mask({"ann@example.com": 1}, key=KEY)[0]))
    masked, _ = mask({"ann@example.com": 1, marker: 2}, key=KEY)
    assert sorted(masked.values()) == [1, 2]


@pytest.mark.parametrize(
    "value",
    [
        {"order": "A-1042", "total": 1299.0, "at": "2026-11-30T10:22:31.102345Z", "n": 10023456},
        {"id": "550e8400-e29b-41d4-a716-446655440000", "empty": {}, "none": None, "yes": True},
        '{"a": "line\\nbreak"}',
    ],
)
def test_a_value_without_anything_personal_is_the_same_object(value: Any) -> None:
    masked, counts = mask(value, key=KEY)
    assert masked is value
    assert counts == {}


def test_r53_a_number_in_the_name_of_a_field_is_none_of_its_value() -> None:
    masked, counts = mask({"+49 30 1234567 ann@example.org": 4111111111111111}, key=KEY)
    assert counts == {"phone": 1, "email": 1, "card": 1}
    assert all(str(each).startswith("[REDACTED:card:") for each in masked.values())


@pytest.mark.parametrize("number", ["+44 20 7946 0958", "(415) 555-2671"])
@pytest.mark.parametrize("first", ["", "ann@example.com", "sk-known0123456789abcdef", CARD])
def test_r53_a_row_of_numbers_without_anything_between_is_masked_whole(
    first: str, number: str
) -> None:
    masked, counts = mask(first + number * 300, key=KEY)
    assert counts["phone"] == 300
    assert number not in masked
    assert mask(masked, key=KEY)[0] == masked


@settings(max_examples=150, deadline=None)
@given(texts)
def test_masking_twice_changes_nothing_more(text: str) -> None:
    masked, _ = mask({"t": text}, key=KEY)
    assert mask(masked, key=KEY)[0] == masked
