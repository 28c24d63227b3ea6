"""The demo agents, added by the same door as anybody's own: ``AGENTS`` and ``SCRIPTS``."""

from __future__ import annotations

from agents_app.demo.refund_desk import REFUND_DESK
from agents_app.demo.refund_rules import REFUND_SCRIPT
from agents_app.demo.researcher import RESEARCHER
from agents_app.demo.researcher_rules import RESEARCHER_SCRIPT

AGENTS = [REFUND_DESK, RESEARCHER]
SCRIPTS = {"refund-desk": REFUND_SCRIPT, "researcher": RESEARCHER_SCRIPT}
