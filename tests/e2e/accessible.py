"""What axe says of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}


def faults(page: Page) -> list[str]:
    """What axe finds, a line for each rule with the first place that breaks it."""
    found = Axe().run(page, options=RULES).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in found]
