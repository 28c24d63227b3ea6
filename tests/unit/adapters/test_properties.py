"""S0-43: properties of answers hold, and fail where they should."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.testing import (
    assert_cites,
    assert_json,
    assert_length,
    assert_no_personal_data,
    assert_no_secrets,
)

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = '{"name": "Ann", "at": {"city": "Bonn"}, "age": 3}'
SCHEMA = {"properties": {"age": {"type": "integer", "minimum": 1}}, "required": ["age"]}
KEY = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4"

HOLD: list[Callable[[], Any]] = [
    lambda: assert_json(GOOD, "name", "at.city", schema=SCHEMA),
    lambda: assert_json("[1]"),
    lambda: assert_json(f"Sure:\n```json\n{GOOD}\n```\nBye.", "age", embedded=True),
    lambda: assert_no_personal_data("Ann lives in Bonn."),
    lambda: assert_no_personal_data("Write to ann@example.com", kinds={"iban"}),
    lambda: assert_no_secrets("The key is under the mat."),
    lambda: assert_length("one two", at_least=2, at_most=2, unit="words"),
    lambda: assert_length("a\nb", at_most=2, unit="lines"),
    lambda: assert_cites("So it is [a.md], twice [a.md] [b.md].", {"a.md", "b.md"}, at_least=2),
]
FAIL: list[tuple[Callable[[], Any], str]] = [
    (lambda: assert_json("{'name': 1}"), "no JSON"),
    (lambda: assert_json(f"Sure: {GOOD}"), "no JSON"),
    (lambda: assert_json("Sure.", embedded=True), "no JSON in it"),
    (lambda: assert_json(GOOD, "at.street"), "no field at.street"),
    (lambda: assert_json("[1]", "name"), "no field name"),
    (lambda: assert_json('{"age": 0}', schema=SCHEMA), "age: 0 is less than"),
    (lambda: assert_json("{}", schema=SCHEMA), "the value: 'age' is a required"),
    (lambda: assert_no_personal_data("Write to ann@example.com."), "email at 9"),
    (lambda: assert_no_secrets(f"Use {KEY} now."), "has a secret"),
    (lambda: assert_length(""), "0 characters, at least 1"),
    (lambda: assert_length("one two", at_most=1, unit="words"), "2 words, at most 1"),
    (lambda: assert_cites("Everybody knows.", {"a.md"}), "cites 0 of the sources"),
    (lambda: assert_cites("[a.md] [made-up.md]", {"a.md"}), "made-up.md, which is none"),
]


@pytest.mark.parametrize("holds", HOLD)
def test_s0_43_what_holds_passes(holds: Callable[[], Any]) -> None:
    holds()


@pytest.mark.parametrize(("fails", "why"), FAIL)
def test_s0_43_what_does_not_hold_says_why(fails: Callable[[], Any], why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        fails()


def test_a_failure_repeats_nothing_personal_or_secret() -> None:
    for check, text in ((assert_no_personal_data, "ann@example.com"), (assert_no_secrets, KEY)):
        with pytest.raises(AssertionError) as failed:
            check(f"It is {text}.")
        assert text not in str(failed.value)


def test_a_wrong_check_is_no_failed_answer() -> None:
    with pytest.raises(ValueError, match="unit"):
        assert_length("x", unit="pages")
    with pytest.raises(ValueError, match="kinds"):
        assert_no_personal_data("x", kinds={"shoe size"})


def test_the_value_comes_back() -> None:
    assert assert_json(GOOD)["at"] == {"city": "Bonn"}
    assert assert_cites("[a]", {"a", "b"}) == ["a"]
