"""A definition as a person writes it, read whole: an agent, or everything that is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from agents_app.engine.drafting.faults import Fault, Faults, at
from agents_app.engine.drafting.fields import Fields, not_a, secrets
from agents_app.engine.drafting.tools import tools_of
from agents_app.engine.limits import Limits
from agents_app.engine.options import nearest, option_faults
from agents_app.engine.said import Said
from agents_app.engine.spec import AgentSpec
from playhead.core import canonical
from playhead.core.sanitise import sanitise

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents_app.engine.drafting.catalogue import Catalogue
    from agents_app.engine.parts import Parts

#: The fields of a definition, in the order in which it is written.
KEYS = (
    "slug", "name", "description", "model", "strategy", "options", "instructions", "params",
    "tools", "middleware", "order", "limits", "samples",
)  # fmt: skip
#: A slug stands in addresses, whose signs it must not have, and in paths.
SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")
#: What stands behind ``/agents/`` and is no agent.
RESERVED = frozenset({"parts", "check", "import"})
#: The strategy of a definition that names none.
USUAL = "function-calling"
#: Bytes of a definition with all agents below it: each session carries it.
LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Drafted:
    """What became of a definition: ``spec`` is there when ``faults`` is empty.

    ``written`` is the definition in the one form of values.
    """

    written: Any
    spec: AgentSpec | None
    faults: list[Fault]
    warnings: list[Fault]


def drafted(definition: Any, catalogue: Catalogue) -> Drafted:
    """Read a definition; never raises, whatever it is."""
    written, notes = sanitise(definition)
    warnings = [Fault(_dotted(note.path), f"was changed: {note.what}") for note in notes]
    faults = Faults()
    if not isinstance(written, dict):
        faults.add("definition", not_a("an object", written, "an object with fields"))
        return Drafted(written, None, faults.found, warnings)
    spec = _spec(written, faults, catalogue)
    if not any(fault.field.split(".")[0] in _TOGETHER for fault in faults.found):
        warnings += _together(spec, faults, catalogue.parts)
    return Drafted(written, None if faults else spec, faults.found, warnings)


def _spec(data: Mapping[str, Any], faults: Faults, catalogue: Catalogue) -> AgentSpec:
    faults.unknown(data, KEYS)
    secrets(data, faults)
    fields = Fields(data, faults)
    slug = _slug(fields)
    return AgentSpec(
        slug=slug,
        name=fields.text("name", most=200, default=slug) or slug,
        description=fields.text("description", most=4000),
        strategy=_strategy(fields, catalogue.parts),
        options=fields.mapping("options"),
        model=_model(fields, catalogue),
        instructions=fields.text("instructions", most=200_000),
        tools=tools_of(fields, slug, catalogue),
        middleware=tuple(_middleware(fields, catalogue.parts)),
        order=cast("Any", fields.word("order", ("list", "onion"), "list")),
        limits=_limits(fields),
        params=fields.mapping("params"),
        samples=tuple(fields.texts("samples", most=20, longest=4000)),
    )


def _slug(fields: Fields) -> str:
    said = "1 to 80 of a-z, 0-9, - and _, beginning with a letter or a digit"
    slug = fields.text("slug", most=1000, needed=said)
    if slug and not SLUG.fullmatch(slug):
        fields.wrong("slug", Said(f"a slug has {said}", "bad_slug"))
    if slug in RESERVED:
        text = f"{slug!r} is an address of the API; take another slug"
        fields.wrong("slug", Said(text, "reserved_slug", slug=slug))
    return slug


def _strategy(fields: Fields, parts: Parts) -> str:
    name = fields.text("strategy", most=200, default=USUAL)
    factory = parts.strategies.get(name)
    if factory is None:
        known = ", ".join(sorted(parts.strategies))
        said = f"{name!r} is no strategy{nearest(name, parts.strategies)}"
        text = f"{said} (there are: {known})"
        fields.wrong("strategy", Said(text, "unknown_strategy", name=name, known=known))
        return name
    options = fields.mapping("options")
    for where, what in option_faults(factory, options, parts.given):
        fields.faults.add(at("options", *filter(None, [where])), what)
    return name


def _model(fields: Fields, catalogue: Catalogue) -> str:
    name = fields.text("model", most=200, needed="provider:name, such as openai:gpt-5-mini")
    if name and (said := catalogue.model_fault(name)):
        fields.wrong("model", said)
    return name


def _middleware(fields: Fields, parts: Parts) -> list[dict[str, Any]]:
    uses: list[dict[str, Any]] = []
    for place, use in enumerate(fields.listed("middleware", most=50)):
        where = at("middleware", place)
        name = use.get("use") if isinstance(use, dict) else None
        if not isinstance(use, dict) or not isinstance(name, str):
            said = Said("is missing: the name of a middleware", "which_middleware")
            fields.faults.add(at(where, "use"), said)
            continue
        factory = parts.middleware.get(name)
        if factory is None:
            known = ", ".join(sorted(parts.middleware))
            text = f"{name!r:.80} is no middleware{nearest(name, parts.middleware)}"
            text = f"{text} (there are: {known})"
            said = Said(text, "unknown_middleware", name=name[:80], known=known)
            fields.faults.add(at(where, "use"), said)
            continue
        if any(each["use"] == name for each in uses):
            said = Said(f"{name} is named twice", "middleware_twice", name=name)
            fields.faults.add(at(where, "use"), said)
        options = {key: value for key, value in use.items() if key != "use"}
        for inside, what in option_faults(factory, options, parts.given):
            fields.faults.add(at(where, *filter(None, [inside])), what)
        uses.append(use)
    return uses


def _limits(fields: Fields) -> Limits:
    limits = fields.mapping("limits")
    faults = option_faults(Limits, limits, {})
    for where, what in faults:
        fields.faults.add(at("limits", *filter(None, [where])), what)
    return Limits() if faults else Limits().merged(limits)


#: Fields that say something together, once each is right by itself.
_TOGETHER = frozenset({"strategy", "options", "middleware", "tools"})


def _together(spec: AgentSpec, faults: Faults, parts: Parts) -> list[Fault]:
    """What only shows in the whole: an order of middlewares, what does not fit the tools, size.

    Returns what is only a warning.
    """
    found = parts.problems(spec)
    for field, message, severity in found:
        if severity == "problem":
            faults.add(field, message)
    size = len(canonical.dumps(spec.definition()))
    if size > LARGEST:
        text = f"with all agents below it the definition has {size:,} bytes"
        text = f"{text}; at most {LARGEST:,} are kept"
        faults.add("definition", Said(text, "too_large", size=size, most=LARGEST))
    told = [Fault(field, message) for field, message, severity in found if severity == "warning"]
    off = [(place, tool) for place, tool in enumerate(spec.tools) if tool.labels.get("off")]
    return told + [
        Fault(at("tools", place, "name"), Said(tool.labels["off"], "tool_off", tool=tool.name))
        for place, tool in off
    ]


def _dotted(pointer: str) -> str:
    parts = pointer.split("/")[1:]
    return ".".join(part.replace("~1", "/").replace("~0", "~") for part in parts) or "definition"
