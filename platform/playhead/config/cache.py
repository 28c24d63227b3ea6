"""Values in a shared cache are JSON: what another process put there is never executed."""

import json
from typing import Any


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
