"""`playhead up`: one process, one line, a clean end, and the data is still there."""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.integration.ops.conftest import Playhead
    from tests.integration.ops.processes import Up

pytestmark = [pytest.mark.serial, pytest.mark.embedded]


def test_it_serves_the_page_signs_in_stops_by_ctrl_c_and_keeps_the_data(
    up: Callable[..., Up], data: Path
) -> None:
    with up() as first:
        assert first.fetch("/health/ready") == (200, '{"status": "ok"}')
        assert "the console" in first.fetch("/")[1]
        assert first.fetch("/api/v1/me")[0] == 401
        owner = first.sign_in()
        assert owner["role"] == "admin"
        assert json.loads(first.fetch("/api/v1/me")[1])["id"] == owner["id"]
        assert first.stop(signal.SIGINT) == 0
        assert first.line.count("login/link") == 1

    with up("--no-demo") as second:
        assert second.sign_in()["id"] == owner["id"]
        # a link of the first start was used up; a session that it opened still holds
        second.jar = first.jar
        assert second.fetch("/api/v1/me")[0] == 200
        assert second.fetch("/api/v1/auth/link", {"token": first.token})[0] == 410
        assert second.stop(signal.SIGTERM) == 0

    for name in ("secret.key", "vault.key", "up.lock"):
        assert (data / name).stat().st_mode & 0o077 == 0
    assert data.stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("migrated")
def test_no_token_is_in_its_log(up: Callable[..., Up]) -> None:
    with up("--no-demo") as running:
        key, share = "phk_" + "k" * 43, "s" * 43
        running.fetch(f"/login/link/{running.token}")
        running.fetch(f"/r/{share}")
        running.fetch(f"/api/v1/shares/{share}/replay")
        running.fetch(f"/api/v1/nowhere/{key}")
        running.fetch("/api/v1/me", Authorization=f"Bearer {key}")
        running.fetch("/api/v1/auth/login", {"email": "a@example.com", "password": "hunter2-pw"})
        running.stop()
        assert "/api/v1/nowhere" in running.errors
        for secret in (running.token, key, share, "hunter2-pw"):
            assert secret not in running.errors


@pytest.mark.usefixtures("migrated")
def test_a_second_one_on_the_same_folder_is_refused_and_says_where_the_first_serves(
    up: Callable[..., Up], playhead: Playhead
) -> None:
    with up("--no-demo") as running:
        second = playhead("up", "--port", "0")
        assert second.returncode == 1
        assert running.url in second.stderr
        link = playhead("login-link").stdout.strip()
        assert link.startswith(f"{running.url}/login/link/")
        status, text = running.fetch("/api/v1/auth/link", {"token": link.rpartition("/")[2]})
        assert (status, json.loads(text)["role"]) == (200, "admin")


@pytest.mark.usefixtures("migrated")
def test_a_port_in_use_is_said_before_anything_is_done(
    up: Callable[..., Up], playhead: Playhead, tmp_path: Path
) -> None:
    with up("--no-demo") as running:
        port = running.url.rpartition(":")[2]
        other = playhead("up", "--port", port, "--data", str(tmp_path / "other"))
        assert other.returncode == 1
        assert "--port" in other.stderr
        assert not (tmp_path / "other" / "playhead.sqlite3").exists()


@pytest.mark.usefixtures("migrated")
def test_only_the_loopback_names_are_answered(up: Callable[..., Up]) -> None:
    with up("--no-demo") as running:
        assert "//127.0.0.1:" in running.url
        assert running.fetch("/api/v1/me", Host="evil.example")[0] == 400
        assert running.fetch("/api/v1/me", Host="localhost")[0] == 401
