"""Agents as files: what is exported is applied again without a change, by API and command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agents_app.models import AgentVersion
from playhead.ops.cli import build_parser
from tests.integration.agents.makers import PAYER

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.cast import Person

pytestmark = [pytest.mark.usefixtures("agents"), pytest.mark.django_db(transaction=True)]

FILE = """slug: payer
model: scripted:echo
instructions: |
  Pay people.
  Ask first.
tools:
  - name: pay
middleware:
  - use: guardrail
    injection: ask
"""
WRONG = """slug: payer
modell: scripted:echo
tools:
  - name: pay
    aproval: true
  - name: pey
limits: {max_steps: 0}
"""


@pytest.fixture(autouse=True)
def _no_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests have agents of their own."""
    monkeypatch.setattr("agents_app.adapters.definitions.use_demo", lambda: None)


def run(*argv: str) -> int:
    args = build_parser().parse_args(["agent", *argv])
    return int(args.run(args))


def versions() -> list[tuple[int, bool]]:
    rows = AgentVersion.objects.filter(agent__slug="payer").order_by("number")
    return [(row.number, row.published_at is not None) for row in rows]


def test_yaml_makes_an_agent_then_a_version_then_nothing(erin: Person) -> None:
    browser = erin.browser()
    made = browser.post("/agents/import", {"yaml": FILE, "note": "From a file."})
    assert (made.status_code, made.json()["result"]) == (201, "created"), made.content
    assert made.json()["slug"] == "payer"
    again = browser.post("/agents/import", {"yaml": f"# the same\n{FILE}"})
    assert (again.status_code, again.json()["result"]) == (200, "unchanged")
    other = browser.post("/agents/import", {"yaml": f"{FILE}order: onion\n", "publish": False})
    assert (other.status_code, other.json()["result"]) == (201, "version")
    assert (other.json()["published"], other.json()["newest"]) == (1, 2)
    assert versions() == [(1, True), (2, False)]


def test_a_body_of_yaml_is_the_definition(erin: Person) -> None:
    browser = erin.browser()
    sent = browser.client.post(
        "/api/v1/agents/import", FILE, content_type="text/yaml",
        headers={"X-CSRFToken": browser.csrf},
    )  # fmt: skip
    assert (sent.status_code, sent.json()["result"]) == (201, "created"), sent.content
    odd = browser.client.post(
        "/api/v1/agents/import", b"slug: \xff", content_type="text/yaml",
        headers={"X-CSRFToken": browser.csrf},
    )  # fmt: skip
    assert (odd.status_code, odd.json()["code"]) == (400, "bad_json")


def test_faults_of_a_file_are_told_with_field_and_line(erin: Person) -> None:
    refused = erin.browser().post("/agents/import", {"yaml": WRONG})
    assert refused.status_code == 422
    told = {each["field"]: each["message"] for each in refused.json()["errors"]}
    lines = {field: message.split(":")[0] for field, message in told.items()}
    assert lines == {
        "modell": "line 2", "model": "line 1", "tools.0.aproval": "line 5",
        "tools.1.name": "line 6", "limits.max_steps": "line 7",
    }  # fmt: skip
    torn = erin.browser().post("/agents/import", {"yaml": "slug: x\nslug: y\n"})
    assert (torn.status_code, torn.json()["errors"][0]["field"]) == (422, "yaml")
    assert "line 2" in torn.json()["detail"]


def test_what_is_exported_is_applied_without_a_change(
    erin: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    erin.browser().post("/agents", {"definition": PAYER})
    assert run("export", "payer") == 0
    file = tmp_path / "payer.yaml"
    file.write_text(capsys.readouterr().out)
    assert run("apply", str(file)) == 0
    assert capsys.readouterr().out == "payer: unchanged\n"
    file.write_text(file.read_text().replace("Ask first.", "Ask twice."))
    assert run("apply", str(file), "--no-publish", "--note", "Twice.") == 0
    assert capsys.readouterr().out == "payer: has a new version\n"
    assert versions() == [(1, True), (2, False)]
    assert run("list") == 0
    assert "payer                    console  v1, newest v2" in capsys.readouterr().out


def test_the_command_line_says_each_fault_and_fails(
    tmp_path: Path, erin: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(WRONG)
    assert run("apply", str(file)) == 1
    said = capsys.readouterr().err.splitlines()
    assert f"{file}: tools.1.name: line 6: there is no tool 'pey'; did you mean pay?" in said[3]
    assert len(said) == 5
    assert versions() == []


def test_an_agent_of_the_code_goes_out_and_comes_in_under_another_slug(
    erin: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("export", "clerk") == 0
    text = capsys.readouterr().out
    refused = erin.browser().post("/agents/import", {"yaml": text})
    assert (refused.status_code, refused.json()["code"]) == (409, "read_only")
    copied = erin.browser().post("/agents/import", {"yaml": text.replace("clerk", "copy", 1)})
    assert (copied.status_code, copied.json()["result"]) == (201, "created")
