"""The code of an agent changes while a person is asked: that is a question too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e import steps
from tests.e2e.installations import Installation, embedded
from tests.e2e.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Looks something up, and asks before it sends: the step has an effect when the code changes.
POSTMAN = """
from agents_app.adapters.models.scripted import Rule, Script, call, reply
from agents_app.engine import AgentSpec, tool

@tool
def look_up(name: str) -> str:
    return f"{name} lives in Berlin"

@tool(effectful=True, approval=True, version="VERSION", consequence="Sends a letter to {to}.")
def send_letter(to: str) -> str:
    return f"a letter went to {to}"

def results(view):
    return reply("; ".join(m.content for m in view.turn if m.role == "tool"))

both = [call("look_up", name="Ann"), call("send_letter", to="Ann")]
RULES = [Rule(lambda v: v.turn, results), Rule(lambda v: True, lambda v: reply(calls=both))]
SCRIPTS = {"postman": Script(RULES, name="postman")}
AGENTS = [AgentSpec(slug="postman", model="scripted:postman", tools=(look_up, send_letter))]
"""


@pytest.fixture
def postman(tmp_path: Path) -> Iterator[Installation]:
    """An installation with one agent, in its first version."""
    (tmp_path / "data" / "agents").mkdir(parents=True)
    write(tmp_path / "data", "1")
    made = embedded(tmp_path / "data")
    yield made
    made.stop()


def write(data: Path, version: str) -> None:
    """The agent's file, with its tool in this version."""
    text = POSTMAN.replace("VERSION", version)
    (data / "agents" / "postman.py").write_text(text, encoding="utf-8")


def restart(installation: Installation) -> None:
    """End it and start it again at the same address."""
    installation.end_processes()
    installation.start("up", "--port", installation.urls[0].rpartition(":")[2])
    installation.ready()


def test_a_person_says_whether_a_session_goes_on_with_changed_code(
    postman: Installation, browser: Browser
) -> None:
    owner = Person(browser).sign_in(postman)
    page = owner.page
    address = steps.start(page, postman.urls[0], "postman", "A letter, please.")
    steps.status(page, "Waiting for you")
    write(postman.data, "2")
    restart(postman)

    page.goto(address)
    page.get_by_role("link", name="Decide").click()
    page.get_by_role("button", name=re.compile("^Approve")).click()
    page.goto(address)
    expect(steps.row(page, "version").first).to_be_visible()
    page.get_by_role("link", name="Decide").click()
    expect(page.get_by_text("The code of the agent is not what this session")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Continue")).click()
    page.goto(address)
    page.get_by_role("link", name="Decide").click()
    page.get_by_role("button", name=re.compile("^Approve")).click()
    page.goto(address)
    steps.status(page, "OK")
    expect(page.get_by_text("a letter went to Ann").first).to_be_visible()
    owner.context.close()
