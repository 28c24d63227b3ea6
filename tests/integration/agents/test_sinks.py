"""What the worker commits reaches the sinks; what a sink does reaches no session."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions, plugins
from agents_app.engine import AgentSpec
from agents_app.services.agents import agents_sync
from agents_app.testing import calls, says
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person

WEATHER = '''
"""S3-28: a tool that takes the outlet and its key from its context, and tells each request."""
from pydantic import BaseModel
from agents_app.engine import ToolResult
from playhead.plugins import PluginMeta

class Options(BaseModel):
    api_key: str

class Weather:
    meta = PluginMeta("weather", "1.4", ("tool.weather",), ("event.sink",), Options)
    name = "weather"
    schema = {"name": "weather", "description": "Tell the weather.",
              "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}

    def on_load(self, ctx):
        self.sink = ctx.require("event.sink")
        self.key = ctx.config.api_key
        self.open = True

    async def on_stop(self):
        self.open = False

    async def execute(self, arguments):
        self.sink.emit("tool.weather.request", {"city": arguments["city"]})
        return ToolResult("", f"Sun in {arguments['city']}.", True)

PLUGINS = [Weather]
'''
BAD = """
import threading
from playhead.plugins import provides_all

class Raises:
    def write(self, events):
        raise RuntimeError("no disk")

class Hangs:
    def __init__(self):
        self.go = threading.Event()
    def write(self, events):
        self.go.wait(60)

PLUGINS = [provides_all({"event.raises": Raises(), "event.hangs": Hangs()}, name="bad")]
"""


class Model:
    """Asks for the weather once, then says it."""

    async def respond(self, request: Any, on_delta: Any) -> Any:
        from agents_app.engine.ports import ModelReply

        answered = [m for m in request.messages if m.role == "tool"]
        if answered:
            return ModelReply(says(answered[-1].content), stop_reason="stop")
        return ModelReply(calls(("weather", {"city": "Bonn"})), stop_reason="tool_calls")


@pytest.fixture
def folder(tmp_path: Path, settings: SettingsWrapper) -> Iterator[Path]:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "weather.py").write_text(WEATHER)
    options = '[weather]\napi_key = "none"\n["playhead.jsonl"]\npath = "out/events.jsonl"\n'
    (tmp_path / "plugins.toml").write_text(options)
    settings.PLAYHEAD_DATA = tmp_path
    plugins.use(None)
    yield tmp_path
    plugins.use(None)
    definitions.use(None)


def start(who: Person, workspace: WorkspaceRef) -> Any:
    tools = (plugins.current().tools["weather"],)
    spec = AgentSpec(slug="sky", model="scripted:echo", tools=tools)
    definitions.use(definitions.Definitions({"sky": spec}, {}))
    agents_sync(workspace_id=workspace.id)
    browser = who.browser()
    made = browser.post("/sessions", {"agent": "sky", "input": "Weather in Bonn?"}).json()
    return browser, made["id"]


def log_of(browser: Any, session: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = browser.get(f"/sessions/{session}/events").json()["items"]
    return items


@pytest.mark.django_db(transaction=True)
def test_s3_12_every_event_of_a_session_is_a_line_of_the_file(
    folder: Path, workspace: WorkspaceRef, bob: Person
) -> None:
    """S3-28 beside them: what the tool told through its context."""
    browser, session = start(bob, workspace)
    work_all(models=lambda _name: Model())
    browser.post(f"/sessions/{session}/messages", {"content": "And now?"})
    work_all(models=lambda _name: Model())
    lines = [json.loads(each) for each in (folder / "out/events.jsonl").read_text().splitlines()]
    of_log = [line for line in lines if "seq" in line]
    events = log_of(browser, session)
    assert [line["event_type"] for line in of_log[:3]] == [
        "session_start",
        "user_message",
        "llm_request",
    ]
    assert [(line["seq"], line["hash"]) for line in of_log] == [
        (event["seq"], event["hash"]) for event in events
    ]
    assert [line["payload"] for line in of_log] == [event["payload"] for event in events]
    told = [line for line in lines if "seq" not in line]
    assert [(line["event_type"], line["payload"]) for line in told] == [
        ("tool.weather.request", {"city": "Bonn"})
    ]


@pytest.mark.django_db(transaction=True)
def test_s3_12_sinks_that_raise_or_hang_touch_no_session(
    folder: Path, workspace: WorkspaceRef, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "plugins" / "bad.py").write_text(BAD)
    monkeypatch.setattr("agents_app.adapters.sinks.outlet.GRACE", 0.2)
    browser, session = start(bob, workspace)
    work_all(models=lambda _name: Model())
    found = browser.get(f"/sessions/{session}").json()
    assert (found["status"], found["answer"]) == ("finished", "Sun in Bonn.")
    dropped = {queue.name: queue.dropped for queue in plugins.current().outlet.queues}
    count = len(log_of(browser, session)) + 1
    assert dropped["jsonl"] == 0
    assert dropped["raises"] == count
    assert dropped["hangs"] < count
    hanging = plugins.registry().get("event.hangs")
    hanging.go.set()
    assert any(each.name == "sink-hangs" for each in threading.enumerate())
    verdict = browser.post(f"/sessions/{session}/verify", {}).json()
    assert verdict["derivation"]["verdict"] == "ok"
