"""A person brings a secret while a worker holds the session: it is known there, and sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connections

from agents_app.adapters.models.scripted import call, reply
from agents_app.engine import tool
from agents_app.models import Session, Vault
from agents_app.services.sessions import message_add
from tests.integration.worker import work_all

if TYPE_CHECKING:
    from agents_app.adapters.models.scripted import Reply, View
    from tests.integration.outages.conftest import Bench

pytestmark = pytest.mark.django_db(transaction=True)
#: A secret by what stands before it: alone, nothing tells that it is one.
SECRET = "correct-horse-42"


def test_what_is_sealed_while_a_worker_holds_the_session_is_known_to_it(bench: Bench) -> None:
    seen: list[str] = []

    @tool
    def wait() -> str:
        """Wait; meanwhile somebody says something."""
        session = Session.objects.get()
        message_add(by=bench.by, session_id=session.public_id, text=f"My password is {SECRET}")
        connections.close_all()
        return "waited"

    def says(view: View) -> Reply:
        if "password" in view.user:
            seen.append(view.user)
            return reply(f"I shall use {SECRET}.")
        return reply("Done.") if view.results("wait") else reply(calls=[call("wait")])

    bench.agent(says, tools=(wait,))
    session = bench.session()
    work_all()

    head = bench.head(session)
    assert (head.state.status, head.state.run) == ("finished", 2)
    assert seen == [f"My password is {SECRET}"]
    assert head.epoch == 1
    (kept,) = Vault.objects.values_list("id", flat=True)
    said = bench.log(session, "llm_response")[-1]
    assert [span[3] for span in said.sealed or ()] == [kept]
    assert SECRET not in str([event.payload for event in bench.log(session)])
