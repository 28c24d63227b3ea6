"""English as agents read and write it: sentences with slots, and words for the slots."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

_WORDS = """
thing: order parcel invoice account subscription ticket report document file message payment
thing: refund shipment contract meeting release service server database customer request product
person: Ann Bob Carla David Elena Frank Grace Hassan Ingrid Jun Kofi Lena Maria Noah Olga
adjective: available important different recent complete possible necessary correct current
adjective: previous general special simple clear separate original similar common open large small
verb: check confirm update review send create delete cancel approve reject explain compare
verb: search collect prepare schedule publish deliver replace return repair measure
noun: information problem result change question answer reason example amount number address
noun: time day week month year place part group company system process development research
noun: evidence policy quality price value list table section page source version
adverb: usually already only still again often recently clearly directly probably
month: January February March April May June July August September October November December
city: Berlin London Paris Madrid Vienna Toronto Sydney Singapore Tokyo Nairobi Lima
status: pending shipped delivered cancelled processing completed failed refunded active
"""

WORDS: dict[str, list[str]] = {}
for _line in _WORDS.strip().splitlines():
    _name, _, _words = _line.partition(": ")
    WORDS.setdefault(_name, []).extend(_words.split())

SENTENCES = """
The {thing} for {person} is {status} and the {noun} has been sent to the {thing} team.
I will {verb} the {thing} first and then {verb} the {noun} with the customer.
I found {n} results for this {noun}; the most {adjective} one is about the {thing} from {month}.
According to the {noun}, the {thing} can be returned within {n} days of delivery.
Please {verb} the {adjective} {thing} before you {verb} the {noun}.
There is no {noun} in the {thing}, so I need to ask {person} for the {adjective} {noun}.
Thank you for your message. Your {thing} was {status} on {n} {month} and should arrive this week.
The customer says that the {thing} arrived damaged and would like a full refund of {n} USD.
Let me look up the {thing} and check whether the {noun} is still {adjective}.
You are a helpful assistant. Answer the question with the information that the tools return.
Use the tools to find the answer. If you do not know the answer, say that you do not know.
Do not make up {noun}s. If a tool returns an error, explain what happened and what to do next.
Always {verb} the {thing} before a refund is issued, and never issue more than the order total.
It is {adverb} {adjective} to {verb} the {thing} when the {noun} has changed since {month}.
In {city} the {noun} of the {thing} was {adverb} {adjective} in the last {n} years.
The {adjective} {noun} shows that there are more than {n} {thing}s which have not been {status}.
This {noun} is based on the {thing} that was published in {city} in {month} 20{n}.
Here is a summary of the {adjective} {noun}: the {thing} is {status}, and the {noun} is {adjective}.
Could you {verb} the {thing} number {n} for me and tell me what the {noun} is?
The request failed because the {noun} was not {adjective}; try again with another {noun}.
We would like to {verb} the {noun}, but we have to {verb} the {thing} with {person} first.
What is the {noun} of the {adjective} {thing} and why did the {noun} change?
Both {thing}s have the same {noun}, which means that one of them is not {adjective}.
As of {month} 20{n}, the {thing} includes a {adjective} {noun} for each {noun}.
If the {thing} is not {status} by the end of the week, we can {verb} it without any {noun}.
However, the {noun} does not say how the {thing} should be {status} when the {noun} is missing.
The total is {n}.{n} EUR including tax; the {noun} will be charged to the {adjective} {thing}.
I have {verb}ed the {thing} and will let you know as soon as there is any {adjective} {noun}.
After that, {person} {verb}ed the {noun} and {adverb} asked the team to {verb} the {thing}.
These {noun}s were collected from {n} sources between {month} and {month}, most of them {adjective}.
The most important {noun}s are the {noun}, the {adjective} {noun} and the {thing}.
For example, when a {thing} has been {status}, the {noun} can no longer be {status}.
It was first built in {city}, where it has been used for the {noun} of {thing}s for many years.
The following steps are needed: {verb} the {noun}, then {verb} the {thing}, then {verb} it again.
There are several reasons for this, but one is that the {thing} was {status} too late.
They should not {verb} the {thing} because it could change the {noun} of other {thing}s.
Would you like me to {verb} the {noun} now, or would you rather wait until {month}?
Our records show that your {thing} was {status}, so we cannot {verb} the {noun} at this time.
I am sorry for the trouble with your {thing}; I have asked {person} to {verb} the {noun}.
The quick answer is that the {noun} depends on the {thing} and on how {adverb} it is {status}.
""".strip().splitlines()

_SLOT = re.compile(r"\{(\w+)\}")


def sentence(rng: random.Random) -> str:
    """One sentence, its slots filled."""

    def fill(slot: re.Match[str]) -> str:
        name = slot.group(1)
        return str(rng.randrange(1, 100)) if name == "n" else rng.choice(WORDS[name])

    return _SLOT.sub(fill, rng.choice(SENTENCES))


def prose(rng: random.Random, nbytes: int) -> str:
    """Sentences of about ``nbytes`` together, in paragraphs."""
    out: list[str] = []
    size = 0
    while size < nbytes:
        out.append(sentence(rng))
        size += len(out[-1]) + 1
        if rng.random() < 0.15:
            out[-1] += "\n"
    return " ".join(out)
