"""The door of this app for the apps above it: what it offers, by name, without its rows."""

from agents_app.adapters.definitions import use_demo as demo_known
from agents_app.selectors.events import head_columns
from agents_app.selectors.masks import OPEN, Eyes
from agents_app.selectors.prompts import prompt_get
from agents_app.selectors.replayable import Code, checkpoints_of, code_of, log_of
from agents_app.selectors.sessions import session_get, session_ref
from agents_app.selectors.wire import event_json, head_of
from agents_app.services.answers import check_answer
from agents_app.services.branches import branch_write, check_request, step_begin
from agents_app.services.imports import session_import
from agents_app.services.inputs import Entered, payload_enter, spans_kept
from agents_app.services.returned import given_back
from agents_app.services.sessions import workspace_of

__all__ = [
    "OPEN",
    "Code",
    "Entered",
    "Eyes",
    "branch_write",
    "check_answer",
    "check_request",
    "checkpoints_of",
    "code_of",
    "demo_known",
    "event_json",
    "given_back",
    "head_columns",
    "head_of",
    "log_of",
    "payload_enter",
    "prompt_get",
    "session_get",
    "session_import",
    "session_ref",
    "spans_kept",
    "step_begin",
    "workspace_of",
]
