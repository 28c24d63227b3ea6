"""Each row of the table of provider errors (ARCHITECTURE 7), provoked over HTTP and seen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from agents_app.adapters.models.scripted import Rule, Script, call, reply
from tests.e2e import steps
from tests.e2e.lab import MODEL

if TYPE_CHECKING:
    from agents_app.adapters.models.scripted import Reply, View
    from tests.e2e.lab import Lab
    from tests.e2e.people import Person

DOWN = reply(fail="server_error")
SAYS = "All is well again."


def begin(lab: Lab, owner: Person, *replies: Reply) -> str:
    """A session of the refund desk whose model answers with these; returns its address."""
    lab.answers(*replies)
    return steps.start(owner.page, lab.url, "refund-desk", "Hello?", model=MODEL)


def finished(page: Page, text: str = SAYS) -> None:
    """The run has ended with this answer."""
    expect(page.get_by_text(text).first).to_be_visible()
    steps.status(page, "OK")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ('{"order": 1042}', "argument order_id: Field required"),
        ('{"order_id": ["1042"]}', "argument order_id: Input should be a valid string"),
        ('{"order_id": 10', "arguments of lookup_order must be a JSON object"),
    ],
)
def test_malformed_arguments_are_an_error_result_that_names_the_field(
    lab: Lab, lab_owner: Person, arguments: str, says: str
) -> None:
    page = lab_owner.page
    begin(lab, lab_owner, reply(calls=[call("lookup_order")], raw_arguments=arguments), reply(SAYS))
    finished(page)
    steps.look_at(page, steps.row(page, "lookup_order").last, "Call")
    expect(page.get_by_text(says).first).to_be_visible()
    steps.look_at(page, steps.row(page, MODEL).last, "Prompt")
    expect(page.get_by_text(says).last).to_be_visible()  # the model was told


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (reply("The first half of an answer", cut=4), "stream_dropped"),
        (reply("The first half of an answer", fail="stalled"), "stalled"),
    ],
)
def test_a_lost_or_silent_stream_keeps_its_text_and_is_tried_once_more(
    lab: Lab, lab_owner: Person, broken: Reply, code: str
) -> None:
    page = lab_owner.page
    begin(lab, lab_owner, broken, reply(SAYS))
    finished(page)
    assert len(lab.server.bodies) == 2
    steps.look_at(page, steps.row(page, MODEL).first, "Overview")
    member = page.locator("span").filter(has_text=re.compile(r"^#\d+\s*Model error$")).last
    member.get_by_role("button").click()
    page.get_by_role("tab", name="Response", exact=True).click()
    expect(page.get_by_text(code, exact=True).first).to_be_visible()
    expect(page.get_by_text("What came before the error")).to_be_visible()
    expect(page.get_by_text("The first").last).to_be_visible()


def test_a_rate_limit_waits_until_the_time_it_names_and_holds_no_worker(
    lab: Lab, lab_owner: Person
) -> None:
    page = lab_owner.page
    held: list[set[str]] = []
    limited = reply(fail="rate_limited", retry_after=9)

    def answer(_: View) -> Reply:
        held.append(lab.held())
        return limited if len(held) == 1 else reply(SAYS)

    lab.follows(Script([Rule(lambda _: True, answer)]))
    address = steps.start(page, lab.url, "refund-desk", "Hello?", model=MODEL)
    steps.status(page, "Waiting to retry")
    steps.status(page, re.compile(r"until \d\d:\d\d:\d\d UTC"))
    session = address.rpartition("/")[2]
    assert session in held[0]
    assert session not in lab.held()
    steps.look_at(page, steps.row(page, MODEL).first, "Response")
    expect(page.get_by_text("retry after a wait of 9.0 s")).to_be_visible()
    assert len(lab.server.bodies) == 1
    finished(page)
    assert len(lab.server.bodies) == 2


def test_a_failing_server_is_tried_three_times_then_a_person_says_retry(
    lab: Lab, lab_owner: Person
) -> None:
    page = lab_owner.page
    begin(lab, lab_owner, DOWN, DOWN, DOWN, reply(SAYS))
    steps.status(page, "Waiting for you")
    assert len(lab.server.bodies) == 3
    page.get_by_role("button", name="Retry").click()
    finished(page)
    assert len(lab.server.bodies) == 4


def test_a_failing_server_is_given_up_in_the_inbox_and_the_run_has_failed(
    lab: Lab, lab_owner: Person
) -> None:
    page = lab_owner.page
    address = begin(lab, lab_owner, DOWN)
    steps.status(page, "Waiting for you")
    page.goto(f"{lab.url}/approvals")
    expect(page.get_by_text("The model did not answer after several tries")).to_be_visible()
    expect(page.get_by_text("The provider failed (500)").first).to_be_visible()
    page.get_by_role("button", name=re.compile("^Give up")).click()
    expect(page.get_by_text("The run ends as failed. What was recorded stays")).to_be_visible()
    page.get_by_role("button", name=re.compile("^End the run as failed")).click()
    page.goto(address)
    steps.status(page, "Failed")
    expect(page.get_by_text("A person decided not to try the model again.").first).to_be_visible()
    assert len(lab.server.bodies) == 3


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("context_length", "The conversation is longer than the model can read (its limit is 8192"),
        ("refused", "The provider refused the request: The prompt was filtered."),
        ("auth", "The provider does not accept the key: Incorrect API key provided."),
    ],
)
def test_what_will_not_pass_by_itself_fails_at_once_and_says_why(
    lab: Lab, lab_owner: Person, code: str, says: str
) -> None:
    page = lab_owner.page
    begin(lab, lab_owner, reply(fail=code))
    steps.status(page, "Failed")
    expect(page.get_by_text(says).first).to_be_visible()
    steps.look_at(page, steps.row(page, MODEL).first, "Response")
    expect(page.get_by_text(code, exact=True).first).to_be_visible()
    expect(page.get_by_text("will not pass by itself")).to_be_visible()
    assert len(lab.server.bodies) == 1
