"""Values that broke others (cases I), through every door by which a person gives one.

Each is a clear error or a marked record: never a dead session, never a 500.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.stores import log_store
from agents_app.models import Interrupt
from tests.integration.agents.logs import asked, pk_of

if TYPE_CHECKING:
    from playhead.core.events import Event
    from tests.integration.cast import Person

pytestmark = pytest.mark.usefixtures("agents")

#: name → (JSON text of a string as it is sent, what is stored)
TEXTS = {
    "i1_nul": (r'"a\u0000b"', "a\ufffdb"),
    "i2_six_characters": (r'"a\\u0000b"', "a\\u0000b"),
    "i1_nul_and_the_six": (r'"\u0000 and \\u0000"', "\ufffd and \\u0000"),
    "lone_surrogate": (r'"a\ud800b"', "a\ufffdb"),
    "astral": (r'"\ud83d\ude00"', "😀"),
    "i46_slashes": ('"//evil.example/x"', "//evil.example/x"),
    "markup": (r'"<script>alert(1)</script>\u202e"', "<script>alert(1)</script>\u202e"),
}
#: name → (JSON text of a value as it is sent, what is stored, or None: refused with 400)
VALUES = {
    "i1_nul_in_a_key": (r'{"k\u0000": "v\u0000"}', {"k\ufffd": "v\ufffd"}),
    "i2_six_in_a_key": (r'{"k\\u0000": "\\u0000"}', {"k\\u0000": "\\u0000"}),
    "i4_nan": ("NaN", None),
    "i4_infinity": ('{"x": [Infinity]}', None),
    "i6_beyond_2_53": ("9007199254740993", 9007199254740993),
    "i6_beyond_2_63": ("9223372036854775808", "9223372036854775808"),
    "i6_thousands_of_digits": ("1" * 5000, None),
    "i7_deep": ("[" * 150 + "]" * 150, "deep"),
    "i7_deeper": ("[" * 1100 + "]" * 1100, None),
    "i9_not_json": ('"SELECT * FROM t"', "SELECT * FROM t"),
    "i9_trailing_brace": ('{"a": 1}}', None),
    "i9_empty": ("", None),
    "i11_empty_object": ("{}", {}),
    "negative_zero": ("-0.0", 0.0),
}


@pytest.fixture
def session(dana: Person) -> str:
    made = dana.browser().post("/sessions", {"agent": "clerk", "input": "Pay Ann 40."})
    return str(made.json()["id"])


def last(session: str) -> Event:
    return log_store().read(pk_of(session))[-1].event()


def everything_reads(who: Person, session: str) -> None:
    """Whatever was stored, every page of the session still opens."""
    browser = who.browser()
    paths = ("", "/events", "/heads", "/state", "/export", "/shares")
    for path in [f"/sessions/{session}{end}" for end in paths] + ["/sessions", "/interrupts"]:
        answer = browser.get(path)
        assert answer.status_code == 200, (path, answer.content)
        if not path.endswith("export"):
            json.loads(answer.content)
    for line in browser.get(f"/sessions/{session}/export").getvalue().decode().splitlines():
        json.loads(line)


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_as_a_user_message(dana: Person, session: str, name: str) -> None:
    sent, stored = TEXTS[name]
    body = f'{{"content": {sent}}}'.encode()
    answer = dana.browser().post(f"/sessions/{session}/messages", body)
    if answer.status_code == 422:  # half a character is no text
        assert name == "lone_surrogate"
        assert answer.json()["errors"][0]["field"] == "content"
    else:
        assert answer.status_code == 202, answer.content
        event = last(session)
        assert event.payload["message"]["content"] == stored
        changed = stored != json.loads(sent)
        assert ("sanitized" in event.payload) is changed
    everything_reads(dana, session)


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_as_the_first_message_the_title_and_a_tag(dana: Person, name: str) -> None:
    sent, stored = TEXTS[name]
    body = f'{{"agent": "clerk", "input": {sent}, "title": {sent}, "tags": [{sent}]}}'.encode()
    answer = dana.browser().post("/sessions", body)
    if answer.status_code == 422:
        assert name == "lone_surrogate"
        return
    assert answer.status_code == 201, answer.content
    assert answer.json()["title"] == stored.strip()
    everything_reads(dana, answer.json()["id"])


@pytest.mark.parametrize("name", VALUES)
def test_a_value_in_edited_arguments(dana: Person, session: str, name: str) -> None:
    asked(session)
    question = Interrupt.objects.get(session__public_id=session)
    sent, stored = VALUES[name]
    arguments = f'{{"to": "Ann", "amount": 4, "options": {{"x": {sent}}}}}'
    answer = decide(dana, question, f'"decision": "edit", "arguments": {arguments}')
    check(answer, session, stored, lambda payload: payload["arguments"]["options"]["x"])
    everything_reads(dana, session)


@pytest.mark.parametrize("name", VALUES)
def test_a_value_as_an_answer_in_the_tools_place(dana: Person, session: str, name: str) -> None:
    asked(session)
    question = Interrupt.objects.get(session__public_id=session)
    sent, stored = VALUES[name]
    answer = decide(dana, question, f'"decision": "respond", "value": {sent}')
    check(answer, session, stored, lambda payload: payload["value"])
    everything_reads(dana, session)


def decide(who: Person, question: Interrupt, rest: str) -> Any:
    body = f'{{"digest": "{question.digest}", {rest}}}'.encode()
    return who.browser().post(f"/interrupts/{question.pk}/decision", body)


def check(answer: Any, session: str, stored: object, part: Any) -> None:
    if stored is None:
        assert answer.status_code == 400, answer.content
        assert answer.json()["code"] == "bad_json"
        return
    assert answer.status_code == 200, answer.content
    payload = last(session).payload
    if stored == "deep":
        assert "sanitized" in payload
    else:
        assert part(payload) == stored


@pytest.mark.parametrize("name", VALUES)
def test_a_value_as_a_parameter_of_a_model(dana: Person, name: str) -> None:
    sent, stored = VALUES[name]
    body = f'{{"agent": "clerk", "input": "x", "overrides": {{"params": {{"p": {sent}}}}}}}'
    answer = dana.browser().post("/sessions", body.encode())
    if stored is None:
        assert answer.status_code == 400, answer.content
        return
    assert answer.status_code == 201, answer.content
    everything_reads(dana, answer.json()["id"])


@pytest.mark.parametrize("query", ["a%00b", "%ed%a0%80", "%", "_", "'\"; --", "x" * 5000])
def test_a_search_is_text(dana: Person, session: str, query: str) -> None:
    answer = dana.browser().get(f"/sessions?q={query}")
    assert answer.status_code in (200, 400), answer.content


@pytest.mark.parametrize("seq", ["99999999999999999999", "-1", "x", "1%00"])
def test_i32_a_seq_that_is_none(dana: Person, session: str, seq: str) -> None:
    for path in (f"events/{seq}", f"events/{seq}/prompt", f"state?at={seq}", f"heads?after={seq}"):
        answer = dana.browser().get(f"/sessions/{session}/{path}")
        assert answer.status_code in (400, 404, 422), (path, answer.content)
