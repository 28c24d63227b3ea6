"""The timeline: recorded events in order, a playhead, breakpoints, what a branch may replace."""

from __future__ import annotations

from typing import Any

import pytest

from playhead.core.errors import InvalidInput, NotFound
from replay_app.engine import StopOn, Timeline


def recorded(seq: int, event_type: str, **payload: Any) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "session_id": "sess_1",
        "seq": seq,
        "event_type": event_type,
        "ts": "2026-11-30T10:22:31.102345Z",
        "scope": None,
        "cause": None,
        "payload": payload,
        "hash": "00" * 32,
    }


EVENTS = [
    recorded(3, "tool_result", tool="look_up", ok=True),
    recorded(1, "user_message", message={"role": "user", "content": "hello"}),
    recorded(4, "tool_result", tool="pay", ok=False),
    recorded(2, "llm_response", finish="tool_calls"),
]


def test_s3_47_events_are_read_in_the_order_of_their_seq_and_end_with_nothing() -> None:
    timeline = Timeline(EVENTS)
    read = [timeline.next() for _ in range(4)]
    assert [event.seq for event in read if event] == [1, 2, 3, 4]
    assert timeline.position == 4
    assert timeline.next() is None


def test_s3_47_seek_puts_the_playhead_before_an_event() -> None:
    timeline = Timeline(EVENTS).seek(seq=3)
    assert timeline.position == 2
    found = timeline.next()
    assert found is not None
    assert found.seq == 3
    with pytest.raises(NotFound, match="9"):
        timeline.seek(seq=9)


@pytest.mark.parametrize(
    ("stop", "stops"),
    [
        (StopOn("tool_result"), True),
        (StopOn("tool_result", tool="pay"), True),
        (StopOn("tool_result", tool="pay", ok=False), True),
        (StopOn("tool_result", tool="pay", ok=True), False),
        (StopOn("tool_result", nothing=None), False),
        (StopOn("tool_call", tool="pay"), False),
    ],
)
def test_s3_48_a_breakpoint_is_the_type_and_every_filter(stop: StopOn, stops: bool) -> None:
    assert stop.matches(EVENTS[2]) is stops


def test_s3_48_reading_stops_before_the_event_and_goes_on_behind_it() -> None:
    timeline = Timeline(EVENTS)
    stop = StopOn("tool_result")
    found = timeline.run_until(stop, StopOn("error"))
    assert found is not None
    assert (found.seq, timeline.position) == (3, 2)
    assert timeline.next() == found
    assert timeline.run_until(StopOn("error")) is None
    assert timeline.position == 4


def test_s3_58_what_came_from_outside_is_replaced_and_all_behind_it_is_gone() -> None:
    branch = Timeline(EVENTS).replace(seq=3, event_type="tool_result", payload={"ok": False})
    assert [event.seq for event in branch] == [1, 2, 3]
    assert branch.events[-1].payload == {"tool": "look_up", "ok": False}
    with pytest.raises(InvalidInput, match="not a tool_call"):
        Timeline(EVENTS).replace(seq=3, event_type="tool_call", payload={})
    loops_own = [recorded(1, "step_end", step=1)]
    with pytest.raises(InvalidInput, match="written by the loop"):
        Timeline(loops_own).replace(seq=1, event_type="step_end", payload={})
