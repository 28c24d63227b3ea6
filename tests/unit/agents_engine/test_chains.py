"""Tools one after the other: templates, failing steps, and a chain as a tool in a session."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents_app.engine import (
    AgentSpec,
    Tool,
    ToolContext,
    ToolResult,
    agent_tool,
    chain,
    step,
    tool,
)
from agents_app.engine.errors import ToolError
from agents_app.engine.tools.chain import filled
from agents_app.engine.tools.single import context_alone as alone
from agents_app.engine.tools.single import text_of
from agents_app.testing import RuleModel, Session, calls, says
from replay_app.testing import verify
from tests.unit.agents_engine.scenarios import Ledger, by_turn


@tool
async def echo(text: str) -> str:
    """Say it again."""
    return text


@tool
async def upper(text: str) -> str:
    """Say it loud."""
    return text.upper()


@tool
async def fail(text: str) -> str:
    """Fail."""
    raise ValueError(f"no {text}")


@tool
async def keep(name: str, body: dict[str, Any], times: int = 1) -> dict[str, Any]:
    """Keep an object."""
    return {"name": name, "body": body, "times": times}


@tool
async def says_no(text: str) -> ToolResult:
    """Answer that it went wrong, without an exception."""
    return ToolResult("", f"no {text}", False)


async def run(made: Tool, text: str) -> str:
    return await text_of(made, {"input": text}, alone("k"))


async def test_h13_each_step_gets_the_input_and_the_results_before_it() -> None:
    made = chain(
        "two", [step(upper, "{input}", key="loud"), step(echo, "{input} {step_0_result} {loud}")]
    )
    assert await run(made, "a") == "a A A"
    assert made.schema["required"] == ["input"]


@pytest.mark.parametrize(
    "text", ['{"q": 1}', "{input}", "{step_0_result}", "{0}", "{}", "{{x}}", "%s $x \\1 \\g<0>"]
)
async def test_h13_fault_6_braces_in_data_and_in_templates_are_data(text: str) -> None:
    made = chain("two", [step(echo, "{input}"), step(echo, '{"q": "{step_0_result}", "n": {1}}')])
    assert await run(made, text) == '{"q": "' + text + '", "n": {1}}'


async def test_h13_templates_at_any_depth_of_the_arguments() -> None:
    asked = {"name": "{input}", "body": {"q": ["{input}!", 1, None]}, "times": "{step_0_result}"}
    made = chain("deep", [step(echo, "2"), step(keep, asked)])
    assert json.loads(await run(made, "a")) == {
        "name": "a", "body": {"q": ["a!", 1, None]}, "times": 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (step(fail), "step 1 (fail) failed: ValueError: no A"),
        (step(says_no), "step 1 (says_no) failed: no A"),
        (step(keep, {"name": "x"}), "step 1 (keep) failed: argument body: Field required"),
        (step(keep, "{input}"), "step 1 (keep) failed: give an object."),
    ],
)
async def test_h13_fault_5_a_failing_step_stops_the_chain_with_its_number(
    bad: Any, said: str
) -> None:
    """Fault 3 too: an error is an error, and its text no step's input."""
    ran: list[str] = []

    @tool
    async def last(text: str) -> str:
        """Run."""
        ran.append(text)
        return text

    made = chain("three", [step(upper), step(bad.tool, bad.arguments if bad.tool is keep else
                 "{step_0_result}"), step(last)])  # fmt: skip
    with pytest.raises(ToolError) as caught:
        await run(made, "a")
    assert said in caught.value.message
    assert ran == []


async def test_h13_on_error_continue_goes_on_and_says_what_failed() -> None:
    made = chain("on", [step(fail), step(echo, "<{step_0_result}>")], on_error="continue")
    assert await run(made, "a") == "<>\n[step 0 (fail) failed: ValueError: no a]"
    with pytest.raises(ToolError, match=r"step 0 .* failed: .*; step 1 .* failed"):
        await run(chain("off", [step(fail), step(fail)], on_error="continue"), "a")


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([], "at least one step"),
        ([step(echo, "{step_0_result}")], r"step 0 \(echo\): {step_0_result} is the result of"),
        ([step(echo, key="no name")], "key 'no name' is no name"),
        ([step(agent_tool(AgentSpec(slug="clerk")))], "an agent is no step"),
        ([step(tool(name="k", secret=["text"])(echo.run))], "secret argument text"),
    ],
)
def test_what_can_be_no_chain_is_refused_where_it_is_made(steps: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        chain("bad", steps)


def test_a_chain_is_as_effectful_as_its_steps() -> None:
    ledger = Ledger()
    paying = tool(effectful=True, approval=True, required_role="admin", timeout=5)(_pay(ledger))
    made = chain("pays", [step(echo), step(paying)])
    assert (made.effectful, made.idempotent, made.approval, made.timeout) == (True, False, True, 65)
    assert made.required_role == "admin"
    assert made.says({"input": "Bo"}) == "Runs echo → pay on Bo."
    plain = chain("plain", [step(echo)])
    assert (plain.effectful, plain.idempotent, plain.approval) == (False, False, False)


def _pay(ledger: Ledger) -> Any:
    async def pay(to: str, ctx: ToolContext) -> str:
        """Pay."""
        ledger.note(ctx.key, to)
        return f"paid {to}"

    return pay


async def test_h13_a_chain_in_a_session_asks_in_the_middle_and_repeats_no_step() -> None:
    ledger = Ledger()

    @tool
    async def confirm(text: str, ctx: ToolContext) -> str:
        """Ask."""
        return f"{text}: {ctx.interrupt('Right?')}"

    first = tool(effectful=True)(_pay(ledger))
    made = chain("work", [step(first), step(confirm, "{step_0_result}"), step(first, "{input}2")])
    model = RuleModel(by_turn(calls(("work", {"input": "Bo"})), says("Done.")))
    session = Session(AgentSpec(slug="desk", tools=(made,)), model).start("Go.")
    assert (await session.run()).kind == "interrupted"
    session.decide_all("respond", value="yes")
    assert (await session.run()).kind == "finished"
    assert ledger.what == ["Bo", "Bo2"]
    assert [key.rpartition(".")[2] for key, _ in ledger.done] == ["0", "2"]
    assert (await verify(session)).ok


async def test_an_effectful_step_that_takes_too_long_leaves_the_chain_in_doubt() -> None:
    @tool(effectful=True, timeout=0.01)
    async def hang(text: str) -> str:
        """Hang."""
        await asyncio.Event().wait()
        return text

    model = RuleModel(by_turn(calls(("work", {"input": "Bo"})), says("Done.")))
    made = chain("work", [step(hang)])
    session = Session(AgentSpec(slug="desk", tools=(made,)), model).start("Go.")
    await session.run()
    assert [q.payload["kind"] for q in session.questions()] == ["in_doubt"]


@given(st.text(), st.text(), st.text())
def test_h13_a_value_is_never_read_as_a_template(before: str, value: str, other: str) -> None:
    """Whatever the data: it stands where its name stood, and nothing in it is replaced."""
    values = {"input": value, "step_0_result": other}
    template = before.replace("{", "").replace("}", "") + "{input}{step_0_result}"
    assert filled(template, values) == template[: -len("{input}{step_0_result}")] + value + other


@given(st.recursive(st.none() | st.integers() | st.text("{}ab_0"), lambda inner: st.lists(inner) |
       st.dictionaries(st.text("ab"), inner)))  # fmt: skip
def test_h13_a_template_without_a_name_of_a_value_is_itself(template: Any) -> None:
    assert filled(template, {"input": "x"}) == template
