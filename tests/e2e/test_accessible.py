"""Every screen by axe's rules, light and dark: names, roles, contrast, order of headings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e import steps
from tests.e2e.accessible import faults
from tests.e2e.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.e2e.lab import Lab

QUESTION = "My kettle from order 1042 arrived broken. I would like my money back."


@pytest.fixture(scope="module")
def waiting(lab: Lab, _lab_owner: Person) -> Iterator[str]:
    """The address of a session that waits for an approval; nobody else finds it waiting."""
    page = _lab_owner.tab()
    address = steps.start(page, lab.url, "refund-desk", QUESTION)
    steps.status(page, "Waiting for you")
    page.close()
    yield address
    session = address.rpartition("/")[2]
    _lab_owner.post(f"{lab.url}/api/v1/sessions/{session}/cancel", {"after": "now"})


@pytest.fixture(params=["light", "dark"])
def page(
    request: pytest.FixtureRequest, browser: Browser, lab: Lab, _lab_owner: Person
) -> Iterator[Page]:
    """The owner's window, in a scheme of colours, without movement."""
    person = Person(browser, color_scheme=request.param, reduced_motion="reduce")
    yield person.sign_in(lab.installation).page
    person.context.close()


SCREENS = ("/", "/sessions", "/agents", "/agents/refund-desk", "/approvals", "/users")


def test_the_screens_of_the_console_break_no_rule(page: Page, lab: Lab, waiting: str) -> None:
    found = {}
    for path in SCREENS:
        page.goto(lab.url + path)
        page.get_by_role("heading", level=1).first.wait_for()
        page.wait_for_load_state("networkidle")
        found[path] = faults(page)
    page.goto(waiting)
    steps.look_at(page, steps.row(page, "issue_refund"), "Overview")
    found["session"] = faults(page)
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("dialog").wait_for()
    found["share"] = faults(page)
    assert {where: what for where, what in found.items() if what} == {}


def test_axe_finds_what_is_wrong(page: Page, lab: Lab) -> None:
    """The planted fault: a button without a name, and text that nobody can read."""
    page.goto(lab.url)
    page.get_by_role("heading", level=1).first.wait_for()
    page.evaluate(
        """() => {
             const button = document.createElement('button');
             document.querySelector('main').append(button);
           }"""
    )
    assert any(each.startswith("button-name") for each in faults(page))
