"""An installation whose tools come from the MCP server of the tests, over either transport."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions, plugins
from agents_app.adapters.models.scripted import Reply, Rule, Script, View, call, reply
from agents_app.engine import AgentSpec, Limits
from agents_app.services.agents import agents_sync
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.fixtures import SettingsWrapper

    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Browser, Person

SERVER = Path(__file__).parents[2] / "mcp" / "server.py"


def _next_call(view: View) -> Reply:
    """The question is a list of calls, ``[[tool, arguments], …]``; each is made in its turn."""
    wanted = json.loads(view.user)
    tool, arguments = wanted[len(view.calls)]
    return reply(calls=[call(tool, **arguments)])


def _all_said(view: View) -> Reply:
    return reply(" | ".join(m.content for m in view.turn if m.role == "tool"))


SCRIPT = Script(
    [
        Rule(lambda v: len(v.calls) >= len(json.loads(v.user)), _all_said),
        Rule(lambda _: True, _next_call),
    ],
    pace=0.0,
)


class Site:
    """A data folder with servers, an agent that has their tools, and a person."""

    def __init__(self, folder: Path, workspace: WorkspaceRef) -> None:
        self.folder, self._workspace = folder, workspace
        self._settings: dict[str, str] = {}
        self._processes: list[subprocess.Popen[bytes]] = []

    @property
    def ledger(self) -> list[str]:
        """What the server did."""
        file = self.folder / "ledger.txt"
        return file.read_text().splitlines() if file.exists() else []

    def over(self, transport: str, more: str = "") -> None:
        """Configure the server ``t``, and start it where that is not Playhead's to do."""
        if transport == "stdio":
            command = json.dumps([sys.executable, str(SERVER), str(self.folder)])
            self.configure("t", f"command = {command}\n{more}")
        else:
            port = free_port()
            self.serve(port)
            self.configure("t", f'url = "http://127.0.0.1:{port}/mcp"\n{more}')

    def configure(self, name: str, text: str) -> None:
        """Write a table of ``plugins.toml``."""
        self._settings[name] = text
        tables = [f"[mcp.servers.{n}]\n{t}\n" for n, t in self._settings.items()]
        (self.folder / "plugins.toml").write_text("\n".join(tables))

    def serve(self, port: int) -> None:
        """Start the server over HTTP."""
        self._processes.append(
            subprocess.Popen(
                [sys.executable, str(SERVER), str(self.folder), str(port)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        until(lambda: _listens(port))

    def end(self) -> None:
        """End the servers over HTTP."""
        for process in self._processes:
            process.kill()
            process.wait()
        self._processes.clear()

    def load(self, *tools: str, slug: str = "caller") -> None:
        """Load plug-ins anew, as a restart does, and define an agent with these tools."""
        plugins.use(None)
        here = plugins.current()
        given = tuple(here.tools[f"t__{name}"] for name in tools)
        spec = AgentSpec(slug=slug, model="scripted:caller", tools=given, limits=Limits(9))
        definitions.use(definitions.Definitions({slug: spec}, {"caller": SCRIPT}))
        agents_sync(workspace_id=self._workspace.id)


@pytest.fixture
def site(tmp_path: Path, settings: SettingsWrapper, workspace: WorkspaceRef) -> Iterator[Site]:
    settings.PLAYHEAD_DATA = tmp_path
    made = Site(tmp_path, workspace)
    yield made
    made.end()
    definitions.use(None)
    plugins.use(None)


class Caller:
    """A person who has the agent call tools."""

    def __init__(self, person: Person) -> None:
        self.browser: Browser = person.browser()

    def start(self, *calls: tuple[str, dict[str, Any]], agent: str = "caller") -> str:
        """Start a session that makes these calls; its id."""
        asked = json.dumps([[f"t__{tool}", arguments] for tool, arguments in calls])
        return str(self.browser.post("/sessions", {"agent": agent, "input": asked}).json()["id"])

    def session(self, session: str) -> dict[str, Any]:
        return dict(self.browser.get(f"/sessions/{session}").json())

    def does(self, *calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
        """The session that makes these calls, when it rests."""
        session = self.start(*calls)
        work_all()
        return self.session(session)

    def results(self, session: str) -> list[dict[str, Any]]:
        events = self.browser.get(f"/sessions/{session}/events?types=tool_result&bodies=1").json()
        return [event["payload"] for event in events["items"]]

    def question(self, session: str) -> dict[str, Any]:
        """The one open question."""
        [asked] = self.browser.get(f"/interrupts?status=pending&session={session}").json()["items"]
        return dict(asked)

    def decide(self, asked: dict[str, Any], decision: str, **given: Any) -> None:
        body = {"decision": decision, "digest": asked["digest"], **given}
        answer = self.browser.post(f"/interrupts/{asked['id']}/decision", body)
        assert answer.status_code == 200, answer.content

    def verdict(self, session: str) -> str:
        answer = self.browser.post(f"/sessions/{session}/verify", {}).json()
        return str(answer["derivation"]["verdict"])


@pytest.fixture
def caller(dana: Person) -> Caller:
    return Caller(dana)


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _listens(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def until(holds: Any, within: float = 20.0) -> None:
    """Wait for a state, looking often."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
