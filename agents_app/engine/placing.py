"""Where a middleware may stand: rules that each declares about others, read when one is configured.

A middleware says in class attributes what it is to others (``roles``) and where it has to stand
(``placing``); in a method ``problems(spec)`` what of its options does not fit an agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from agents_app.engine.actor import name_of
from agents_app.engine.said import Code, Said
from playhead.core.immutable import immutable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agents_app.engine.spec import AgentSpec

Severity = Literal["problem", "warning"]
#: A middleware with its place in the definition's list.
Placed = tuple[int, Any]


class Problem(NamedTuple):
    """What is wrong with a definition: where (``middleware.1.use``), a sentence, how bad.

    A ``problem`` is refused, a ``warning`` is only said.
    """

    field: str
    message: str
    severity: Severity = "problem"


@immutable(frozen=True, slots=True)
class Rule:
    """Where a middleware stands to those of a role, or of a name; ``why`` is a sentence."""

    place: Literal["before", "after", "alone"]
    role: str
    why: str
    severity: Severity = "problem"


def before(role: str, why: str, severity: Severity = "problem") -> Rule:
    """It stands before every middleware of that role: outside of its wraps."""
    return Rule("before", role, why, severity)


def after(role: str, why: str, severity: Severity = "problem") -> Rule:
    """It stands after every middleware of that role: inside of its wraps."""
    return Rule("after", role, why, severity)


def alone(role: str, why: str, severity: Severity = "problem") -> Rule:
    """There is no other middleware of that role in the agent."""
    return Rule("alone", role, why, severity)


def misplaced(chain: Sequence[Placed]) -> list[Problem]:
    """What the rules of a chain's middlewares say against its order; each pair is told once."""
    told: set[frozenset[int]] = set()
    found = []
    for place, middleware in chain:
        for rule in getattr(middleware, "placing", ()):
            for other_place, other in _broken_by(chain, place, rule):
                if (pair := frozenset((place, other_place))) not in told:
                    told.add(pair)
                    said = _said(name_of(middleware), rule, name_of(other))
                    found.append(Problem(f"middleware.{place}.use", said, rule.severity))
    return found


def unfit(chain: Sequence[Placed], spec: AgentSpec) -> list[Problem]:
    """What the middlewares themselves say against the agent that they are configured for."""
    return [
        Problem(".".join(filter(None, (f"middleware.{place}", field))), *rest)
        for place, middleware in chain
        for field, *rest in _own_problems(middleware, spec)
    ]


def _own_problems(middleware: Any, spec: AgentSpec) -> Iterable[Sequence[Any]]:
    check = getattr(middleware, "problems", None)
    return check(spec) if check is not None else ()


def _broken_by(chain: Sequence[Placed], place: int, rule: Rule) -> Iterator[Placed]:
    for other_place, other in chain:
        if other_place == place or rule.role not in _known_as(other):
            continue
        if rule.place == "alone" or (rule.place == "before") == (other_place < place):
            yield other_place, other


def _known_as(middleware: Any) -> tuple[str, ...]:
    return (name_of(middleware), *getattr(middleware, "roles", ()))


def _said(name: str, rule: Rule, other: str) -> str:
    which = f"{name}.{rule.place}.{rule.role}"
    if rule.place == "alone":
        text = f"{name} does not go together with {other}: {rule.why}"
        return Said(text, "not_together", name=name, other=other, rule=which)
    text = f"{name} has to stand {rule.place} {other}: {rule.why}"
    code: Code = "stands_before" if rule.place == "before" else "stands_after"
    return Said(text, code, name=name, other=other, rule=which)
