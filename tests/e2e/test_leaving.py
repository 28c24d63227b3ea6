"""Who presses a button and leaves at once: what was pressed happens all the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import steps

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.e2e.lab import Lab
    from tests.e2e.people import Person


def approve(page: Page) -> None:
    """The press and nothing after it."""
    page.get_by_role("button", name=re.compile("^Approve")).click(no_wait_after=True)


def reject(page: Page) -> None:
    """With the reason that it needs."""
    page.get_by_role("button", name=re.compile("^Reject")).click()
    page.get_by_label("Reason, told to the agent").fill("Ann has moved.")
    page.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("decide", "answer"), [(approve, "a telegram went to Ann"), (reject, "Ann has moved.")]
)
@pytest.mark.parametrize("leave", ["closes the tab", "goes away"])
def test_a_decision_is_taken_though_its_page_is_left_at_once(
    lab: Lab,
    lab_owner: Person,
    decide: Callable[[Page], None],
    answer: str,
    leave: str,
) -> None:
    page, other = lab_owner.page, lab_owner.tab()
    address = steps.start(page, lab.url, "lab", "a telegram, please")
    steps.status(page, "Waiting for you")
    page.get_by_role("link", name="Decide").click()
    expect(page.get_by_role("button", name=re.compile("^Approve"))).to_be_enabled()
    decide(page)
    if leave == "closes the tab":
        page.close()
    else:
        page.goto("about:blank")
    other.goto(address)
    steps.status(other, "OK")
    expect(other.get_by_text(answer).first).to_be_visible()
    other.close()


def test_a_session_is_cancelled_though_the_tab_is_closed_at_once(
    lab: Lab, lab_owner: Person
) -> None:
    page, other = lab_owner.page, lab_owner.tab()
    address = steps.start(page, lab.url, "lab", "two letters, please")
    steps.status(page, "Waiting for you")
    page.get_by_role("button", name="Cancel session").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Cancel session").click(no_wait_after=True)
    page.close()
    other.goto(address)
    steps.status(other, "Cancelled")
    other.close()
