"""Several people at once: the approver decides, the operator can't, a viewer only looks."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import steps
from tests.e2e.people import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.lab import Lab

QUESTION = "My kettle from order 1042 arrived broken. I would like my money back."
DECISIONS = re.compile("^(Approve|Edit|Reject|Respond)")
CONTROLS = re.compile(
    "^(Decide|Message|Pause|Resume|Branch|Branch here|Share|Cancel session|Rename)$"
)
#: Another workspace has no door on the command line: it is made as an installer's script would.
ELSEWHERE = """
import django; django.setup()
from playhead.accounts.contracts import Role
from playhead.accounts.models import Workspace
from playhead.accounts.services.links import login_link_create
from playhead.accounts.services.users import user_create
row = Workspace.objects.create(name="Elsewhere")
made = user_create(workspace_id=row.pk, email="charlie@elsewhere.example", role=Role.ADMIN)
print("/login/link/" + login_link_create(user_id=made.id))
"""


@dataclass
class Cast:
    """The people of the lab, each with a window of their own."""

    operator: Person
    approver: Person
    second_approver: Person
    viewer: Person
    stranger: Person


@pytest.fixture(scope="module")
def cast(browser: Browser, lab: Lab, _lab_owner: Person) -> Iterator[Cast]:
    """The owner lets an operator, two approvers and a viewer in; a stranger owns another place."""

    def let_in(name: str, role: str) -> Person:
        asked = {"email": f"{name.lower()}@acme.example", "role": role, "name": name}
        link = _lab_owner.post(f"{lab.url}/api/v1/users", asked)["link"]
        return Person(browser).open(lab.url + link)

    printed = lab.installation.run("-c", ELSEWHERE, command=[sys.executable])
    people = Cast(
        let_in("Olga", "operator"),
        let_in("Dana", "approver"),
        let_in("Erik", "approver"),
        let_in("Victor", "viewer"),
        Person(browser).open(lab.url + printed.strip().splitlines()[-1]),
    )
    yield people
    for person in vars(people).values():
        person.context.close()


def asked(page: Page, url: str) -> str:
    """A session of the refund desk that asks for an approval; its address."""
    address = steps.start(page, url, "refund-desk", QUESTION)
    steps.status(page, "Waiting for a person")
    return address


def test_the_operator_starts_it_and_can_not_decide_and_the_approver_does(
    lab: Lab, cast: Cast
) -> None:
    olga, dana = cast.operator.page, cast.approver.page
    dana.goto(lab.url)
    address = asked(olga, lab.url)
    expect(olga.get_by_role("link", name="Decide")).to_have_count(0)
    expect(dana.get_by_role("link", name=steps.ONE_WAITS)).to_be_visible()

    olga.goto(f"{lab.url}/approvals")
    expect(olga.get_by_text("Needs the role Approver; yours is Operator")).to_be_visible()
    expect(olga.get_by_text("for another role").first).to_be_visible()
    expect(olga.get_by_role("button", name=DECISIONS)).to_have_count(0)
    olga.keyboard.press("a")
    expect(olga.get_by_role("link", name="Approvals", exact=True)).to_be_visible()  # no badge

    dana.get_by_role("link", name="Review").first.click()
    dana.get_by_role("button", name=re.compile("^Approve")).click()
    expect(olga.get_by_text("Approved by Dana")).to_be_visible()
    olga.goto(address)
    expect(olga.get_by_text("I have paid €89.00 back for order 1042").first).to_be_visible()


def test_a_viewer_sees_it_all_and_has_no_controls(lab: Lab, cast: Cast) -> None:
    victor = cast.viewer.page
    address = asked(cast.operator.page, lab.url)
    victor.goto(address)
    expect(steps.row(victor, "issue_refund")).to_be_visible()
    steps.look_at(victor, steps.row(victor, "issue_refund"), "Overview")
    expect(victor.get_by_text("Needs the role Approver; yours is Viewer")).to_be_visible()
    assert cast.operator.page.get_by_role("button", name=CONTROLS).count() > 4
    for role in ("button", "link"):
        expect(victor.get_by_role(role, name=CONTROLS)).to_have_count(0)
    expect(victor.get_by_role("button", name=DECISIONS)).to_have_count(0)
    for key in ("s", "p", "Control+."):
        victor.keyboard.press(key)
    expect(victor.get_by_role("dialog")).to_have_count(0)
    expect(victor.get_by_label("Next message")).to_have_count(0)
    steps.status(victor, "Waiting for a person")


def test_a_stranger_gets_the_login_or_nothing(lab: Lab, cast: Cast, browser: Browser) -> None:
    address = asked(cast.operator.page, lab.url)
    charlie = cast.stranger.page
    charlie.goto(address)
    expect(charlie.get_by_role("heading", name="There is no such page")).to_be_visible()
    expect(charlie.get_by_text("issue_refund")).to_have_count(0)
    charlie.goto(f"{lab.url}/approvals")
    expect(charlie.get_by_text("Nothing waits for you.")).to_be_visible()

    nobody = Person(browser)
    nobody.page.goto(address)
    expect(nobody.page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert "issue_refund" not in nobody.page.content()
    nobody.context.close()


def test_of_two_who_decide_at_once_the_second_reads_who_was_first(lab: Lab, cast: Cast) -> None:
    address = asked(cast.operator.page, lab.url)
    dana, erik = cast.approver.page, cast.second_approver.tab()
    # Nothing tells Erik's window in time: it is as if both had clicked in the same moment.
    erik.route_web_socket(re.compile("/ws/"), lambda _: None)
    for page in (dana, erik):
        page.goto(address)
        page.get_by_role("link", name="Decide").click()
        expect(page.get_by_role("button", name=re.compile("^Approve"))).to_be_visible()
    erik.get_by_role("button", name=re.compile("^Reject")).click()
    erik.get_by_label("Reason, told to the agent").fill("Ask for a photo first.")
    dana.get_by_role("button", name=re.compile("^Approve")).click()
    dana.goto(address)
    expect(dana.get_by_text("I have paid €89.00 back for order 1042").first).to_be_visible()
    erik.get_by_role("button", name=re.compile("^Reject")).click()
    notice = erik.get_by_role("alert")
    expect(notice).to_contain_text("Approved by Dana")
    expect(notice).to_contain_text("Your “Reject” came second and was not applied.")
    assert cast.second_approver.faults == []
    erik.close()
