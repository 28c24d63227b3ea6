"""What the scripted model does when it is on call: as planner, executor and replanner."""

from __future__ import annotations

import json
import re
from typing import Any

from agents_app.adapters.models.scripted import Reply, Rule, Script, View, call, reply

LOOK = "Look at the open alerts"
FIND = "Find out what is wrong with the service"
MEND = "Do what the runbook says"
_ROLL = re.compile(r"roll (\S+) back to (\S+)", re.IGNORECASE)
_CHECK = re.compile(r"check that (\S+) is well", re.IGNORECASE)
_ALERT = re.compile(r"(\S+) has an error rate of ([\d.]+) %")
_BLAME = re.compile(r"(\S+) runs (\S+) since (\S+), before it (\S+)")


def _is(role: str) -> Any:
    return lambda view: f"You are the {role}." in view.messages[0].content


def _section(view: View, name: str) -> str:
    """The part of the task that stands under a heading."""
    _, _, rest = view.user.partition(f"{name}:\n")
    return rest.partition("\n\n")[0].strip()


def _step(view: View) -> str:
    return _section(view, "Now do this step").lower()


def _look(view: View) -> Reply:
    if "list_alerts" not in view.calls:
        return reply("I look at the alerts.", calls=[call("list_alerts")])
    alerts = view.result("list_alerts")
    if not alerts:
        return reply("There is no alert.")
    worst = alerts[0]
    return reply(f"{worst['name']} has an error rate of {worst['error_rate']} %.")


def _find(view: View) -> Reply:
    found = _ALERT.search(_section(view, "Done so far"))
    if not found:
        return reply("There is nothing to look into.")
    if "service_status" not in view.calls:
        wanted = [
            call("service_status", service=found[1]),
            call("search_runbooks", query="release"),
        ]
        return reply(f"I look at {found[1]} and at the runbooks.", calls=wanted)
    now = view.result("service_status")
    books = view.result("search_runbooks") or [{"body": "No runbook fits."}]
    return reply(
        f"{now['name']} runs {now['version']} since {now['since']}, before it {now['previous']}. "
        f"The runbook: {books[0]['body']}"
    )


def _roll(view: View) -> Reply:
    wanted = _ROLL.search(_section(view, "Now do this step"))
    if wanted is None:
        return reply("This step names no service.")
    if "roll_back" not in view.calls:
        asked = call("roll_back", service=wanted[1], version=wanted[2])
        return reply(f"I roll {wanted[1]} back.", calls=[asked])
    result = view.result("roll_back")
    if isinstance(result, dict):
        return reply(f"{result['name']} runs {result['version']} now.")
    return reply(f"It was not rolled back: {result}")


def _check(view: View) -> Reply:
    wanted = _CHECK.search(_section(view, "Now do this step"))
    name = wanted[1] if wanted else "checkout"
    if "service_status" not in view.calls:
        return reply(f"I check {name}.", calls=[call("service_status", service=name)])
    return reply(f"{name} has an error rate of {view.result('service_status')['error_rate']} %.")


def _replan(view: View) -> Reply:
    done, left = _section(view, "Done so far"), _section(view, "Steps that were left")
    blame = _BLAME.search(done)
    if "There is no alert" in done:
        return _answer("Everything is well: there is no alert.")
    if "not rolled back" in done and blame:
        said = f"A person kept {blame[1]} on {blame[2]}; its errors go on. Nothing was changed."
        return _answer(said)
    if MEND in left and FIND not in left and blame:
        steps = [
            f"Roll {blame[1]} back to {blame[4].rstrip('.')}",
            f"Check that {blame[1]} is well",
        ]
        return reply(json.dumps({"steps": steps}))
    if left and left != "(none)":
        return reply(json.dumps({"steps": [line.removeprefix("- ") for line in left.splitlines()]}))
    rates = _ALERT.findall(done)
    if blame and len(rates) > 1:
        was, now = rates[0][1], rates[-1][1]
        return _answer(
            f"{blame[1]} {blame[2]} failed {was} % of requests since {blame[3]}. It was rolled "
            f"back to {blame[4].rstrip('.')}; the error rate is {now} % now."
        )
    return _answer("Nothing more can be done here.")


def _answer(text: str) -> Reply:
    return reply(json.dumps({"answer": text}))


ON_CALL_SCRIPT = Script(
    name="on-call",
    rules=[
        Rule(_is("planner"), lambda v: reply(json.dumps([LOOK, FIND, MEND]))),
        Rule(_is("replanner"), _replan),
        Rule(lambda v: _ROLL.search(_step(v)), _roll),
        Rule(lambda v: _CHECK.search(_step(v)), _check),
        Rule(lambda v: "alerts" in _step(v), _look),
        Rule(lambda v: True, _find),
    ],
)
