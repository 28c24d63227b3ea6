"""The OpenAPI file in the front end's folder is the API's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from playhead.config.api import api

if TYPE_CHECKING:
    from pathlib import Path


def test_the_committed_file_is_in_step(root: Path) -> None:
    committed = json.loads((root / "frontend" / "openapi.json").read_text())
    described = json.loads(json.dumps(api.get_openapi_schema(), default=str))
    assert committed == described, "run `make openapi`"


def test_every_operation_has_a_name_of_its_own() -> None:
    paths = api.get_openapi_schema()["paths"].values()
    names = [operation["operationId"] for methods in paths for operation in methods.values()]
    assert len(names) > 30
    assert len(set(names)) == len(names)
