"""Every operation says who may, and means it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from playhead.accounts.contracts import Role
from playhead.accounts.models import Membership
from tests.integration.cast import Browser, person
from tests.integration.rest.routes import Route, routes

if TYPE_CHECKING:
    from playhead.accounts.contracts import WorkspaceRef
    from tests.integration.cast import Person

ROUTES = sorted(routes(), key=lambda route: (route.path, route.method))
CLOSED = [route for route in ROUTES if not route.is_public]
NAMES = [f"{route.method} {route.path}" for route in CLOSED]
# Open on purpose; whoever adds one here has thought about it.
PUBLIC = {"POST /auth/login", "POST /auth/link"}
PUBLIC_ELSEWHERE = ("/shares/",)


def test_the_walk_sees_the_routes() -> None:
    assert {"POST /users", "PATCH /users/{user_id}", "GET /me"} <= set(NAMES)


def test_whatever_changes_something_says_who_may() -> None:
    silent = [f"{r.method} {r.path}" for r in ROUTES if r.changes and not r.says_who]
    assert silent == []


def test_what_is_open_to_anybody_is_known() -> None:
    opened = {f"{r.method} {r.path}" for r in ROUTES if r.is_public}
    assert {name for name in opened if PUBLIC_ELSEWHERE[0] not in name} == PUBLIC


def test_every_operation_has_an_id_of_its_own() -> None:
    ids = [route.operation.operation_id for route in ROUTES]
    assert None not in ids
    assert len(ids) == len(set(ids))


@pytest.mark.django_db
@pytest.mark.parametrize("route", CLOSED, ids=NAMES)
def test_nobody_in_particular_is_asked_to_sign_in(route: Route) -> None:
    answer = Browser().send(route.method, route.url)
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "route", [r for r in CLOSED if r.changes and r.role], ids=lambda r: f"{r.method} {r.path}"
)
def test_a_viewer_changes_nothing(workspace: WorkspaceRef, route: Route) -> None:
    viewer = person(workspace, "vera@example.com", Role.VIEWER)
    answer = viewer.browser().send(route.method, route.url)
    assert answer.status_code == 403
    assert answer.json()["code"] == "forbidden"
    assert answer.json()["required_role"] == route.role


@pytest.mark.parametrize(
    "route", [r for r in CLOSED if r.role], ids=lambda r: f"{r.method} {r.path}"
)
def test_somebody_without_a_role_sees_nothing(bob: Person, route: Route) -> None:
    browser = bob.browser()
    Membership.objects.filter(user_id=bob.id).delete()
    assert browser.send(route.method, route.url).status_code == 403
    me = browser.get("/me").json()
    assert me["role"] is None
    assert me["workspace"] is None
    assert not any(me["can"].values())


@pytest.mark.parametrize(
    ("role", "needed", "may"),
    [
        (has, needs, has_rank >= needs_rank)
        for has_rank, has in enumerate(Role)
        for needs_rank, needs in enumerate(Role)
    ],
)
def test_roles_are_a_ladder(role: Role, needed: Role, may: bool) -> None:
    assert role.covers(needed) is may
