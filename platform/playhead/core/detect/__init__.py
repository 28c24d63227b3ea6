"""Where a text holds a secret or personal data.

A secret is found by its form (provider keys, tokens, key blocks, passwords in URLs) or by the
name in front of it. What is personal is found by form and checksum. Nothing is found by entropy:
an order number, a hash or a UUID is not a secret.
"""

from playhead.core.detect.field_names import names_a_secret
from playhead.core.detect.finding import Finding
from playhead.core.detect.personal import PERSONAL, find_personal, personal_open_from
from playhead.core.detect.scan import find_secrets, may_hold_secrets, secrets_open_from

__all__ = [
    "PERSONAL",
    "Finding",
    "find_personal",
    "find_secrets",
    "may_hold_secrets",
    "names_a_secret",
    "personal_open_from",
    "secrets_open_from",
]
