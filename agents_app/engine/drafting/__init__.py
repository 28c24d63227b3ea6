"""From a definition as a person writes it to an agent, with everything that is wrong with it."""

from agents_app.engine.drafting.catalogue import Catalogue, Child, Offer
from agents_app.engine.drafting.changes import Change, changes
from agents_app.engine.drafting.draft import Drafted, drafted
from agents_app.engine.drafting.faults import Fault
from agents_app.engine.drafting.written import written_form

__all__ = [
    "Catalogue",
    "Change",
    "Child",
    "Drafted",
    "Fault",
    "Offer",
    "changes",
    "drafted",
    "written_form",
]
