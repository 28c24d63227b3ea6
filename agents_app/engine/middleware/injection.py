"""Prompt injection: text that gives orders where it should only inform.

Forms, not understanding: each pattern is a way of speaking to the model over its owner's head.
They match in linear time; a text that merely speaks of instructions is not found.
"""

from __future__ import annotations

import re

from playhead.core.detect import Finding
from playhead.core.detect.finding import merge

_PAST = r"(?:previous|prior|earlier|preceding|above|foregoing|existing|system|former)"
_ORDERS = r"(?:instructions?|prompts?|rules?|directions?|guidelines?|messages?|context|commands?)"
_DROP = (
    r"(?:ignore|disregard|forget|override|bypass|skip|do not follow|don't follow|stop following)"
)

_FORMS: tuple[tuple[str, str], ...] = (
    (
        "override",
        rf"\b{_DROP}\s+(?:(?:all|any|the|your|of|these|those|my|every)\s+){{0,4}}"
        rf"(?:{_PAST}\s+(?:and\s+\w+\s+)?{_ORDERS}|{_ORDERS}\s+(?:above|before|given|so far))",
    ),
    (
        "override",
        rf"\b{_DROP}\s+(?:everything|anything|all)\s+(?:that\s+\w+\s+\w+\s+)?"
        r"(?:above|before|previously|you (?:were|have been) told)",
    ),
    (
        "override",
        "(?:忽略|无视|忘记|不要遵守).{0,6}(?:之前|以上|前面|上述|先前|系统)"
        ".{0,4}(?:指令|提示|规则|要求|说明|内容)",
    ),
    (
        "role",
        r"<\|(?:im_start|start_header_id|system|assistant)\|?>?|\[/?INST\]|<</?SYS>>"
        r"|#{1,4}\s{0,3}(?:system|new) (?:prompt|instructions?)\b",
    ),
    (
        "role",
        r"\b(?:you are|you're) now (?:in )?(?:a |an |the )?"
        r"(?:dan|developer mode|jailbroken|unrestricted|admin(?:istrator)?|root|system)\b",
    ),
    (
        "role",
        r"\b(?:new|updated|real|actual) (?:system )?instructions?\s*(?:for (?:the )?"
        r"(?:ai|assistant|agent|model)|from (?:the )?(?:system|admin|developer))\b",
    ),
    (
        "leak",
        r"\b(?:reveal|print|repeat|show|output|leak|send)\b[^.\n]{0,40}"
        r"\b(?:system prompt|(?:your|hidden|initial|secret) (?:system )?instructions)\b",
    ),
    (
        "concealment",
        r"\b(?:do not|don't|never|without) (?:tell|inform|mention|telling|informing"
        r"|notify|notifying|alert|asking)\b[^.\n]{0,24}"
        r"\b(?:user|human|person|operator|owner|customer|approval)\b",
    ),
    ("hidden", "[\U000e0020-\U000e007e]{4,}"),
)
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _FORMS)


def find_injection(text: str) -> list[Finding]:
    """Where a text tries to command the model, in order; ``type`` says in which way."""
    found = [
        Finding(match.start(), match.end(), kind, match.start())
        for kind, pattern in _COMPILED
        for match in pattern.finditer(text)
    ]
    return merge(found)
