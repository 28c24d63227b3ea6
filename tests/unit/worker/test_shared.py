"""What sessions of the same agent hold alike is there once, and says the same as before."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from agents_app.engine import AgentSpec
from agents_app.engine.facade import start_payload
from agents_app.worker.shared import share
from playhead.core.events import Event

if TYPE_CHECKING:
    from pathlib import Path

LIMITED = """
import resource
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
from playhead.ops.start import FILES, make_room
make_room()
soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
print(soft == FILES or soft == most, soft > 64)
"""


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


def test_a_process_may_open_as_many_files_as_the_machine_allows(
    root: Path, root_env: dict[str, str]
) -> None:
    said = subprocess.check_output([sys.executable, "-c", LIMITED], env=root_env, text=True)
    assert said.split() == ["True", "True"]
