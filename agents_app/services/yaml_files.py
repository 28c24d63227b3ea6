"""Agents from YAML: the same service as for JSON, with the line of each fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents_app.adapters.yaml_text import read_yaml
from agents_app.services.versions import agent_apply
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from agents_app.services.versions import Applied
    from playhead.accounts.contracts import Principal


def yaml_apply(
    *, by: Principal, text: str, note: str = "", publish: bool = True
) -> tuple[str, Applied]:
    """Let an agent be as a YAML text says; returns its slug and what was done.

    Raises:
        InvalidInput: not YAML that is read here, or a definition with faults: each message in
            ``detail["errors"]`` begins with its line.
        Conflict: as ``agent_apply``.
    """
    read = read_yaml(text)
    try:
        return agent_apply(by=by, definition=read.value, note=note, publish=publish)
    except InvalidInput as error:
        errors = error.detail.get("errors")
        if not errors:
            raise
        lined = [
            {**each, "message": f"line {read.line_of(each['field'])}: {each['message']}"}
            for each in errors
        ]
        raise InvalidInput(error.message, detail={"errors": lined}) from None
