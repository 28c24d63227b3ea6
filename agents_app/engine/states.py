"""What the façade keeps of a session between runs: its one form, and the store in memory.

Every store keeps bytes that it made itself, so what was loaded never changes with a later run.
"""

from __future__ import annotations

import json
import math
from typing import Any

from playhead.core.errors import InvalidInput, LogError
from playhead.core.sanitise import DEEPEST

#: Characters that the id of a session may have in a store.
LONGEST_ID = 200


def checked_id(session_id: Any) -> str:
    """The id, if every store can keep something under it.

    Raises:
        InvalidInput: it is no text of 1 to 200 printable characters.
    """
    if not (isinstance(session_id, str) and 0 < len(session_id) <= LONGEST_ID) or (
        not session_id.isprintable()
    ):
        said = f"session_id {session_id!r}: use a text of 1 to {LONGEST_ID} printable characters"
        raise InvalidInput(said, detail={"field": "session_id"})
    return str(session_id)


def dump_state(state: Any) -> bytes:
    """The state as JSON; ``load_state`` gives an equal value back.

    Raises:
        InvalidInput: a value that JSON has not; ``detail["field"]`` names where it stands.
    """
    if not isinstance(state, dict):
        raise _refused("state", f"is {_kind(state)}, not a dict")
    _check(state, "state", DEEPEST * 2)
    return json.dumps(state, separators=(",", ":")).encode()


def load_state(session_id: str, data: bytes | str) -> dict[str, Any]:
    """The state that ``dump_state`` wrote.

    Raises:
        LogError: somebody else wrote there, or half of it is missing.
    """
    try:
        state = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise LogError(f"The state of session {session_id} is no JSON: {error}") from None
    if not isinstance(state, dict):
        raise LogError(f"The state of session {session_id} is {_kind(state)}, not an object.")
    return state


def _check(value: Any, where: str, room: int) -> None:
    if room == 0:
        raise _refused(where, "is nested too deep")
    if isinstance(value, dict):
        for name, member in value.items():
            if not isinstance(name, str):
                raise _refused(where, f"has the key {name!r}, which is no text")
            _check(member, f"{where}.{name}", room - 1)
    elif isinstance(value, list):
        for place, member in enumerate(value):
            _check(member, f"{where}.{place}", room - 1)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise _refused(where, f"is {value}, which JSON has not")
    elif not (value is None or isinstance(value, str | int)):
        raise _refused(where, f"is {_kind(value)}, which JSON has not: store its fields instead")


def _kind(value: Any) -> str:
    return f"a value of type {type(value).__name__}"


def _refused(where: str, why: str) -> InvalidInput:
    return InvalidInput(f"{where} {why}", detail={"field": where})


class MemoryStateStore:
    """States in memory: they end with the process."""

    def __init__(self) -> None:
        self._states: dict[str, bytes] = {}

    async def load(self, session_id: str) -> dict[str, Any] | None:
        """The state that was saved last, ``None`` where there is none."""
        data = self._states.get(checked_id(session_id))
        return None if data is None else load_state(session_id, data)

    async def save(self, session_id: str, state: dict[str, Any]) -> None:
        """Keep a state in place of the last one."""
        self._states[checked_id(session_id)] = dump_state(state)

    async def delete(self, session_id: str) -> None:
        """Forget a state; one that is not there is not missed."""
        self._states.pop(checked_id(session_id), None)
