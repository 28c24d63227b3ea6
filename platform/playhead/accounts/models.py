"""The rows. Tokens are stored as sha256 of 256 random bits, never as themselves."""

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Now

from playhead.accounts.contracts import Role
from playhead.core.ids import new_id


def _workspace_id() -> str:
    return new_id("ws")


def _user_id() -> str:
    return new_id("user")


def _key_id() -> str:
    return new_id("key")


class RoleField(models.CharField):  # type: ignore[type-arg]
    """One of the five roles."""

    def __init__(self, **kwargs: object) -> None:
        kwargs.update(max_length=16, choices=[(role.value, role.value) for role in Role])
        super().__init__(**kwargs)  # type: ignore[arg-type]


class Workspace(models.Model):
    """What people share: agents, sessions, approvals."""

    id = models.CharField(primary_key=True, max_length=40, default=_workspace_id, editable=False)
    name = models.CharField(max_length=120)
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.name


class UserManager(BaseUserManager["User"]):
    """Finds users by e-mail, whatever the case."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser):
    """A person. The e-mail is the name to sign in with, kept in lower case."""

    id = models.CharField(primary_key=True, max_length=40, default=_user_id, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(db_default=Now())

    objects: ClassVar[UserManager] = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"

    def __str__(self) -> str:
        return self.email


class Membership(models.Model):
    """What a user is in a workspace."""

    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = RoleField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "user"], name="one_role_per_workspace")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role}"


class ApiKey(models.Model):
    """A program's way in. Only the digest of the token is here."""

    id = models.CharField(primary_key=True, max_length=40, default=_key_id, editable=False)
    workspace = models.ForeignKey(Workspace, models.CASCADE, related_name="+")
    name = models.CharField(max_length=120)
    prefix = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    role = RoleField()
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class LoginLink(models.Model):
    """Signs a user in, once, before it expires."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.user_id} until {self.expires_at}"
