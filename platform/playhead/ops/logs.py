"""Log lines: one form, and no secret in any of them."""

import logging
import re
from datetime import UTC, datetime

# Our own tokens carry a prefix; others are known by where they stand or how they begin.
SECRETS = re.compile(
    r"\bph[a-z]_[A-Za-z0-9_-]{16,}"
    r"|\bsk-[A-Za-z0-9_-]{16,}"
    r"|(?<=[Bb]earer )[^\s\"']+"
    r"|(?<=/login/link/)[^\s/?\"']+"
    r"|(?<=/api/v1/shares/)[^\s/?\"']{20,}"
    r"|(?<=/r/)[^\s/?\"']{20,}"
    r"|(?<=://)[^\s/@\"']+(?=@)"
    r"|(?i:(?<=password=)|(?<=api_key=)|(?<=token=))[^\s&\"']+"
)
MASK = "[secret]"


def without_secrets(text: str) -> str:
    """The text with everything that looks like a credential masked."""
    return SECRETS.sub(MASK, text)


class Formatter(logging.Formatter):
    """`time level logger: message`, tracebacks included, masked as a whole."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, _datefmt: str | None = None) -> str:
        """UTC with milliseconds."""
        at = datetime.fromtimestamp(record.created, UTC)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def format(self, record: logging.LogRecord) -> str:
        """The whole line, masked."""
        return without_secrets(super().format(record))
