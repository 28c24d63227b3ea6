"""``[mcp.servers.NAME]``: what it takes, and errors that name the field and never a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.adapters.tools.mcp.settings import McpServer, servers_in
from playhead.core.errors import InvalidInput
from playhead.plugins import PluginError, PluginSettings

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "hunter2hunter2"


def read(folder: Path, text: str) -> dict[str, McpServer]:
    file = folder / "plugins.toml"
    file.write_text(text)
    settings, servers = servers_in(PluginSettings.from_file(file))
    assert "mcp" not in settings.options
    return dict(servers)


def test_a_server_is_a_command_or_an_address(tmp_path: Path) -> None:
    servers = read(
        tmp_path,
        """
        [mcp.servers.files]
        command = ["server", "/srv"]
        cwd = "/srv"
        effects = {write = "idempotent"}
        approval = ["write"]
        tools = ["read", "write"]

        [mcp.servers.web]
        url = "https://tools.example/mcp"
        headers = {Authorization = "Bearer env:TOKEN"}
        approval = true
        prefix = "w-"
        timeout = 5
        """,
    )
    files, web = servers["files"], servers["web"]
    assert (files.asks("read"), files.asks("write"), web.asks("anything")) == (False, True, True)
    assert (files.takes("read"), files.takes("drop")) == (True, False)
    assert (files.before("files"), web.before("web")) == ("files__", "w-")


@pytest.mark.parametrize(
    ("given", "field", "says"),
    [
        ("x = 1", "mcp.servers.one.x", "Extra inputs"),
        ("", "mcp.servers.one", "either command"),
        ('command = "ls"', "mcp.servers.one.command", "tuple"),
        ('command = ["a"]\nurl = "http://a"', "mcp.servers.one", "either command"),
        ('url = "ftp://a"', "mcp.servers.one.url", "match"),
        ('url = "http://a"\nenv = {A = "b"}', "mcp.servers.one", "env and cwd"),
        (f'command = ["a"]\nheaders = {{A = "{SECRET}"}}', "mcp.servers.one", "headers go"),
        ('command = ["a"]\neffects = {b = "safe"}', "mcp.servers.one.effects.b", "'read'"),
        ('command = ["a"]\ntimeout = 0', "mcp.servers.one.timeout", "greater"),
        ('command = ["a"]\nprefix = "a.b"', "mcp.servers.one.prefix", "match"),
    ],
)
def test_an_error_names_the_field_and_not_the_value(
    tmp_path: Path, given: str, field: str, says: str
) -> None:
    with pytest.raises(PluginError) as refused:
        read(tmp_path, f"[mcp.servers.one]\n{given}")
    assert refused.value.detail["field"].startswith(field)
    assert says in refused.value.message
    assert SECRET not in refused.value.message


def test_a_secret_stands_in_the_environment_and_is_masked_where_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = McpServer(url="http://a", headers={"Authorization": "Bearer env:MCP_TOKEN"})
    with pytest.raises(InvalidInput, match=r"mcp\.servers\.web\.headers\.Authorization: MCP_TOKEN"):
        server.values("headers", "web")
    monkeypatch.setenv("MCP_TOKEN", SECRET)
    assert server.values("headers", "web") == {"Authorization": f"Bearer {SECRET}"}
    assert server.masked(f"401 for {SECRET}!") == "401 for [secret]!"
