"""What sessions of the same agent hold alike is there once, and says the same as before."""

from __future__ import annotations

import copy
import json
from typing import Any

from agents_app.engine import AgentSpec
from agents_app.engine.facade import start_payload
from agents_app.worker.shared import share
from playhead.core.events import Event


def started(slug: str, session: str) -> Event:
    plugins = [{"name": "a", "version": "1"}]
    spec = AgentSpec(slug=slug, instructions="Be kind.")
    payload: dict[str, Any] = start_payload(spec, version=1, seed=session, plugins=plugins)
    return Event(session, 1, "session_start", "", payload)


def test_the_definition_of_an_agent_is_held_once() -> None:
    one, two, other = started("a", "s1"), started("a", "s2"), started("b", "s3")
    before = [copy.deepcopy(each.payload) for each in (one, two, other)]
    for each in (one, two, other):
        share([each])
    assert [each.payload for each in (one, two, other)] == before
    assert one.payload["definition"] is two.payload["definition"]
    assert one.payload["plugins"] is other.payload["plugins"]
    assert one.payload["definition"] is not other.payload["definition"]


def test_an_old_start_without_plug_ins_is_shared_too() -> None:
    old = Event("s", 1, "session_start", "", {"definition": {"slug": "a"}})
    share([old])
    assert old.payload == {"definition": {"slug": "a"}}


def test_the_names_of_fields_are_held_once() -> None:
    payload = '{"message": {"content": "Hello", "role": "user"}, "to": "agent:a"}'
    one, two = (Event("s", 2, "user_message", "", json.loads(payload)) for _ in range(2))
    share([one, two])
    assert one.payload == two.payload == json.loads(payload)
    for here, there in (
        (one.payload, two.payload),
        (one.payload["message"], two.payload["message"]),
    ):
        assert [id(name) for name in here] == [id(name) for name in there]


def test_what_a_hook_is_given_of_a_decision_is_of_its_session_alone() -> None:
    said = {"decision": "approve", "by": {"kind": "user", "id": "u", "name": "Ana"}}
    one, two = (Event(s, 5, "decision", "", copy.deepcopy(said)) for s in ("s1", "s2"))
    share([one])
    share([two])
    one.payload["by"]["name"] = "Mallory"
    assert two.payload == said
