"""MCP servers of a worker that is killed, stopped, or loses the guard between them."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import AGENTS, wait

from agents_app.adapters import definitions, plugins
from agents_app.services.agents import agents_sync
from tests.mcp.processes import guards_of, processes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Installation
    from pytest_django.fixtures import SettingsWrapper

SERVER = Path(__file__).parents[1] / "mcp" / "server.py"
AGENT = """
from agents_app.adapters.models.scripted import Rule, Script, call, reply
from agents_app.engine import AgentSpec

SCRIPTS = {
    "waiter": Script(
        [
            Rule(lambda v: v.calls, lambda v: reply(v.turn[-1].content)),
            Rule(lambda _: True, lambda _: reply(calls=[call("t__wait", seconds=4.0)])),
        ],
        pace=0.0,
    )
}
AGENTS = [AgentSpec(slug="waiter", model="scripted:waiter", tools=["t__wait"])]
"""


class Served:
    """An installation whose workers start the server of the tests."""

    def __init__(self, installation: Installation, folder: Path) -> None:
        self.installation, self._folder = installation, folder
        self.session = installation.start_session("waiter")

    def begun(self, times: int = 1) -> bool:
        file = self._folder / "ledger.txt"
        return file.exists() and file.read_text().split().count("waits") >= times

    def none_left(self) -> None:
        left = lambda: processes_of(self._folder)  # noqa: E731
        wait(lambda: not left(), within=10, what=lambda: f"processes {left()} are left")

    def finished(self) -> str:
        head = self.installation.until(self.session, "finished")
        return str(head.state.answer)


@pytest.fixture
def served(
    installation: Installation, data: Path, tmp_path: Path, settings: SettingsWrapper
) -> Iterator[Served]:
    settings.PLAYHEAD_DATA = data
    command = json.dumps([sys.executable, str(SERVER), str(tmp_path)])
    toml, agents = data / "plugins.toml", data / "agents"
    toml.write_text(f"[mcp.servers.t]\ncommand = {command}\n")
    agents.mkdir(exist_ok=True)
    (agents / "waiter.py").write_text(AGENT)
    plugins.use(None)
    definitions.use(definitions.load(AGENTS, agents))
    agents_sync()
    yield Served(installation, tmp_path)
    installation.stop()
    toml.unlink()
    (agents / "waiter.py").unlink()
    plugins.use(None)
    definitions.use(definitions.load(AGENTS))


def begun(served: Served, times: int = 1) -> Any:
    return wait(lambda: served.begun(times), within=30, what=lambda: "the server was not called")


def test_a_killed_worker_leaves_no_process_of_a_server_and_the_next_one_calls_again(
    served: Served,
) -> None:
    worker = served.installation.worker(served.session)
    begun(served)
    worker.kill()
    worker.wait()
    served.none_left()
    served.installation.worker(served.session)
    begun(served, 2)
    assert served.finished() == "waited"


def test_a_worker_that_is_told_to_stop_leaves_no_process_of_a_server(served: Served) -> None:
    worker = served.installation.worker(served.session)
    begun(served)
    worker.terminate()
    worker.wait(timeout=20)
    served.none_left()


def test_a_server_ends_with_its_guard_and_the_session_goes_on(
    served: Served, tmp_path: Path
) -> None:
    served.installation.worker(served.session)
    begun(served)
    for guard in guards_of(tmp_path):
        os.kill(guard, signal.SIGKILL)
    assert "the connection was lost before it answered" in served.finished()
    served.none_left()
