"""All operations of the API, for tests that walk them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ninja.constants import NOT_SET

from playhead.config.api import api
from playhead.rest.auth import SAFE, Public, Requirement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playhead.accounts.contracts import Role


@dataclass(frozen=True)
class Route:
    """An operation as it is reached, and what it says about who may."""

    method: str
    path: str
    operation: Any

    @property
    def changes(self) -> bool:
        return self.method not in SAFE

    @property
    def says_who(self) -> bool:
        return self.operation.auth_param is not NOT_SET

    @property
    def is_public(self) -> bool:
        return any(isinstance(auth, Public) for auth in self.operation.auth_callbacks)

    @property
    def role(self) -> Role | None:
        """The least role; None when any will do."""
        known = [auth for auth in self.operation.auth_callbacks if isinstance(auth, Requirement)]
        return known[0].role

    @property
    def url(self) -> str:
        """The path with something in the place of each parameter."""
        return re.sub(r"{[^}]*}", "1", self.path)


def routes() -> Iterator[Route]:
    """Every operation, once per method."""
    for router in api._get_bound_routers():
        for path, view in router.path_operations.items():
            for operation in view.operations:
                for method in operation.methods:
                    full = re.sub("/+", "/", f"/{router.prefix}/{path}")
                    yield Route(method, full, operation)
