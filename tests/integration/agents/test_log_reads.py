"""Events, headers, prompts and states through their doors."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.api import asking
from playhead.core import canonical
from playhead.core.events import Draft
from tests.integration.agents.logs import ROOT, asked, interrupt, work

if TYPE_CHECKING:
    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")


@pytest.fixture
def session(bob: Person) -> str:
    made = bob.browser().post("/sessions", {"agent": "clerk", "input": "Mail ann@example.org."})
    asked(made.json()["id"])
    return str(made.json()["id"])


def read(who: Person, path: str) -> Any:
    answer = who.browser().get(path)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_events_come_in_pages_after_a_seq(dana: Person, session: str) -> None:
    first = read(dana, f"/sessions/{session}/events?limit=2")
    assert ([event["seq"] for event in first["items"]], first["next"]) == ([1, 2], 2)
    rest = read(dana, f"/sessions/{session}/events?after=2")
    assert [event["seq"] for event in rest["items"]] == [3, 4, 5]
    assert (rest["next"], rest["head_seq"]) == (None, 5)
    event = rest["items"][1]
    assert event["payload"]["usage"]["input"] == 10
    assert (event["head"]["tokens_in"], event["head"]["cost"]) == (10, "0.001")


def test_bodies_and_types_are_left_out_on_request(dana: Person, session: str) -> None:
    page = read(dana, f"/sessions/{session}/events?types=interrupt,llm_response&bodies=0")
    assert [event["event_type"] for event in page["items"]] == ["llm_response", "interrupt"]
    assert [event["payload"] for event in page["items"]] == [None, None]
    assert dana.browser().get(f"/sessions/{session}/events?types=nope").status_code == 422


def test_the_bytes_of_a_body_are_served_as_they_are_hashed(dana: Person, session: str) -> None:
    answer = dana.browser().get(f"/sessions/{session}/events/4")
    event = json.loads(answer.content)
    assert canonical.dumps(event["payload"]) in answer.content


def test_heads_are_columns(dana: Person, session: str) -> None:
    heads = read(dana, f"/sessions/{session}/heads?after=2")
    assert heads["data"]["seq"] == [3, 4, 5]
    assert heads["data"]["type"] == ["llm_request", "llm_response", "interrupt"]
    assert heads["data"]["label"][2] == "Pays 40 to Ann."
    assert {len(column) for column in heads["data"].values()} == {3}
    assert read(dana, f"/sessions/{session}/heads?after=5")["data"]["seq"] == []


def test_a_long_answer_is_packed_for_those_who_unpack_it(
    dana: Person, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "LONG", 500)
    path = f"/sessions/{session}/heads"
    plain = dana.browser().get(path)
    packed = dana.browser().get(path, **{"Accept-Encoding": "br, gzip"})
    assert ("Content-Encoding" in plain.headers, packed["Content-Encoding"]) == (False, "gzip")
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer["Vary"]
    assert gzip.decompress(packed.content) == plain.content


@pytest.mark.parametrize("path", ["events/9", "events/0", "events/9/prompt", "state?at=99"])
def test_what_is_not_there_is_not_found(dana: Person, session: str, path: str) -> None:
    assert dana.browser().get(f"/sessions/{session}/{path}").status_code == 404


def test_a_prompt_is_rebuilt_from_its_splices(dana: Person, session: str) -> None:
    decision = {"decision": "approve", "digest": interrupt().payload["digest"]}
    assert dana.browser().post("/interrupts/int_1/decision", decision).status_code == 200
    result = {
        "call_id": "c4.0",
        "tool": "pay",
        "success": True,
        "message": {"role": "tool", "content": "paid", "tool_call_id": "c4.0"},
        "source": "live",
        "ms": 1,
    }
    second = {
        "model": "scripted:echo",
        "params": {"top_p": 1},
        "tools": 3,
        "prompt": [["c", 0, 2], ["m", 4], ["m", 7]],
        "n": 4,
        "digest": "d1:01",
        "fingerprint": "d1:01",
    }
    attempt = {"n": 2, "model": "other:model", "reason": "retry"}
    work(
        session,
        Draft("tool_result", result, f"{ROOT}/0;tool:pay:c4.0", 6),
        Draft("llm_request", second, f"{ROOT}/1"),
        Draft("llm_attempt", attempt, f"{ROOT}/1", 8),
    )
    prompt = read(dana, f"/sessions/{session}/events/8/prompt")
    shown = [
        (each["message"]["role"], each["origin"] and each["origin"]["seq"])
        for each in prompt["messages"]
    ]
    assert shown == [("system", None), ("user", 2), ("assistant", 4), ("tool", 7)]
    assert prompt["messages"][2]["message"]["tool_calls"][0]["id"] == "c4.0"
    assert (prompt["previous"], prompt["tools"], prompt["params"]) == (3, [], {"top_p": 1})
    assert prompt["attempts"] == [{"n": 2, "reason": "retry", "model": "other:model"}]
    assert dana.browser().get(f"/sessions/{session}/events/7/prompt").status_code == 404


def test_a_state_is_folded_up_to_an_event(dana: Person, session: str) -> None:
    now = read(dana, f"/sessions/{session}/state")
    assert (now["seq"], now["open_interrupts"], now["cost"]) == (5, ["int_1"], "0.001")
    then = read(dana, f"/sessions/{session}/state?at=2")
    assert (then["status"], then["run"], then["open_interrupts"]) == ("queued", 1, [])
    assert then["usage"]["input"] == 0


def test_personal_data_are_masked_for_a_role_without_reveal(
    bob: Person, dana: Person, session: str
) -> None:
    address = "ann@example.org"
    for path in ("", "/events", "/events/2", "/heads", "/events/3/prompt", "/state"):
        url = f"/sessions/{session}{path}"
        assert address in dana.browser().get(url).content.decode() or path == "/state", path
        shown = bob.browser().get(url).content.decode()
        assert address not in shown, path
    assert "[REDACTED:email:" in bob.browser().get(f"/sessions/{session}/events/2").content.decode()


def test_titles_and_tags_are_masked_at_every_door(bob: Person, dana: Person, session: str) -> None:
    """A question names its session: by the title as this reader sees it elsewhere too."""
    address = "carl@example.org"
    named = {"title": f"For {address}", "tags": [address]}
    assert dana.browser().patch(f"/sessions/{session}", named).status_code == 200
    [question] = dana.browser().get("/interrupts").json()["items"]
    for path in (
        "/sessions",
        f"/sessions/{session}",
        "/interrupts",
        f"/interrupts/{question['id']}",
    ):
        assert address in dana.browser().get(path).content.decode(), path
        shown = bob.browser().get(path).content.decode()
        assert address not in shown, path
        assert "[REDACTED:email:" in shown, path
