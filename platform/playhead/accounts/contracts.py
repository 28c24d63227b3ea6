"""What other apps see of accounts: roles, and who is asking."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

Kind = Literal["user", "api_key", "share", "system"]


class Role(StrEnum):
    """viewer < operator < approver < editor < admin. Each may do what those before it may."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    APPROVER = "approver"
    EDITOR = "editor"
    ADMIN = "admin"

    @classmethod
    def needed(cls, name: str) -> "Role":
        """The role that a log or a definition asks for; the highest for one that is unknown."""
        return cls(name) if name in set(cls) else cls.ADMIN

    @property
    def rank(self) -> int:
        """0 for a viewer, 4 for an admin."""
        return list(Role).index(self)

    def covers(self, needed: "Role") -> bool:
        """Whether this role may do what the needed role may. Use it, not `<`: these are words."""
        return self.rank >= needed.rank


@dataclass(frozen=True, slots=True)
class WorkspaceRef:
    """A workspace, by id and name."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking. `role` and `workspace` are None for somebody who belongs nowhere."""

    kind: Kind
    id: str
    name: str
    role: Role | None
    workspace: WorkspaceRef | None
    email: str | None = None

    def has(self, role: Role) -> bool:
        """Whether the principal may do what this role may."""
        return self.role is not None and self.role.covers(role)

    @property
    def can_reveal(self) -> bool:
        """Whether real values of masked and sealed things may be shown: it takes an approver."""
        return self.has(Role.APPROVER)

    @property
    def by(self) -> dict[str, str]:
        """The `by` of an event: who did it."""
        return {"kind": self.kind, "id": self.id, "name": self.name}


SYSTEM = Principal(kind="system", id="system", name="Playhead", role=None, workspace=None)


@dataclass(frozen=True, slots=True)
class UserView:
    """A user as a member of a workspace."""

    id: str
    email: str
    name: str
    role: Role
    active: bool
    last_login: datetime | None


@dataclass(frozen=True, slots=True)
class ApiKeyView:
    """An API key without its secret; `prefix` tells it from others."""

    id: str
    name: str
    prefix: str
    role: Role
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None
