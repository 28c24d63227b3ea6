"""What is personal data in a text, and what is an order number."""

from __future__ import annotations

import time

import pytest

from playhead.core.detect import find_personal


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mail ann.lee+x@mail.example.co.uk, please", [("email", "ann.lee+x@mail.example.co.uk")]),
        ("请联系ann@example.com谢谢", [("email", "ann@example.com")]),
        ("card 4111 1111 1111 1111 12/26", [("card", "4111 1111 1111 1111")]),
        ("4242424242424242请", [("card", "4242424242424242")]),
        ("5555-5555-5555-4444", [("card", "5555-5555-5555-4444")]),
        ("amex 3782 822463 10005", [("card", "3782 822463 10005")]),
        ("IBAN DE89 3704 0044 0532 0130 00 today", [("iban", "DE89 3704 0044 0532 0130 00")]),
        ("GB29NWBK60161331926819 AND MORE", [("iban", "GB29NWBK60161331926819")]),
        ("call +44 20 7946 0958 or", [("phone", "+44 20 7946 0958")]),
        ("+1 (415) 555-2671", [("phone", "+1 (415) 555-2671")]),
        ("(415) 555-2671", [("phone", "(415) 555-2671")]),
        ("415-555-2671", [("phone", "415-555-2671")]),
        ("手机\uff1a13812345678。", [("phone", "13812345678")]),
        ("138 1234 5678", [("phone", "138 1234 5678")]),
        ("phone: 5552671", [("phone", "5552671")]),
        (
            "Ann <ann@example.com>, +49 30 901820, 4111111111111111",
            [
                ("email", "ann@example.com"),
                ("phone", "+49 30 901820"),
                ("card", "4111111111111111"),
            ],
        ),
    ],
)
def test_personal_data_is_found(text: str, found: list[tuple[str, str]]) -> None:
    assert [(f.type, text[f.start : f.end]) for f in find_personal(text)] == found


@pytest.mark.parametrize(
    "text",
    [
        "order 10023456, invoice 2024-11-30-0042, total 1,299.00 EUR",
        "2024-11-30 10:22:31 and 2026-11-30T10:22:31.102345Z",
        "unix 1700000000, ms 1700000000123, ns 1700000000123456789",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "sha 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "card 4111 1111 1111 1112 fails its check digit",
        "0000 0000 0000 0000 and 4444 4444 4444 4444",
        "IBAN DE88 3704 0044 0532 0130 00 fails too",
        "@mention, user@localhost, a@b, 3 @ 4.50",
        "192.168.100.200:8080 v1.2.3-45 +10 000 users +12345",
        "48650 12796 22773 25369 39645 46267",
        "telephone number unknown, call 911",
    ],
)
def test_numbers_that_are_no_ones_are_left_alone(text: str) -> None:
    assert [(f.type, text[f.start : f.end]) for f in find_personal(text)] == []


def test_the_name_of_the_field_helps() -> None:
    assert find_personal("5552671234") == []
    assert [f.type for f in find_personal("5552671234", hint="phone")] == ["phone"]
    assert [(f.start, f.end) for f in find_personal("5552671234", hint="mobile")] == [(0, 10)]


def test_only_the_kinds_asked_for() -> None:
    text = "ann@example.com 4111111111111111"
    assert [f.type for f in find_personal(text, {"email"})] == ["email"]


@pytest.mark.parametrize(
    "text", ["@" * 100_000, "a.a@" * 50_000, "1 " * 100_000, "4111 " * 10_000, "+1" * 90_000]
)
def test_the_time_is_linear_whatever_the_text_holds(text: str) -> None:
    started = time.process_time()
    find_personal(text)
    assert time.process_time() - started < 6
