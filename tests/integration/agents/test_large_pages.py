"""A page of events has a size: it ends early, and says where to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.selectors import events as selectors
from tests.integration.agents.logs import asked

if TYPE_CHECKING:
    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")


@pytest.mark.parametrize("at_once", [1, 2, 256])
@pytest.mark.parametrize("largest", [1, 700, 10_000_000])
def test_pages_of_any_size_are_together_the_log(
    dana: Person, monkeypatch: pytest.MonkeyPatch, largest: int, at_once: int
) -> None:
    browser = dana.browser()
    session = browser.post("/sessions", {"agent": "clerk", "input": "Pay Ann 40."}).json()["id"]
    asked(session)
    whole = browser.get(f"/sessions/{session}/events").json()["items"]
    monkeypatch.setattr(selectors, "LARGEST", largest)
    monkeypatch.setattr(selectors, "AT_ONCE", at_once)
    pages, after = [], 0
    while after is not None:
        page = browser.get(f"/sessions/{session}/events?after={after}").json()
        pages.append(page["items"])
        after = page["next"]
    assert [event for page in pages for event in page] == whole
    assert all(pages)
    if largest == 1:
        assert {len(page) for page in pages} == {1}
    if largest == 10_000_000:
        assert len(pages) == 1
