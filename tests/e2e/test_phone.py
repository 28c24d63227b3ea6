"""The console on a phone: nothing that one presses is cut off at the edge, in either language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e import steps
from tests.e2e.people import Person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.e2e.lab import Lab

#: What stands, in part, beside the window, by what it is called.
CUT_OFF = """() =>
  [...document.querySelectorAll('button, a, input, select, textarea, [role=toolbar] *')]
    .filter((each) => each.checkVisibility())
    .filter((each) => {
      const { left, right, width } = each.getBoundingClientRect();
      return width > 1 && (left < -1 || right > innerWidth + 1);
    })
    .map((each) => each.ariaLabel || each.textContent || each.tagName)
"""


def cut_off(page: Page) -> list[str]:
    page.wait_for_load_state("networkidle")
    found: list[str] = page.evaluate(CUT_OFF)
    return found


@pytest.mark.parametrize(("language", "width"), [("zh-CN", 390), ("en-GB", 320)])
def test_nothing_that_one_presses_is_cut_off(
    browser: Browser, lab: Lab, lab_owner: Person, language: str, width: int
) -> None:
    question = "How long may a customer return an item?"
    session = steps.start(lab_owner.page, lab.url, "refund-desk", question)
    steps.status(lab_owner.page, "OK")
    state = lab_owner.context.storage_state()
    size = {"width": width, "height": 844}
    phone = Person(browser, viewport=size, locale=language, storage_state=state)
    page, found = phone.page, {}
    for path in ("/", "/sessions", "/agents", "/approvals", "/users"):
        page.goto(lab.url + path)
        page.get_by_role("heading", level=1).first.wait_for(state="attached")
        found[path] = cut_off(page)
    page.goto(session)
    page.get_by_role("toolbar").wait_for()
    found["session"] = cut_off(page)
    page.evaluate("document.querySelector('[role=toolbar]').style.minWidth = '120vw'")
    found["planted"] = cut_off(page)[:1]
    phone.context.close()
    assert found.pop("planted") != []
    assert {path: names for path, names in found.items() if names} == {}
