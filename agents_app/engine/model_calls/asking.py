"""A model call through the seam: hooks, request, answer, hooks; and what to do when none comes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from agents_app.engine.budgets import budget
from agents_app.engine.errors import (
    Closed,
    ControlFlow,
    Failed,
    Interrupted,
    ReplayViolation,
    WaitUntil,
)
from agents_app.engine.log.own_words import own_words
from agents_app.engine.loop import hooks
from agents_app.engine.loop.checked import messages_fault
from agents_app.engine.loop.restoring import prompt_of
from agents_app.engine.loop.shared import offer_of
from agents_app.engine.model_calls import attempts
from agents_app.engine.model_calls.prompts import Prompt, common, extend, reference, splice
from agents_app.engine.model_calls.standing import standing
from agents_app.engine.ports import ModelRequest
from playhead.core import digest
from playhead.core.events import Draft, Event

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents_app.engine.loop.activation import Activation
    from agents_app.engine.loop.shared import Loop, Offer
    from agents_app.engine.messages import Message
    from agents_app.engine.spec import AgentSpec


async def ask(
    loop: Loop,
    activation: Activation,
    *,
    messages: list[Message] | None = None,
    offer_tools: bool = True,
    params: Mapping[str, Any] | None = None,
) -> Message:
    """Ask the model and return its message, as hooks left it.

    Args:
        messages: the prompt; by default the instructions and the windowed transcript.
        offer_tools: whether the agent's tools are offered.
        params: parameters of this request besides the agent's own.

    Raises:
        Interrupted, Paused, Cancelled, Closed, WaitUntil, Failed: the run can't go on now, or ever.
    """
    scope = activation.scope
    if scope in loop.asking:
        raise Failed("strategy_error", f"two model requests at once in {scope}")
    loop.asking.append(scope)
    try:
        event, request = await _asked(loop, activation, messages, offer_tools, params)
        reply = await _answer(loop, activation, event, request)
        message = await hooks.after_llm(loop, activation, loop.record.message(reply.seq))
    except ControlFlow as stop:
        activation.stopped = stop
        raise
    finally:
        loop.asking.remove(scope)
    loop.bus.emit("after_llm_call", step=activation.step, response=message)
    return message


async def _asked(
    loop: Loop,
    activation: Activation,
    messages: list[Message] | None,
    offer_tools: bool,
    params: Mapping[str, Any] | None,
) -> tuple[Event, ModelRequest]:
    """Hear what people said, let hooks prepare the request, and write it."""
    scope = activation.scope
    upto = loop.seam.upto(scope, "llm_request")
    take_steers(loop, activation, upto)
    spec = loop.agent_of(activation, upto)
    offer = _with_code(loop, scope, spec, loop.offer(spec, tools=offer_tools))
    if params:
        offer = offer.with_params(spec.model, params)
    if messages is None:
        messages = activation.view(offer.system, activation.actor.limits.window)
    else:
        messages = _in_own_words(loop, activation, messages)
    seen, offer = await hooks.before_llm(loop, activation, messages, offer)
    reserved = budget.admit_request(loop, activation, scope, spec.model, seen, offer)
    loop.seam.fence(scope, "llm_request")
    event, request = _write_request(loop, activation, spec, seen, offer, reserved)
    loop.bus.emit("before_llm_call", step=activation.step, messages=request.messages)
    return event, request


def _with_code(loop: Loop, scope: str, spec: AgentSpec, offer: Offer) -> Offer:
    """The offer without tools whose code has gone; a recorded request had what it had."""
    gone = {tool.name for tool in spec.tools if tool.gone}
    if not gone:
        return offer
    asked = loop.seam.peek(scope, "llm_request")
    said = asked.payload["tools"] if asked else []
    if isinstance(said, int):
        holder = loop.record.event(said)
        said = holder.payload["tools"] if holder else []
    had = {tool["function"]["name"] for tool in said}
    left = {tool["function"]["name"] for tool in offer.tools} - gone
    return offer.only(left | (gone & had))


async def ask_beside(
    loop: Loop, activation: Activation, scope: str, messages: list[Message], *,
    model: str | None = None, must: bool = True,
) -> Message:  # fmt: skip
    """Ask a model for a middleware, beside the conversation: no hooks, no tools, no history.

    Args:
        model: by default the agent's; another one gets none of the agent's parameters.
        must: whether a person is asked when no answer comes; else that is final.

    Raises:
        Interrupted, Paused, Cancelled, Closed, WaitUntil, Failed: the run can't go on now, or ever.
    """
    spec = loop.agent_of(activation, loop.seam.upto(scope, "llm_request"))
    if model is not None and model != spec.model:
        spec = replace(spec, model=model, params={})
    offer = offer_of(spec, tools=False)
    messages = own_words(loop.record, messages)
    prompt = extend(Prompt(), messages, 0)
    mark = digest.fingerprint(prompt.digest, offer.tools_digest, offer.params_digest)
    payload: dict[str, Any] = {
        "model": spec.model,
        "params": offer.params,
        "tools": offer.tools,
        "prompt": [reference(message) for message in messages],
        "n": len(messages),
        "digest": digest.named(prompt.digest),
        "fingerprint": mark,
        "internal": True,
    }
    reserved = budget.admit_request(loop, activation, scope, spec.model, messages, offer)
    if reserved is not None:
        payload["reserved"] = reserved
    loop.seam.fence(scope, "llm_request")
    before = loop.record.seq
    event = loop.seam.write(Draft("llm_request", payload, scope))
    if event.seq > before:
        loop.flight.fresh(event.seq)
    said = event.payload
    if event.edited is not None:
        prompt = prompt_of(loop.record, event, Prompt())
    request = ModelRequest(
        tuple(prompt.messages), (), said["params"], said["model"], said["fingerprint"], True
    )
    reply = await _answer(loop, activation, event, request, must=must)
    return loop.record.message(reply.seq)


def _in_own_words(loop: Loop, activation: Activation, messages: list[Message]) -> list[Message]:
    """What a strategy asks with; what it shares with the request before was looked at then."""
    fault = messages_fault(messages, activation.prompt.messages)
    if fault is not None:
        raise TypeError(f"a model is asked with messages, and was asked with {fault}")
    shared = common(activation.prompt, messages)
    return [*activation.prompt.messages[:shared], *own_words(loop.record, messages[shared:])]


def take_steers(loop: Loop, activation: Activation, upto: float) -> list[Message]:
    """Put what people said to an activation into its history, once; returns what is new."""
    steers = loop.record.by_type.get("steer", ())
    taken = {m.origin[0] for m in activation.transcript if m.origin} if steers else set()
    said = [
        loop.record.message(steer.seq)
        for steer in steers
        if steer.seq < upto and steer.seq not in taken and steer.payload["to"] == activation.address
    ]
    activation.append(said)
    return said


def _write_request(
    loop: Loop, activation: Activation, spec: AgentSpec, seen: list[Message], offer: Offer,
    reserved: dict[str, Any] | None,
) -> tuple[Event, ModelRequest]:  # fmt: skip
    previous = activation.prompt
    shared = common(previous, seen)
    splices = splice(previous, seen, shared)
    prompt = extend(previous, seen, shared)
    known = previous.tools == offer.tools_digest
    mark = digest.fingerprint(prompt.digest, offer.tools_digest, offer.params_digest)
    payload: dict[str, Any] = {
        "model": spec.model,
        "params": offer.params,
        "tools": previous.tools_seq if known else offer.tools,
        "prompt": splices,
        "n": len(seen),
        "digest": digest.named(prompt.digest),
        "fingerprint": mark,
    }
    if reserved is not None:
        payload["reserved"] = reserved
    before = loop.record.seq
    event = loop.seam.write(Draft("llm_request", payload, activation.scope))
    if event.edited is not None:
        return event, _edited(loop, activation, event, offer)
    if event.seq > before:
        loop.flight.fresh(event.seq)
    prompt.seq = event.seq
    if not known:
        prompt.tools, prompt.tools_seq = offer.tools_digest, event.seq
    activation.prompt = prompt
    return event, ModelRequest(tuple(seen), tuple(offer.tools), offer.params, spec.model, mark)


def _edited(loop: Loop, activation: Activation, event: Event, offer: Offer) -> ModelRequest:
    """A request that a person edited is sent as edited, this once."""
    activation.prompt = prompt = prompt_of(loop.record, event, activation.prompt)
    tools = event.payload["tools"]
    if isinstance(tools, int):
        holder = loop.record.event(tools)
        tools = holder.payload["tools"] if holder else offer.tools
    said = event.payload
    messages = tuple(prompt.messages)
    return ModelRequest(messages, tuple(tools), said["params"], said["model"], said["fingerprint"])


async def _answer(
    loop: Loop, activation: Activation, event: Event, request: ModelRequest, *, must: bool = True
) -> Event:
    """The response to a request: from the record, or performed."""
    while True:
        for caused in loop.record.caused_by(event.seq):
            loop.seam.saw(caused)
        answer = loop.record.answer(event.seq)
        if answer is not None:
            return _given(answer)
        loop.seam.check_cancel()
        _wait_for_people_or_time(loop, event)
        if loop.seam.replaying:
            raise ReplayViolation(
                f"the record has no answer to request {event.seq}",
                scope=event.scope,
                event_type="llm_response",
            )
        await loop.writer.commit()
        first = loop.flight.is_fresh(event.seq)
        await loop.flight.join(
            event.seq,
            partial(attempts.perform, loop, activation, event, request, first=first, must=must),
        )
        loop.flight.forget(event.seq)
        loop.writer.check()


def _given(answer: Event) -> Event:
    if answer.event_type == "llm_response":
        return answer
    if answer.payload["code"] == "cancelled":
        raise Closed  # by the end of the run, whatever ended it
    raise Failed(answer.payload["code"], answer.payload["message"])


def _wait_for_people_or_time(loop: Loop, event: Event) -> None:
    if not loop.record.caused_by(event.seq):
        return  # it was only just written
    state = standing(loop, event)
    if state.question is not None:
        raise Interrupted([state.question])
    if state.due is not None and loop.clock.now() < state.due:
        raise WaitUntil(state.due)
    if state.kind == "gave_up" and not loop.seam.replaying:
        text = "A person decided not to try the model again."
        failure = attempts.final_error("gave_up", text, attempt=state.attempt)
        loop.writer.emit(Draft("llm_error", failure, event.scope, event.seq))
        raise Failed("gave_up", text)
