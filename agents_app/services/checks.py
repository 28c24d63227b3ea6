"""What there is to say of a definition while it is being written; nothing is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents_app.adapters.yaml_text import ReadYaml, read_yaml, write_yaml
from agents_app.contracts.definitions import CheckView, FaultView
from agents_app.engine import said
from agents_app.services.versions import draft_read
from playhead.core.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agents_app.engine.drafting import Drafted, Fault


def definition_check(*, workspace_id: str, definition: Any) -> CheckView:
    """Every fault of a definition, and how it looks as YAML."""
    draft = draft_read(workspace_id=workspace_id, definition=definition)
    return _view(draft, write_yaml(draft.written), None)


def yaml_check(*, workspace_id: str, text: str) -> CheckView:
    """Every fault of a YAML text with its line; of one that is no YAML, the place where it ends."""
    try:
        read = read_yaml(text)
    except InvalidInput as error:
        fault = FaultView("", error.message, error.detail.get("line"))
        return CheckView(problems=[fault], warnings=[], yaml=text, definition=None)
    return _view(draft_read(workspace_id=workspace_id, definition=read.value), text, read)


def _view(draft: Drafted, yaml: str, read: ReadYaml | None) -> CheckView:
    written = draft.written
    return CheckView(
        problems=_faults(draft.faults, read),
        warnings=_faults(draft.warnings, read),
        yaml=yaml,
        definition=written if isinstance(written, dict) else None,
    )


def _faults(faults: Iterable[Fault], read: ReadYaml | None) -> list[FaultView]:
    return [
        FaultView(
            each.field,
            str(each.message),
            read.line_of(each.field) if read else None,
            *said.of(each.message),
        )
        for each in faults
    ]
