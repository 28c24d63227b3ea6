"""A real small model, chosen in the start dialog by a person. Its wisdom is not judged."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.people import Received

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.installations import Installation
    from tests.e2e.people import Person

#: Keeps what is on screen while an answer is being written.
LOOK_ON = """
window.seenWhileWritten = [];
new MutationObserver(() => {
  const text = document.querySelector('[aria-busy=true] [dir=auto]')?.textContent ?? '';
  if (text && text !== window.seenWhileWritten.at(-1)) window.seenWhileWritten.push(text);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


def test_the_readme_says_what_the_command_prints(printed: dict[str, str], root: Path) -> None:
    line = f"PLAYHEAD_MODEL={printed['PLAYHEAD_MODEL']} make run"
    assert line in (root / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("agent", ["chat", "refund-desk"])
def test_a_real_model_talks_in_the_browser(
    installation: Installation, printed: dict[str, str], owner: Person, agent: str
) -> None:
    page, model = owner.page, printed["PLAYHEAD_MODEL"]
    page.add_init_script(LOOK_ON)
    received = Received(page)
    url = installation.urls[0]
    steps.start(page, url, agent, "Hello! Who are you, and what can you do?", model=model)
    steps.status(page, "OK")
    text_was_seen_while_it_was_written(page, received)
    usage_is_recorded(page, model)

    steps.say(page, "Please say that again, in other words.")
    expect(steps.row(page, "Run ended")).to_have_count(2)
    expect(steps.row(page, model)).to_have_count(2)
    steps.verify(page)

    branch_runs_live(page, model)
    assert owner.faults == []


def text_was_seen_while_it_was_written(page: Page, received: Received) -> None:
    """More of it again and again, all of it before the answer was recorded."""
    frames = [json.loads(text) for text in received.frames]
    kinds = [each["type"] for each in frames]
    recorded = next(
        place
        for place, each in enumerate(frames)
        if any(e["event_type"] == "llm_response" for e in each.get("events", ()))
    )
    deltas = [each for each in frames[:recorded] if each["type"] == "delta"]
    assert len(deltas) > 1, kinds
    seen = page.evaluate("window.seenWhileWritten")
    assert len(seen) > 1
    assert all(after.startswith(before) for before, after in pairwise(seen))


def usage_is_recorded(page: Page, model: str) -> None:
    """As the server counted it, for the answer and in the head of the session."""
    steps.look_at(page, steps.row(page, model).first, "Overview")
    for name in ("Tokens in", "Tokens out"):
        counted = page.locator("dt").filter(has_text=re.compile(f"^{name}$")).locator("+ dd")
        expect(counted).to_have_text(re.compile(r"^[1-9][\d,]*$"))
    expect(page.locator("header").get_by_text(re.compile(r"^[1-9][\d,]* tok$"))).to_be_visible()


def branch_runs_live(page: Page, model: str) -> None:
    """Another question in place of the first: the model is asked anew, and the branch verifies."""
    steps.select(steps.row(page, "Hello! Who are you").first)
    page.get_by_role("button", name=re.compile("Branch here")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("What the person says instead").fill("Hello! What is your name?")
    before = page.url.split("?")[0]
    dialog.get_by_role("button", name=re.compile("Create the branch")).click()
    page.wait_for_url(lambda url: "/s/sess_" in url and url.split("?")[0] != before)
    steps.status(page, "OK")
    expect(page.get_by_role("link", name=re.compile("^branch at #"))).to_be_visible()
    steps.look_at(page, steps.row(page, model).last, "Prompt")
    expect(page.get_by_text("Hello! What is your name?").last).to_be_visible()
    steps.verify(page)
