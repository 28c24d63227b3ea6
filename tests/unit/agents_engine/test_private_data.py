"""Guards of private data: at each stage, by each strategy; what they stop is out of sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from agents_app.adapters.vault import VaultSeals
from agents_app.engine import AgentSpec, Limits, tool
from agents_app.engine.middleware.guardrail import sealed_kinds
from agents_app.engine.parts import BUILT_IN
from agents_app.testing import Crashed, RuleModel, Session, calls, says
from playhead.core import canonical
from tests.unit.agents_engine.crashing import holds, survives
from tests.unit.agents_engine.scenarios import Ledger, by_turn, pay

if TYPE_CHECKING:
    from agents_app.engine import Message

MAIL = "ann.smith@example.org"
KEY = "sk-proj-Abc123Def456Ghi789"
TOLD: list[dict[str, Any]] = []


@tool
def tell(to: str, more: dict[str, list[str]] | None = None) -> str:
    """Tell somebody."""
    TOLD.append({"to": to, "more": more})
    return f"told {to}"


def session(
    *turns: Message, use: str = "personal-data", tools: Any = (tell,), **options: Any
) -> Session:
    TOLD.clear()
    spec = AgentSpec(slug="desk", tools=tools, middleware=({"use": use, **options},))
    seals = VaultSeals(1, b"k" * 32, {})
    made = Session(spec, RuleModel(by_turn(*turns or (says("Done."),))), seals=seals)
    return made.start(f"Write to {MAIL}, please.")


def asked(made: Session) -> list[str]:
    """What the user said, as the model saw it."""
    requests = made.model.requests  # type: ignore[attr-defined]
    return [m.content for m in requests[-1].messages if m.role == "user"]


def log_of(made: Session, *types: str) -> str:
    return "".join(canonical.dumps(e.payload).decode() for t in types for e in made.of(t))


@pytest.mark.parametrize(
    ("strategy", "shown"), [("redact", "[email]"), ("mask", "a***@example.org")]
)
async def test_the_model_sees_the_kind_or_a_part_and_the_log_keeps_the_rest(
    strategy: str, shown: str
) -> None:
    made = session(strategy=strategy)
    assert (await made.run()).kind == "finished"
    assert asked(made) == [f"Write to {shown}, please."]
    assert MAIL in log_of(made, "user_message")
    (said,) = made.of("guardrail")
    assert (said.payload["verdict"], said.payload["guard"]) == ("redact", "personal-data")
    assert said.payload["findings"] == [{"type": "email", "excerpt": None}]
    await holds(made)


async def test_a_hash_is_a_name_under_which_it_is_known_again() -> None:
    made = session(strategy="hash")
    await made.run()
    made.say(f"Again to {MAIL}.")
    await made.run()
    first, second = asked(made)
    name = first.split(" ")[2].rstrip(",")
    assert name.startswith("<email_hash:")
    assert len(name) == len("<email_hash:12345678>")
    assert name in second
    await holds(made)


async def test_r53_an_answer_is_rewritten_in_its_text_and_everywhere_in_arguments() -> None:
    turn = calls(("tell", {"to": MAIL, "more": {"cc": [f"Bo <{MAIL}>"]}}), text=f"To {MAIL}.")
    made = session(turn, says(f"I told {MAIL}."), apply_to_input=False, apply_to_output=True)
    outcome = await made.run()
    assert outcome.answer == "I told [email]."
    assert TOLD == [{"to": "[email]", "more": {"cc": ["Bo <[email]>"]}}]
    assert MAIL not in log_of(made, "edit", "tool_call", "tool_result", "session_end")
    assert made.deltas == []
    await holds(made)


async def test_kinds_that_are_not_asked_for_stay() -> None:
    made = session(kinds=("phone",))
    await made.run()
    assert asked(made) == [f"Write to {MAIL}, please."]
    assert made.of("guardrail") == []


async def test_results_of_tools_too() -> None:
    turn = calls(("tell", {"to": MAIL}))
    made = session(turn, says("Done."), apply_to_input=False, apply_to_tool_results=True)
    await made.run()
    results = [m.content for m in made.model.requests[-1].messages if m.role == "tool"]  # type: ignore[attr-defined]
    assert results == ["told [email]"]
    await holds(made)


async def test_blocked_input_starts_nothing_in_a_later_run_either() -> None:
    made = session(strategy="block")
    outcome = await made.run()
    assert (outcome.kind, outcome.code) == ("failed", "guardrail")
    assert made.of("llm_request") == []
    made.say("Hello.")
    await made.run()
    assert asked(made) == ["[A guard withheld this text.]", "Hello."]
    await holds(made)


OUT = {"apply_to_input": False, "apply_to_output": True}


async def test_r48_r50_a_blocking_guard_lets_nothing_of_an_answer_out() -> None:
    """Nothing streams, the record has it sealed, and the log ends with the guard's word."""
    made = session(says(f"It is bo@example.com, and {MAIL}."), strategy="block", **OUT)
    outcome = await made.run()
    assert (outcome.kind, outcome.code) == ("failed", "guardrail")
    assert made.deltas == []
    recorded = log_of(made, "llm_response", "guardrail", "session_end")
    assert "example" not in recorded
    assert "[REDACTED:email:" in recorded
    (said,) = made.of("guardrail")
    assert (said.payload["verdict"], said.payload["stage"]) == ("block", "output")
    assert said.payload["of"] == made.of("llm_response")[0].seq
    assert "retract" not in said.payload
    await holds(made)


