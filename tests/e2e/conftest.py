"""Two installations and a browser: embedded, and PostgreSQL + Redis with several processes."""

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
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "playhead.ops.cli"]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    """A port that nobody listens on now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(data: Path, **more: str) -> dict[str, str]:
    """An environment in which only what is given is chosen."""
    dropped = {"DATABASE_URL", "REDIS_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL"}
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith("PLAYHEAD_") and k not in dropped
    }
    path = os.pathsep.join([str(ROOT / "platform"), str(ROOT)])
    return {**kept, "PYTHONPATH": path, "PLAYHEAD_DATA": str(data), **more}


class Installation:
    """A running Playhead. ``urls`` are its web servers, the first one for the story."""

    def __init__(self, data: Path, env: dict[str, str]) -> None:
        self.data, self.env = data, env
        self.urls: list[str] = []
        self._log = (data.parent / f"{data.name}.log").open("ab")
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self, *arguments: str) -> None:
        """Start a process of the installation."""
        self._processes.append(
            subprocess.Popen(
                [*COMMAND, *arguments], env=self.env, stdout=self._log, stderr=self._log
            )
        )

    def run(self, *arguments: str) -> str:
        """Run a command to its end; what it printed."""
        done = subprocess.run(
            [*COMMAND, *arguments], env=self.env, capture_output=True, text=True, check=False
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

    def stop(self) -> None:
        """End every process."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._log.close()


def _until_ready(url: str, within: float = 60.0) -> None:
    end = time.monotonic() + within
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"{url}/health/ready", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(f"{url} is not ready")


def _embedded(data: Path) -> Installation:
    port = free_port()
    made = Installation(data, environment(data))
    made.urls = [f"http://127.0.0.1:{port}"]
    made.start("up", "--port", str(port))
    made.ready()
    return made


def _scaled(data: Path) -> Installation:
    import psycopg

    given = os.environ.get("DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
    parts = urlsplit(given)
    name = f"playhead_e2e_{os.getpid()}"
    with psycopg.connect(urlunsplit(parts._replace(path="/postgres")), autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        server.execute(f'CREATE DATABASE "{name}"')
    env = environment(
        data,
        DATABASE_URL=urlunsplit(parts._replace(path=f"/{name}")),
        REDIS_URL=os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/9"),
        PLAYHEAD_AGENTS="agents_app.demo",
    )
    made = Installation(data, env)
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
    made.ready()
    return made


@pytest.fixture(scope="module", params=["embedded", "scaled"])
def installation(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """The installation that a story is told on."""
    data = tmp_path_factory.mktemp(request.param) / "data"
    data.mkdir()
    made = {"embedded": _embedded, "scaled": _scaled}[request.param](data)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield started
        started.close()


class Person:
    """Somebody with a browser window of their own. ``faults`` is what the console complained of."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        options.setdefault("viewport", {"width": 1440, "height": 900})
        self.context: BrowserContext = browser.new_context(**options)
        self.faults: list[str] = []
        self.page = self.tab()

    def tab(self) -> Page:
        """Another tab of the same person."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "response",
            lambda r: self.faults.append(f"{r.status} {r.url}") if r.status >= 500 else None,
        )
        return page

    def sign_in(self, installation: Installation, *user: str) -> Person:
        """Use a one-time link; ends on the home page."""
        self.page.goto(installation.login_link(*user))
        self.page.get_by_role("navigation").first.wait_for()
        return self


@pytest.fixture
def owner(browser: Browser, installation: Installation) -> Iterator[Person]:
    """The owner, signed in."""
    person = Person(browser).sign_in(installation)
    yield person
    person.context.close()
