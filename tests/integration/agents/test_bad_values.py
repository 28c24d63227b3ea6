"""Values that broke others (cases I-1, 2, 4, 6, 7, 9, 11) in the four places where one can come up.

As a user's message, as a call's arguments, as a tool's result, as what a model says: a clear error
or a marked record; the session goes on to its end, verifies, and every door still opens.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import definitions
from agents_app.adapters.models.scripted import Rule, Script, View, call, reply
from agents_app.adapters.stores import log_store
from agents_app.engine import AgentSpec, tool
from agents_app.services.agents import agents_sync
from tests.integration.agents.logs import pk_of
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playhead.core.events import Event
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db(transaction=True)

SIX = "a\\u0000b"  # a backslash, a u, four zeros


def _nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels - 1):
        value = [value]
    return value


DEEP = "[" * 1100 + "]" * 1100

#: name → (a text, what the log has of it)
TEXTS: dict[str, tuple[str, str]] = {
    "i1_nul": ("a\0b", "a\ufffdb"),
    "i2_six_characters": (SIX, SIX),
    "i1_and_i2": (f"\0 and {SIX}", f"\ufffd and {SIX}"),
    "i1_half_a_character": ("a\ud800b", "a\ufffdb"),
    "i4_a_word": ("NaN", "NaN"),
    "i6_digits": ("9" * 5000, "9" * 5000),
    "i7_brackets": (DEEP, DEEP),
    "i7_quotes": (">" * 3000 + " deep", ">" * 3000 + " deep"),
    "i9_half_a_json": ('{"a": 1}}', '{"a": 1}}'),
    "i11_empty_object": ("{}", "{}"),
}

#: name → what a model writes as arguments: JSON text, or what should have been some
ARGUMENTS = {
    "i1_nul": r'{"x": "a\u0000b"}',
    "i1_nul_in_a_name": r'{"x": {"k\u0000": 1}}',
    "i1_nul_as_the_name": r'{"x\u0000": 1}',
    "i1_raw_nul": '{"x": "a\0b"}',
    "i1_half_a_character": r'{"x": "a\ud800b"}',
    "i2_six_characters": r'{"x": "a\\u0000b"}',
    "i4_nan": '{"x": NaN}',
    "i4_infinity": '{"x": [-Infinity]}',
    "i4_overflow": '{"x": 1e999}',
    "i6_beyond_2_53": '{"x": 9007199254740993}',
    "i6_beyond_2_63": '{"x": 9223372036854775808}',
    "i6_5000_digits": '{"x": ' + "7" * 5000 + "}",
    "i7_1100_levels": f'{{"x": {DEEP}}}',
    "i7_100000_levels": '{"x": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "i9_a_quoted_string": '"SELECT * FROM t"',
    "i9_trailing_brace": '{"x": 1}}',
    "i9_nothing": "",
    "i9_a_word": "SELECT",
    "i9_a_list": "[1, 2]",
    "i9_null": "null",
    "i11_empty_object": "{}",
    "i11_empty_within": '{"x": {}}',
}

#: name → (what a tool gives back, the text that the log has as its result)
RESULTS: dict[str, tuple[Any, str | None]] = {
    "i1_nul": ("a\0b", "a\ufffdb"),
    "i1_nul_in_a_name": ({"k\0": "v\0"}, '{"k\ufffd":"v\ufffd"}'),
    "i1_half_a_character": (["a\ud800b"], '["a\ufffdb"]'),
    "i2_six_characters": (SIX, SIX),
    "i2_six_in_a_name": ({SIX: 1}, json.dumps({SIX: 1}, separators=(",", ":"))),
    "i4_nan": (float("nan"), '"NaN"'),
    "i4_infinity": ({"x": [float("-inf")]}, '{"x":["-Infinity"]}'),
    "i6_beyond_2_53": ({"id": 2**53 + 1}, '{"id":9007199254740993}'),
    "i6_beyond_2_63": ({"id": 2**63}, '{"id":"9223372036854775808"}'),
    "i6_5000_digits": (10**5000, f'"1{"0" * 5000}"'),
    "i7_1100_levels": (_nested(1100), None),
    "i11_empty_object": ({}, "{}"),
    "i11_empty_text": ("", ""),
    "bytes": (b"\xff\x00", '"data:application/octet-stream;base64,/wA="'),
    "an_object": (object, '"object"'),
    "i1_an_error": (ValueError("a\0b \ud800"), None),
    "i1_an_error_of_a_path": (FileNotFoundError(2, "No such file", "a\0b"), None),
}

OPENED = ("", "/events?bodies=1&limit=1000", "/heads", "/state", "/shares", "/events/3/prompt")


@dataclass
class Parrot:
    """What the model does when the user names a case, and what the tool then gives back."""

    says: Callable[[str], Any]
    gives: Callable[[str], Any]


PARROT = Parrot(says=lambda _: reply("Hm."), gives=lambda _: "ok")


@tool
def echo(x: Any = None, name: str = "") -> Any:
    """Give something back."""
    given = PARROT.gives(name)
    if isinstance(given, BaseException):
        raise given
    return given


def _answer(view: View) -> Any:
    return reply("Done.") if view.turn else PARROT.says(view.user)


@pytest.fixture
def parrot(dana: Person) -> Iterator[Person]:
    """A workspace with an agent that does what the test says."""
    spec = AgentSpec(slug="parrot", model="scripted:parrot", tools=(echo,))
    script = Script([Rule(lambda _: True, _answer)], pace=0.0)
    definitions.use(definitions.Definitions({"parrot": spec}, {"parrot": script}))
    agents_sync(workspace_id=dana.workspace.id)
    yield dana
    definitions.use(None)


def start(who: Person, text: str) -> str:
    made = who.browser().post("/sessions", {"agent": "parrot", "input": text})
    assert made.status_code == 201, made.content
    return str(made.json()["id"])


def events(session: str, event_type: str) -> list[Event]:
    return [row.event() for row in log_store().read(pk_of(session), types={event_type})]


def lives(who: Person, session: str, name: str) -> None:
    """The session has come to its end, is whole, and can be read through every door."""
    browser = who.browser()
    assert browser.get(f"/sessions/{session}").json()["status"] == "finished", name
    for path in OPENED:
        answer = browser.get(f"/sessions/{session}{path}")
        assert answer.status_code == 200, (name, path, answer.content[:300])
        json.loads(answer.content)
    for line in browser.get(f"/sessions/{session}/export").getvalue().decode().splitlines():
        json.loads(line)
    verdict = browser.post(f"/sessions/{session}/verify").json()
    assert (verdict["chain"]["ok"], verdict["derivation"]["verdict"]) == (True, "ok"), (
        name,
        verdict,
    )


def test_i_as_a_users_message(parrot: Person) -> None:
    browser, made = parrot.browser(), {}
    for name, (text, stored) in TEXTS.items():
        body = json.dumps({"agent": "parrot", "input": text}).encode()
        answer = browser.post("/sessions", body)
        if answer.status_code == 422:  # half a character is no text
            assert name == "i1_half_a_character"
            assert answer.json()["errors"][0]["field"] == "input"
            continue
        assert answer.status_code == 201, (name, answer.content)
        made[name] = (answer.json()["id"], text, stored)
    work_all()
    for name, (session, text, stored) in made.items():
        [message] = events(session, "user_message")
        assert message.payload["message"]["content"] == stored, name
        assert ("sanitized" in message.payload) is (text != stored), name
        lives(parrot, session, name)


def test_i_as_the_arguments_of_a_call(parrot: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no JSON object is an error that the model reads; the rest runs, sanitised."""
    monkeypatch.setattr(
        PARROT, "says", lambda name: reply(calls=[call("echo")], raw_arguments=ARGUMENTS[name])
    )
    made = {name: start(parrot, name) for name in ARGUMENTS}
    work_all()
    for name, session in made.items():
        [result] = events(session, "tool_result")
        if not result.payload["success"]:
            assert result.payload["error"]["code"] == "invalid_arguments", name
            assert result.payload["error"]["field"], name
            assert "echo" in result.payload["message"]["content"] or "argument" in str(result)
        lives(parrot, session, name)
    ran = {name for name, session in made.items() if events(session, "tool_call")}
    assert {"i2_six_characters", "i6_beyond_2_53", "i11_empty_object", "i11_empty_within"} <= ran
    assert not {"i9_a_quoted_string", "i9_trailing_brace", "i9_a_list", "i9_a_word"} & ran
    asked = {name: events(made[name], "tool_call")[0].payload["arguments"] for name in ran}
    assert asked["i2_six_characters"] == {"x": SIX}
    assert asked["i6_beyond_2_53"] == {"x": 9007199254740993}
    assert asked["i11_empty_within"] == {"x": {}}
    assert asked["i1_nul"] == {"x": "a\ufffdb"}


