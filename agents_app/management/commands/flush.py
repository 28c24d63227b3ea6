"""``manage.py flush``: erase everything, sessions included."""

from typing import Any

from django.core.management.commands import flush
from django.db import connections, transaction

from agents_app.models import Erasure, Event, Session


class Command(flush.Command):
    """Django's flush, which opens the append-only log's door first.

    On SQLite Django flushes by DELETE, which the log's trigger refuses for a session that no
    erasure names; naming them all is what ``flush`` means.
    """

    def handle(self, **options: Any) -> None:
        database = options["database"]
        super_handle = super().handle
        if connections[database].vendor == "sqlite" and not options["interactive"]:
            with transaction.atomic(using=database):
                sessions = Session.objects.using(database).values_list("pk", flat=True)
                Erasure.objects.using(database).bulk_create(
                    Erasure(session_id=pk) for pk in sessions
                )
                Event.objects.using(database).all().delete()
                Erasure.objects.using(database).all().delete()
        super_handle(**options)
