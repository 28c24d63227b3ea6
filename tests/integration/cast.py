"""Who acts in the tests: people, their browsers, their keys."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.test import Client

from playhead.accounts.models import User
from playhead.accounts.services.keys import api_key_create
from playhead.accounts.services.users import user_create

if TYPE_CHECKING:
    from django.http import HttpResponse

    from playhead.accounts.contracts import Role, WorkspaceRef

API = "/api/v1"


class Browser:
    """A client that does what the console does: JSON, the cookie, the CSRF token of `/me`."""

    def __init__(self, user: User | None = None) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.csrf = ""
        self.always: dict[str, str] = {}
        if user is not None:
            self.client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
            self.csrf = self.get("/me").json()["csrf"]

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.client.get(API + path, headers=self.always | headers)

    def send(self, method: str, path: str, body: object = None, **headers: str) -> HttpResponse:
        """A changing request; `body` bytes go out as they are."""
        data = body if isinstance(body, bytes) else json.dumps({} if body is None else body)
        sent = {"X-CSRFToken": self.csrf} if self.csrf else {}
        return self.client.generic(
            method,
            API + path,
            data,
            content_type="application/json",
            headers=sent | self.always | headers,
        )

    def post(self, path: str, body: object = None, **headers: str) -> HttpResponse:
        return self.send("POST", path, body, **headers)

    def patch(self, path: str, body: object = None, **headers: str) -> HttpResponse:
        return self.send("PATCH", path, body, **headers)


@dataclass(frozen=True)
class Person:
    """Somebody of the cast."""

    id: str
    email: str
    role: Role
    workspace: WorkspaceRef

    @property
    def user(self) -> User:
        return User.objects.get(pk=self.id)

    def browser(self) -> Browser:
        return Browser(self.user)

    def browser_by_key(self) -> Browser:
        """A program: every request carries an API key and no cookie."""
        program = Browser()
        program.always = {"Authorization": f"Bearer {self.key()}"}
        return program

    def key(self) -> str:
        """An API key of the person's role and workspace."""
        return api_key_create(
            workspace_id=self.workspace.id, name=f"key of {self.email}", role=self.role
        )[1]


PASSWORD = "correct-horse-battery"


def person(workspace: WorkspaceRef, email: str, role: Role, **options: Any) -> Person:
    """A new member of a workspace."""
    made = user_create(workspace_id=workspace.id, email=email, role=role, **options)
    return Person(made.id, made.email, role, workspace)
