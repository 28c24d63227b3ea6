"""Where the truth lives: PostgreSQL by DATABASE_URL, else one SQLite file in the data folder."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL;"
    "PRAGMA synchronous=FULL;"  # a commit that was answered must survive the power cut
    "PRAGMA busy_timeout=20000;"
)


def sqlite(data: Path) -> dict[str, Any]:
    """The embedded default. Tests get a file too: threads must see each other's commits."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(data / "playhead.sqlite3"),
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": SQLITE_PRAGMAS,
        },
        "TEST": {"NAME": str(data / "test.sqlite3")},
    }


def postgres(url: str, *, pool_size: int) -> dict[str, Any]:
    """A pooled PostgreSQL: without a pool, threads and requests together run out of clients."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    host = query.pop("host", parts.hostname or "")
    try:
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL has no port that is a number: {error}") from None
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise ImproperlyConfigured("DATABASE_URL names no database: postgresql://…/NAME.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(port or ""),
        "OPTIONS": {"pool": {"min_size": 1, "max_size": pool_size, "timeout": 20}, **query},
    }


def database_from_url(url: str, *, data: Path, pool_size: int) -> dict[str, Any]:
    """Django's DATABASES["default"] for a DATABASE_URL, which may be empty."""
    if not url:
        return sqlite(data)
    scheme = urlsplit(url).scheme
    if scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"DATABASE_URL begins with {scheme!r}: say postgresql://user:password@host:port/name,"
            " or leave it empty for SQLite."
        )
    return postgres(url, pool_size=pool_size)


def namespace_of(database: Mapping[str, Any]) -> str:
    """What names of this installation begin with in a Redis that several of them share."""
    name = str(database["NAME"])
    where = f"{database.get('HOST', '')}:{database.get('PORT', '')}/{name}"
    return f"playhead.{Path(name).stem}.{hashlib.sha256(where.encode()).hexdigest()[:8]}"
