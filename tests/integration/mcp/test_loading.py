"""MCP servers as plug-ins: listed, remembered while they are down, and never in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.adapters import definitions, plugins
from playhead.ops.cli import main
from playhead.plugins import PluginError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.mcp.conftest import Caller, Site

pytestmark = pytest.mark.django_db

DEAD = 'command = ["no-such-server"]'
AGENT = """
from agents_app.engine import AgentSpec, tool

@tool
def own() -> str:
    \"\"\"A tool of its own.\"\"\"
    return "own"

AGENTS = [AgentSpec(slug="reader", tools=["t__echo", own]), AgentSpec(slug="other", tools=[own])]
"""


def said_by_the_command(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    plugins.use(None)
    code = main(["plugins"])
    return code, capsys.readouterr().out


def test_s3_8_the_command_lists_a_server_with_its_tools(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.over("stdio", 'tools = ["echo", "note"]')
    code, said = said_by_the_command(capsys)
    assert code == 0, said
    assert "ok     mcp.t 7.1 (MCP server t over stdio): tool.t__echo, tool.t__note" in said


def test_a_server_that_is_down_is_remembered_and_told(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.over("http", 'tools = ["echo"]')
    assert said_by_the_command(capsys)[0] == 0
    site.end()
    code, said = said_by_the_command(capsys)
    assert code == 1
    assert "ok     mcp.t 7.1 (MCP server t over HTTP): tool.t__echo" in said
    assert "WRONG  mcp.t: it can't be asked (All connection attempts failed); its tools" in said


def test_a_catalogue_of_another_command_is_not_taken_for_this_one(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.over("stdio")
    assert said_by_the_command(capsys)[0] == 0
    site.configure("t", DEAD)
    code, said = said_by_the_command(capsys)
    assert code == 1
    assert (
        "WRONG  mcp.t: no tools are known of it: Connection closed "
        "(it last said: no-such-server can't be started: No such file or directory)"
    ) in said


def test_a_dead_server_keeps_nothing_from_starting_and_its_agents_wait(
    site: Site, tmp_path: Path
) -> None:
    site.configure("t", DEAD)
    agents = tmp_path / "agents"
    agents.mkdir()
    (agents / "reader.py").write_text(AGENT)
    plugins.use(None)
    found = definitions.load([], agents)
    assert list(found.specs) == ["other"]
    assert found.problems == (
        "agent 'reader': t__echo: mcp.t: no tools are known of it: Connection closed "
        "(it last said: no-such-server can't be started: No such file or directory)",
    )
    assert {"own"} <= found.tools_of("reader").keys()  # its sessions keep what is here
    site.over("stdio")
    plugins.use(None)
    assert list(definitions.load([], agents).specs) == ["reader", "other"]


def test_a_variable_that_is_not_set_is_named(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.over("stdio", 'env = {TOKEN = "env:NOT_SET_ANYWHERE"}')
    code, said = said_by_the_command(capsys)
    assert code == 1
    assert "mcp.servers.t.env.TOKEN: NOT_SET_ANYWHERE is not set" in said


def test_a_server_that_is_disabled_is_not_asked(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.configure("t", DEAD)
    file = site.folder / "plugins.toml"
    file.write_text(f'disabled = ["mcp.t"]\n{file.read_text()}')
    code, said = said_by_the_command(capsys)
    assert code == 0, said
    assert "-      mcp.t: disabled in plugins.toml" in said


def test_a_wrong_field_is_named_and_nothing_starts(site: Site) -> None:
    site.configure("t", 'command = ["x"]\ntimeout = "soon"')
    plugins.use(None)
    with pytest.raises(PluginError, match=r"^plugins\.toml: mcp\.servers\.t\.timeout: "):
        plugins.current()


def test_the_server_stands_in_the_start_of_each_session(site: Site, caller: Caller) -> None:
    site.over("stdio")
    site.load("echo")
    session = caller.start(("echo", {"text": "x"}))
    start = caller.browser.get(f"/sessions/{session}/events/1").json()["payload"]
    assert {"name": "mcp.t", "version": "7.1"} in start["plugins"]
