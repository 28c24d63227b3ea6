"""Plain fields of a definition: texts, numbers and lists within their bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.engine.drafting.faults import Fault, Faults, at
from agents_app.engine.options import kind_of
from agents_app.engine.said import Said
from playhead.core.seal import has_secret

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


TELLING = Said("holds what looks like a secret: a key belongs in the environment", "has_secret")


class Fields:
    """Reads the fields of one object; what does not fit is a fault, and the default is given."""

    def __init__(self, data: Mapping[str, Any], faults: Faults, where: str = "") -> None:
        self.data, self.faults, self.where = data, faults, where

    def wrong(self, name: str, message: str) -> None:
        """Say what is wrong with a field of this object."""
        self.faults.add(at(self.where, name), message)

    def text(self, name: str, *, most: int, default: str = "", needed: str = "") -> str:
        """A text of at most so many characters; ``needed``: what to write where it is missing."""
        value = self.data.get(name)
        if value is None or (needed and value == ""):
            if needed:
                self.wrong(name, Said(f"is missing: {needed}", "missing"))
            return default
        if not isinstance(value, str):
            self.wrong(name, not_a("a text", value))
            return default
        if len(value) > most:
            said = f"has at most {most:,} characters; this one has {len(value):,}"
            self.wrong(name, Said(said, "too_long", most=most, has=len(value)))
            return default
        return value

    def word(self, name: str, known: Collection[str], default: str) -> str:
        """One of the known words."""
        value = self.data.get(name)
        if value is None:
            return default
        if isinstance(value, str) and value in known:
            return value
        listed = ", ".join(known)
        said = f"{value!r:.80} is none of {listed}"
        self.wrong(name, Said(said, "none_of", known=listed))
        return default

    def flag(self, name: str, default: bool = False) -> bool:
        """True or false."""
        value = self.data.get(name)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self.wrong(name, not_a("true or false", value))
        return default

    def number(self, name: str, *, least: float, most: float) -> float | None:
        """A number in a range, ``None`` where there is none."""
        value = self.data.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.wrong(name, not_a("a number", value))
            return None
        if not least <= value <= most:
            said = f"is a number from {least:g} to {most:g}"
            self.wrong(name, Said(said, "between", least=f"{least:g}", most=f"{most:g}"))
            return None
        return value

    def mapping(self, name: str) -> dict[str, Any]:
        """An object."""
        value = self.data.get(name)
        if value is None or isinstance(value, dict):
            return value or {}
        self.wrong(name, not_a("an object", value, "an object with names and values"))
        return {}

    def listed(self, name: str, *, most: int) -> list[Any]:
        """A list of at most so many items."""
        value = self.data.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.wrong(name, not_a("a list", value))
            return []
        if len(value) > most:
            said = f"has at most {most} items; this one has {len(value)}"
            self.wrong(name, Said(said, "too_many", most=most, has=len(value)))
        return value[:most]

    def texts(self, name: str, *, most: int, longest: int) -> list[str]:
        """A list of texts."""
        items = self.listed(name, most=most)
        inner = Fields(dict(enumerate(items)), self.faults, at(self.where, name))  # type: ignore[arg-type]
        return [inner.text(place, most=longest) for place in inner.data]


def not_a(wanted: str, value: Any, long: str = "") -> Said:
    """That a value is of another kind; ``long`` says the kind in more words."""
    actual = kind_of(value)
    return Said(f"is {long or wanted}, not {actual}", "wrong_kind", wanted=wanted, actual=actual)


def secret_in(definition: Mapping[str, Any]) -> Fault | None:
    """The first text of a definition that looks like a secret: a log would show it to everybody."""
    faults = Faults()
    secrets(definition, faults)
    return faults.found[0] if faults.found else None


def secrets(value: Any, faults: Faults, where: str = "") -> None:
    """A fault for each text that looks like a secret: a definition stands open in every log."""
    if isinstance(value, str):
        if has_secret(value):
            faults.add(where, TELLING)
    elif isinstance(value, dict):
        for key, item in value.items():
            if has_secret(key):
                faults.add(where, Said("has a name that looks like a secret", "has_secret"))
            elif isinstance(item, str) and has_secret({key: item}) and not has_secret(item):
                faults.add(at(where, key), TELLING)
            else:
                secrets(item, faults, at(where, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            secrets(item, faults, at(where, place))
