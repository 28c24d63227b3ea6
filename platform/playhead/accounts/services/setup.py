"""The first workspace and its owner."""

from django.contrib.auth.hashers import make_password
from django.db import transaction

from playhead.accounts.contracts import Role, WorkspaceRef
from playhead.accounts.models import Membership, User, Workspace
from playhead.accounts.selectors.users import first_admin, workspace_default

OWNER_EMAIL = "owner@localhost"


@transaction.atomic
def workspace_ensure(*, name: str = "Playhead") -> WorkspaceRef:
    """The workspace of this installation, made when there is none."""
    found = workspace_default()
    if found is not None:
        return found
    row = Workspace.objects.create(name=name)
    return WorkspaceRef(row.pk, row.name)


@transaction.atomic
def owner_ensure() -> User:
    """An active admin: the first there is, else a new owner who signs in by link."""
    workspace = workspace_ensure()
    admin = first_admin()
    if admin is not None:
        return admin
    owner, _ = User.objects.update_or_create(
        email=OWNER_EMAIL,
        defaults={"is_active": True},
        create_defaults={"name": "Owner", "password": make_password(None)},
    )
    Membership.objects.update_or_create(
        workspace_id=workspace.id, user=owner, defaults={"role": Role.ADMIN}
    )
    return owner
