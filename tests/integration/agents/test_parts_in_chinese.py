"""The console has a Chinese text for every part that ships, and for each of its options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters import plugins

if TYPE_CHECKING:
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db

TEXTS = Path(__file__).parents[3] / "frontend/src/i18n/zh/parts.json"
SHIPPED = "plugin:playhead."
KINDS = {"strategy": "strategies", "middleware": "middleware", "tool": "tools"}


def served(who: Person) -> set[tuple[str, ...]]:
    parts = who.browser().get("/agents/parts").json()
    found: set[tuple[str, ...]] = set()
    for kind, listed in KINDS.items():
        for part in parts[listed]:
            if part["source"].startswith(SHIPPED):
                options = part.get("options", {}).get("properties", {})
                found |= {(kind, part["name"]), *((kind, part["name"], each) for each in options)}
    return found


def written(texts: dict[str, dict[str, Any]]) -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for kind, parts in texts.items():
        for name, text in parts.items():
            assert text["summary"], f"{kind} {name} has an empty summary"
            found |= {(kind, name), *((kind, name, each) for each in text.get("options", {}))}
    return found


def test_every_shipped_part_and_option_has_a_chinese_text(victor: Person) -> None:
    plugins.use(None)
    there, said = served(victor), written(json.loads(TEXTS.read_text(encoding="utf-8")))
    assert there, "no shipped part is served"
    assert sorted(there - said) == [], "without a text in frontend/src/i18n/zh/parts.json"
    assert sorted(said - there) == [], "a text for what does not ship"
