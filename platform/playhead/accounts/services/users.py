"""Making and changing users."""

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet

from playhead.accounts.contracts import Role, UserView
from playhead.accounts.models import Membership, User
from playhead.accounts.selectors.users import member_get, view_of
from playhead.core.errors import Conflict, InvalidInput


@transaction.atomic
def user_create(
    *, workspace_id: str, email: str, role: Role, name: str = "", password: str | None = None
) -> UserView:
    """A new user with a role in the workspace; without a password only links sign in.

    Raises:
        InvalidInput: the e-mail or the password is not acceptable.
        Conflict: `email_taken`.
    """
    email = email.strip().lower()
    try:
        validate_email(email)
    except ValidationError:
        raise InvalidInput("This is no e-mail address.", detail={"field": "email"}) from None
    if User.objects.filter(email=email).exists():
        raise Conflict(f"There is a user {email} already.", code="email_taken")
    user = User(email=email, name=_clean_name(name) or email.partition("@")[0])
    _set_password(user, password)
    user.save()
    return view_of(Membership.objects.create(workspace_id=workspace_id, user=user, role=role))


@transaction.atomic
def user_update(
    *,
    workspace_id: str,
    user_id: str,
    role: Role | None = None,
    active: bool | None = None,
    name: str | None = None,
    password: str | None = None,
) -> UserView:
    """Change what is given, leave the rest. Whoever is not active is signed out everywhere.

    Raises:
        NotFound: no such user here.
        InvalidInput: the name or the password is not acceptable.
        Conflict: `last_admin`, when nobody would be left who may manage users.
    """
    admins = _admins(workspace_id)
    list(admins.order_by("pk").select_for_update(of=("self",)))  # so two can't demote each other
    member = member_get(workspace_id=workspace_id, user_id=user_id)
    user = member.user
    if name is not None:
        user.name = _clean_name(name)
        if not user.name:
            raise InvalidInput("A name is needed.", detail={"field": "name"})
    if active is not None:
        user.is_active = active
    if password is not None:
        _set_password(user, password)
    if role is not None:
        member.role = role
    user.save()
    member.save()
    if not admins.exists():
        raise Conflict("This is the last admin: make somebody else one first.", code="last_admin")
    return view_of(member)


@transaction.atomic
def password_change(*, user: User, old: str | None, new: str) -> None:
    """Give oneself another password; who has none yet needs no old one.

    Raises:
        InvalidInput: the old one is wrong, or the new one is not acceptable; names the field.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.has_usable_password() and not user.check_password(old or ""):
        raise InvalidInput("This is not your password.", detail={"field": "old"})
    try:
        _set_password(user, new)
    except InvalidInput as error:
        raise InvalidInput(error.message, detail={"field": "new"}) from None
    user.save(update_fields=["password"])


def _admins(workspace_id: str) -> QuerySet[Membership]:
    return Membership.objects.filter(
        workspace_id=workspace_id, role=Role.ADMIN, user__is_active=True
    )


def _clean_name(name: str) -> str:
    return "".join(char for char in name if char.isprintable()).strip()[:120]


def _set_password(user: User, password: str | None) -> None:
    if password is None:
        user.set_unusable_password()
        return
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise InvalidInput(" ".join(error.messages), detail={"field": "password"}) from None
    user.set_password(password)
