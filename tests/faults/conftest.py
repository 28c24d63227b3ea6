"""A database, agents and worker processes of their own; run with ``pytest -p no:django tests/faults``.

PostgreSQL when ``DATABASE_URL`` is set (a fresh database on that server), else SQLite.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
_DATA = Path(tempfile.mkdtemp(prefix="playhead-faults-"))


def _own_database() -> str | None:
    """A fresh database beside the one that DATABASE_URL names; ``None`` for SQLite."""
    url = os.environ.get("DATABASE_URL")
    if not url or url.startswith("sqlite"):
        return None
    import psycopg

    parts = urlsplit(url)
    name = f"playhead_faults_{os.getpid()}"
    with psycopg.connect(urlunsplit(parts._replace(path="/postgres")), autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        server.execute(f'CREATE DATABASE "{name}"')
    return urlunsplit(parts._replace(path=f"/{name}"))


def pytest_configure() -> None:
    """Point this process and its children at the database of this run, before Django is set up."""
    url = _own_database()
    if url:
        os.environ["DATABASE_URL"] = url
    os.environ.update(
        PLAYHEAD_DATA=str(_DATA),
        PLAYHEAD_AGENTS="fault_agents",
        PLAYHEAD_WAKEUPS="0",
        FAULT_LEDGER=str(_DATA / "ledger.jsonl"),
        DJANGO_SETTINGS_MODULE="playhead.config.settings",
    )
    os.environ.pop("REDIS_URL", None)
    paths = [str(ROOT / "platform"), str(ROOT), str(HERE)]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    sys.path[:0] = [path for path in paths if path not in sys.path]
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


@pytest.fixture(scope="session")
def owner() -> Any:
    """The person who starts sessions and answers questions."""
    from agents_app.services.agents import agents_sync
    from playhead.accounts.contracts import Principal, Role
    from playhead.accounts.services.setup import owner_ensure, workspace_ensure

    user = owner_ensure()
    agents_sync()
    return Principal("user", str(user.pk), user.name, Role.ADMIN, workspace_ensure())


class Installation:
    """What a test does with the installation of this run."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.workers: list[subprocess.Popen[str]] = []

    def start_session(self, agent: str, text: str = "go") -> int:
        """A new session; returns its primary key."""
        from agents_app.models import Session
        from agents_app.services.sessions import session_create

        return Session.objects.get(public_id=session_create(by=self.owner, agent=agent, text=text)).pk

    def worker(self, session: int = 0, *, fault: str = "", **env: str) -> subprocess.Popen[str]:
        """A worker process, for one session or for all; returns when it sweeps (or has died)."""
        process = subprocess.Popen(
            [sys.executable, str(HERE / "worker_main.py"), str(session)],
            env={**os.environ, "FAULT": fault or ":0", **env},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.workers.append(process)
        assert process.stdout is not None
        process.stdout.readline()
        return process

    def head(self, session: int) -> Any:
        """Where the session stands."""
        from agents_app.adapters.stores import log_store

        return log_store().head(session)

    def events(self, session: int) -> list[Any]:
        """The whole log, parsed."""
        from agents_app.adapters.stores import log_store

        return [stored.event() for stored in log_store().read(session)]

    def until(self, session: int, *statuses: str, within: float = 30.0) -> Any:
        """Wait for a status; fails with what the session is instead."""
        return wait(
            lambda: (h := self.head(session)).state.status in statuses and h.owner is None and h,
            within=within,
            what=lambda: f"session {session} is {self.head(session)}",
        )

    def question(self, session: int) -> Any:
        """The one open question of a session."""
        from agents_app.models import Interrupt

        return Interrupt.objects.get(session_id=session, status="pending")

    def answer(self, session: int, decision: str, **given: Any) -> None:
        """Decide the open question."""
        from agents_app.services.decisions import interrupt_decide

        asked = self.question(session)
        interrupt_decide(
            by=self.owner, interrupt_id=asked.pk, decision=decision, digest=asked.digest, given=given
        )

    def effects(self, kind: str, session: int) -> list[dict[str, Any]]:
        """The lines that the tools of a session left in the ledger."""
        from agents_app.models import Session

        path = Path(os.environ["FAULT_LEDGER"])
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        public = Session.objects.get(pk=session).public_id
        entries = [json.loads(line) for line in lines]
        return [e for e in entries if e["kind"] == kind and e.get("key", public).startswith(public)]

    def verdict(self, session: int) -> Any:
        """Chain and derivation of the session's log."""
        import asyncio

        import fault_agents
        from agents_app.adapters.stores import log_store
        from replay_app.engine import Player
        from replay_app.engine.verify import chain_of_stored, derive

        stored = log_store().read(session)
        events = [each.event() for each in stored]
        slug = events[0].payload["agent"]["slug"]
        spec = next(agent for agent in fault_agents.AGENTS if agent.slug == slug)
        derivation, _ = asyncio.run(derive(Player(events, spec)))
        return chain_of_stored(stored), derivation

    def stop(self) -> None:
        """End every worker of the test."""
        for process in self.workers:
            if process.poll() is None:
                process.kill()
            process.wait()


def wait(condition: Callable[[], Any], *, within: float, what: Callable[[], str]) -> Any:
    """Wait for a state, looking often."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"not within {within} s: {what()}")


@pytest.fixture
def installation(owner: Any) -> Iterator[Installation]:
    """The installation; its workers end with the test."""
    made = Installation(owner)
    yield made
    made.stop()
