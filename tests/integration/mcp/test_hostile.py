"""Servers that mean no good: a session gets an error or a question, and its worker goes on."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.integration.mcp.conftest import until
from tests.integration.worker import work_all
from tests.mcp.processes import processes_of

if TYPE_CHECKING:
    from tests.integration.mcp.conftest import Caller, Site

pytestmark = pytest.mark.django_db(transaction=True)
SERVER = Path(__file__).parents[2] / "mcp" / "hostile.py"


def called(site: Site, caller: Caller, how: str, more: str = 'effects = {t = "read"}') -> Any:
    """The session that has called the tool of a server that answers so."""
    command = json.dumps([sys.executable, str(SERVER), how, str(site.folder)])
    site.configure("t", f"command = {command}\n{more}")
    site.load("t")
    return caller.does(("t", {}))


@pytest.mark.parametrize(
    ("how", "answer"),
    [("a pattern without end", "done\n{"), ("another form than it says", "done"),
     ("garbage before it", "done"), ("what nests without end", "[[[[[[[[")],
)  # fmt: skip
def test_s3_8_an_answer_is_data_whatever_its_schema_and_its_neighbours_are(
    site: Site, caller: Caller, how: str, answer: str
) -> None:
    """The first of them kept the loop of a worker busy for ever, and so each worker after it."""
    session = called(site, caller, how)
    assert session["answer"].startswith(answer)
    assert session["outcome"] == "finished"
    assert caller.verdict(session["id"]) == "ok"


def test_law_5_an_answer_that_is_no_result_leaves_an_effectful_call_in_doubt(
    site: Site, caller: Caller
) -> None:
    session = called(site, caller, "no result", "")
    asked = caller.question(session["id"])
    assert (session["status"], asked["kind"]) == ("waiting", "in_doubt")
    caller.decide(asked, "give_up")
    work_all()
    assert caller.verdict(session["id"]) == "ok"


def test_what_an_answer_lacks_is_named(site: Site, caller: Caller) -> None:
    answer = called(site, caller, "no result")["answer"]
    assert "it answered, and not with a result of a call (CallToolResult: content: " in answer


def test_a_line_without_end_ends_its_server_and_not_the_worker(site: Site, caller: Caller) -> None:
    answer = called(site, caller, "a line without end")["answer"]
    assert "the connection was lost before it answered" in answer
    assert processes_of(site.folder) == []


def test_a_key_that_a_server_gives_back_is_in_no_log(
    site: Site, caller: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor in a prompt, in a page, in a file: a server may have it anywhere."""
    caplog.set_level("INFO", "playhead.mcp")
    monkeypatch.setenv("A_KEY", "hunter2hunter2")
    more = 'env = {KEY = "env:A_KEY", PLACE = "key here"}'
    session = called(site, caller, "its own key", more)
    assert session["answer"] == "key [secret]"
    events = caller.browser.get(f"/sessions/{session['id']}/events?bodies=1").content.decode()
    assert "Sign in with [secret]." in events
    kept = (site.folder / "mcp" / "t.json").read_text()
    logged = "".join(record.getMessage() for record in caplog.records)
    assert "my other key is [REDACTED:" in logged
    assert "hunter2" not in events + kept + logged
    assert "Abc123Def456" not in logged


def test_a_process_that_leaves_its_group_ends_with_its_server(site: Site, caller: Caller) -> None:
    session = called(site, caller, "a process that leaves")
    assert session["answer"] == "done"
    until(lambda: not processes_of(site.folder))
