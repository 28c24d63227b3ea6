"""Running Playheads for the tests in a browser: embedded, and with several processes."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "playhead.ops.cli"]
#: Settings of this terminal that a test must not inherit. The last one is the browser's: it has a
#: loop in the test process, and would hide a server that reads the database on its own.
_OURS = {
    "DATABASE_URL", "REDIS_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL", "DJANGO_ALLOW_ASYNC_UNSAFE",
}  # fmt: skip


def free_port() -> int:
    """A port that nobody listens on now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(data: Path, **more: str) -> dict[str, str]:
    """An environment in which only what is given is chosen."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PLAYHEAD_") and k not in _OURS}
    path = os.pathsep.join([str(ROOT / "platform"), str(ROOT)])
    return {**kept, "PYTHONPATH": path, "PLAYHEAD_DATA": str(data), **more}


class Installation:
    """A running Playhead. ``urls`` are its web servers, the first one for sign-in links."""

    def __init__(self, data: Path, env: dict[str, str]) -> None:
        self.data, self.env = data, env
        self.urls: list[str] = []
        #: What is done after the last process has ended.
        self.afterwards: list[Callable[[], None]] = []
        self._log = (data.parent / f"{data.name}.log").open("ab")
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self, *arguments: str) -> None:
        """Start a process of the installation."""
        self._processes.append(
            subprocess.Popen(
                [*COMMAND, *arguments], env=self.env, stdout=self._log, stderr=self._log
            )
        )

    def run(self, *arguments: str, command: list[str] | None = None) -> str:
        """Run a command to its end; what it printed."""
        done = subprocess.run(
            [*(command or COMMAND), *arguments],
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def login_link(self, *user: str) -> str:
        """A one-time link, for the first web server."""
        found = re.search(r"/login/link/\S+", self.run("login-link", *user))
        assert found is not None
        return self.urls[0] + found.group(0)

    def ready(self) -> None:
        """Wait until every web server answers."""
        for url in self.urls:
            _until_ready(url)

    def refunds(self, order: str) -> list[int]:
        """What was really paid back for an order, in cents."""
        with closing(sqlite3.connect(self.data / "demo" / "shop.sqlite3")) as shop:
            rows = shop.execute("SELECT amount_cents FROM refunds WHERE order_id = ?", (order,))
            return [row[0] for row in rows]

    def end_processes(self) -> None:
        """End every process; they can be started again."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()

    def stop(self) -> None:
        """End every process and clear up behind them."""
        self.end_processes()
        for each in self.afterwards:
            each()
        self._log.close()


def _until_ready(url: str, within: float = 90.0) -> None:
    end = time.monotonic() + within
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"{url}/health/ready", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"{url} is not ready")


def embedded(data: Path, **env: str) -> Installation:
    """One process with all of it, and the demo; ready."""
    port = free_port()
    made = Installation(data, environment(data, **env))
    made.urls = [f"http://127.0.0.1:{port}"]
    made.start("up", "--port", str(port))
    return _ready(made)


def scaled(data: Path, **env: str) -> Installation:
    """PostgreSQL and Redis, two web processes, two workers, one beat; ready."""
    given = os.environ.get("DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
    url, drop = _own_database(given)
    chosen = environment(
        data,
        DATABASE_URL=url,
        REDIS_URL=os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/9"),
        PLAYHEAD_AGENTS="agents_app.demo",
        **env,
    )
    made = Installation(data, chosen)
    made.afterwards.append(drop)
    made.run("migrate")
    recorded = ROOT / "agents_app" / "demo" / "recorded"
    for file in sorted(recorded.glob("02-*.jsonl")):
        made.run("import", str(file))
    for _ in range(2):
        port = free_port()
        made.urls.append(f"http://127.0.0.1:{port}")
        made.start("web", "--port", str(port))
        made.start("worker")
    made.start("beat")
    return _ready(made)


def _ready(made: Installation) -> Installation:
    """Wait for it; what does not come up is not left lying about."""
    try:
        made.ready()
    except BaseException:
        made.stop()
        raise
    return made


def _own_database(server_url: str) -> tuple[str, Callable[[], None]]:
    """A new database of this run: its address, and what drops it."""
    import psycopg

    parts = urlsplit(server_url)
    server = urlunsplit(parts._replace(path="/postgres"))
    name = f"playhead_e2e_{os.getpid()}"

    def execute(*statements: str) -> None:
        with psycopg.connect(server, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def drop() -> None:
        execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    drop()
    execute(f'CREATE DATABASE "{name}"')
    return urlunsplit(parts._replace(path=f"/{name}")), drop
