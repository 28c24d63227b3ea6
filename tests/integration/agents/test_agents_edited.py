"""Many at once, sent twice, and whatever a definition may hold: no lost version, no 500."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connections
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents_app.engine.drafting.draft import KEYS
from agents_app.engine.drafting.tools import AGENT_KEYS, TOOL_KEYS
from agents_app.models import Agent, AgentVersion
from agents_app.services.versions import draft_read
from tests.integration.agents.makers import PAYER, problems

if TYPE_CHECKING:
    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")


@pytest.mark.django_db(transaction=True)
def test_two_versions_at_once_are_one_and_a_stale_one(erin: Person) -> None:
    browser = erin.browser()
    browser.post("/agents", {"definition": PAYER})
    programs = [erin.browser_by_key() for _ in range(4)]

    def send(n: int) -> int:
        body = {"definition": {**PAYER, "name": f"Payer {n}"}, "base": 1}
        answer = programs[n].post("/agents/payer/versions", body)
        connections.close_all()
        return answer.status_code

    with ThreadPoolExecutor(4) as threads:
        codes = sorted(threads.map(send, range(4)))
    assert codes == [201, 409, 409, 409]
    numbers = AgentVersion.objects.filter(agent__slug="payer").values_list("number", flat=True)
    assert sorted(numbers) == [1, 2]


@pytest.mark.django_db(transaction=True)
def test_the_same_request_twice_makes_one_agent_and_one_version(erin: Person) -> None:
    program, key = erin.browser_by_key(), {"Idempotency-Key": "k1"}
    body = {"definition": PAYER}
    first, again = (program.post("/agents", body, **key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again["Idempotent-Replayed"] == "true"
    body = {"definition": {**PAYER, "name": "New"}, "base": 1}
    first, again = (program.post("/agents/payer/versions", body, **key) for _ in range(2))
    assert first.json() == again.json()
    assert AgentVersion.objects.filter(agent__slug="payer").count() == 2


def test_the_makers_name_stands_at_the_version_and_in_the_diff_what_changed(erin: Person) -> None:
    browser = erin.browser()
    browser.post("/agents", {"definition": PAYER})
    other = {
        **PAYER,
        "limits": {"max_steps": 7},
        "tools": [{"agent": "clerk", "handoff": True}, {"name": "pay", "approval": True}],
        "middleware": [{"use": "logging"}, {"use": "guardrail", "injection": "ask"}],
    }
    made = browser.post("/agents/payer/versions", {"definition": other, "base": 1})
    assert made.json()["by"] == "Erin"
    told = browser.get("/agents/payer/versions/1/diff/2").json()["changes"]
    assert {each["field"]: (each["before"], each["after"]) for each in told} == {
        "tools.pay.required_role": ("admin", None),
        "tools.pay.approval": (None, True),
        "tools": (["pay", "clerk"], ["clerk", "pay"]),
        "middleware": (["guardrail", "logging"], ["logging", "guardrail"]),
        "limits.max_steps": (5, 7),
    }
    assert browser.get("/agents/payer/versions/1/diff/1").json()["changes"] == []
    assert browser.get("/agents/payer/versions/1/diff/9").status_code == 404


def test_agents_below_an_agent_are_kept_and_never_come_round(erin: Person) -> None:
    browser = erin.browser()
    plain = {"model": "scripted:echo"}
    for slug, below in {"a": "clerk", "b": "a", "c": "b"}.items():
        made = browser.post(
            "/agents", {"definition": {**plain, "slug": slug, "tools": [{"agent": below}]}}
        )
        assert made.status_code == 201, made.content
    round_ = {**plain, "slug": "a", "tools": [{"agent": "c"}]}
    told = problems(browser.post("/agents/check", {"definition": round_}))
    assert told == {"tools.0.agent": "an agent can't ask itself: a → c → b → a"}
    itself = {**plain, "slug": "d", "tools": [{"agent": "d"}]}
    assert (
        "no agent 'd'"
        in problems(browser.post("/agents/check", {"definition": itself}))["tools.0.agent"]
    )
    kept = AgentVersion.objects.get(agent__slug="c").definition
    assert '"source":"agent:clerk"' in kept


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "parts"), ("slug", "x" * 81), ("slug", "a/b"), ("slug", 7), ("slug", None),
        ("name", "x" * 201), ("name", []), ("model", "openai"), ("model", "scripted:nobody"),
        ("instructions", "x" * 200_001), ("instructions", "My key is sk-ant-api03-" + "a1B2" * 24),
        ("strategy", {}), ("options", []), ("params", "x"), ("tools", {}), ("tools", ["pay"]),
        ("middleware", "guardrail"), ("middleware", [{}]), ("order", "onions"), ("order", []),
        ("limits", {"max_steps": True}), ("limits", {"max_steps": 1e9}), ("limits", "all"),
        ("samples", [{}]), ("samples", ["x"] * 21), ("tools", [{"name": "pay"}] * 129),
    ],
)  # fmt: skip
def test_i01_a_wrong_value_is_told_at_its_field(erin: Person, field: str, value: object) -> None:
    body = {"definition": {**PAYER, field: value}}
    told = problems(erin.browser().post("/agents/check", body))
    assert told
    assert {each.split(".")[0] for each in told} == {field}
    assert erin.browser().post("/agents", body).status_code == 422


WORDS = st.sampled_from([*KEYS, *TOOL_KEYS, *AGENT_KEYS, "use", "pay", "clerk", "guardrail", "\0"])
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
MUTATED = st.dictionaries(st.sampled_from(KEYS), JUNK, max_size=4).map(lambda each: PAYER | each)


@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(JUNK | MUTATED)
def test_i01_no_definition_is_too_odd_to_be_checked(erin: Person, definition: Any) -> None:
    draft = draft_read(workspace_id=erin.workspace.id, definition=definition)
    assert (draft.spec is None) == bool(draft.faults)
    assert all(fault.field and fault.message for fault in draft.faults)


@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
@given(JUNK | MUTATED)
def test_i01_no_junk_is_a_500(erin: Person, definition: Any) -> None:
    browser = erin.browser_by_key()
    answer = browser.post("/agents/check", {"definition": _jsonable(definition)})
    assert answer.status_code in (200, 400), answer.content


def _jsonable(value: Any) -> Any:
    """What JSON has a form of."""
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return None
    if isinstance(value, list):
        return [_jsonable(each) for each in value]
    if isinstance(value, dict):
        return {key: _jsonable(each) for key, each in value.items()}
    return value


#: What takes an editor: (path, body).
EDITS = [
    ("/agents/check", {"definition": PAYER}),
    ("/agents", {"definition": {**PAYER, "slug": "other"}}),
    ("/agents/payer/versions", {"definition": PAYER, "base": 1}),
    ("/agents/payer/publish", {"version": 1}),
    ("/agents/import", {"yaml": "slug: third\nmodel: scripted:echo\n"}),
]


def test_only_editors_make_agents_and_a_stranger_finds_none(
    erin: Person, dana: Person, charlie: Person
) -> None:
    erin.browser().post("/agents", {"definition": PAYER})
    for path, body in EDITS:
        refused = dana.browser().post(path, body)
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden"), path
    for path, body in EDITS[2:4]:
        assert charlie.browser().post(path, body).status_code == 404, path
    for path in ("/agents/payer", "/agents/payer/versions", "/agents/payer/versions/1"):
        assert charlie.browser().get(path).status_code == 404, path
        assert dana.browser().get(path).status_code == 200, path
    for path, body in EDITS:
        assert erin.browser().post(path, body).status_code in (200, 201), path
    assert charlie.browser().get("/agents/parts").json()["agents"] == []
    assert Agent.objects.filter(workspace_id=charlie.workspace.id).count() == 0
