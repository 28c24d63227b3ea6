"""The recorded demo sessions: they verify with the code of today, and tell their story."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from agents_app.adapters import definitions
from replay_app.engine import load_jsonl
from replay_app.selectors.proofs import events_verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playhead.core.events import Event

RECORDED = sorted(
    (each for each in files("agents_app.demo").joinpath("recorded").iterdir()),
    key=lambda each: each.name,
)


@pytest.fixture(autouse=True)
def _demo_agents() -> Iterator[None]:
    definitions.use(definitions.load(["agents_app.demo"]))
    yield
    definitions.use(None)


def events_of(name: str) -> list[Event]:
    """The events of a recorded session."""
    file = next(each for each in RECORDED if each.name.startswith(name))
    return load_jsonl(file.read_text(encoding="utf-8")).events


@pytest.mark.parametrize("name", [each.name for each in RECORDED])
def test_every_recorded_session_verifies(name: str) -> None:
    verdict = events_verify(events=events_of(name))

    assert verdict.chain.ok
    assert (verdict.derivation.verdict, verdict.derivation.complete) == ("ok", True), verdict


def test_one_of_them_went_wrong_because_of_a_dirty_lookup_result() -> None:
    events = events_of("02")
    looked_up = next(e for e in events if e.payload.get("tool") == "lookup_order" and e.cause == 5)
    paid = next(e for e in events if e.event_type == "tool_call" and e.payload["effectful"])

    assert '"paid":"48000"' in looked_up.payload["message"]["content"]
    assert paid.payload["arguments"]["amount_cents"] == 4_800_000


def test_a_cached_session_says_so_and_what_it_saved() -> None:
    responses = [e for e in events_of("05") if e.event_type == "llm_response"]

    assert {e.payload["source"] for e in responses} == {"cache"}
    assert all(e.payload["usage"] is None and e.payload["saved"] for e in responses)
