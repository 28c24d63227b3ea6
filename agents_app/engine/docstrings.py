"""What a docstring says of a part: its summary, and a sentence for each option (``Args:``)."""

from __future__ import annotations

import inspect
import re
from typing import Any

from agents_app.engine.tools.docstring import parameters

_SECTION = re.compile(r"^(Args|Arguments|Parameters|Attributes|Returns|Raises|Yields)\s*:\s*$")


def summary_of(part: Any) -> str:
    """The first paragraph, on one line; of a class without one, its module's."""
    docs = (part.__doc__ and inspect.getdoc(part), inspect.getdoc(inspect.getmodule(part)))
    for doc in docs:
        first = (doc or "").split("\n\n")[0]
        if first and not _SECTION.match(first.splitlines()[0]):
            return _plain(" ".join(first.split()))
    return ""


def options_of(part: Any) -> dict[str, str]:
    """What is said of each parameter: by the class, or by its constructor."""
    found: dict[str, str] = {}
    for each in (getattr(part, "__init__", None), part):
        found |= parameters(inspect.getdoc(each) or "")
    return {name: _plain(text) for name, text in found.items()}


def _plain(text: str) -> str:
    """Without the signs that mark code in a docstring: people read it in a form."""
    return text.replace("``", "")
