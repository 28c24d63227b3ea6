"""The refund desk with a real small model, which chooses tools held to a schema."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.e2e import steps

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.installations import Installation
    from tests.e2e.people import Person

#: Milliseconds for a whole run, which is some requests of a minute at worst.
A_RUN = 400_000
OUTCOME = re.compile(r"^(OK|Limit reached|Waiting for you)$")


def test_the_real_model_chooses_tools_to_an_outcome_and_it_verifies(
    installation: Installation, printed: dict[str, str], owner: Person
) -> None:
    page, model = owner.page, printed["PLAYHEAD_MODEL"]
    url = installation.urls[0]
    session = steps.start(page, url, "refunds-by-choice", "Please look up order 1042.", model=model)
    outcome = page.locator("header").get_by_text(OUTCOME).first
    outcome.wait_for(timeout=A_RUN)
    if outcome.inner_text() == "Waiting for you":
        page.get_by_role("link", name="Decide").click()
        page.get_by_role("button", name=re.compile("^Reject")).click()
        page.get_by_label("Reason, told to the agent").fill("Not today.")
        page.keyboard.press("Enter")
        page.goto(session)
        page.locator("header").get_by_text(re.compile(r"^(OK|Limit reached)$")).first.wait_for(
            timeout=A_RUN
        )
    events = recorded(page, session)
    asked = [e["payload"] for e in events if e["event_type"] == "llm_request"]
    assert all(each["params"]["response_format"]["type"] == "json_schema" for each in asked)
    answers = [e["payload"]["message"] for e in of(events, "llm_response")]
    assert not any(each.get("tool_calls") for each in answers)  # the calls were read from text
    results = of(events, "tool_result")
    assert results, answers
    assert of(events, "session_end")[-1]["payload"]["outcome"] in ("finished", "limit")
    steps.verify(page)
    assert owner.faults == []


def recorded(page: Page, session: str) -> list[Any]:
    """The events of a session, as the page's own person reads them."""
    place = session.rpartition("/s/")
    answer = page.request.get(f"{place[0]}/api/v1/sessions/{place[2]}/events?limit=1000")
    items: list[Any] = json.loads(answer.text())["items"]
    return items


def of(events: list[Any], kind: str) -> list[Any]:
    """Those of one kind."""
    return [event for event in events if event["event_type"] == kind]
