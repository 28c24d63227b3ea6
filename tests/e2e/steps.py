"""What people do in the console, in their own words."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

ADDRESS = re.compile(r"/s/sess_")
#: The name of the way to the inbox when one question waits for who looks.
ONE_WAITS = re.compile(r"^Approvals\W+1 waits for you$")


def start(page: Page, url: str, agent: str, question: str, *, model: str | None = None) -> str:
    """Start an agent with a question; returns the address of the session."""
    page.goto(f"{url}/agents/{agent}")
    page.get_by_role("link", name="Start", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Question", exact=True).fill(question)
    if model is not None:
        dialog.get_by_label("Model").select_option(model)
        expect(dialog.get_by_text(f"{model} is called for real")).to_be_visible()
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url(ADDRESS)
    return page.url.split("?")[0]


def row(page: Page, text: str | re.Pattern[str]) -> Locator:
    """The rows of the event list that say so."""
    return page.get_by_role("row").filter(has_text=text)


def status(page: Page, word: str | re.Pattern[str]) -> None:
    """Wait until the head of the session says exactly this."""
    expect(page.locator("header").get_by_text(word, exact=True).first).to_be_visible()


def select(line: Locator) -> None:
    """Select a row: the inspector shows it."""
    line.click()
    expect(line).to_have_attribute("aria-selected", "true")


def look_at(page: Page, line: Locator, tab: str) -> None:
    """Select a row, and open a tab of the inspector."""
    select(line)
    page.get_by_role("tab", name=tab, exact=True).click()


def say(page: Page, text: str) -> None:
    """Another message to the session."""
    page.get_by_role("button", name=re.compile("^Message")).click()
    page.get_by_role("textbox", name=re.compile("Message", re.IGNORECASE)).last.fill(text)
    page.keyboard.press("Control+Enter")


def approve_with_edit(page: Page, field: str, value: str) -> None:
    """Change an argument of the open approval, and approve."""
    page.get_by_role("button", name=re.compile("^Edit")).first.click()
    page.get_by_label(field).fill(value)
    page.get_by_role("button", name=re.compile("Approve with 1 edit")).click()


def branch_with_another_result(page: Page, was: str, becomes: str) -> str:
    """At the selected tool result, put a text in place of another, and run on from there."""
    page.get_by_role("button", name=re.compile("Branch here")).click()
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_label("What the tool gives instead")
    expect(text).to_have_value(re.compile(re.escape(was)))
    text.fill(text.input_value().replace(was, becomes))
    before = page.url.split("?")[0]
    dialog.get_by_role("button", name=re.compile("Create the branch")).click()
    page.wait_for_url(lambda url: "/s/sess_" in url and url.split("?")[0] != before)
    return page.url.split("?")[0]


def verify(page: Page) -> None:
    """Have the session verified; it does."""
    page.get_by_role("button", name="Verify", exact=True).click()
    expect(page.get_by_role("button", name="Verified", exact=True)).to_be_visible()
    page.keyboard.press("Escape")


def share(page: Page, *, show: tuple[str, ...] = ()) -> str:
    """Share everything so far, with these parts besides the usual; returns the link."""
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    for part in show:
        dialog.get_by_label(part, exact=True).check()
    dialog.get_by_role("button", name="Make the link").click()
    field = dialog.get_by_label("Link", exact=True)
    expect(field).to_have_value(re.compile(r"/r/"))
    return field.input_value()
