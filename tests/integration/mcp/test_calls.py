"""Sessions that call the tools of an MCP server: what comes back, and what becomes of faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.integration.mcp.conftest import free_port, until
from tests.integration.worker import work_all
from tests.mcp.processes import processes_of

if TYPE_CHECKING:
    from tests.integration.mcp.conftest import Caller, Site

pytestmark = pytest.mark.django_db(transaction=True)
over_both = pytest.mark.parametrize("transport", ["stdio", "http"])


@over_both
def test_s3_8_a_session_calls_the_tools_of_a_server(
    site: Site, caller: Caller, transport: str
) -> None:
    site.over(transport)
    site.load("echo", "picture", "fail", "elicit")
    session = caller.does(
        ("echo", {"text": "hello"}), ("echo", {"text": 7}), ("picture", {}), ("fail", {}),
        ("elicit", {}),
    )  # fmt: skip
    said, wrong, picture, failed, asked = caller.results(session["id"])
    assert (said["message"]["content"], said["success"]) == ("you said hello", True)
    assert wrong["error"] == {
        "code": "invalid_arguments", "field": "text",
        "message": "Error: argument text: it has to be of type string.",
    }  # fmt: skip
    assert picture["message"]["content"] == "[image image/png, 3000 bytes, not shown]"
    assert failed["success"] is False
    assert "Error: t__fail: MCP server t: Error executing tool fail" in failed["message"]["content"]
    assert asked["success"] is False  # the server wanted a person's answer through us
    assert session["outcome"] == "finished"
    assert caller.verdict(session["id"]) == "ok"


@over_both
def test_a_server_that_dies_in_the_middle_gives_an_error_and_the_session_goes_on(
    site: Site, caller: Caller, transport: str
) -> None:
    """Of what may run again; over stdio the next call starts the server anew."""
    site.over(transport)
    site.load("look_and_die", "echo")
    session = caller.does(("look_and_die", {}), ("echo", {"text": "there?"}))
    died, after = caller.results(session["id"])
    assert died["success"] is False
    assert "the connection was lost before it answered" in died["message"]["content"]
    if transport == "stdio":
        assert after["message"]["content"] == "you said there?"
    else:
        assert "MCP server t: All connection attempts failed" in after["message"]["content"]
    assert session["outcome"] == "finished"
    assert caller.verdict(session["id"]) == "ok"


@over_both
def test_law_5_what_may_have_happened_when_a_server_died_is_asked_of_a_person(
    site: Site, caller: Caller, transport: str
) -> None:
    site.over(transport)
    site.load("note_and_die")
    session = caller.does(("note_and_die", {"text": "x"}))
    assert (session["status"], session["waiting_for"]) == ("waiting", "person")
    asked = caller.question(session["id"])
    assert asked["kind"] == "in_doubt"
    assert asked["info"] == "No answer to this call came back. Did it happen?"
    caller.decide(asked, "happened", value="it stands there")
    work_all()
    assert caller.session(session["id"])["answer"] == "it stands there"
    assert site.ledger == ["note x"]
    assert caller.verdict(session["id"]) == "ok"


def test_what_may_be_done_again_is_no_question_when_a_server_dies(
    site: Site, caller: Caller
) -> None:
    site.over("stdio")
    site.load("put_and_die")
    session = caller.does(("put_and_die", {}))
    assert session["outcome"] == "finished"
    assert "the connection was lost" in session["answer"]


def test_a_server_over_http_that_was_started_again_is_connected_to_again(
    site: Site, caller: Caller
) -> None:
    port = free_port()
    site.serve(port)
    site.configure("t", f'url = "http://127.0.0.1:{port}/mcp"')
    site.load("echo", "wait", "note")
    site.end()
    session = caller.does(("echo", {"text": "x"}))
    assert "All connection attempts failed" in session["answer"]
    site.serve(port)
    assert caller.does(("echo", {"text": "back"}))["answer"] == "you said back"


@over_both
def test_a_call_that_a_person_cancels_is_cancelled_at_the_server(
    site: Site, caller: Caller, transport: str
) -> None:
    site.over(transport)
    site.load("wait")
    session = caller.start(("wait", {"seconds": 60}))
    work_all(until=lambda: _cancelled(site, caller, session))
    work_all()
    assert caller.session(session)["outcome"] == "cancelled"


def _cancelled(site: Site, caller: Caller, session: str) -> bool:
    if site.ledger == ["waits"]:
        caller.browser.post(f"/sessions/{session}/cancel", {})
    return site.ledger == ["waits", "stopped"]


def test_a_call_that_takes_too_long_is_cancelled_at_the_server(site: Site, caller: Caller) -> None:
    site.over("stdio", "timeout = 1")
    site.load("wait")
    session = caller.does(("wait", {"seconds": 60}))
    said = "Error: t__wait: MCP server t: no result after 1 s; it was told to stop"
    assert session["answer"] == said
    until(lambda: site.ledger == ["waits", "stopped"])


def test_a_server_gets_nothing_of_our_environment(
    site: Site, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "PLAYHEAD_VAULT_KEY", "DATABASE_URL_OF_OURS"):
        monkeypatch.setenv(name, "ours")
    monkeypatch.setenv("A_TOKEN", "for the server")
    site.over("stdio", 'env = {TOKEN = "env:A_TOKEN"}')
    site.load("env")
    answer = caller.does(("env", {}))["answer"]
    assert '"token": "[secret]"' in answer  # it has the value, and no log does
    for name in ("OPENAI_API_KEY", "PLAYHEAD_VAULT_KEY", "DATABASE_URL", "DJANGO"):
        assert name not in answer


def test_no_process_of_a_server_is_left_when_the_worker_has_stopped(
    site: Site, caller: Caller
) -> None:
    site.over("stdio")
    site.load("echo")
    session = caller.start(("echo", {"text": "x"}))
    seen: list[int] = []

    def finished() -> bool:
        seen.extend(processes_of(site.folder))
        return bool(caller.session(session)["outcome"])

    work_all(until=finished)
    assert len(set(seen)) == 2  # the server and its guard
    assert processes_of(site.folder) == []


def test_a_tool_that_has_changed_since_the_start_is_not_called(site: Site, caller: Caller) -> None:
    """What a person approved is what runs, or nothing does."""
    site.over("stdio", 'approval = ["note"]')
    site.load("note")
    session = caller.does(("note", {"text": "x"}))
    (site.folder / "changed").touch()
    caller.decide(caller.question(session["id"]), "approve")
    work_all()
    assert (
        "has changed since Playhead started; nothing was called"
        in (caller.session(session["id"])["answer"])
    )
    assert site.ledger == []


def test_law_6_a_tool_that_changed_while_its_approval_waited_is_asked_about(
    site: Site, caller: Caller
) -> None:
    site.over("stdio", "approval = true")
    site.load("note")
    session = caller.does(("note", {"text": "x"}))
    before = caller.question(session["id"])
    (site.folder / "changed").touch()
    site.load("note")
    caller.decide(before, "approve")
    work_all()
    assert site.ledger == []
    asked = caller.question(session["id"])
    assert asked["id"] != before["id"]
    assert asked["digest"] != before["digest"]


def test_what_a_server_writes_to_its_stderr_is_logged_masked_and_bounded(
    site: Site, caller: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("A_TOKEN", "hunter2hunter2")
    caplog.set_level("INFO", "playhead.mcp")
    site.over("stdio", 'env = {TOKEN = "env:A_TOKEN"}')
    site.load("flood")
    session = caller.does(("flood", {}))
    assert "[cut: the first 100000 of" in session["answer"]
    said = [r.getMessage() for r in caplog.records if r.name == "playhead.mcp"]
    assert "MCP server t: started with [secret]" in said
    assert "MCP server t writes more than 60 lines a minute" in said
    assert len(said) < 150
