"""The shapes of accounts over HTTP."""

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import StringConstraints

from playhead.accounts.contracts import Role

Text = Annotated[str, StringConstraints(max_length=320, pattern=r"^[^\x00]*$")]
Secret = Annotated[str, StringConstraints(min_length=1, max_length=1024, pattern=r"^[^\x00]*$")]


class FieldError(Schema):
    """One field that is not acceptable."""

    field: str
    message: str


class Problem(Schema):
    """An error: `application/problem+json`."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    errors: list[FieldError] | None = None


class Workspace(Schema):
    """A workspace."""

    id: str
    name: str


class Can(Schema):
    """What the role allows, so that a page need not know the order of roles."""

    operate: bool
    approve: bool
    edit: bool
    admin: bool
    reveal: bool


class Me(Schema):
    """Who is signed in. `csrf` goes into the X-CSRFToken header of what changes something."""

    id: str
    kind: Literal["user", "api_key"]
    email: str | None
    name: str
    role: Role | None
    workspace: Workspace | None
    csrf: str
    can: Can


class Login(Schema):
    """A sign-in by password."""

    email: Text
    password: Secret


class LinkLogin(Schema):
    """A sign-in by one-time link."""

    token: Secret


class User(Schema):
    """A member of the workspace."""

    id: str
    email: str
    name: str
    role: Role
    active: bool
    last_login: datetime | None


class PasswordChange(Schema):
    """Another password of one's own; who has none yet leaves out the old one."""

    old: Secret | None = None
    new: Secret


class NewUser(Schema):
    """A user to be made. Without a password the link of the answer signs in, once."""

    email: Text
    role: Role
    name: Text = ""
    password: Secret | None = None


class UserWithLink(User):
    """A new user, with the path of a one-time login link to hand over."""

    link: str


class UserChange(Schema):
    """What is to change of a user."""

    role: Role | None = None
    active: bool | None = None
    name: Text | None = None
    password: Secret | None = None


class LoginLink(Schema):
    """A one-time login link, by path: the caller knows the host it came to."""

    link: str
