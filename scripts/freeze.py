"""``make freeze``: what this release writes, kept so that every later one is tried on it.

Adds to ``tests/corpus/``, where nothing is ever changed: the recorded demo sessions as logs, a
database as SQL text with what a test has to find in it, and the digests of both and of all
migrations.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demo_sessions import SCENES, people, play, rest

if TYPE_CHECKING:
    from playhead.accounts.contracts import Principal

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "tests" / "corpus"
LIST = CORPUS / "FROZEN.sha256"
KEY = "corpus-vault-key-not-a-secret-0000"
SEALED, QUEUED = "Waits for an approval", "Not begun yet"
#: A question in a frozen database stays open for ever: a test of any year finds it.
NEVER = "2126-01-01 00:00:00.000000"


def main() -> int:
    """Start a process over an empty data folder; inside of it, play; then write it all down."""
    if "--inside" in sys.argv:
        return _inside()
    name = str(1 + max((int(each.name) for each in (CORPUS / "logs").iterdir()), default=0))
    shutil.copytree(ROOT / "agents_app/demo/recorded", CORPUS / "logs" / name)
    with tempfile.TemporaryDirectory(prefix="playhead-freeze-") as data:
        kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        environment = {**kept, "PLAYHEAD_DATA": data, "PLAYHEAD_VAULT_KEY": KEY}
        environment["PLAYHEAD_AGENTS"] = "agents_app.demo"
        subprocess.run([sys.executable, __file__, "--inside"], env=environment, check=True)
        _write_database(Path(data) / "playhead.sqlite3", name)
    _write_list()
    return 0


def _inside() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playhead.config.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    asyncio.run(_story())
    return 0


async def _story() -> None:
    """Sessions of every standing: finished, waiting with something sealed, a branch, queued."""
    from agents_app.services.sessions import session_create
    from agents_app.worker.host import SessionHost

    who = await asyncio.to_thread(_installation)
    host = SessionHost(sweep=0.05)
    await host.start()
    sealed = "The kettle of order 1042 is broken, please refund it. My key is sk-proj-Abc123Def456."
    await play(who, "refund-desk", SEALED, [("ana", "say", {"text": sealed})])
    edited = SCENES["01-refund-approved-with-edit"][2]
    session = await play(who, "refund-desk", "Edited and paid", edited)
    long = "Hello there. " + "lorem ipsum dolor sit amet " * 12_000
    await play(who, "refund-desk", "A long message", [("ana", "say", {"text": long})])
    await rest(await asyncio.to_thread(_branch_and_share, who["ana"], session))
    await host.stop()
    text = "How long may a customer return an item?"
    begin = partial(session_create, by=who["ana"], agent="refund-desk", title=QUEUED, text=text)
    await asyncio.to_thread(begin)


def _installation() -> dict[str, Principal]:
    from playhead.accounts.contracts import Role
    from playhead.accounts.services.keys import api_key_create
    from playhead.accounts.services.setup import owner_ensure, workspace_ensure
    from playhead.accounts.services.users import user_create
    from playhead.ops import embedded

    owner_ensure()
    embedded.prepare(demo=True)
    workspace = workspace_ensure().id
    user_create(workspace_id=workspace, email="olga@example.org", role=Role.OPERATOR)
    api_key_create(workspace_id=workspace, name="corpus", role=Role.ADMIN)
    return people()


def _branch_and_share(by: Principal, session: str) -> str:
    from agents_app import facade
    from agents_app.contracts import BranchPlan
    from replay_app.contracts import Show
    from replay_app.services.branches import branch_start
    from replay_app.services.shares import share_create

    ref = facade.session_ref(workspace_id=facade.workspace_of(by), session_id=session)
    at = next(event.seq for event in facade.log_of(ref) if event.event_type == "decision")
    share_create(
        by=by,
        session_id=session,
        first=None,
        last=None,
        expires_in=None,
        show=Show(),
        title="Shared",
        verdict={"chain": True, "derivation": "ok"},
    )
    return branch_start(by=by, session_id=session, plan=BranchPlan(at=at))


def _write_database(file: Path, name: str) -> None:
    """The database as SQL text, and what it holds as JSON."""
    with closing(sqlite3.connect(file)) as database:
        pending = "UPDATE agents_interrupt SET expires_at = ? WHERE status = 'pending'"
        database.execute(pending, (NEVER,))
        database.execute("UPDATE agents_head SET due_at = ? WHERE due_at IS NOT NULL", (NEVER,))
        database.commit()
        sql = "\n".join(database.iterdump()) + "\n"
        rows = database.execute(
            "SELECT public_id, title, seq, status FROM agents_session"
            " JOIN agents_head ON session_id = agents_session.id ORDER BY session_id"
        ).fetchall()
    found: dict[str, Any] = {"vault_key": KEY, "sealed": SEALED, "queued": QUEUED}
    found["sessions"] = [
        {"id": session, "title": title, "events": events, "status": status}
        for session, title, events, status in rows
    ]
    (CORPUS / "databases" / f"{name}.sql").write_text(sql, encoding="utf-8")
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    (CORPUS / "databases" / f"{name}.json").write_text(text, encoding="utf-8")


def _write_list() -> None:
    """Add what is not listed yet; a line that stands is never written again."""
    listed = {line.split("  ")[1] for line in LIST.read_text().splitlines()}
    files = [*CORPUS.glob("logs/*/*.jsonl"), *CORPUS.glob("databases/*")]
    for package in ("platform/playhead", "agents_app", "replay_app"):
        files += (ROOT / package).rglob("migrations/[0-9]*.py")
    with LIST.open("a", encoding="utf-8") as out:
        for file in sorted(files):
            name = file.relative_to(ROOT).as_posix()
            if name not in listed:
                out.write(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {name}\n")


if __name__ == "__main__":
    raise SystemExit(main())