async def test_r48_a_parallel_guard_lets_it_stream_and_takes_it_back() -> None:
    made = session(says(f"It is {MAIL}."), strategy="block", mode="parallel", **OUT)
    assert (await made.run()).code == "guardrail"
    assert "".join(made.deltas) == f"It is {MAIL}."
    assert made.of("guardrail")[0].payload["retract"] is True
    await holds(made)


@pytest.mark.parametrize("mode", ["blocking", "parallel"])
async def test_a_person_lets_a_false_positive_through_and_the_model_is_asked_once(
    mode: str,
) -> None:
    turn = calls(("tell", {"to": MAIL}), text="I tell.")
    made = session(turn, says("Done."), strategy="ask", mode=mode, **OUT)
    assert (await made.run()).kind == "interrupted"
    (question,) = made.questions()
    assert question.payload["kind"] == "guard"
    assert TOLD == []
    asked_before = len(made.of("llm_request"))
    made.decide(question, "approve")
    outcome = await made.run()
    assert (outcome.answer, asked_before, len(made.of("llm_request"))) == ("Done.", 1, 2)
    assert TOLD == [{"to": MAIL, "more": None}]
    verdicts = [(e.payload["verdict"], e.payload.get("retract")) for e in made.of("guardrail")]
    back = (True, False) if mode == "parallel" else (None, None)
    assert verdicts == list(zip(("ask", "pass"), back, strict=True))
    await holds(made)


async def test_or_a_person_refuses_and_no_tool_starts() -> None:
    made = session(calls(("tell", {"to": MAIL})), strategy="ask", **OUT)
    await made.run()
    made.decide_all("reject")
    assert (await made.run()).code == "guardrail"
    assert (TOLD, made.of("tool_call")) == ([], [])
    await holds(made)


async def test_r51_what_was_done_stays_recorded_when_an_answer_is_stopped_behind_it() -> None:
    ledger = Ledger()
    turns = (calls(("pay", {"to": "Bo", "amount": 5})), says(f"Paid. Write to {MAIL}."))
    made = session(*turns, tools=(pay(ledger, approval=True),), strategy="block", **OUT)
    await made.run()
    made.decide_all("approve")
    assert (await made.run()).code == "guardrail"
    assert ledger.what == ["paid 5 to Bo"]
    assert made.of("tool_result")[0].payload["success"] is True
    assert made.of("step_end")[0].payload["append"]
    await holds(made)


async def test_a_crash_anywhere_lets_nothing_through() -> None:
    def make() -> Session:
        return session(says(f"It is {MAIL}."), strategy="block", **OUT)

    await survives(make, lambda made: made.of("session_end")[0].payload["reason"])


async def test_a_secret_of_the_user_reaches_no_model() -> None:
    """It is sealed in the log anyway; without the guard the model would get it."""
    for use, seen in ((("secrets",), "[api_key]"), (("logging",), KEY)):
        made = session(use=use[0])
        made.say(f"The key is {KEY}.")
        await made.run()
        await made.run()
        form = made.model.requests[-1].messages[-1]  # type: ignore[attr-defined]
        assert seen in form.content


@pytest.mark.parametrize("strategy", ["block", "ask"])
async def test_a_secret_in_an_answer_stops_it(strategy: str) -> None:
    made = session(says(f"Your key is {KEY}."), use="secrets", strategy=strategy, **OUT)
    outcome = await made.run()
    assert outcome.kind == ("failed" if strategy == "block" else "interrupted")
    assert KEY not in log_of(made, "llm_response", "interrupt")
    assert made.deltas == []
    await holds(made)


async def test_a_password_that_a_tool_asks_for_is_no_finding() -> None:
    @tool(secret=("password",))
    def open_vault(password: str) -> str:
        """Open something."""
        return "open"

    turn = calls(("open_vault", {"password": "correct horse"}))
    made = session(turn, says("Open."), use="secrets", tools=(open_vault,), strategy="block", **OUT)
    assert (await made.run()).answer == "Open."


async def test_the_guardrail_looks_for_secrets_where_it_is_told_to() -> None:
    made = session(says(f"Your key is {KEY}."), use="guardrail", secrets="ask", mode="blocking")
    assert (await made.run()).kind == "interrupted"
    assert made.deltas == []
    made.decide_all("approve")
    outcome = await made.run()
    assert (outcome.kind, len(made.of("llm_request"))) == ("finished", 1)
    await holds(made)


def test_what_is_sealed_for_everybody_is_said_by_either_middleware() -> None:
    use = {"use": "personal-data", "strategy": "seal", "kinds": ["email"]}
    assert sealed_kinds([use]) == {"email"}
    assert sealed_kinds([{"use": "personal-data", "strategy": "redact"}]) == frozenset()
    (made,) = BUILT_IN.chain([use])
    assert made.holds is None


@pytest.mark.parametrize(
    "use", [{"use": "personal-data"}, {"use": "guardrail", "personal_data": "mask"}]
)
async def test_two_messages_that_say_the_same_stay_two(use: dict[str, Any]) -> None:
    """Whichever of them a guard has seen first: a new worker has seen neither."""
    for at in range(3, 12):
        spec = AgentSpec(slug="desk", middleware=(use,), limits=Limits(window=2))
        session = Session(spec, RuleModel(lambda r: says(f"answer {len(r.messages)}")))
        session.start("yes")

        def die(_: Session, number: int, __: Any, at: int = at) -> None:
            if number == at:
                raise Crashed

        session.before_commit = die
        for said in ("no", "why", "yes"):
            await session.finish()
            session.say(said)
        await session.finish()
        await holds(session)
