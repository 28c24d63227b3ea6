"""Worker processes over the test database: PostgreSQL with ``DATABASE_URL``, else SQLite."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from scaled import RedisServer, Scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
AGENTS = ["fault_agents", "stream_agents"]
ROOT = HERE.parents[1]


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder that the processes of this run share."""
    return tmp_path_factory.mktemp("faults")


@pytest.fixture(scope="session")
def shared(data: Path, django_db_blocker: Any) -> Iterator[dict[str, str]]:
    """The environment of a worker process: this run's database, keys and agents."""
    from django.conf import settings
    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    with django_db_blocker.unblock():
        if "sqlite" in connection.settings_dict["ENGINE"]:  # a file that other processes open too
            connection.settings_dict["TEST"]["NAME"] = str(data / "playhead.sqlite3")
        made = setup_databases(verbosity=0, interactive=False)
        os.environ["FAULT_LEDGER"] = str(data / "ledger.jsonl")
        yield {
            **{k: v for k, v in os.environ.items() if k not in ("REDIS_URL", "DATABASE_URL")},
            **_database(connection.settings_dict),
            "PLAYHEAD_DATA": str(data),
            "PLAYHEAD_VAULT_KEY": settings.PLAYHEAD_VAULT_KEY,
            "PLAYHEAD_AGENTS": ",".join(AGENTS),
            "PLAYHEAD_WAKEUPS": "0",
            "PYTHONPATH": os.pathsep.join([str(ROOT / "platform"), str(ROOT), str(HERE)]),
        }
        teardown_databases(made, 0)


def _database(settings: dict[str, Any]) -> dict[str, str]:
    if "sqlite" in settings["ENGINE"]:
        return {}
    user, host, port = settings["USER"], settings["HOST"], settings["PORT"] or 5432
    secret = f":{settings['PASSWORD']}" if settings["PASSWORD"] else ""
    return {"DATABASE_URL": f"postgres://{user}{secret}@{host}:{port}/{settings['NAME']}"}


@pytest.fixture(scope="session")
def owner(shared: dict[str, str]) -> Any:
    """The person who starts sessions and answers questions."""
    from agents_app.adapters import definitions
    from agents_app.services.agents import agents_sync
    from playhead.accounts.contracts import Principal, Role
    from playhead.accounts.services.setup import owner_ensure, workspace_ensure

    definitions.use(definitions.load(AGENTS))
    user = owner_ensure()
    agents_sync()
    return Principal("user", str(user.pk), user.name, Role.ADMIN, workspace_ensure())


class Installation:
    """What a test does with the installation of this run."""

    def __init__(self, owner: Any, environment: dict[str, str]) -> None:
        self.owner = owner
        self.environment = environment
        self.workers: list[subprocess.Popen[str]] = []

    def start_session(self, agent: str, text: str = "go") -> int:
        """A new session; returns its primary key."""
        from agents_app.models import Session
        from agents_app.services.sessions import session_create

        return Session.objects.get(
            public_id=session_create(by=self.owner, agent=agent, text=text)
        ).pk

    def worker(self, session: int = 0, *, fault: str = "", **env: str) -> subprocess.Popen[str]:
        """A worker process, for one session or for all; returns when it sweeps (or has died)."""
        command = [str(HERE / "worker_main.py"), str(session)]
        return self._started(command, {"FAULT": fault or ":0", **env})

    def playhead_worker(self) -> subprocess.Popen[str]:
        """The worker as an installation starts it."""
        return self._started(["-m", "playhead.ops.cli", "worker"], {})

    def _started(self, command: list[str], env: dict[str, str]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *command],
            env={**self.environment, **env},
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
            lambda: (
                (h := self.head(session)).state.status in statuses
                and (h.owner is None or h.state.ended)  # killed between its end and its rest
                and h
            ),
            within=within,
            what=lambda: f"session {session} is {self.head(session)}",
        )

    def question(self, session: int) -> Any:
        """The one open question of a session."""
        from agents_app.models import Interrupt

        return Interrupt.objects.get(session_id=session, status="pending")

    def questions(self, session: int) -> list[Any]:
        """All open questions of a session."""
        from agents_app.models import Interrupt

        return list(Interrupt.objects.filter(session_id=session, status="pending"))

    def answer(self, session: int, decision: str, **given: Any) -> None:
        """Decide the one open question."""
        self.decide(self.question(session), decision, **given)

    def decide(self, asked: Any, decision: str, **given: Any) -> None:
        """Decide a question."""
        from agents_app.services.decisions import interrupt_decide

        interrupt_decide(
            by=self.owner,
            interrupt_id=asked.pk,
            decision=decision,
            digest=asked.digest,
            given=given,
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

        from agents_app.adapters import definitions
        from agents_app.adapters.stores import log_store
        from replay_app.engine import Player
        from replay_app.engine.verify import chain_of_stored, derive

        stored = log_store().read(session)
        events = [each.event() for each in stored]
        slug = events[0].payload["agent"]["slug"]
        spec = definitions.current().specs[slug]
        derivation, _ = asyncio.run(derive(Player(events, spec)))
        return chain_of_stored(stored), derivation

    def stop(self) -> None:
        """End every worker of the test."""
        for process in self.workers:
            if process.poll() is None:
                process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


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
def installation(owner: Any, shared: dict[str, str]) -> Iterator[Installation]:
    """The installation; its workers end with the test."""
    made = Installation(owner, shared)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def key(owner: Any) -> str:
    """An API key of the owner's role."""
    from playhead.accounts.contracts import Role
    from playhead.accounts.services.keys import api_key_create

    return api_key_create(workspace_id=owner.workspace.id, name="faults", role=Role.ADMIN)[1]


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis of the test's own."""
    server = RedisServer(tmp_path)
    yield server
    server.stop()


@pytest.fixture
def scaled(
    shared: dict[str, str], key: str, redis_server: RedisServer, tmp_path: Path
) -> Iterator[Scaled]:
    """An installation of several processes, with wake-ups."""
    env = shared | {"REDIS_URL": redis_server.url, "PLAYHEAD_WAKEUPS": "1"}
    made = Scaled(env=env, key=key, folder=tmp_path)
    yield made
    made.stop()
