"""The key of this installation's doors: a mark that one of them puts tells nothing elsewhere."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from django.conf import settings


@lru_cache(maxsize=1)
def mask_key() -> bytes:
    """The bytes under which personal data is masked for readers without ``reveal``."""
    return hashlib.sha256(b"mask" + settings.SECRET_KEY.encode()).digest()
