"""A database of an earlier release: this one brings it forward, reads all of it and goes on."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.integration.ops.conftest import Playhead
    from tests.integration.ops.processes import Up

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "databases"
#: A key that has sealed nothing.
ANOTHER_KEY = "another-vault-key-not-a-secret-0000"

RELEASES = sorted((file.stem for file in CORPUS.glob("*.sql")), key=int)
pytestmark = [pytest.mark.serial, pytest.mark.embedded]
every_release = pytest.mark.parametrize("release", RELEASES)
last_release = pytest.mark.parametrize("release", RELEASES[-1:])


@pytest.fixture
def frozen(release: str, data: Path, env: dict[str, str]) -> dict[str, Any]:
    """A frozen database lies in the data folder; what is in it."""
    data.mkdir(mode=0o700)
    with closing(sqlite3.connect(data / "playhead.sqlite3")) as database:
        database.executescript((CORPUS / f"{release}.sql").read_text(encoding="utf-8"))
    found = json.loads((CORPUS / f"{release}.json").read_text(encoding="utf-8"))
    env["PLAYHEAD_VAULT_KEY"] = found["vault_key"]
    return dict(found)


class Console:
    """What a person does in the console of a running Playhead."""

    def __init__(self, running: Up) -> None:
        self._running = running
        self._csrf = running.sign_in()["csrf"]

    def get(self, path: str) -> Any:
        return self._read(*self._running.fetch(f"/api/v1{path}"))

    def post(self, path: str, body: object) -> Any:
        headers = {"X-CSRFToken": self._csrf}
        return self._read(*self._running.fetch(f"/api/v1{path}", body, **headers))

    def _read(self, status: int, text: str) -> Any:
        assert status == 200, text
        return json.loads(text)


def id_of(frozen: dict[str, Any], which: str) -> str:
    return str(next(s["id"] for s in frozen["sessions"] if s["title"] == frozen[which]))


@every_release
def test_k75_an_old_database_is_brought_forward_and_read(
    frozen: dict[str, Any], up: Callable[..., Up]
) -> None:
    with up("--no-demo") as running:
        console = Console(running)
        listed = {each["id"]: each for each in console.get("/sessions?limit=100")["items"]}
        for old in frozen["sessions"]:
            session = listed[old["id"]]
            assert session["title"] == old["title"]
            assert session["status"] == old["status"] or old["status"] == "queued", old
            events = console.get(f"/sessions/{old['id']}/events?limit=1000")["items"]
            assert [event["seq"] for event in events][: old["events"]] == list(
                range(1, old["events"] + 1)
            )
            verdict = console.post(f"/sessions/{old['id']}/verify", {})
            assert (verdict["chain"]["ok"], verdict["snapshots"]["ok"]) == (True, True), old
            assert verdict["derivation"]["verdict"] in ("ok", "not_comparable"), old
        running.stop()


@last_release
def test_doctor_says_when_the_vault_key_is_not_the_one_that_sealed(
    frozen: dict[str, Any], playhead: Playhead
) -> None:
    assert playhead("migrate").returncode == 0
    for key, mark in ((frozen["vault_key"], "ok"), (ANOTHER_KEY, "WRONG")):
        done = playhead("doctor", PLAYHEAD_VAULT_KEY=key)
        [line] = [each for each in done.stdout.splitlines() if " keys:" in each]
        assert line.startswith(f"{mark} "), line
        assert done.returncode == (0 if mark == "ok" else 1)


@last_release
def test_another_vault_key_is_refused_unless_one_says_that_the_old_one_is_lost(
    frozen: dict[str, Any], playhead: Playhead, env: dict[str, str], up: Callable[..., Up]
) -> None:
    """Else new sessions would be sealed under a second key, and no key would open them all."""
    done = playhead("up", "--port", "0", "--no-demo", PLAYHEAD_VAULT_KEY=ANOTHER_KEY)
    assert done.returncode == 1
    assert "--lost-key" in done.stderr
    assert "login/link" not in done.stdout
    env["PLAYHEAD_VAULT_KEY"] = ANOTHER_KEY
    with up("--no-demo", "--lost-key") as running:
        console = Console(running)
        assert console.get("/sessions?limit=100")["items"]
        running.stop()


@every_release
def test_k75_what_an_old_release_left_open_goes_on_in_this_one(
    frozen: dict[str, Any], up: Callable[..., Up]
) -> None:
    """The question is answered, for which the worker has to open what was sealed then."""
    with up() as running:
        console = Console(running)
        sealed, queued = id_of(frozen, "sealed"), id_of(frozen, "queued")
        [question] = console.get(f"/interrupts?status=pending&session={sealed}")["items"]
        answer = {"decision": "reject", "digest": question["digest"]}
        console.post(f"/interrupts/{question['id']}/decision", answer)
        for session in (sealed, queued):
            assert console.get(f"/sessions/{session}?wait=20")["status"] == "finished"
        running.stop()
