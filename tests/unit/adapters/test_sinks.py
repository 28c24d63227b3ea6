"""Event sinks: behind queues, so that whatever one does touches nobody."""

from __future__ import annotations

import json
import logging
import os
import threading
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.sinks import queue as queues
from agents_app.adapters.sinks.jsonl import JSONLFile
from agents_app.adapters.sinks.outlet import Outlet
from agents_app.adapters.sinks.queue import SinkQueue
from playhead.core.clock import SystemClock
from playhead.plugins import PluginError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def numbered(count: int, first: int = 0) -> list[dict[str, Any]]:
    return [{"event_type": "tick", "n": n} for n in range(first, first + count)]


class Noting:
    """Keeps what it is given; may be made to hang or to raise."""

    def __init__(self, *, raises: int = 0, hangs: bool = False) -> None:
        self.got: list[dict[str, Any]] = []
        self.raises = raises
        self.entered, self.go = threading.Event(), threading.Event()
        if not hangs:
            self.go.set()

    def write(self, events: Sequence[dict[str, Any]]) -> None:
        self.entered.set()
        assert self.go.wait(30)
        if self.raises:
            self.raises -= 1
            raise SystemExit("the platform is away")
        self.got += events


def queue_of(sink: Noting, *, room: int = 100) -> SinkQueue:
    return SinkQueue("noting", sink, clock=SystemClock(), room=room)


def test_events_come_in_order_and_whole() -> None:
    sink = Noting()
    queue = queue_of(sink, room=10_000)
    for n in range(0, 1000, 10):
        queue.put(numbered(10, n))
    queue.drain(30)
    assert sink.got == numbered(1000)
    assert queue.dropped == 0


def test_s3_12_a_sink_that_hangs_is_not_waited_for_and_its_loss_is_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sink = Noting(hangs=True)
    queue = queue_of(sink)
    queue.put(numbered(1))
    assert sink.entered.wait(30)
    queue.put(numbered(150, 1))
    assert queue.dropped == 50
    sink.go.set()
    queue.drain(30)
    kinds = [(each["event_type"], each.get("n")) for each in sink.got]
    assert kinds[0] == ("tick", 0)
    assert kinds[1:] == [("sink.dropped", None), *(("tick", n) for n in range(1, 101))]
    assert sink.got[1]["payload"] == {"count": 50}
    said = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert said == [
        "Event sink noting does not keep up: events are dropped",
        "Event sink noting missed 50 events",
    ]


def test_s3_12_a_sink_that_raises_is_told_what_it_missed() -> None:
    sink = Noting(raises=1)
    queue = queue_of(sink)
    queue.put(numbered(3))
    queue.drain(30)
    queue.put(numbered(1, 3))
    queue.drain(30)
    assert [each["event_type"] for each in sink.got] == ["sink.dropped", "tick"]
    assert sink.got[0]["payload"] == {"count": 3}
    assert queue.dropped == 3


def test_what_a_hung_sink_has_left_at_the_end_is_counted() -> None:
    sink = Noting(hangs=True)
    queue = queue_of(sink)
    queue.put(numbered(1))
    assert sink.entered.wait(30)
    queue.put(numbered(5, 1))
    queue.drain(0.01)
    assert queue.dropped == 5
    sink.go.set()


async def test_an_outlet_serves_all_and_a_slow_one_delays_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow, quick = Noting(hangs=True), Noting()
    outlet = Outlet()
    outlet.serve({"slow": slow, "quick": quick, "off": None})
    outlet.emit("tool.weather.request", {"city": "Bonn"})
    outlet.queues[1].drain(30)
    assert [each["event_type"] for each in quick.got] == ["tool.weather.request"]
    assert slow.got == []
    slow.go.set()
    await outlet.drained()
    assert slow.got == quick.got


async def test_what_looks_like_a_secret_is_masked_before_it_goes_out() -> None:
    sink, key = Noting(), "sk-" + "proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4"
    outlet = Outlet()
    outlet.serve({"noting": sink})
    outlet.emit("tool.call", {"note": f"the key is {key}", "at": {1, 2}})
    await outlet.drained()
    assert key not in json.dumps(sink.got)
    assert "[REDACTED:" in sink.got[0]["payload"]["note"]


def test_what_is_no_sink_is_refused_by_its_name() -> None:
    with pytest.raises(PluginError, match=r"event.odd is no sink: it needs write"):
        Outlet().serve({"odd": object()})  # type: ignore[dict-item]


def test_without_sinks_nothing_is_started() -> None:
    before = threading.active_count()
    outlet = Outlet()
    outlet.serve({})
    outlet.emit("x", {})
    outlet.tell([])
    assert threading.active_count() == before


def test_s3_12_lines_are_appended_and_on_the_disk_when_a_run_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    file = JSONLFile(tmp_path / "deep" / "events.jsonl")
    file.write([{"event_type": "step_end", "text": "ä\n"}])
    assert synced == []
    file.path.rename(tmp_path / "moved.jsonl")
    file.write([{"event_type": "session_end"}])
    assert len(synced) == 1
    assert (tmp_path / "moved.jsonl").read_text() == '{"event_type":"step_end","text":"ä\\n"}\n'
    assert file.path.read_text() == '{"event_type":"session_end"}\n'
    assert file.path.stat().st_mode & 0o077 == 0


def test_a_batch_is_bounded() -> None:
    assert 0 < queues.BATCH <= queues.ROOM
