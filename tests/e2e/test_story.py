"""The story of the product, in Chromium: embedded, and in five processes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, Page, expect

from tests.e2e import steps
from tests.e2e.people import Received

if TYPE_CHECKING:
    from tests.e2e.installations import Installation
    from tests.e2e.people import Person

#: The recorded session, by the title that the demo gives it, or that an import takes from it.
GONE_WRONG = re.compile(
    "Incident: a refund of a hundred times|The espresso machine from order 1077"
)
QUESTION = "My kettle from order 1042 arrived broken. I would like my money back."


def test_the_story(installation: Installation, owner: Person, browser: Browser) -> None:
    url, page = installation.urls[-1], owner.page
    watching = owner.tab()
    watching.goto(f"{url}/approvals")
    nobody_is_asked(watching)

    session = steps.start(page, url, "refund-desk", QUESTION)
    expect(steps.row(page, "lookup_order")).to_be_visible()
    the_other_tab_says_that_one_waits(watching)

    steps.approve_with_edit(watching, "amount_cents", "4500")
    expect(page.get_by_text("I have paid €45.00 back for order 1042").first).to_be_visible()
    nobody_is_asked(watching)
    assert installation.refunds("1042") == [4500]
    the_next_prompt_says_that_a_person_changed_it(page)

    steps.say(page, "How long may a customer return an item?")
    expect(page.get_by_text("within 30 days of delivery").first).to_be_visible()

    branch = branch_the_session_that_went_wrong(page, url)
    assert branch != session
    the_outcome_differs_and_compare_says_where(installation, page, branch)
    link = steps.share(page)
    read_and_revoke(browser, page, link)
    assert owner.faults == []


def nobody_is_asked(page: Page) -> None:
    """No badge, and no number in the title."""
    expect(page.get_by_role("link", name="Approvals", exact=True)).to_be_visible()
    expect(page).to_have_title("Approvals · Playhead")


def the_other_tab_says_that_one_waits(page: Page) -> None:
    """The badge in the rail and the number in the title, without a reload."""
    expect(page.get_by_role("link", name=steps.ONE_WAITS)).to_be_visible()
    expect(page).to_have_title("(1) Approvals · Playhead")


def the_next_prompt_says_that_a_person_changed_it(page: Page) -> None:
    """Look at the last request as the model saw it."""
    steps.look_at(page, steps.row(page, "scripted:refund-desk").last, "Prompt")
    expect(page.get_by_text("A person changed the arguments of this call").first).to_be_visible()
    expect(page.get_by_text('"amount_cents":4500').first).to_be_visible()


def branch_the_session_that_went_wrong(page: Page, url: str) -> str:
    """Open the recorded session, scrub to the dirty result, branch with the right one."""
    page.goto(f"{url}/sessions?q=1077")
    page.get_by_text(GONE_WRONG).first.click()
    page.wait_for_url(steps.ADDRESS)
    scrub_to(page, steps.row(page, "lookup_order").first.get_attribute("aria-label") or "")
    steps.select(steps.row(page, "lookup_order").first)
    branch = steps.branch_with_another_result(page, "48000", "480.00")
    approval = page.get_by_text("Pays €480.00 back to the customer of order 1077").first
    expect(approval).to_be_visible()
    return branch


def scrub_to(page: Page, label: str) -> None:
    """Drag the playhead with the keyboard: from the start, to the first tool call."""
    found = re.search(r"Event (\d+)", label)
    assert found is not None, label
    slider = page.get_by_role("slider", name="Playhead")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuenow", "1")
    for _ in range(int(found.group(1)) - 1):
        page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", found.group(1))


def the_outcome_differs_and_compare_says_where(
    installation: Installation, page: Page, branch: str
) -> None:
    """Approve in the branch; compare opens at the first thing that was done differently."""
    page.get_by_role("link", name="Decide").click()
    page.get_by_role("button", name=re.compile("^Approve")).click()
    page.goto(branch)
    expect(page.get_by_text("I have paid €480.00 back for order 1077").first).to_be_visible()
    assert installation.refunds("1077") == [48000]
    page.get_by_role("link", name="Compare").click()
    page.wait_for_url(re.compile(r"/compare/"))
    expect(page.get_by_text(re.compile(r"Fork at #\d+"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"changed: the event #\d+"))).to_be_visible()
    first = page.get_by_role("listitem").locator("[aria-current=true]")
    expect(first).to_be_visible()
    expect(first.get_by_role("img", name=re.compile("First divergence"))).to_be_visible()
    detail = page.get_by_role("region", name="The chosen pair")
    expect(detail).to_contain_text("different")
    expect(detail).to_contain_text("4800000")
    expect(detail).to_contain_text("48000")
    page.goto(branch)


def read_and_revoke(browser: Browser, page: Page, link: str) -> None:
    """A stranger reads without signing in; after the link is revoked there is nothing."""
    stranger = browser.new_context()
    reader = stranger.new_page()
    received = Received(reader)
    reader.goto(link)
    expect(reader.get_by_text("lookup_order").first).to_be_visible()
    reader.wait_for_load_state("networkidle")
    text = received.everything()
    assert "issue_refund" in text
    assert "priya.nair@shop.example" not in text
    page.get_by_role("dialog").get_by_role("button", name="Revoke").first.click()
    expect(page.get_by_role("dialog").get_by_text("Revoked").first).to_be_visible()
    reader.reload()
    expect(reader.get_by_text("This link opens nothing")).to_be_visible()
    stranger.close()
