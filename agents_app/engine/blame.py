"""Where code of others failed, for its author: in the log of the process.

What it said stands in the session, where secrets are sealed; the process may not repeat it.
"""

from __future__ import annotations

import logging
import traceback

logger = logging.getLogger(__name__)


def note_place(who: str, error: BaseException) -> None:
    """Write the lines that an error passed, and its kind.

    Args:
        who: such as ``tool weather``.
    """
    lines = "".join(traceback.format_tb(error.__traceback__))
    logger.warning("%s failed with %s:\n%s", who, type(error).__name__, lines.rstrip())
