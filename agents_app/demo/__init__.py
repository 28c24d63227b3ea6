"""The demo agents, added by the same door as anybody's own: ``AGENTS`` and ``SCRIPTS``."""

from __future__ import annotations

from agents_app.demo.on_call import ON_CALL
from agents_app.demo.on_call_rules import ON_CALL_SCRIPT
from agents_app.demo.refund_desk import REFUND_DESK
from agents_app.demo.refund_rules import REFUND_SCRIPT
from agents_app.demo.researcher import RESEARCHER
from agents_app.demo.researcher_rules import RESEARCHER_SCRIPT

AGENTS = [REFUND_DESK, RESEARCHER, ON_CALL]
SCRIPTS = {
    "refund-desk": REFUND_SCRIPT,
    "researcher": RESEARCHER_SCRIPT,
    "on-call": ON_CALL_SCRIPT,
}
