"""MCP servers that others wrote, over both transports, used in a browser; and one that dies."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e import steps
from tests.e2e.installations import ROOT, Installation, embedded, free_port
from tests.e2e.people import Person
from tests.mcp.processes import processes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

SERVERS = ROOT / "tests/mcp/node_modules/@modelcontextprotocol"
EVERYTHING = SERVERS / "server-everything/dist/index.js"
FILES = SERVERS / "server-filesystem/dist/index.js"
NODE = shutil.which("node") or str(ROOT / ".venv/bin/node")


@contextmanager
def everything_over_http() -> Iterator[str]:
    """The reference server over HTTP; its address."""
    port = free_port()
    process = subprocess.Popen(
        [NODE, str(EVERYTHING), "streamableHttp"],
        env={**os.environ, "PORT": str(port)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


def configure(data: Path, url: str) -> None:
    """Three servers, and an agent that has a tool of each."""
    (data / "files").mkdir(parents=True)
    (data / "agents").mkdir()
    shutil.copy(Path(__file__).with_name("mcp_agents.py"), data / "agents" / "mcp.py")
    (data / "plugins.toml").write_text(
        f"""
        [mcp.servers.files]
        command = {json.dumps([NODE, str(FILES), str(data / "files")])}
        approval = ["write_file", "edit_file", "move_file"]

        [mcp.servers.every]
        url = "{url}"

        [mcp.servers.slow]
        command = {json.dumps([NODE, str(EVERYTHING), "stdio", str(data / "slow")])}
        """
    )


def bytes_read(process: int) -> int:
    """How much a process has read since it began."""
    lines = Path(f"/proc/{process}/io").read_text().splitlines()
    return int(dict(line.split(": ") for line in lines)["rchar"])


def until(holds: Callable[[], bool], within: float = 30.0) -> None:
    """Wait for a state."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def clerks(tmp_path: Path) -> Iterator[Installation]:
    """An installation with the servers."""
    assert EVERYTHING.is_file(), "the servers are not installed: make e2e does it"
    data = tmp_path / "data"
    with everything_over_http() as url:
        configure(data, url)
        made = embedded(data)
        try:
            yield made
        finally:
            made.stop()


def test_mcp_servers_of_others_are_used_in_the_browser_and_one_dies(
    browser: Browser, clerks: Installation
) -> None:
    listed = clerks.run("plugins")
    assert "(MCP server files over stdio): " in listed
    assert "(MCP server every over HTTP): " in listed
    assert "mcp.every: simulate-research-query: it runs as a task only" in listed
    person = Person(browser).sign_in(clerks)
    page, url = person.page, clerks.urls[0]
    a_call_is_approved_and_its_result_seen(page, url, clerks.data)
    a_server_dies_and_the_session_goes_on(page, url, clerks.data)
    assert person.faults == []
    assert processes_of(clerks.data, guards=False) != []
    clerks.end_processes()
    assert processes_of(clerks.data) == []
    person.context.close()


def a_call_is_approved_and_its_result_seen(page: Page, url: str, data: Path) -> None:
    session = steps.start(page, url, "mcp-clerk", "Write down what 2 and 40 make.")
    steps.status(page, "Waiting for you")
    assert not (data / "files" / "note.txt").exists()
    page.get_by_role("link", name="Decide").click()
    expect(page.get_by_text("files__write_file").first).to_be_visible()
    page.get_by_role("button", name="Approve").first.click()
    page.goto(session)
    steps.status(page, "OK")
    expect(page.get_by_text("Successfully wrote to").first).to_be_visible()
    expect(page.get_by_text("The sum of 2 and 40 is 42.").first).to_be_visible()
    assert (data / "files" / "note.txt").read_text() == "The sum of 2 and 40 is 42. Echo: really"
    steps.verify(page)


def a_server_dies_and_the_session_goes_on(page: Page, url: str, data: Path) -> None:
    [process] = processes_of(data / "slow", guards=False)
    before = bytes_read(process)
    steps.start(page, url, "mcp-clerk", "Take long, please.")
    expect(steps.row(page, "slow__trigger-long-running-operation").first).to_be_visible()
    until(lambda: bytes_read(process) > before + 100)  # it has the call
    os.kill(process, signal.SIGKILL)
    steps.status(page, "OK")
    expect(page.get_by_text("the connection was lost before it answered").first).to_be_visible()
    steps.say(page, "Write down the sum again, then.")
    steps.status(page, "Waiting for you")
    steps.verify(page)
