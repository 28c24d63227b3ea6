"""A share page gets no card, e-mail, token or key: of text, of errors, of nested JSON."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e import lab_agents, steps
from tests.e2e.people import Received

if TYPE_CHECKING:
    from tests.e2e.lab import Lab
    from tests.e2e.people import Person

PLANTED = {
    "card": lab_agents.CARD,
    "card without spaces": lab_agents.CARD.replace(" ", ""),
    "e-mail": lab_agents.MAIL,
    "name in the e-mail": "maria.keller",
    "token": lab_agents.TOKEN,
    "end of the token": lab_agents.TOKEN.rpartition(".")[2],
    "key": lab_agents.KEY,
    "start of the key": lab_agents.KEY[:16],
}
SECRETS = ("token", "end of the token", "key", "start of the key")
EVERY_PART = ("arguments of calls", "results of tools", "prompts", "cost")


def test_i47_nothing_that_was_planted_reaches_a_reader(
    lab: Lab, lab_owner: Person, browser: Browser
) -> None:
    page = lab_owner.page
    own = Received(page)
    session = steps.start(page, lab.url, "lab", "leak it, please")
    steps.status(page, "Failed")
    seen_by_the_owner = "\n".join(own.frames)
    assert lab_agents.WITNESS in seen_by_the_owner
    for name in SECRETS:  # sealed before they leave the worker, in what streams too
        assert PLANTED[name] not in seen_by_the_owner, name

    link = steps.share(page, show=EVERY_PART)
    stranger = browser.new_context()
    reader = stranger.new_page()
    received = Received(reader)
    reader.goto(link)
    read_all_of_it(reader, received)
    text = received.everything()
    assert text.count(lab_agents.WITNESS) > 5  # the stream, the tool's error, the model's error
    for name, value in PLANTED.items():
        assert value not in text, name
        assert value not in reader.content(), name
        assert json.dumps(value)[1:-1] not in text, name
    everything_else_is_shut(lab, stranger, link, session)
    stranger.close()


def read_all_of_it(reader: Page, received: Received) -> None:
    """Go through every row and every tab that a reader has."""
    expect(reader.get_by_text("look_up").first).to_be_visible()
    for line in reader.get_by_role("row").all():
        line.click()
        for tab in reader.get_by_role("tab").all():
            tab.click()
    reader.wait_for_load_state("networkidle")
    assert any("/replay" in url for url in received.bodies())


def everything_else_is_shut(lab: Lab, stranger: BrowserContext, link: str, session: str) -> None:
    """With the browser that read the share, and with the token as a key, nothing else opens."""
    token, session_id = link.rpartition("/")[2], session.rpartition("/")[2]
    described = stranger.request.get(f"{lab.url}/api/v1/openapi.json").json()
    walked = 0
    for path, operations in described["paths"].items():
        if not path.startswith("/api/v1/sessions") and "/interrupts" not in path:
            continue
        address = lab.url + re.sub(r"\{[^}]+\}", session_id, path)
        for method in operations:
            for headers in ({}, {"Authorization": f"Bearer {token}"}):
                answer = stranger.request.fetch(address, method=method, headers=headers)
                assert answer.status in (401, 403, 404), (method, path, answer.status)
                walked += 1
    assert walked > 20
