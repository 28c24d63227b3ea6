"""What a detector found, and how findings that overlap become one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Where a stream of text can be cut: ASCII white space, and everything from the CJK blocks on
#: (Chinese has no spaces, and no key has Chinese letters). Detectors match within such a run,
#: unless they say what may stand between.
DELIMITER = "\\t-\\r \u2e80-\U0010ffff"

#: What stands in place of a sealed value. A text that looks like one is text.
MARKER = re.compile(r"\[REDACTED:[a-z_]{1,24}:[0-9a-f]{32}\]")


class Finding(NamedTuple):
    """``text[start:end]`` is of ``type``; from ``context`` on it was needed to tell."""

    start: int
    end: int
    type: str
    context: int


def merge(findings: Iterable[Finding]) -> list[Finding]:
    """Findings in order without overlap: what overlaps becomes one, of the type that came first."""
    out: list[Finding] = []
    for found in sorted(findings, key=lambda f: (f.start, -f.end)):
        last = out[-1] if out else None
        if last is None or found.start >= last.end:
            out.append(found)
        elif found.end > last.end:
            out[-1] = last._replace(end=found.end, context=min(last.context, found.context))
    return out
