"""Fakes and harnesses for tests of agents, tools and of Playhead itself; a supported API."""

from agents_app.testing.doubles import (
    InMemoryStateStore,
    MockLLMAdapter,
    MockTool,
    ScriptedModel,
    ScriptExhausted,
)
from agents_app.testing.judge import Judge, JudgeFailed, Judgement, Score
from agents_app.testing.model_server import ModelServer, serving
from agents_app.testing.process import Crashed
from agents_app.testing.properties import (
    assert_cites,
    assert_json,
    assert_length,
    assert_no_personal_data,
    assert_no_secrets,
)
from agents_app.testing.rules import RuleModel, calls, says
from agents_app.testing.run import run_to_end
from agents_app.testing.session import Session

__all__ = [
    "Crashed",
    "InMemoryStateStore",
    "Judge",
    "JudgeFailed",
    "Judgement",
    "MockLLMAdapter",
    "MockTool",
    "ModelServer",
    "RuleModel",
    "Score",
    "ScriptExhausted",
    "ScriptedModel",
    "Session",
    "assert_cites",
    "assert_json",
    "assert_length",
    "assert_no_personal_data",
    "assert_no_secrets",
    "calls",
    "run_to_end",
    "says",
    "serving",
]
