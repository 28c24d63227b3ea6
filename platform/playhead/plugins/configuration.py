"""What the operator says about plug-ins: a TOML file, checked field by field.

::

    disabled = ["telemetry"]            # plug-ins that are left out

    [choose]
    "llm.openai" = "my-openai"          # where two plug-ins provide the same capability

    [weather]                           # the configuration of the plug-in named weather
    api_key = "…"
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from playhead.plugins.errors import PluginError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from pydantic import BaseModel

    from playhead.plugins.meta import PluginMeta


@dataclass(frozen=True, slots=True)
class PluginSettings:
    """Which plug-ins are left out, who provides what is provided twice, and their options."""

    disabled: frozenset[str] = frozenset()
    choose: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def from_file(cls, path: Path) -> PluginSettings:
        """Read the file; one that is not there says nothing.

        Raises:
            PluginError: it is no TOML, or one of its fields has the wrong form.
        """
        if not path.is_file():
            return cls()
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise PluginError(f"{path.name}: {error}") from error
        disabled, choose = data.pop("disabled", []), data.pop("choose", {})
        names = isinstance(disabled, list) and _texts(disabled)
        _expect(path, "disabled", names, "a list of names of plug-ins")
        _expect(path, "choose", isinstance(choose, dict), "a table: capability = plug-in")
        for name, chosen in choose.items():
            _expect(path, f"choose.{name}", _texts([chosen]), "the name of a plug-in")
        for name, options in data.items():
            _expect(path, name, isinstance(options, dict), "a table: the options of a plug-in")
        return cls(frozenset(disabled), choose, data)


def _texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _expect(path: Path, name: str, holds: bool, what: str) -> None:
    if not holds:
        raise PluginError(f"{path.name}: {name} must be {what}", detail={"field": name})


def configured(meta: PluginMeta, options: Mapping[str, Any]) -> Any:
    """The configuration of a plug-in, or ``None`` where it takes none.

    Raises:
        PluginError: names plug-in and field; never repeats the value, which may be a secret.
    """
    if meta.config_cls is None:
        if options:
            raise PluginError(
                f"{meta.name} takes no options; remove {', '.join(sorted(options))} (plugins.toml, "
                f"table [{meta.name}])",
                detail={"field": f"{meta.name}.{min(options)}"},
            )
        return None
    try:
        made, faults = meta.config_cls.model_validate(dict(options)), []
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        faults = [(".".join(map(str, each["loc"])), each["msg"]) for each in found]
    faults += _unknown(meta.config_cls, options, {where for where, _ in faults})
    if not faults:
        return made
    said = "; ".join(f"{meta.name}.{where}: {message}" for where, message in faults)
    raise PluginError(
        f"{said} (plugins.toml, table [{meta.name}])",
        detail={"field": f"{meta.name}.{faults[0][0]}"},
    )


def _unknown(
    model: type[BaseModel], options: Mapping[str, Any], told: Collection[str]
) -> list[tuple[str, str]]:
    """Options that the model would pass over: nobody writes one to have no effect."""
    if model.model_config.get("extra") == "allow":
        return []
    known = set(model.model_fields)
    for each in model.model_fields.values():
        known |= {name for name in (each.alias, each.validation_alias) if isinstance(name, str)}
        if each.validation_alias is not None and not isinstance(each.validation_alias, str):
            return []  # it may be any of several names
    listed = ", ".join(sorted(model.model_fields)) or "none"
    return [
        (name, f"no such option{nearest(name, known)} (there are: {listed})")
        for name in options
        if name not in known and name not in told
    ]


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name: ``; did you mean …?``, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else ""
