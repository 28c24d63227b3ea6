"""What the console says of tokens is what the provider's server counted, on each API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from agents_app.adapters.models.scripted import call, reply
from playhead.core.usage import Usage
from tests.e2e import steps
from tests.e2e.lab import MODELS

if TYPE_CHECKING:
    from tests.e2e.lab import Lab
    from tests.e2e.people import Person

FIRST = Usage(1200, 90, 700, 40, written=300)
LAST = Usage(1400, 60, 1100, 0, written=0)


@pytest.mark.parametrize("model", MODELS)
def test_i34_totals_in_the_console_are_the_providers_own(
    lab: Lab, lab_owner: Person, model: str
) -> None:
    page = lab_owner.page
    looking = reply(
        "Let me look.",
        calls=[call("lookup_order", order_id="1042"), call("search_policy", query="damaged")],
        usage=FIRST,
    )
    lab.rest()
    lab.answers(looking, reply("It was shipped.", usage=LAST))
    steps.start(page, lab.url, "refund-desk", "Where is order 1042?", model=model)
    steps.status(page, "OK")
    assert lab.server.used == [FIRST, LAST]
    expect(page.locator("header").get_by_text("2,750 tok")).to_be_visible()
    for row, used in zip(("first", "last"), lab.server.used, strict=True):
        rows = steps.row(page, model)
        steps.look_at(page, rows.first if row == "first" else rows.last, "Overview")
        fact(page, "Tokens in", used.input)
        fact(page, "Tokens out", used.output)
        fact(page, "Of these cached", used.cached)
        fact(page, "Reasoning", used.reasoning)
    steps.verify(page)
    assert lab_owner.faults == []


def fact(page: Page, name: str, value: int | None) -> None:
    """The inspector says so."""
    label = page.locator("dt").filter(has_text=re.compile(f"^{name}$"))
    expect(label.locator("+ dd")).to_have_text(f"{value:,}")
