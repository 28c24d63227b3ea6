"""Values that broke others come out as what JSON, both databases and a browser keep."""

from __future__ import annotations

import json
import time
import timeit
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import IntEnum, StrEnum
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from playhead.core import canonical
from playhead.core.sanitise import DEEPEST, sanitise


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


@dataclass
class Point:
    x: int
    inner: Any = None


class Order(BaseModel):
    id: str
    price: Decimal


class Row(list[Any]):
    """A list of somebody's own."""


class Broken:
    def __str__(self) -> str:
        raise RuntimeError("no")


def nested(levels: int, leaf: Any = 1) -> Any:
    value = leaf
    for _ in range(levels):
        value = [value]
    return value


def test_i1_nul_and_lone_surrogates_become_one_mark_also_in_keys() -> None:
    value, notes = sanitise({"a\0": "b\0c", "d": ["\ud800x", {"\udfff": 1}]})
    assert value == {"a\ufffd": "b\ufffdc", "d": ["\ufffdx", {"\ufffd": 1}]}
    assert [note.path for note in notes] == ["/a\ufffd", "/a\ufffd", "/d/0", "/d/1/\ufffd"]


def test_two_halves_of_a_character_become_it() -> None:
    assert sanitise("\ud83d\ude00\ud83d")[0] == "😀\ufffd"


def test_i2_six_literal_characters_stay_verbatim() -> None:
    for text in ("\\u0000", "a\\u0000b", '{"x": "\\u0000"}', "\\\\u0000", "\\ud800"):
        assert sanitise({"t": text}) == ({"t": text}, [])


def test_i4_numbers_that_json_does_not_have_become_text() -> None:
    value, notes = sanitise([float("nan"), float("inf"), -float("inf"), -0.0, 0.0, 1e300])
    assert value == ["NaN", "Infinity", "-Infinity", 0.0, 0.0, 1e300]
    assert canonical.dumps(value) == b'["NaN","Infinity","-Infinity",0.0,0.0,1e+300]'
    assert [note.path for note in notes] == ["/0", "/1", "/2", "/3"]


def test_i6_integers_beyond_64_bit_become_text_and_smaller_ones_stay() -> None:
    inside = [9007199254740993, 2**63 - 1, -(2**63)]
    assert sanitise(inside) == (inside, [])
    assert sanitise(2**63)[0] == "9223372036854775808"
    assert sanitise(-(2**63) - 1)[0] == "-9223372036854775809"
    assert sanitise(10**5000)[0] == "1" + "0" * 5000


@pytest.mark.parametrize("levels", [101, 1_100, 100_000])
def test_i7_the_deeper_part_becomes_its_json_text(levels: int) -> None:
    value, notes = sanitise(nested(levels, "\0"))
    depth, inner = 0, value
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0]
    rest = levels - DEEPEST
    assert depth == DEEPEST
    assert inner == "[" * rest + '"\ufffd"' + "]" * rest
    assert len(notes) == 1
    assert canonical.loads(canonical.dumps(value)) == value


def test_i7_deep_objects_and_exactly_the_limit() -> None:
    value: Any = {"n": 2**70}
    for _ in range(100_000):
        value = {"k": value}
    assert isinstance(sanitise(value)[0], dict)
    limit = nested(DEEPEST)
    assert sanitise(limit) == (limit, [])


def test_a_circle_is_named_and_a_shared_part_is_not() -> None:
    circle: list[Any] = []
    circle.append(circle)
    assert "(circular)" in canonical.dumps(sanitise(circle)[0]).decode()
    shared = {"a": 1}
    assert sanitise(nested(DEEPEST, [shared, shared]))[1][0].what.startswith("deeper")
    assert "circular" not in str(sanitise(nested(DEEPEST, [shared, shared]))[0])


def test_keys_become_text_and_never_push_another_out() -> None:
    value, notes = sanitise({1: "int", "1": "text", None: 0, 2.5: 2, ("a", 1): 3})
    assert value == {"1 (2)": "int", "1": "text", "null": 0, "2.5": 2, '["a",1]': 3}
    assert all(note.what.startswith("key: ") for note in notes)
    assert sanitise({"a\0": 1, "a\ufffd": 2})[0] == {"a\ufffd (2)": 1, "a\ufffd": 2}


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        (b"text", "text"),
        (b"\xff\x00", "data:application/octet-stream;base64,/wA="),
        (bytearray(b"a\0"), "a\ufffd"),
        (datetime(2026, 11, 30, 10, 0, tzinfo=UTC), "2026-11-30T10:00:00+00:00"),
        (date(2026, 11, 30), "2026-11-30"),
        (timedelta(minutes=1), 60.0),
        (Decimal("1.10"), "1.10"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (PurePosixPath("/a/b"), "/a/b"),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset({"b", "a"}), ["a", "b"]),
        (Point(1, Point(2)), {"x": 1, "inner": {"x": 2, "inner": None}}),
        (Order(id="A1", price=Decimal("2.50")), {"id": "A1", "price": "2.50"}),
        ((1, (2,)), [1, [2]]),
        (Row([1, Row("a")]), [1, ["a"]]),
        (ValueError("bad\0"), "ValueError: bad\ufffd"),
        (Broken(), "<Broken>"),
        (Point, "Point"),
        (float("inf"), "Infinity"),
    ],
)
def test_python_objects_become_what_json_has(given_value: Any, expected: Any) -> None:
    assert sanitise({"v": given_value})[0] == {"v": expected}


def test_i11_empty_things_stay() -> None:
    for value in ({}, [], "", None, 0, False, {"a": {}, "b": []}):
        assert sanitise(value) == (value, [])


def test_a_clean_value_is_the_same_object() -> None:
    value = {"text": "Grüße, 世界 😀", "list": [1, 2.5, None, True, {"deep": []}]}
    result, notes = sanitise(value)
    assert result is value
    assert notes == []


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.binary()
    | st.text(st.characters(categories=["Cs", "Cc", "L"])) | st.decimals() | st.dates(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()) | st.integers(), inner)
    | st.tuples(inner) | st.sets(st.integers()),
    max_leaves=20,
)  # fmt: skip


@given(anything)
def test_any_value_dumps_comes_back_and_is_stable(value: Any) -> None:
    result, notes = sanitise(value)
    assert json.loads(canonical.dumps(result)) == result
    assert "\0" not in canonical.dumps(result).decode()
    again, more = sanitise(result)
    assert again is result
    assert more == []
    assert notes or result == value or isinstance(value, tuple | list | dict)


def test_scanning_a_clean_text_of_2_kb_is_cheap() -> None:
    for text in ("order shipped " * 150, "订单已发货。" * 120):
        message = {"role": "tool", "content": text, "tool_call_id": "c41.0"}
        timer = timeit.Timer(lambda m=message: sanitise(m), timer=time.process_time)
        best = min(timer.repeat(number=2000, repeat=5)) / 2000
        assert best < 40e-6  # seconds; about 3 µs on a quiet machine
