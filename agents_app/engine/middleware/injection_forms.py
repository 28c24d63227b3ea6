"""Ways of speaking to a model over its owner's head. Every repeat is bounded.

Each pattern has its signs: words (in lower case) without one of which it can't match. Most texts
have none, and forty patterns cost a hundred times what these few searches do.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_PAST = (
    r"(?:previous|prior|earlier|preceding|above|foregoing|existing|system|former|initial|original)"
)
_ORDERS = (
    r"(?:instructions?|prompts?|rules?|directions?|guidelines?|directives?|constraints?"
    r"|programming)"
)
_DROP = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|skip|do not follow|don't follow"
    r"|stop following|do not obey|pay no attention to)"
)
_DROPS = (
    "ignore|disregard|forget|override|overrule|bypass|skip|not follow|n't follow|stop following"
    "|not obey|no attention"
)
_FILLER = r"(?:(?:all|any|the|your|of|these|those|my|every|each|everything|in|other)\s+){0,5}"
_MODEL = r"(?:ai|(?:ai )?(?:assistant|agent|model)|bot|llm|chatbot)"
_UNTOLD = (
    r"(?:system (?:prompt|message|instructions?)|your (?:instructions?|prompt)"
    r"|(?:your )?(?:hidden|initial|secret|original|internal|system) (?:instructions?|prompt|rules))"
)
_SAY = (
    r"(?:reveal|print|repeat|show|output|leak|send|display|tell me|give me|write out|dump|disclose)"
)

_OVERRIDE = (
    (
        _DROPS,
        rf"\b{_DROP}\s+{_FILLER}(?:{_PAST}\s+(?:(?:and|or)\s+\w{{1,20}}\s+)?(?:{_MODEL}\s+)?{_ORDERS}\b"
        rf"|{_ORDERS}\s+(?:above|before|given|so far|you (?:have|were)))",
    ),
    (
        _DROPS,
        rf"\b{_DROP}\s+(?:everything|anything|all)\s+(?:that\s+\w{{1,20}}\s+\w{{1,20}}\s+)?"
        r"(?:above|before this|previously|you (?:were|have been|know|learned))",
    ),
    (
        "system prompt|developer message|safety ",
        rf"\b{_DROP}\s+{_FILLER}"
        r"(?:system prompt|developer message|safety (?:rules|guidelines|filters))",
    ),
    (
        "new |real |actual |updated ",
        r"\b(?:your|the) (?:new|real|actual|updated) (?:instructions?|task|goal|orders?|objective) "
        r"(?:is|are)\b",
    ),
    (
        "instead|from now on",
        r"\b(?:instead|from now on),? (?:you (?:must|will|shall)|follow these)\b[^.\n]{0,40}"
        r"\b(?:instructions?|obey|ignore|only)\b",
    ),
    (
        "忽略|无视|忘记|忘掉|不要遵守|不要理会|抛开|绕过",
        "(?:忽略|无视|忘记|忘掉|不要遵守|不要理会|抛开|绕过)[^。\n]{0,8}"
        "(?:之前|以上|前面|上述|上面|先前|此前|系统|原有|原来|所有)[^。\n]{0,6}"
        "(?:指令|指示|提示词?|规则|要求|设定|限制|命令)",
    ),
    (
        "从现在开始|从现在起",
        "(?:从现在开始|从现在起)[^。\n]{0,6}(?:你是|你将|你必须|扮演|只听)",
    ),
)
_ROLE = (
    (
        "<|[",
        r"<\|(?:im_start|im_end|start_header_id|system|assistant|user)\|?>?|\[/?INST\]|<</?SYS>>"
        r"|<(?:/)?(?:system|assistant)(?:[_ -]?(?:prompt|message|override))?>",
    ),
    (
        "system|developer",
        r"(?:^|\n)\s{0,4}(?:#{1,4}\s{0,3})?(?:system|developer)"
        r"(?: (?:prompt|message|override|note))?\s{0,2}:\s{0,4}"
        r"(?:you|ignore|disregard|override|new|from now|the assistant|important|execute)\b",
    ),
    (
        "##",
        r"#{2,4}\s{0,3}(?:system|new) (?:prompt|instructions?)\b",
    ),
    (
        "you are|you're|act as|pretend|behave",
        r"\b(?:you are|you're|act as|pretend to be|behave as) (?:now )?(?:in )?(?:a |an |the )?"
        r"(?:dan\b|developer mode|jailbroken|unrestricted|uncensored|root\b|god mode"
        r"|(?:system )?administrator of this)",
    ),
    (
        "instruction",
        rf"\b(?:new|updated|special|urgent) (?:system )?instructions?\s{{0,3}}"
        rf"(?:for (?:the |this )?{_MODEL}"
        r"|from (?:the )?(?:system|admin(?:istrator)?|developers?))\b",
    ),
    (
        "attention|note|message|important|instruction",
        r"\b(?:attention|note|message|important|instructions?) (?:to|for) (?:the |any |all )?"
        rf"{_MODEL}s?\b\s{{0,2}}:",
    ),
    (
        "if you are a",
        rf"\bif you are an? {_MODEL}\b[^.\n]{{0,40}}\b(?:you must|you should|please|then|ignore)\b",
    ),
    (
        "开发者模式|越狱模式|无限制模式|系统管理员指令|系统覆盖指令",
        "(?:开发者模式|越狱模式|无限制模式|系统管理员指令|系统覆盖指令)",
    ),
)
_LEAK = (
    (
        "instruction|prompt|message|rules",
        rf"\b{_SAY}\b[^.?!\n]{{0,40}}\b{_UNTOLD}\b",
    ),
    (
        "what is|what are|what was|what were",
        rf"\bwhat (?:is|are|was|were) {_UNTOLD}",
    ),
    (
        "everything|all text|all the text|the words",
        rf"\b{_SAY}\b[^.?!\n]{{0,30}}"
        r"\b(?:everything|all (?:the )?text|the words) (?:above|before)\b",
    ),
    (
        "api key|password|credential|conversation history|chat history|secret",
        r"\b(?:send|post|upload|exfiltrate|forward|email)\b[^.\n]{0,60}"
        r"\b(?:api keys?|passwords|credentials|conversation history|chat history|secrets)\b"
        r"[^.\n]{0,40}(?:https?://|@|\bto (?:this|the following|me)\b)",
    ),
    (
        "](http",
        r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{1,200}[?&](?:\w{1,20}=)?(?:\{|\$|<|%7B)",
    ),
    (
        "输出|显示|透露|泄露|告诉我|重复|打印|发送",
        "(?:输出|显示|透露|泄露|告诉我|重复|打印|发送)[^。?\n]{0,10}"
        "(?:系统提示词?|系统指令|初始指令|隐藏指令|内部指令|你的指令|你的提示词)",
    ),
)
_TOOLS = (
    (
        "without |immediately and |for every|as many times",
        r"\b(?:call|use|invoke|run|execute|trigger)\b[^.\n]{0,20}\b\w{1,40}_\w{1,40}\b[^.\n]{0,60}"
        r"\b(?:without (?:asking|approval|confirmation|telling)|immediately and (?:do not|don't)"
        r"|for every|as many times)\b",
    ),
    (
        "without ",
        r"\b(?:approve|refund|transfer|delete|wire|pay|grant)\b[^.\n]{0,60}"
        r"\bwithout (?:asking|approval|confirmation|review|checking|human)\b",
    ),
    (
        "approved|authori|confirmed|consented",
        r"\b(?:the )?(?:user|customer|admin|manager|operator|human) (?:has )?(?:already )?"
        r"(?:approved|authori[sz]ed|confirmed|consented)\b[^.\n]{0,40}"
        r"\b(?:no (?:further )?(?:approval|confirmation)|skip|bypass|proceed without|do not ask)\b",
    ),
    (
        "skip|bypass|disable|turn off",
        r"\b(?:skip|bypass|disable|turn off)\s+(?:the\s+)?"
        r"(?:approval|confirmation|guard ?rails?|human review|safety check)",
    ),
    (
        "不经|无需|不需要|跳过|绕过",
        "(?:不经|无需|不需要|跳过|绕过)[^。\n]{0,4}(?:审批|批准|确认|人工审核)[^。\n]{0,10}"
        "(?:直接|立即|马上)[^。\n]{0,10}(?:退款|转账|删除|执行|调用|付款)",
    ),
)
_CONCEALMENT = (
    (
        "do not|don't|never|without",
        r"\b(?:do not|don't|never|without) (?:tell|inform|mention|reveal|disclose|telling|informing"
        r"|mentioning|notify|notifying|alert|alerting)\b[^.\n]{0,24}"
        r"\b(?:the|your|any|this to the|this to) (?:user|human|person|operator|owner|customer)\b",
    ),
    (
        "hide this|conceal this",
        r"\b(?:hide|conceal) this (?:from|message)\b",
    ),
    (
        "不要|别|不许",
        "(?:不要|别|不许)(?:告诉|告知|通知|让)[^。\n]{0,4}(?:用户|客户|操作员|人类)[^。\n]{0,6}",
    ),
)


class Form(NamedTuple):
    """A way of commanding; ``signs``: words without one of which it can't be."""

    kind: str
    signs: frozenset[str]
    pattern: re.Pattern[str]


FORMS: tuple[Form, ...] = tuple(
    Form(kind, frozenset(signs.split("|")), re.compile(pattern, re.IGNORECASE))
    for kind, patterns in (
        ("override", _OVERRIDE),
        ("role", _ROLE),
        ("leak", _LEAK),
        ("tools", _TOOLS),
        ("concealment", _CONCEALMENT),
    )
    for signs, pattern in patterns
)
_SIGNS = frozenset().union(*(form.signs for form in FORMS))
#: What matches an ASCII letter without regard to case, and does not become it in lower case.
_LIKE_ASCII = str.maketrans({"\u0130": "i", "\u0131": "i", "\u017f": "s"})


def signs_in(text: str) -> frozenset[str]:
    """The signs that stand in a text."""
    lower = (text if text.isascii() else text.translate(_LIKE_ASCII)).lower()
    return frozenset(sign for sign in _SIGNS if sign in lower)


#: Text that no reader sees: letters of the tag block, and long runs without width.
HIDDEN = re.compile("[\U000e0020-\U000e007e]{4,}|[\u200b\u200c\u2060\ufeff]{8,}")
