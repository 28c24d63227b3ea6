"""What is configured, reachable and up to date; each finding says what to do."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

from playhead.ops import embedded
from playhead.ops.health import database_problem


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: `ok` None means that it is not in use. `todo` is empty when nothing is to do."""

    name: str
    ok: bool | None
    says: str
    todo: str = ""


def database() -> Finding:
    """Reachable and migrated."""
    where = "PostgreSQL" if settings.DATABASE_URL else f"SQLite in {settings.PLAYHEAD_DATA}"
    found = database_problem()
    if found is None:
        return Finding("database", ok=True, says=f"{where}, migrated")
    reachable = "migrations" in found
    todo = "run `playhead migrate`" if reachable else "start it, or correct DATABASE_URL"
    return Finding("database", ok=False, says=f"{where}: {found}", todo=todo)


def journal() -> Finding:
    """SQLite must write ahead and sync every commit."""
    if connection.vendor != "sqlite":
        return Finding("journal", ok=None, says="PostgreSQL keeps its own")
    with connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        sync = cursor.execute("PRAGMA synchronous").fetchone()[0]
    good = mode == "wal" and sync == 2
    todo = "" if good else "put the data folder on a local disk"
    return Finding("journal", ok=good, says=f"{mode}, synchronous={sync}", todo=todo)


def redis() -> Finding:
    """Reachable, when it is configured."""
    if not settings.REDIS_URL:
        return Finding("redis", ok=None, says="not set: jobs and wake-ups stay in one process")
    from redis import Redis, RedisError

    try:
        Redis.from_url(settings.REDIS_URL, socket_connect_timeout=3, socket_timeout=3).ping()
    except (RedisError, OSError, ValueError) as error:
        says = f"does not answer ({type(error).__name__})"
        return Finding("redis", ok=False, says=says, todo="start it, or correct REDIS_URL")
    return Finding("redis", ok=True, says="answers")


def keys() -> Finding:
    """They open what is sealed. Several machines must share them; one keeps them in its folder."""
    given = bool(settings.KEYS_GIVEN)
    where = "given by the environment" if given else f"in {settings.PLAYHEAD_DATA}"
    locked = embedded.vault_problems() if database_problem() is None else []
    if locked:
        todo = "bring back the vault key that was used before: there is no other way to open it"
        return Finding("keys", ok=False, says=" ".join(locked), todo=todo)
    if settings.DATABASE_URL and settings.REDIS_URL and not given:
        todo = "set PLAYHEAD_VAULT_KEY and PLAYHEAD_SECRET_KEY, the same for all processes"
        return Finding("keys", ok=True, says=f"vault and secret key {where}", todo=todo)
    return Finding("keys", ok=True, says=f"vault and secret key {where}")


def data_folder() -> Finding:
    """Only the owner may read it: it holds keys and conversations."""
    folder: Path = settings.PLAYHEAD_DATA
    open_to_others = [path for path in _private_paths(folder) if path.stat().st_mode & 0o077]
    if open_to_others:
        names = " ".join(str(path) for path in open_to_others)
        return Finding(
            "data folder", ok=False, says=f"others may read {names}", todo=f"chmod go-rwx {names}"
        )
    return Finding("data folder", ok=True, says=str(folder))


def _private_paths(folder: Path) -> Iterator[Path]:
    yield folder
    yield from (path for path in folder.glob("*.key"))


def front_end() -> Finding:
    """Built, or the browser gets nothing."""
    folder: Path = settings.PLAYHEAD_FRONTEND
    if (folder / "index.html").is_file():
        return Finding("front end", ok=True, says=f"built in {folder}")
    todo = "run `make run` once, or `npm ci && npm run build` in frontend/"
    return Finding("front end", ok=False, says=f"not built in {folder}", todo=todo)


def agents() -> Finding:
    """The modules of PLAYHEAD_AGENTS and the files of the data folder offer agents."""
    problems = embedded.agent_problems()
    if problems:
        todo = "mend it, or correct PLAYHEAD_AGENTS"
        return Finding("agents", ok=False, says="; ".join(problems), todo=todo)
    named = ", ".join(settings.PLAYHEAD_AGENTS) or "PLAYHEAD_AGENTS names no module"
    files = len(list((settings.PLAYHEAD_DATA / "agents").glob("*.py")))
    return Finding("agents", ok=True, says=f"{named}; {files} files in the data folder")


def plug_ins() -> Finding:
    """What is added by files, packages and MCP servers can be used."""
    problems = embedded.plugin_problems()
    if problems:
        todo = "mend the file or plugins.toml and start again; `playhead plugins` lists all"
        return Finding("plug-ins", ok=False, says="; ".join(problems), todo=todo)
    files = len(list((settings.PLAYHEAD_DATA / "plugins").glob("*.py")))
    return Finding("plug-ins", ok=True, says=f"all can be used; {files} files in the data folder")


CHECKS: tuple[Callable[[], Finding], ...] = (
    database,
    journal,
    redis,
    keys,
    data_folder,
    front_end,
    agents,
    plug_ins,
)


def examine() -> list[Finding]:
    """All findings. A check that fails itself is a finding too."""
    findings = []
    for check in CHECKS:
        try:
            findings.append(check())
        except Exception as error:  # the doctor must finish the round
            says = f"{type(error).__name__}: {error}"
            findings.append(Finding(check.__name__, ok=False, says=says, todo="see the message"))
    return findings
