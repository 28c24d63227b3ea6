"""The other commands of the platform."""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING

import psycopg
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.integration.ops.conftest import Playhead

pytestmark = pytest.mark.embedded


def test_users_keys_and_links_are_made_on_a_fresh_folder(playhead: Playhead) -> None:
    assert playhead("migrate").returncode == 0
    made = playhead("user", "create", "Dora@Example.com", "--role", "approver")
    assert made.returncode == 0, made.stderr
    assert made.stdout.splitlines()[-1].startswith("http://127.0.0.1:8000/login/link/phl_")
    again = playhead("user", "create", "dora@example.com", "--role", "viewer")
    assert again.returncode == 1
    assert "dora@example.com" in again.stderr
    assert "/login/link/phl_" in playhead("login-link", "dora").stdout
    assert playhead("login-link", "nobody").returncode == 1
    key = playhead("api-key", "create", "--name", "ci", "--role", "operator")
    assert key.stdout.splitlines()[-1].startswith("phk_")


@pytest.mark.usefixtures("migrated")
def test_a_weak_password_is_refused(playhead: Playhead) -> None:
    arguments = ("user", "create", "d@example.com", "--role", "viewer", "--password-stdin")
    assert playhead(*arguments, typed="12345\n").returncode == 1
    assert playhead(*arguments, typed="a-good-long-secret\n").returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [(), ("fly",), ("user", "create", "d@example.com", "--role", "king"), ("up", "--port", "x")],
)
def test_what_is_not_understood_is_2_with_usage(
    playhead: Playhead, arguments: tuple[str, ...]
) -> None:
    done = playhead(*arguments)
    assert done.returncode == 2
    assert "usage:" in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PLAYHEAD_HTTPS", "perhaps"),
        ("PLAYHEAD_DB_POOL", "many"),
        ("DATABASE_URL", "mysql://localhost/x"),
        ("DATABASE_URL", "postgresql://localhost"),
        ("PLAYHEAD_SECRET_KEY_FILE", "/nowhere/key"),
    ],
)
def test_a_setting_that_is_not_understood_stops_the_start_and_is_named(
    playhead: Playhead, name: str, value: str
) -> None:
    done = playhead("doctor", **{name: value})
    assert done.returncode == 2
    assert name in done.stderr
    assert "Traceback" not in done.stderr


def test_web_refuses_a_database_that_is_not_migrated(playhead: Playhead) -> None:
    done = playhead("web", "--port", "0")
    assert done.returncode == 1
    assert "playhead migrate" in done.stderr


TWINS = """
from playhead.plugins import PluginMeta

class A:
    meta = PluginMeta("twin.a", "1", ("state.a",), requires=("state.b",))

class B:
    meta = PluginMeta("twin.b", "1", ("state.b",), requires=("state.a",))

PLUGINS = [A, B]
"""


@pytest.mark.usefixtures("migrated")
def test_web_loads_plugins_before_it_serves(playhead: Playhead, data: Path) -> None:
    (data / "plugins").mkdir()
    (data / "plugins" / "twins.py").write_text(TWINS)
    done = playhead("web", "--port", "0")
    assert done.returncode == 1
    assert "twin.a" in done.stderr
    assert "twin.b" in done.stderr
    assert "Traceback" not in done.stderr


def test_beat_without_a_broker_says_what_it_needs(playhead: Playhead) -> None:
    done = playhead("beat")
    assert done.returncode == 1
    assert "REDIS_URL" in done.stderr


def lines(text: str) -> dict[str, str]:
    found = {}
    for line in text.splitlines():
        mark, _, rest = line.partition(" ")
        found[rest.strip().partition(":")[0]] = mark
    return found


@pytest.mark.usefixtures("migrated")
def test_doctor_finds_nothing_wrong_on_a_folder_that_is_set_up(playhead: Playhead) -> None:
    done = playhead("doctor")
    assert done.returncode == 0, done.stdout
    assert lines(done.stdout)["database"] == "ok"
    assert "WRONG" not in done.stdout


@pytest.mark.usefixtures("migrated")
def test_doctor_says_what_is_wrong_and_what_to_do(
    playhead: Playhead, data: Path, tmp_path: Path
) -> None:
    (data / "vault.key").chmod(0o644)
    (data / "agents").mkdir()
    (data / "agents" / "broken.py").write_text("raise RuntimeError('no luck')\n")
    done = playhead(
        "doctor",
        REDIS_URL="redis://:hunter2@127.0.0.1:1/0",
        PLAYHEAD_FRONTEND=str(tmp_path / "none"),
    )
    assert done.returncode == 1
    assert "no luck" in done.stdout
    found = lines(done.stdout)
    wrong = {name for name, mark in found.items() if mark == "WRONG"}
    assert wrong == {"redis", "data folder", "front end", "agents"}
    for line in done.stdout.splitlines():
        assert not line.startswith("WRONG") or " -> " in line
    assert "hunter2" not in done.stdout + done.stderr


@pytest.mark.usefixtures("migrated")
def test_doctor_names_a_module_of_agents_that_is_not_there(playhead: Playhead) -> None:
    done = playhead("doctor", PLAYHEAD_AGENTS="no_such_module")
    assert done.returncode == 1
    assert "no_such_module" in done.stdout


def test_doctor_on_an_unreachable_database(playhead: Playhead) -> None:
    url = "postgresql://alice:hunter2@127.0.0.1:1/none"
    done = playhead("doctor", DATABASE_URL=url)
    assert done.returncode == 1
    assert lines(done.stdout)["database"] == "WRONG"
    assert "hunter2" not in done.stdout + done.stderr


def test_doctor_before_the_first_start(playhead: Playhead) -> None:
    done = playhead("doctor")
    assert done.returncode == 1
    assert "playhead migrate" in done.stdout


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The URL of a database of PostgreSQL with nothing in it."""
    server, name = os.environ["DATABASE_URL"].rpartition("/")[0], f"empty_{uuid.uuid4().hex}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"{server}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.postgres
def test_agent_commands_do_not_migrate_a_database_that_others_share(
    playhead: Playhead, empty_database: str
) -> None:
    refused = playhead("agent", "list", DATABASE_URL=empty_database)
    assert refused.returncode == 1
    assert "Run `playhead migrate`" in refused.stderr
    with psycopg.connect(empty_database) as connection:
        tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        assert connection.execute(tables).fetchone() == (0,)


def test_agent_commands_bring_the_folders_own_database_up_to_date(playhead: Playhead) -> None:
    listed = playhead("agent", "list")
    assert listed.returncode == 0, listed.stderr
    assert "No agents yet" in listed.stdout
