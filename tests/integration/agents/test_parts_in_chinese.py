"""The console has a Chinese text for every part that ships, and for each of its options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest

from agents_app.adapters import plugins
from agents_app.engine.said import Code

if TYPE_CHECKING:
    from tests.integration.cast import Person

pytestmark = pytest.mark.django_db

TEXTS = Path(__file__).parents[3] / "frontend/src/i18n/zh/parts.json"
SHIPPED = "plugin:playhead."
KINDS = {"strategy": "strategies", "middleware": "middleware", "tool": "tools"}


def options_in(schema: dict[str, Any], root: dict[str, Any], within: str = "") -> dict[str, Any]:
    """Each option by its dotted name, those inside the rows of a list too."""
    found: dict[str, Any] = {}
    for name, option in schema.get("properties", {}).items():
        found[within + name] = option
        item = option.get("items", option)
        item = root.get("$defs", {}).get(item.get("$ref", "").rpartition("/")[2], item)
        found |= options_in(item, root, f"{within}{name}.")
    return found


def served(who: Person) -> set[tuple[str, ...]]:
    parts = who.browser().get("/agents/parts").json()
    found: set[tuple[str, ...]] = set()
    for kind, listed in KINDS.items():
        for part in parts[listed]:
            if part["source"].startswith(SHIPPED):
                whole = part.get("options", {})
                options = options_in(whole, whole)
                found |= {(kind, part["name"]), *((kind, part["name"], each) for each in options)}
    return found | {("limits", name) for name in parts["limits"]["properties"]}


def written(texts: dict[str, dict[str, Any]]) -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = {("limits", name) for name in texts["limits"]}
    for kind, parts in ((kind, texts[kind]) for kind in KINDS):
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


def test_every_option_of_a_shipped_part_and_every_limit_is_described(victor: Person) -> None:
    plugins.use(None)
    parts = victor.browser().get("/agents/parts").json()
    listed = [*parts["strategies"], *parts["middleware"]]
    schemas = {part["name"]: part["options"] for part in listed}
    bare = [
        f"{name}.{option}"
        for name, schema in {**schemas, "limits": parts["limits"]}.items()
        for option, said in options_in(schema, schema).items()
        if not said.get("description")
    ]
    assert bare == []


def test_every_sentence_of_a_check_has_a_chinese_text() -> None:
    texts = json.loads(TEXTS.read_text(encoding="utf-8"))
    assert sorted(texts["checks"]) == sorted(get_args(Code))


def test_every_rule_about_the_order_of_middlewares_has_a_chinese_text() -> None:
    plugins.use(None)
    rules = {
        f"{name}.{rule.place}.{rule.role}"
        for name, factory in plugins.current().parts.middleware.items()
        for rule in getattr(factory, "placing", ())
    }
    assert rules == set(json.loads(TEXTS.read_text(encoding="utf-8"))["rules"])


def test_a_check_says_with_a_code_what_it_says_in_english(erin: Person) -> None:
    definition = {
        "slug": "desk",
        "model": "scripted:echo",
        "limits": {"max_steps": 0, "window": "all"},
        "middleware": [{"use": "tool-permission", "rules": [{"tool": "pay"}]}],
    }
    found = erin.browser().post("/agents/check", {"definition": definition}).json()
    said = {each["field"]: (each["code"], each["params"]) for each in found["problems"]}
    assert said == {
        "limits.max_steps": ("at_least", {"limit": "1"}),
        "limits.window": ("whole_number", {}),
        "middleware.0.rules.0.then": ("missing", {}),
    }
