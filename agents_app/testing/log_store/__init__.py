"""The conformance suite of log stores: what a database must do to hold the truth.

Subclass ``LogStoreConformance`` in a test module and run it with a database that other threads
see (pytest-django: ``django_db(transaction=True)``). ``make_store`` says which store is tried.
"""

from agents_app.testing.log_store.concurrency import Concurrency
from agents_app.testing.log_store.failures import Failures
from agents_app.testing.log_store.fencing import Fencing
from agents_app.testing.log_store.keeping import Keeping
from agents_app.testing.log_store.leases import Leases
from agents_app.testing.log_store.questions import Questions
from agents_app.testing.log_store.reading import Reading
from agents_app.testing.log_store.scene import Scene, Seat

__all__ = ["LogStoreConformance", "Scene", "Seat"]


class LogStoreConformance(Fencing, Leases, Questions, Concurrency, Reading, Keeping, Failures):
    """Every demand on a log store."""