def test_i_as_the_result_of_a_tool(parrot: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PARROT, "says", lambda name: reply(calls=[call("echo", name=name)]))
    monkeypatch.setattr(PARROT, "gives", lambda name: RESULTS[name][0])
    made = {name: start(parrot, name) for name in RESULTS}
    work_all()
    for name, session in made.items():
        [result] = events(session, "tool_result")
        given, stored = RESULTS[name]
        content = result.payload["message"]["content"]
        assert result.payload["success"] is not isinstance(given, Exception), name
        assert "\0" not in content, name
        if stored is not None:
            assert content == stored, name
        lives(parrot, session, name)


def test_i_as_what_a_model_says(parrot: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PARROT, "says", lambda name: reply(TEXTS[name][0], reasoning="\0 hm"))
    made = {name: start(parrot, name) for name in TEXTS}
    work_all()
    for name, session in made.items():
        [response] = events(session, "llm_response")
        text, stored = TEXTS[name]
        assert response.payload["message"]["content"] == stored, name
        if text != stored:
            assert response.payload["sanitized"], name
        answer = parrot.browser().get(f"/sessions/{session}").json()["answer"]
        assert answer == stored, name
        lives(parrot, session, name)


def test_i_as_the_name_of_the_tool_that_a_model_calls(
    parrot: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PARROT, "says", lambda name: reply(calls=[call(TEXTS[name][0])]))
    made = {name: start(parrot, name) for name in TEXTS}
    work_all()
    for name, session in made.items():
        [result] = events(session, "tool_result")
        assert result.payload["error"]["code"] == "unknown_tool", name
        lives(parrot, session, name)
