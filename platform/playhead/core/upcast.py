"""Old events to the current version, one step at a time; a newer version is refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playhead.core.errors import LogError
from playhead.core.events import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

#: version → the function that lifts an event dict of that version to the next one.
STEPS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def upcast(event: dict[str, Any]) -> dict[str, Any]:
    """The event in the current schema version.

    Raises:
        LogError: the version is newer than this release, or not a version at all.
    """
    version = event.get("schema_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise LogError(
            f"schema_version must be a positive integer, found {version!r}", code="bad_version"
        )
    if version > SCHEMA_VERSION:
        raise LogError(
            f"schema_version {version} is newer than this release reads (up to {SCHEMA_VERSION}); "
            "upgrade Playhead",
            code="newer_version",
        )
    while version < SCHEMA_VERSION:
        event = STEPS[version](event)
        version = event["schema_version"]
    return event
