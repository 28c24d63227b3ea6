"""Nothing of a secret leaves a stream before all of it is seen; prose hardly waits."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from playhead.core.seal import Sealer, StreamGuard
from playhead.core.seal.book import marker
from tests.unit.core.secret_texts import KEY, KNOWN, texts


def sealer(*, personal: bool = False) -> Sealer:
    return Sealer(KEY, KNOWN, personal=["email", "phone", "card", "iban"] if personal else [])


def read_whole(text: str, sealing: Sealer) -> str:
    """The sealed text of the whole, read once from left to right."""
    out, at = [], 0
    for cover in sealing.looker.covers(text, sealing.book.copy()):
        out += [text[at : cover.start], marker(cover.vault_id)]
        at = cover.end
    return "".join([*out, text[at:]])


def stream(text: str, cuts: list[int], sealing: Sealer) -> list[str]:
    guard = StreamGuard(sealing)
    bounds = [0, *sorted(min(c, len(text)) for c in cuts), len(text)]
    return [*(guard.feed(text[a:b]) for a, b in itertools.pairwise(bounds)), guard.finish()]


@settings(max_examples=500, deadline=None)
@given(texts, st.lists(st.integers(0, 200), max_size=12), st.booleans())
@example('password: "two words" x', [9, 12, 14], False)
@example("-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAabcd\nx y", [20, 33, 40], False)
@example("4111 1111 1111 1111 x", [3, 7, 12, 18], True)
def test_any_chunking_gives_the_sealed_text_of_the_whole(
    text: str, cuts: list[int], personal: bool
) -> None:
    sealing = sealer(personal=personal)
    assert "".join(stream(text, cuts, sealing)) == read_whole(text, sealing)


@settings(max_examples=200, deadline=None)
@given(texts, texts, st.booleans())
def test_one_character_at_a_time_after_a_long_text(before: str, text: str, personal: bool) -> None:
    sealing = sealer(personal=personal)
    whole = before + " so it goes on and on for a while " * 12 + text
    assert "".join(stream(whole, list(range(len(whole))), sealing)) == read_whole(whole, sealing)


@settings(max_examples=200, deadline=None)
@given(texts)
def test_no_released_prefix_holds_a_part_of_a_secret(text: str) -> None:
    """What is released is a prefix of the final text at every moment, so without a secret."""
    sealing = sealer()
    final, released = read_whole(text, sealing), ""
    guard = StreamGuard(sealing)
    for character in text:
        released += guard.feed(character)
        assert final.startswith(released)
    assert released + guard.finish() == final


@pytest.mark.parametrize(
    "text",
    [
        "sk-proj-Abc123Def456Ghi789",
        "password: hunter3",
        "Bearer abc123def456",
        "token=abc123def456",
    ],
)
def test_a_secret_at_the_very_end_is_sealed_by_finish(text: str) -> None:
    guard = StreamGuard(sealer())
    out = "".join(guard.feed(c) for c in text) + guard.finish()
    assert out == read_whole(text, sealer())
    assert "[REDACTED:" in out


def test_a_secret_that_was_streamed_is_known_from_then_on() -> None:
    text = 'password: "rosebud stone" then rosebud stone again and rosebud stone '
    out = "".join(stream(text, list(range(len(text))), sealer()))
    assert out.count("[REDACTED:password:") == 3
    assert "rosebud" not in out


def test_prose_waits_for_the_end_of_its_word_only() -> None:
    guard = StreamGuard(sealer())
    assert guard.feed("The order was") == "The order "
    assert guard.feed(" shipped on") == "was shipped "
    assert guard.feed(" Monday. ") == "on Monday. "
    assert guard.feed("订单已发货") == "订单已发货"


def test_digits_wait_where_personal_data_are_sealed() -> None:
    guard = StreamGuard(sealer(personal=True))
    assert guard.feed("card 4111 1111 ") == "card "
    assert guard.feed("1111 1111 ok ").startswith("[REDACTED:card:")


def test_a_long_stream_costs_linear_time() -> None:
    for piece in ("word ", "订单已发货。", "x" * 50, "password: no "):
        guard = StreamGuard(sealer())
        started = time.process_time()
        out = sum(len(guard.feed(piece)) for _ in range(4000)) + len(guard.finish())
        assert out >= 4000
        assert time.process_time() - started < 6
