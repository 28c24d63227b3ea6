"""The story of the product, in Chromium, on both installations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, Page, expect

if TYPE_CHECKING:
    from conftest import Installation, Person

QUESTION = "My kettle from order 1042 arrived broken. I would like my money back."
FINISHED = re.compile("^(OK|Finished)$", re.IGNORECASE)


def start(page: Page, url: str, question: str) -> str:
    """Start ``refund-desk`` with a question; returns the address of the session."""
    page.goto(f"{url}/agents/refund-desk")
    page.get_by_role("link", name="Start", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Question", exact=True).fill(question)
    dialog.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/s/sess_"))
    return page.url.split("?")[0]


def test_the_story(installation: Installation, owner: Person, browser: Browser) -> None:
    url, page = installation.urls[-1], owner.page
    watching = owner.tab()
    watching.goto(f"{url}/approvals")

    session = start(page, url, QUESTION)
    expect(page.get_by_role("row").filter(has_text="lookup_order")).to_be_visible(timeout=20_000)
    expect(watching).to_have_title(re.compile(r"^\(1\)"), timeout=20_000)

    approve_with_edit(watching)
    expect(page.get_by_text("I have paid €45.00 back for order 1042").first).to_be_visible(
        timeout=20_000
    )
    assert installation.refunds("1042") == [4500]
    the_next_prompt_says_that_a_person_changed_it(page)

    say(page, "How long may a customer return an item?")
    expect(page.get_by_text("within 30 days of delivery").first).to_be_visible(timeout=20_000)

    branch = branch_with_the_cleaned_result(page, url)
    assert branch != session
    link = share(page)
    read_and_revoke(browser, page, link)
    assert owner.faults == []


def approve_with_edit(page: Page) -> None:
    """Change the amount of the open approval, and approve."""
    page.get_by_role("button", name=re.compile("^Edit")).first.click()
    page.get_by_label("amount_cents").fill("4500")
    page.get_by_role("button", name=re.compile("Approve with 1 edit")).click()


def the_next_prompt_says_that_a_person_changed_it(page: Page) -> None:
    """Look at the last request as the model saw it."""
    page.get_by_role("row").filter(has_text="scripted:refund-desk").last.click()
    page.get_by_role("tab", name="Prompt").click()
    expect(page.get_by_text("A person changed the arguments of this call").first).to_be_visible()


def say(page: Page, text: str) -> None:
    """A second question in the same session."""
    page.get_by_role("button", name=re.compile("^Message")).click()
    page.get_by_role("textbox", name=re.compile("Message", re.IGNORECASE)).last.fill(text)
    page.keyboard.press("Control+Enter")


def branch_with_the_cleaned_result(page: Page, url: str) -> str:
    """Open the session that went wrong, go to the dirty result, branch with the right one."""
    page.goto(f"{url}/sessions?q=1077")
    page.get_by_text("The espresso machine from order 1077").first.click()
    page.wait_for_url(re.compile(r"/s/sess_"))
    page.get_by_role("row").filter(has_text="lookup_order").first.click()
    expect(page).to_have_url(re.compile(r"[?&]e="))
    page.get_by_role("button", name=re.compile("Branch here")).click()
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_label("What the tool gives instead")
    expect(text).to_have_value(re.compile("48000"))
    text.fill(text.input_value().replace("48000", "480.00"))
    dialog.get_by_role("button", name=re.compile("Create the branch")).click()
    page.wait_for_url(re.compile(r"/s/sess_"))
    approval = page.get_by_text("Pays €480.00 back to the customer of order 1077").first
    expect(approval).to_be_visible(timeout=20_000)
    return page.url.split("?")[0]


def share(page: Page) -> str:
    """Share the whole range; returns the link."""
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Make the link").click()
    field = dialog.get_by_label("Link", exact=True)
    expect(field).to_have_value(re.compile(r"/r/"))
    return field.input_value()


def read_and_revoke(browser: Browser, page: Page, link: str) -> None:
    """A stranger reads without signing in; after the link is revoked there is nothing."""
    stranger = browser.new_context()
    reader = stranger.new_page()
    bodies: list[str] = []
    reader.on("response", lambda r: bodies.append(r.text()) if "/api/" in r.url and r.ok else None)
    reader.goto(link)
    expect(reader.get_by_text("lookup_order").first).to_be_visible()
    assert bodies
    assert not any("priya.nair@shop.example" in body for body in bodies)
    page.get_by_role("dialog").get_by_role("button", name="Revoke").first.click()
    expect(page.get_by_role("dialog").get_by_text("Revoked").first).to_be_visible()
    reader.reload()
    expect(reader.get_by_text("This link opens nothing")).to_be_visible()
    stranger.close()
