"""The same creating request, sent again, does nothing and answers the same."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, connections
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse  # noqa: TC002 - read by ninja
from django.urls import path
from ninja import NinjaAPI, Router, Schema, Status

from playhead.accounts.contracts import Role
from playhead.accounts.models import User, Workspace
from playhead.core.errors import Conflict
from playhead.rest.auth import requires
from playhead.rest.errors import add_handlers
from playhead.rest.idempotency import ABANDONED, KEPT, Claim, begin_work, idempotent
from playhead.rest.models import IdempotentAnswer
from playhead.rest.parser import BodyParser
from playhead.rest.tasks import rest_tidy

if TYPE_CHECKING:
    from tests.integration.cast import Person

BODY = {"email": "dora@example.com", "role": "viewer"}


class Thing(Schema):
    name: str


def _power_cut(_claim: Claim, _response: HttpResponse) -> bool:
    raise SystemExit


router = Router(auth=requires(Role.VIEWER))
gate = threading.Event()
gate.set()


def make(name: str) -> str:
    if name == "refused":
        raise Conflict("No.")
    gate.wait(10)
    return Workspace.objects.create(name=name).pk


@router.post("/things", response={201: dict[str, Any]})
@idempotent()
def make_thing(request: HttpRequest, body: Thing) -> Status[dict[str, str]]:
    return Status(201, {"id": make(body.name)})


@router.post("/things-later", response={201: dict[str, Any]})
@idempotent(later=True)
def make_thing_later(request: HttpRequest, body: Thing) -> Status[dict[str, str]]:
    """Looks for long before it makes anything."""
    if body.name == "refused":
        raise Conflict("No.")
    begin_work(request)
    return Status(201, {"id": make(body.name)})


api = NinjaAPI(urls_namespace="things", parser=BodyParser())
add_handlers(api)
api.add_router("", router)
urlpatterns = [path("api/v1/", api.urls)]
things = pytest.mark.urls(__name__)
both = pytest.mark.parametrize("url", ["/things", "/things-later"])


class TestTheKit:
    pytestmark = [things, pytest.mark.django_db(transaction=True)]

    @both
    def test_the_same_request_twice_makes_one_thing(self, bob: Person, url: str) -> None:
        program, key = bob.browser_by_key(), {"Idempotency-Key": "k1"}
        first, second = (program.post(url, {"name": "once"}, **key) for _ in range(2))
        assert first.status_code == second.status_code == 201
        assert first.json() == second.json()
        assert second["Idempotent-Replayed"] == "true"
        assert Workspace.objects.filter(name="once").count() == 1

    @both
    def test_the_same_key_with_another_body_is_refused(self, bob: Person, url: str) -> None:
        program, key = bob.browser_by_key(), {"Idempotency-Key": "k1"}
        program.post(url, {"name": "once"}, **key)
        answer = program.post(url, {"name": "other"}, **key)
        assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_mismatch")
        assert not Workspace.objects.filter(name="other").exists()

    @both
    def test_of_many_at_once_one_works_and_all_get_its_answer(self, bob: Person, url: str) -> None:
        program, key = bob.browser_by_key(), {"Idempotency-Key": "k1"}

        def send(_: int) -> tuple[int, Any]:
            answer = program.post(url, {"name": "once"}, **key)
            connections.close_all()
            return answer.status_code, answer.json()

        gate.clear()
        with ThreadPoolExecutor(5) as threads:
            sent = [threads.submit(send, n) for n in range(5)]
            gate.set()
            answers = [one.result() for one in sent]
        assert len({str(answer) for answer in answers}) == 1
        assert answers[0][0] == 201
        assert Workspace.objects.filter(name="once").count() == 1

    @both
    def test_a_refusal_does_not_use_up_the_key(self, bob: Person, url: str) -> None:
        program, key = bob.browser_by_key(), {"Idempotency-Key": "k1"}
        assert program.post(url, {"name": "refused"}, **key).status_code == 409
        assert program.post(url, {"name": "once"}, **key).status_code == 201

    def test_a_key_counts_for_one_principal_and_one_route(self, alice: Person, bob: Person) -> None:
        key = {"Idempotency-Key": "k1"}
        ids = {
            program.post(url, {"name": "each"}, **key).json()["id"]
            for program in (alice.browser_by_key(), bob.browser_by_key())
            for url in ("/things", "/things-later")
        }
        assert len(ids) == 4

    @both
    def test_a_process_that_dies_before_its_answer_is_kept_has_made_nothing(
        self, bob: Person, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The power goes between work and answer; a minute later the request comes again."""
        program, key = bob.browser_by_key(), {"Idempotency-Key": "k1"}
        with monkeypatch.context() as patched:
            patched.setattr(Claim, "keep", _power_cut)
            with pytest.raises(SystemExit):
                program.post(url, {"name": "once"}, **key)
        assert not Workspace.objects.filter(name="once").exists()
        IdempotentAnswer.objects.update(claimed_at=Now() - ABANDONED)
        assert program.post(url, {"name": "once"}, **key).status_code == 201
        assert Workspace.objects.filter(name="once").count() == 1

    @both
    def test_who_works_until_the_key_is_claimed_anew_has_made_nothing(
        self, bob: Person, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The first was taken for dead: a second did the work, and the first finds its key gone."""
        program, key = bob.browser_by_key(), {"Idempotency-Key": "k1"}
        keep = Claim.keep

        def too_late(claim: Claim, response: HttpResponse) -> bool:
            IdempotentAnswer.objects.filter(pk=claim.pk).delete()
            return keep(claim, response)

        with monkeypatch.context() as patched:
            patched.setattr(Claim, "keep", too_late)
            answer = program.post(url, {"name": "once"}, **key)
        assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_in_flight")
        assert not Workspace.objects.filter(name="once").exists()

    def test_answers_are_kept_for_a_day(self, bob: Person) -> None:
        program, key = bob.browser_by_key(), {"Idempotency-Key": "k1"}
        program.post("/things", {"name": "once"}, **key)
        row = IdempotentAnswer.objects.get()
        row.claimed_at -= KEPT
        row.save()
        rest_tidy()
        connection.close()
        assert not IdempotentAnswer.objects.exists()

    @pytest.mark.parametrize("key", ["", "x" * 256, "a\tb"])
    def test_a_key_that_is_none_is_refused(self, bob: Person, key: str) -> None:
        answer = bob.browser_by_key().post("/things", {"name": "x"}, **{"Idempotency-Key": key})
        assert answer.status_code == 422


def test_what_is_shown_once_is_not_stored_for_the_second_time(alice: Person) -> None:
    browser, key = alice.browser(), {"Idempotency-Key": "k1"}
    first = browser.post("/users", BODY, **key).json()
    second = browser.post("/users", BODY, **key)
    assert second.status_code == 201
    assert second.json() == first | {"link": None}
    assert User.objects.filter(email=BODY["email"]).count() == 1
    assert first["link"] not in IdempotentAnswer.objects.get().answer
