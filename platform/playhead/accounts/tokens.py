"""Bearer secrets: 256 random bits, known to us afterwards by their digest alone.

Each kind has its own prefix, so a token that strays into a log line is recognised and masked.
"""

import hashlib

from playhead.core.ids import new_token

API_KEY = "phk_"
LOGIN_LINK = "phl_"


def issue(kind: str) -> tuple[str, str]:
    """A new token of this kind and the digest to store."""
    token = f"{kind}{new_token()}"
    return token, digest(token)


def digest(token: str) -> str:
    """What is stored of a token. Plain sha256: 256 random bits need no salt and no stretching."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
