"""Two sessions side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.replay.conftest import start

if TYPE_CHECKING:
    from tests.integration.cast import Browser, Person
    from tests.integration.replay.conftest import Session

pytestmark = pytest.mark.django_db(transaction=True)


def shape(comparison: Any) -> list[tuple[str, str]]:
    return [(row["relation"], (row["a"] or row["b"])["type"]) for row in comparison["rows"]]


def test_a_branch_and_its_parent_part_at_the_fork(session: Session) -> None:
    at = session.seq("tool_result")
    clean = '{"order":"7","paid":12}'
    branch = session.branch(
        at, replace={"event_type": "tool_result", "payload": {"message": {"content": clean}}}
    )
    branch.decide("approve")
    found = session.get(f"/compare/{branch.id}")
    assert found["shared"] == at - 1
    assert found["fork"] == {"seq": at, "edited": True, "overrides": None}
    assert found["first_divergence"] == {"row": 0, "kind": "action"}
    assert shape(found)[:2] == [("different", "tool_result"), ("different", "llm_response")]
    first = found["rows"][0]
    assert (first["a"]["seq"], first["b"]["seq"]) == (at, at)
    assert shape(found)[-1] == ("different", "session_end")
    assert (found["totals"]["a"]["model_calls"], found["totals"]["b"]["model_calls"]) == (2, 2)


def test_the_same_session_does_not_differ_from_itself(session: Session) -> None:
    found = session.get(f"/compare/{session.id}")
    assert (found["rows"], found["first_divergence"]) == ([], None)


def test_two_sessions_without_a_common_past_are_aligned_by_what_they_did(
    session: Session, approver: Browser
) -> None:
    other = start(approver, "My order 7 broke too.")
    found = session.get(f"/compare/{other.id}")
    assert (found["shared"], found["fork"]) == (0, None)
    relations = shape(found)
    assert relations[0] == ("different", "user_message")
    assert ("same", "tool_call") in relations
    assert ("only_a", "session_end") in relations


def test_of_another_workspace_nothing_is_compared(session: Session, charlie: Person) -> None:
    answer = charlie.browser().get(f"/sessions/{session.id}/compare/{session.id}")
    assert answer.status_code == 404
