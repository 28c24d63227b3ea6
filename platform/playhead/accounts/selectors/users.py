"""The people of a workspace."""

from playhead.accounts.contracts import Role, UserView, WorkspaceRef
from playhead.accounts.models import Membership, User, Workspace
from playhead.core.errors import NotFound


def view_of(member: Membership) -> UserView:
    """A member as other apps see it."""
    return UserView(
        id=member.user.pk,
        email=member.user.email,
        name=member.user.name,
        role=Role(member.role),
        active=member.user.is_active,
        last_login=member.user.last_login,
    )


def user_list(*, workspace_id: str) -> list[UserView]:
    """Everybody of the workspace, by e-mail."""
    members = Membership.objects.select_related("user").filter(workspace_id=workspace_id)
    return [view_of(member) for member in members.order_by("user__email")]


def member_get(*, workspace_id: str, user_id: str) -> Membership:
    """The membership row of a user, for the services.

    Raises:
        NotFound: no such user in this workspace.
    """
    members = Membership.objects.select_related("user", "workspace")
    member = members.filter(workspace_id=workspace_id, user_id=user_id).first()
    if member is None:
        raise NotFound("There is no such user in this workspace.")
    return member


def user_find(name: str) -> User:
    """The user with this e-mail, this id, or this part of an e-mail before the @.

    Raises:
        NotFound: nobody, or more than one.
    """
    name = name.strip()
    exact = User.objects.filter(email=name.lower()).first() or User.objects.filter(pk=name).first()
    if exact is not None:
        return exact
    found = list(User.objects.filter(email__startswith=f"{name.lower()}@")[:2])
    if len(found) != 1:
        raise NotFound(f"There is no user {name!r}." if not found else f"{name!r} is ambiguous.")
    return found[0]


def first_admin() -> User | None:
    """The admin who has been there longest and is active."""
    admins = Membership.objects.select_related("user").filter(role=Role.ADMIN, user__is_active=True)
    member = admins.order_by("pk").first()
    return member.user if member else None


def workspace_default() -> WorkspaceRef | None:
    """The workspace of this installation, if it is set up."""
    row = Workspace.objects.order_by("created_at", "pk").first()
    return WorkspaceRef(row.pk, row.name) if row else None
