"""Nothing that a client sends is a 500, and every refusal is a problem with a code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.integration.cast import Browser

if TYPE_CHECKING:
    from tests.integration.cast import Person

MALFORMED = {
    "empty": b"",
    "not json": b"{",
    "two values": b"{}{}",
    "raw NUL": b'{"email": "a\x00b"}',
    "not utf-8": b'{"email": "\xff\xfe"}',
    "NaN": b'{"email": NaN}',
    "infinity": b'{"email": -Infinity}',
    "deep arrays": b'{"email": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"a":' * 1_100 + b"1" + b"}" * 1_100,
    "a number of 5,000 digits": b'{"email": ' + b"9" * 5_000 + b"}",
    "control character": b'{"email": "a\nb"}',
    "utf-16": '{"email": "a"}'.encode("utf-16"),
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED.keys())
def test_i07_a_body_that_is_no_json_is_a_400_that_says_so(alice: Person, body: bytes) -> None:
    answer = alice.browser().post("/users", body)
    problem = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    if body:
        assert (answer.status_code, problem["code"]) == (400, "bad_json")
        assert problem["detail"]
    else:
        assert (answer.status_code, problem["code"]) == (422, "invalid")


SHAPES = {
    "array": b"[]",
    "string": b'"x"',
    "null": b"null",
    "number": b"1",
    "wrong types": b'{"email": {"a": 1}, "role": 7}',
    "brackets in a string": b'{"email": "' + b"[" * 500 + b'", "role": "viewer"}',
    "escaped NUL": rb'{"email": "a\u0000b@example.com", "role": "viewer"}',
    "the six letters": rb'{"email": "a\\u0000b", "role": "viewer"}',
    "half a surrogate pair": rb'{"email": "a\ud800@example.com", "role": "viewer"}',
    "half a pair in a name": rb'{"email": "d@example.com", "role": "viewer", "name": "\ud800"}',
    "a huge integer": b'{"email": 99999999999999999999999999, "role": "viewer"}',
    "no fields": b"{}",
    "a key with NUL": rb'{"a\u0000": 1}',
}


@pytest.mark.parametrize("body", SHAPES.values(), ids=SHAPES.keys())
@pytest.mark.parametrize("path", ["/users", "/auth/login", "/auth/link"])
def test_i01_json_of_the_wrong_shape_is_refused_by_field(
    alice: Person, path: str, body: bytes
) -> None:
    answer = alice.browser().post(path, body)
    assert answer.status_code in {201, 400, 401, 410, 422}
    if answer.status_code != 201:
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"]


@pytest.mark.parametrize("user_id", ["%00", "%FF", "a" * 5_000, "%F0%9F%98%80", "..%2F", "1e400"])
def test_strange_paths_find_nothing(alice: Person, user_id: str) -> None:
    answer = alice.browser().patch(f"/users/{user_id}", {"name": "x"})
    assert answer.status_code in {400, 404}
    assert answer["Content-Type"] == "application/problem+json"


def test_an_unknown_address_is_a_problem(alice: Person) -> None:
    answer = alice.browser().get("/nowhere")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_wrong_method_is_a_problem_that_names_the_right_ones(alice: Person) -> None:
    answer = alice.browser().send("DELETE", "/me")
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert "GET" in answer["Allow"]


def test_a_body_that_is_too_large_says_so(alice: Person) -> None:
    answer = alice.browser().post("/users", b'{"name": "' + b"x" * (11 * 1024 * 1024) + b'"}')
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_host_that_is_not_ours_is_a_problem(alice: Person) -> None:
    answer = Browser().get("/me", Host="evil.example")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
