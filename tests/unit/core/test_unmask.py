"""What comes back of a masked form is what it stood for, or it is refused by name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playhead.core.errors import InvalidInput
from playhead.core.mask import mask
from playhead.core.seal import Sealer, unseal
from playhead.core.unmask import unmask

KEY = b"d" * 32
MAIL, PHONE, TOKEN = "ann@example.org", "+49 30 1234567", "sk-proj-AAAABBBBCCCCDDDDEEEE1234567890"
SEALER = Sealer(b"m" * 32, {})

pieces = st.sampled_from([MAIL, PHONE, TOKEN, "Hello ", " and ", "价格 ", "12", "[REDACTED:x]"])
texts = st.lists(pieces, max_size=5).map(" ".join)
values = st.recursive(
    texts | st.integers() | st.none() | st.booleans() | st.just(4111111111111111),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def shown_of(real: Any) -> tuple[Any, dict[str, str]]:
    marks: dict[str, str] = {}
    return mask(real, key=KEY, marks=marks)[0], marks


def back(given: Any, real: Any, spans: Any = ()) -> tuple[Any, list[Any]]:
    shown, marks = shown_of(real)
    return unmask(given, shown=shown, real=real, marks=marks, spans=spans, field="arguments")


@given(values)
def test_what_comes_back_unchanged_is_what_it_was(value: Any) -> None:
    """Data and sealed values, in texts, numbers and names: nothing is written as its mark."""
    sealed = SEALER.seal(value)
    shown, _ = shown_of(sealed.value)
    meant, kept = back(shown, sealed.value, sealed.spans)
    assert meant == sealed.value
    assert sorted(kept) == sorted(sealed.spans)


@given(texts, st.text(max_size=6), st.text(max_size=6))
def test_what_is_written_before_and_behind_moves_the_marks_along(
    text: str, before: str, behind: str
) -> None:
    sealed = SEALER.seal(text)
    shown, _ = shown_of(sealed.value)
    meant, kept = back(f"{before}{shown}{behind}", sealed.value, sealed.spans)
    reveal = {name: secret for name, (_, secret) in sealed.new.items()}
    assert unseal(meant, kept, reveal) == f"{before}{text}{behind}"


def test_a_change_between_two_marks_keeps_both() -> None:
    real = {"text": f"To {MAIL}, or to {PHONE}."}
    shown, _ = shown_of(real)
    given = {"text": shown["text"].replace(", or to ", ", and later to ")}
    assert back(given, real)[0] == {"text": f"To {MAIL}, and later to {PHONE}."}


def test_a_mark_may_be_replaced_or_left_out() -> None:
    real = {"to": MAIL, "note": f"for {MAIL} only", "card": 4111111111111111}
    given = {"to": "bo@example.org", "note": "for him only", "card": 12}
    assert back(given, real)[0] == given


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (lambda s: {"to": s["to"], "cc": s["to"]}, "arguments.cc"),
        (lambda s: {"to": s["note"]}, "arguments.to"),
        (lambda s: {"to": f"{s['to']} {s['to']}"}, "arguments.to"),
        (lambda s: {"to": s["to"], "list": [1, {"deep": s["to"]}]}, "arguments.list.1.deep"),
        (lambda s: {"to": s["to"], s["to"]: 1}, None),
        (lambda s: {"two": " ".join(reversed(s["two"].split()))}, "arguments.two"),
    ],
)
def test_a_mark_that_was_moved_is_refused_by_name(move: Any, field: str | None) -> None:
    real = {"to": MAIL, "note": f"call {PHONE}", "two": f"{MAIL} {TOKEN}"}
    shown, _ = shown_of(real)
    with pytest.raises(InvalidInput) as refused:
        back(move(shown), real)
    assert field is None or refused.value.detail["field"] == field
    assert MAIL not in refused.value.message


def test_a_sealed_value_stays_when_the_text_around_it_changes_and_cannot_be_moved() -> None:
    sealed = SEALER.seal({"header": f"Bearer {TOKEN} please", "other": ""})
    text = sealed.value["header"]
    meant, kept = back({"header": f"Now: {text}", "other": ""}, sealed.value, sealed.spans)
    reveal = {name: secret for name, (_, secret) in sealed.new.items()}
    assert unseal(meant, kept, reveal)["header"] == f"Now: Bearer {TOKEN} please"
    with pytest.raises(InvalidInput, match="other"):
        back({"header": "", "other": text}, sealed.value, sealed.spans)


def test_a_text_that_looks_like_a_mark_is_text() -> None:
    real = {"text": "see [REDACTED:email:" + "0" * 32 + "]"}
    given = {"text": real["text"] + " twice", "more": real["text"]}
    assert back(given, real)[0] == given
