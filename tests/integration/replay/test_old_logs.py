"""Logs of every earlier release: they are imported, read and proven by this one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agents_app.adapters import definitions
from replay_app.services.imports import file_import
from tests.integration.replay.conftest import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.integration.cast import Person

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "logs"
LOGS = sorted(file.relative_to(CORPUS).as_posix() for file in CORPUS.glob("*/*.jsonl"))

pytestmark = pytest.mark.django_db


@pytest.fixture
def _demo_agents() -> Iterator[None]:
    definitions.use(definitions.load(["agents_app.demo"]))
    yield
    definitions.use(None)


@pytest.mark.usefixtures("_demo_agents")
@pytest.mark.parametrize("log", LOGS)
def test_s3_61_k75_a_log_of_an_earlier_release_is_read_and_proven(dana: Person, log: str) -> None:
    """Derived again by today's loop, or a plain word that this loop is another one."""
    text = (CORPUS / log).read_text(encoding="utf-8")
    done = file_import(workspace_id=dana.workspace.id, text=text)
    session = Session(dana.browser(), done.session_id)
    assert [event["seq"] for event in session.events()] == list(range(1, done.events + 1))
    verdict = session.verify()
    assert verdict["chain"]["ok"]
    derivation = verdict["derivation"]
    assert derivation["verdict"] == "ok" or (
        derivation["verdict"] == "not_comparable" and derivation["reason"]
    ), derivation


def test_without_the_code_of_its_tools_a_log_is_derived_from_what_it_says_of_them(
    dana: Person,
) -> None:
    """A replay runs no tool: what was asked about a call, and what came of it, the log has."""
    text = (CORPUS / "1/01-refund-approved-with-edit.jsonl").read_text(encoding="utf-8")
    done = file_import(workspace_id=dana.workspace.id, text=text)
    verdict = Session(dana.browser(), done.session_id).verify()
    assert verdict["chain"]["ok"]
    assert verdict["derivation"]["verdict"] == "ok"
