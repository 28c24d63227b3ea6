"""A definition that is written as YAML is checked as one that is filled into a form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from playhead.accounts.contracts import Role
from tests.integration.cast import person

if TYPE_CHECKING:
    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Browser

pytestmark = pytest.mark.usefixtures("agents")

WRONG = """slug: payer
model: scripted:echo
tools:
  - name: pay
  - name: fly
limits: {max_steps: many}
"""


@pytest.fixture
def erin(workspace: WorkspaceRef) -> Browser:
    """An editor's browser."""
    return person(workspace, "erin@example.com", Role.EDITOR, name="Erin").browser()


def check(erin: Browser, text: str) -> dict[str, Any]:
    answer = erin.post("/agents/check", {"yaml": text})
    assert answer.status_code == 200
    return dict(answer.json())


def test_yaml_is_read_as_the_definition_that_it_is(erin: Browser) -> None:
    found = check(erin, "slug: payer\nmodel: scripted:echo\n")
    assert found["definition"] == {"slug": "payer", "model": "scripted:echo"}
    assert (found["problems"], found["yaml"]) == ([], "slug: payer\nmodel: scripted:echo\n")


def test_each_problem_has_the_line_of_its_field(erin: Browser) -> None:
    lines = {each["field"]: each["line"] for each in check(erin, WRONG)["problems"]}
    assert lines == {"tools.1.name": 5, "limits.max_steps": 6}


@pytest.mark.parametrize(
    ("text", "line"),
    [("slug: payer\nname: [\n", 3), ("slug: a\nslug: b\n", 2), ("x: !!python/name:os.system\n", 1)],
)
def test_what_is_no_yaml_says_where(erin: Browser, text: str, line: int) -> None:
    found = check(erin, text)
    assert (found["definition"], found["yaml"]) == (None, text)
    (problem,) = found["problems"]
    assert (problem["field"], problem["line"]) == ("", line)
    assert problem["message"]


def test_a_text_that_is_no_object_has_a_problem_and_no_definition(erin: Browser) -> None:
    found = check(erin, "just words")
    assert found["definition"] is None
    assert [each["field"] for each in found["problems"]] == ["definition"]


def test_from_a_form_no_line_is_told(erin: Browser) -> None:
    found = erin.post("/agents/check", {"definition": {"slug": "payer", "model": ""}}).json()
    assert [(each["field"], each["line"]) for each in found["problems"]] == [("model", None)]
    assert found["definition"] == {"slug": "payer", "model": ""}
