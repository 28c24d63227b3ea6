"""An editor makes an agent in the browser: tried, published, changed, compared, rolled back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.accessible import faults
from tests.e2e.people import Person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.e2e.lab import Lab

QUESTION = "My kettle from order 1042 arrived broken. I would like my money back."
SAVE = re.compile("^Save…")
ABOUT = re.compile("^Description")


@pytest.fixture
def let_in(browser: Browser, lab: Lab, _lab_owner: Person) -> Iterator[Callable[..., Person]]:
    """Lets somebody in who has that role, with a window of their own."""
    people: list[Person] = []

    def enter(name: str, role: str, **window: object) -> Person:
        asked = {"email": f"{name.lower()}@acme.example", "role": role, "name": name}
        link = _lab_owner.post(f"{lab.url}/api/v1/users", asked)["link"]
        people.append(Person(browser, **window).open(lab.url + link))
        return people[-1]

    yield enter
    for person in people:
        person.context.close()


def add(page: Page, what: str, name: str) -> None:
    """Add a part from its catalogue, by keyboard alone."""
    page.get_by_role("button", name=what).press("Enter")
    page.keyboard.type(name)
    page.keyboard.press("Enter")


def row(page: Page, of: str, name: str) -> Locator:
    """The row of a tool or a middleware."""
    code = page.locator("code", has_text=re.compile(f"^{name}$"))
    return page.get_by_role("list", name=of, exact=True).get_by_role("listitem").filter(has=code)


def save(page: Page, note: str, *, publish: bool = False) -> None:
    """Save the draft as a version."""
    page.get_by_role("button", name=SAVE).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Note").fill(note)
    if publish:
        dialog.get_by_label("Publish it now").check()
    page.keyboard.press("Control+Enter")
    expect(dialog).to_have_count(0)


def fill_in(page: Page, name: str) -> None:
    """A strategy with an option, two tools of which one asks, two middlewares in their order."""
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("combobox", name="Model provider").fill("scripted:refund-desk")
    page.get_by_label("Instructions").fill("You work at the refund desk.")
    page.get_by_label("Strategy", exact=True).select_option("function-calling")
    for tool in ("lookup_order", "issue_refund"):
        add(page, "Add a tool", tool)
    asked = row(page, "Tools", "issue_refund").get_by_role("switch", name="Ask a person first")
    expect(asked).to_be_checked()
    expect(asked).to_be_disabled()
    row(page, "Tools", "lookup_order").get_by_role("switch").click()
    for use in ("logging", "guardrail"):
        add(page, "Add middleware", use)
    page.get_by_role("button", name="Move guardrail up").press("Enter")
    expect(page.get_by_text("guardrail is now number 1 of 2")).to_be_attached()


def a_problem_is_shown_at_its_field_and_mended(page: Page) -> None:
    """While it is there nothing can be saved; the summary leads to it."""
    page.get_by_label("max_steps").fill("0")
    problem = page.get_by_role("region", name="Problems").get_by_role("button")
    expect(problem).to_have_text("limits.max_steps")
    expect(page.get_by_role("button", name=SAVE)).to_have_attribute("aria-disabled", "true")
    page.get_by_role("heading", level=1).focus()
    problem.press("Enter")
    expect(page.get_by_label("max_steps")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("8")
    expect(page.get_by_text("No problems").first).to_be_visible()


def try_it(page: Page) -> None:
    """Run exactly what the form shows, and decide beside it, by a key that is pressed twice."""
    page.get_by_role("tab", name="Try it").click()
    expect(page.get_by_text("Saves the draft as v1, not published")).to_be_visible()
    page.get_by_label("Try it with a question").fill(QUESTION)
    page.keyboard.press("Control+Enter")
    for tool in ("lookup_order", "issue_refund"):
        expect(page.get_by_role("heading", name=tool)).to_be_visible()
        page.get_by_role("heading", name=tool).click()  # no field has the focus
        expect(page.get_by_role("button", name=re.compile("^Approve"))).to_be_enabled()
        page.keyboard.press("a")
        page.get_by_role("button", name=re.compile("Press A again")).wait_for()
        page.keyboard.press("a")
    expect(page.get_by_text("I have paid €89.00 back").first).to_be_visible()
    expect(page.get_by_role("link", name="Open the session")).to_be_visible()


def publish(page: Page, version: int, sentence: str) -> None:
    """From the editor: says what changes for new sessions."""
    page.get_by_role("button", name=re.compile(f"^Publish v{version}")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(sentence)
    dialog.get_by_role("button", name=f"Publish v{version}").click()
    expect(dialog).to_have_count(0)


def compare(page: Page) -> None:
    """What the second version changes, place by place."""
    page.get_by_role("link", name="Show what changed").click()
    page.wait_for_url(re.compile(r"/diff/1\.\.2"))
    changes = page.get_by_role("list", name="What changed")
    expect(changes.get_by_role("listitem")).to_have_count(2)
    expect(changes).to_contain_text("instructions")
    expect(changes).to_contain_text("tools.lookup_order.approval")


def roll_back(page: Page) -> None:
    """The older one again, for new sessions."""
    page.get_by_role("button", name="Roll back to v1").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("New sessions will get v1 instead of v2.")
    dialog.get_by_role("button", name="Roll back to v1").click()
    expect(page.get_by_text("New sessions get v1.")).to_be_visible()


def exported(page: Page, folder: Path) -> str:
    """The version as a file; and the same text can be copied."""
    page.get_by_role("link", name="v2", exact=True).click()
    page.wait_for_url(re.compile("/v/2"))
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    text = file.read_text()
    expect(page.locator("pre")).to_have_text(text.strip(), use_inner_text=True)
    return text


def test_an_agent_from_nothing_to_its_second_version(
    lab: Lab, let_in: Callable[..., Person], tmp_path: Path
) -> None:
    person = let_in("Edda", "editor")
    page = person.page
    page.goto(f"{lab.url}/agents")
    page.get_by_role("link", name="New agent").click()
    fill_in(page, "Money back")
    a_problem_is_shown_at_its_field_and_mended(page)
    try_it(page)
    publish(page, 1, "New sessions will get v1.")

    page.get_by_label("Instructions").fill("You work at the refund desk.\nBe short.")
    row(page, "Tools", "lookup_order").get_by_role("switch").click()
    save(page, "Shorter", publish=True)
    expect(page.get_by_text("v2 saved and published.").first).to_be_visible()
    page.goto(f"{lab.url}/agents/money-back")
    compare(page)
    page.go_back()
    roll_back(page)
    text = exported(page, tmp_path)
    assert "slug: money-back\n" in text
    assert "Be short." in text

    page.goto(f"{lab.url}/agents?import=1")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("YAML").fill(text.replace("money-back", "money-back-too"))
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile("/agents/money-back-too"))
    assert person.faults == []


def test_a_draft_outlives_a_reload_and_a_version_of_somebody_else(
    lab: Lab, let_in: Callable[..., Person]
) -> None:
    one, two = let_in("Ines", "editor").page, let_in("Bo", "editor").page
    one.goto(f"{lab.url}/agents/new?from=refund-desk")
    one.get_by_label("Name in code").fill("shared")
    save(one, "First")
    for page in (one, two):
        page.goto(f"{lab.url}/agents/shared/edit")
        page.get_by_role("textbox", name=ABOUT).fill(f"Of {'Ines' if page is one else 'Bo'}")
    one.reload()
    expect(one.get_by_text("Unsaved changes of yours were kept")).to_be_visible()
    expect(one.get_by_role("textbox", name=ABOUT)).to_have_value("Of Ines")
    save(two, "Mine first")

    one.get_by_role("button", name=SAVE).click()
    one.get_by_role("dialog").get_by_role("button", name=re.compile("^Save")).first.click()
    notice = one.get_by_role("alert")
    expect(notice).to_contain_text("Bo saved v2 while you were writing")
    notice.get_by_role("button", name="Compare mine with v2").click()
    expect(one.get_by_role("list", name="What changed")).to_contain_text("Of Bo")
    one.get_by_role("button", name=SAVE).click()
    one.get_by_role("button", name="Save mine as v3").click()
    expect(one.get_by_text("v3 saved. It is not published.").first).to_be_visible()


def test_yaml_and_form_are_one_draft(lab: Lab, let_in: Callable[..., Person]) -> None:
    page = let_in("Yu", "editor").page
    page.goto(f"{lab.url}/agents/new?from=researcher&side=yaml")
    text = page.get_by_role("textbox", name="YAML")
    expect(text).to_have_value(re.compile("slug: researcher-copy"))
    written = text.input_value()
    text.fill(written.replace("researcher-copy", "yaml-made"))
    expect(page.get_by_label("Name in code")).to_have_value("yaml-made")
    text.fill(written + "\n- nothing\n")
    expect(page.get_by_role("button", name=re.compile(r"^Line \d+"))).to_be_visible()
    page.get_by_role("button", name="Back to the form").click()
    expect(text).to_have_value(re.compile("slug: yaml-made"))
    page.get_by_role("link", name="Home").click()
    page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    expect(text).to_be_visible()


def test_a_viewer_sees_the_versions_and_no_way_to_change_them(
    lab: Lab, let_in: Callable[..., Person]
) -> None:
    page = let_in("Vic", "viewer").page
    page.goto(f"{lab.url}/agents")
    expect(page.get_by_role("link", name="Refund desk", exact=True)).to_be_visible()
    changes = re.compile("^(New agent|Import|Edit|Copy and edit|Publish|Roll back)")
    for path in ("/agents", "/agents/refund-desk", "/agents/refund-desk/v/1"):
        page.goto(lab.url + path)
        page.get_by_role("heading", level=1).first.wait_for()
        for role in ("link", "button"):
            expect(page.get_by_role(role, name=changes)).to_have_count(0)
    page.goto(f"{lab.url}/agents/refund-desk/edit")
    expect(page.get_by_text("Needs the role Editor; yours is Viewer")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_the_editor_breaks_no_rule_of_accessibility(
    lab: Lab, let_in: Callable[..., Person], scheme: str, width: int
) -> None:
    name = f"Axel{scheme}{width}"
    page = let_in(
        name, "editor", color_scheme=scheme, viewport={"width": width, "height": 900}
    ).page
    found: dict[str, list[str]] = {}
    for path in (
        "/agents/new", "/agents/new?from=refund-desk", "/agents/new?from=refund-desk&side=yaml",
        "/agents/new?from=refund-desk&side=try", "/agents/refund-desk/v/1", "/agents?import=1",
    ):  # fmt: skip
        page.goto(lab.url + path)
        page.locator("h1").first.wait_for()  # a dialog hides it from readers
        page.wait_for_load_state("networkidle")
        found[path] = faults(page)
    page.goto(f"{lab.url}/agents/new?from=refund-desk&side=form")
    page.get_by_role("button", name="Add a tool").click()
    page.get_by_label("max_steps").fill("none")
    page.get_by_role("region", name="Problems").wait_for()
    found["problem"] = faults(page)
    assert {where: what for where, what in found.items() if what} == {}
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
