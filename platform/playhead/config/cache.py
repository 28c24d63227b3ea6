"""Values in a shared cache are JSON: what another process put there is never executed."""

import json
from typing import Any

# A cache that does not answer is a miss, soon.
ANSWER_SECONDS = 2


class JSONSerializer:
    """The serializer of Django's Redis cache. Whole numbers stay numbers, so `incr` works."""

    def dumps(self, value: Any) -> bytes | int:
        """What is stored."""
        if type(value) is int:
            return value
        return json.dumps(value, separators=(",", ":")).encode()

    def loads(self, data: bytes) -> Any:
        """What was stored."""
        return json.loads(data)


def redis_cache(url: str, *, namespace: str) -> dict[str, Any]:
    """Django's cache on Redis, without the client's own retries of several seconds."""
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": url,
        "KEY_PREFIX": namespace,
        "OPTIONS": {
            "serializer": "playhead.config.cache.JSONSerializer",
            "socket_connect_timeout": ANSWER_SECONDS,
            "socket_timeout": ANSWER_SECONDS,
            "retry": Retry(NoBackoff(), 0),
        },
    }
