"""Tools of MCP servers in agents that people make: found by name, their effect class told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import plugins

if TYPE_CHECKING:
    from tests.integration.cast import Person
    from tests.integration.mcp.conftest import Site

pytestmark = pytest.mark.django_db


def checked(who: Person, *tools: dict[str, Any]) -> list[dict[str, str]]:
    definition = {"slug": "reader", "model": "scripted:echo", "tools": list(tools)}
    plugins.use(None)
    answer = who.browser().post("/agents/check", {"definition": definition})
    return list(answer.json()["problems"])


def test_an_effect_class_that_no_server_tells_is_the_agents_to_say(
    site: Site, erin: Person
) -> None:
    site.over("stdio", 'tools = ["echo", "note"]')
    assert checked(erin, {"name": "t__echo"}, {"name": "t__note", "effectful": False}) == []
    tools = erin.browser().get("/agents/parts").json()["tools"]
    known = {each["name"]: (each["effectful"], each["effects_known"]) for each in tools}
    assert (known["t__echo"], known["t__note"]) == ((False, True), (True, False))
    site.over("stdio", 'tools = ["note"]\neffects = { note = "idempotent" }')
    told = checked(erin, {"name": "t__note", "effectful": False})
    assert [each["field"] for each in told] == ["tools.0.effectful"]


def test_a_tool_of_a_server_that_was_never_reached_says_why_it_is_not_there(
    site: Site, erin: Person
) -> None:
    site.configure("t", 'command = ["no-such-server"]')
    [told] = checked(erin, {"name": "t__echo"})
    assert told["field"] == "tools.0.name"
    assert "mcp.t" in told["message"]
