"""States in Redis: JSON under ``agent:state:<session id>``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.adapters.states.threaded import ThreadedStateStore
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from redis import Redis

PREFIX = "agent:state:"
#: The client of redis-py 8 gives up after 5 s, and earlier ones never: we say it ourselves.
CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 5.0


class RedisStateStore(ThreadedStateStore):
    """States in a Redis.

    Args:
        url: ``redis://host:port/database``.
        ttl: seconds after which a state that is not saved again is gone; ``None``: it stays.

    Raises:
        InvalidInput: a ``ttl`` that is not more than 0.
    """

    def __init__(self, url: str, *, ttl: float | None = None) -> None:
        if ttl is not None and not ttl > 0:
            said = f"ttl={ttl!r}: use seconds, more than 0, or leave it out"
            raise InvalidInput(said, detail={"field": "ttl"})
        self.ttl = ttl
        self._client = _client(url)

    def read(self, session_id: str) -> bytes | None:
        """The value of the key."""
        data: Any = self._client.get(PREFIX + session_id)
        return None if data is None else bytes(data)

    def write(self, session_id: str, data: bytes) -> None:
        """Set the key, with its expiry."""
        expiry = None if self.ttl is None else max(1, round(self.ttl * 1000))
        self._client.set(PREFIX + session_id, data, px=expiry)

    def remove(self, session_id: str) -> None:
        """Delete the key."""
        self._client.delete(PREFIX + session_id)

    def close(self) -> None:
        """Close the connections; the next call opens one again."""
        self._client.close()


def _client(url: str) -> Redis:
    from redis import Redis

    try:
        return Redis.from_url(
            url, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=CONNECT_SECONDS
        )
    except ValueError as error:
        raise InvalidInput(f"url: {error}", detail={"field": "url"}) from None
